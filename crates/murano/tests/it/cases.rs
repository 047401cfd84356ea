//! The conformance cases, and counts of their results.

use std::path::PathBuf;

use serde_json::Value as Json;

/// Returns the folder of the cases, if it exists.
pub(crate) fn folder() -> Option<PathBuf> {
    let shared =
        || std::env::var_os("TOSCA_PARSE_SHARED").map(|shared| PathBuf::from(shared).join("conformance/murano"));
    std::env::var_os("TOSCA_PARSE_MURANO_CASES").map(PathBuf::from).or_else(shared).filter(|folder| folder.is_dir())
}

/// Returns the cases in a file; none if the file does not exist.
pub(crate) fn read(folder: &std::path::Path, file: &str) -> Vec<Json> {
    let read = std::fs::read(folder.join(file)).ok();
    read.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// The results of the cases of a kind.
pub(crate) struct Tally {
    kind: &'static str,
    passed: u32,
    failed: u32,
}

impl Tally {
    pub(crate) fn new(kind: &'static str) -> Self {
        Self { kind, passed: 0, failed: 0 }
    }

    pub(crate) fn add(&mut self, id: &str, result: Result<(), String>) {
        match result {
            Ok(()) => self.passed += 1,
            Err(reason) => {
                self.failed += 1;
                println!("{id}: {}", reason.chars().take(600).collect::<String>());
            }
        }
    }

    /// Prints how many cases passed, and panics if those are too few.
    pub(crate) fn finish(self, goal: f64) {
        let Self { kind, passed, failed } = self;
        println!("{kind}: {passed} passed, {failed} failed");
        assert!(f64::from(passed) >= goal * f64::from(passed + failed), "{kind}: {failed} cases failed");
    }
}
