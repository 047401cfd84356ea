//! Input that is not what it should be, down to the bytes: it ends in a problem, never in anything worse.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;

use tosca_parse::source::{Address, Provider, ReadError};
use tosca_parse::{Outcome, Parser};

fn parse(bytes: &[u8]) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("service.yaml"), bytes).unwrap();
    parse_in(folder.path())
}

fn parse_in(folder: &Path) -> Outcome {
    Parser::builder().directory(folder).threads(1).build().unwrap().parse("service.yaml").unwrap()
}

fn codes(outcome: &Outcome) -> Vec<&'static str> {
    outcome.diagnostics.iter().map(|diagnostic| diagnostic.rule.code).collect()
}

#[test]
fn bytes_that_are_no_text() {
    let outcome = parse(b"tosca_definitions_version: tosca_2_0\ndescription: caf\xe9 and more\n");
    assert_eq!(codes(&outcome), ["T1003"]);
    assert!(outcome.diagnostics[0].message.contains("byte 53"), "no offset: {}", outcome.diagnostics[0].message);
}

/// Serves one source that says that it is larger than may be read.
#[derive(Debug)]
struct Enormous;

impl Provider for Enormous {
    fn serves(&self, address: &Address) -> bool {
        address.scheme() == "enormous"
    }

    fn identity(&self, address: &Address) -> Address {
        address.clone()
    }

    fn read(&self, _: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        Err(ReadError::TooLarge { limit })
    }

    fn exists(&self, _: &Address) -> bool {
        true
    }
}

#[test]
fn a_source_that_is_too_large() {
    let parser = Parser::builder().provider(Arc::new(Enormous)).threads(1).build().unwrap();
    let outcome = parser.parse("enormous://service").unwrap();
    assert_eq!(codes(&outcome), ["T1004"]);
}
