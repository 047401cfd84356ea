//! Evaluates documents that consist of valid pieces, so that most of them can be parsed.
#![no_main]

#[path = "../../crates/yay/tests/yay/pieces.rs"]
mod pieces;

use libfuzzer_sys::fuzz_target;
use pieces::PIECES;
use tosca_parse::yay::{Config, Limits, Memory, Stage};

/// Builds a document with one piece per byte; the highest bit nests the piece in the one above it.
fn document(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut depth = 0;
    for byte in bytes {
        let piece = PIECES[usize::from(byte & 0x7f) % PIECES.len()];
        depth = if byte & 0x80 == 0 { 0 } else { (depth + 1) % 4 };
        for line in piece.split_inclusive('\n') {
            text.push_str(&"  ".repeat(depth));
            text.push_str(line);
        }
    }
    text
}

fuzz_target!(|bytes: &[u8]| {
    let (main, other) = bytes.split_at(bytes.len() / 2);
    let limits = Limits { depth: 5_000, list: 10_000, text: 1 << 20, ..Limits::default() }.with_steps(200_000);
    let documents = Memory::default().with("one", &document(other)).with("12", "a: 5\n");
    let mut config = Config::with_limits(documents, limits);
    config.load("main", &document(main));
    if let Err(error) = config.resolve() {
        error.each().iter().for_each(|error| drop(config.describe(error)));
    }
    let _ = config.diagram(Stage::Folded).map(|diagram| diagram.dot());
});
