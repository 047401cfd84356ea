//! Tokenizes, parses and evaluates expressions.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tosca_parse::yay::{Config, Limits, Memory};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { depth: 5_000, list: 10_000, text: 1 << 20, ..Limits::default() }.with_steps(200_000);
    let mut config = Config::with_limits(Memory::default(), limits);
    config.load("main", "a: 1\nb: text\nl:\n  - 1\n  - x\nm:\n  k: 2.5\n");
    let _ = config.expression(&String::from_utf8_lossy(bytes)).resolve();
});
