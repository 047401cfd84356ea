//! Runs all phases on a template, and renders all results.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tosca_parse::diagnostic::render::{Document, Terminal};
use tosca_parse::normal::Service;
use tosca_parse::source::Address;
use tosca_parse::{Entry, Parser, TOSCA};

static PARSER: LazyLock<Parser> =
    LazyLock::new(|| Parser::builder(&TOSCA).offline(true).sandbox(true).threads(1).build().expect("threads"));

fuzz_target!(|bytes: &[u8]| {
    let address = Address::parse("memory:/service.yaml").expect("an address");
    let outcome = PARSER.parse_entry(Entry::text(address, bytes));
    let _ = Terminal::new(&outcome.diagnostics, &outcome.sources).to_string();
    let _ = serde_json::to_string(&Document::new(&outcome.diagnostics, &outcome.sources));
    let _ = serde_json::to_string(&Service::of(&outcome.program));
});
