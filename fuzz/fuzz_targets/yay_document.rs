//! Parses a document, draws it, and evaluates it, with a second document to include.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tosca_parse::yay::{Config, Limits, Memory, Stage};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (main, other) = text.split_once("\n---\n").unwrap_or((&text, "a: 1\n"));
    let limits = Limits { depth: 5_000, list: 10_000, text: 1 << 20, ..Limits::default() }.with_steps(200_000);
    let mut config = Config::with_limits(Memory::default().with("one", other), limits);
    config.load("main", main);
    let _ = config.diagram(Stage::Initial).map(|diagram| diagram.dot());
    let _ = config.diagram(Stage::Normalized);
    if let Err(error) = config.resolve() {
        error.each().iter().for_each(|error| drop(config.describe(error)));
    }
});
