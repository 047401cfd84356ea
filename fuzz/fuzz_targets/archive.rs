//! Reads every file of an archive from arbitrary bytes.
#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use tosca_parse::diagnostic::render::Terminal;
use tosca_parse::source::{Address, ArchiveLimits, MemoryProvider};
use tosca_parse::{Entry, Parser, TOSCA};

static MEMORY: LazyLock<MemoryProvider> = LazyLock::new(MemoryProvider::new);
static PARSER: LazyLock<Parser> = LazyLock::new(|| {
    let limits = ArchiveLimits { total: 64 << 20, entries: 1000, ..ArchiveLimits::default() };
    let builder = Parser::builder(&TOSCA).provider(Arc::new(MEMORY.clone())).archive_limits(limits);
    builder.offline(true).threads(1).build().expect("threads")
});

fuzz_target!(|bytes: &[u8]| {
    let address = Address::parse("memory:/service.csar").expect("an address");
    MEMORY.insert(address.clone(), bytes);
    let outcome = PARSER.parse_entry(Entry::at(address).verify(true));
    let _ = Terminal::new(&outcome.diagnostics, &outcome.sources).to_string();
});
