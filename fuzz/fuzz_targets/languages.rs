//! Runs all phases of Heat and of the Cloudify DSL on a file, and makes all results. The first byte chooses the language.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tosca_parse::cloudify::CLOUDIFY;
use tosca_parse::diagnostic::render::Terminal;
use tosca_parse::entity::Language;
use tosca_parse::heat::HEAT;
use tosca_parse::source::Address;
use tosca_parse::{Entry, Parser};

static PARSERS: LazyLock<[(&'static Language, Parser); 2]> = LazyLock::new(|| {
    let parser = |language| Parser::builder(language).offline(true).sandbox(true).threads(1).build().expect("threads");
    [(&HEAT, parser(&HEAT)), (&CLOUDIFY, parser(&CLOUDIFY))]
});

fuzz_target!(|bytes: &[u8]| {
    let Some((first, text)) = bytes.split_first() else { return };
    let (language, parser) = &PARSERS[usize::from(first % 2)];
    let address = Address::parse("memory:/main.yaml").expect("an address");
    let outcome = parser.parse_entry(Entry::text(address, text));
    let _ = Terminal::new(&outcome.diagnostics, &outcome.sources).to_string();
    let _ = (language.topology)(&outcome.program);
    let _ = (language.model)(&outcome.program);
    let _ = (language.form)(&outcome.program);
});
