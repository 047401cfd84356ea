//! Files of classes, manifests and models through all phases, with the core library.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tosca_parse::murano::language::MURANO;
use tosca_parse::{Entry, Parser};

static PARSER: LazyLock<Parser> = LazyLock::new(|| Parser::builder(&MURANO).offline(true).threads(1).build().unwrap());

fuzz_target!(|bytes: &[u8]| {
    let address = PARSER.address("/none/class.yaml").unwrap();
    let outcome = PARSER.parse_entry(Entry::text(address, bytes));
    outcome.diagnostics.iter().for_each(|problem| drop(problem.message.clone()));
});
