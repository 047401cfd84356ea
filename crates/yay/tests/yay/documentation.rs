//! The examples in the documentation have the values that are given below them.

use std::path::Path;

use serde_json::Value;
use tosca_parse_yay::{Config, Memory};

use crate::conformance::json;

#[test]
fn examples() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/yay.md");
    let text = std::fs::read_to_string(path).expect("the documentation is there");
    let mut document = None;
    let mut count = 0;
    for block in text.split("```").skip(1).step_by(2) {
        let (language, body) = block.split_once('\n').expect("a block has a first line");
        match language {
            "yay" => document = Some(body),
            "json" => {
                let document = document.take().expect("a document comes before its value");
                let mut config = Config::new(Memory::default());
                config.load("example", document);
                let found = config.resolve().unwrap_or_else(|error| panic!("{document}\n{}", config.describe(&error)));
                let wanted: Value = serde_json::from_str(body).expect("what it comes to is JSON");
                assert_eq!(json(&found).to_string(), wanted.to_string(), "{document}");
                count += 1;
            }
            _ => {}
        }
    }
    assert!(count >= 6, "{count} examples");
}
