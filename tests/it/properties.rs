//! Property tests: properties that hold for any input of a kind, checked with many random inputs.

mod any_template;
mod mutations;
mod names;
mod values;

use std::sync::LazyLock;

use proptest::prelude::ProptestConfig;
use tosca_parse::source::Address;
use tosca_parse::{Entry, Outcome, Parser, TOSCA};

use crate::support::{check, codes};

static PARSER: LazyLock<Parser> = LazyLock::new(|| Parser::builder(&TOSCA).offline(true).build().unwrap());

/// Parses a text, and checks invariants of the outcome.
fn parse(text: impl Into<Vec<u8>>) -> Outcome {
    let address = Address::parse("memory:service.yaml").unwrap();
    let outcome = PARSER.parse_entry(Entry::text(address, text));
    check(&outcome);
    outcome
}

pub(crate) fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}
