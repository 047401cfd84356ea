//! Decodes bytes, and reads them as raw data.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tosca_parse::ard::{self, Options};
use tosca_parse::diagnostic::SourceId;
use tosca_parse::symbol::Interner;

fuzz_target!(|bytes: &[u8]| {
    let (text, _) = ard::decode(SourceId(0), bytes.to_vec());
    let (document, _) = ard::read(SourceId(0), text, &Interner::new(), &Options::default());
    if let Some(root) = document.root() {
        let _ = serde_json::to_string(&root);
    }
});
