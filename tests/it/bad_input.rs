//! Invalid input, down to the bytes, which results in a problem, and never in anything worse.

mod bytes;
mod codes;
mod slips;
mod sources;
mod structure;
mod versions;

use std::path::Path;
use std::sync::{Arc, LazyLock, mpsc};
use std::thread;
use std::time::Duration;

use crate::support::{check, codes};
use tosca_parse::source::{Address, Provider, ReadError};
use tosca_parse::{Entry, Outcome, Parser, TOSCA};

/// The first line of a file.
const HEAD: &str = "tosca_definitions_version: tosca_2_0\n";

static PARSER: LazyLock<Parser> = LazyLock::new(|| Parser::builder(&TOSCA).build().unwrap());

/// The time after which a test counts as hanging. No test here takes long, even on a slow machine.
const PATIENCE: Duration = Duration::from_secs(600);

/// Runs a function that might wait forever for a source. The timeout only ends the test in that case; it measures
/// nothing.
fn soon<T: Send + 'static>(what: &str, run: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(run()));
    receiver.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{what}: it hangs, or it panics: {error}"))
}

/// Parses a file with some bytes, and checks invariants of the outcome.
fn parse(bytes: impl Into<Vec<u8>>) -> Outcome {
    let address = Address::parse("memory:service.yaml").unwrap();
    let outcome = PARSER.parse_entry(Entry::text(address, bytes));
    check(&outcome);
    outcome
}

/// Parses a path in a folder.
fn parse_at(folder: &Path, argument: &str) -> Outcome {
    let outcome = Parser::builder(&TOSCA).directory(folder).build().unwrap().parse(argument).unwrap();
    check(&outcome);
    outcome
}

/// Parses `service.yaml` in a folder with other files, each given by its name and its text.
fn parse_files(files: &[(&str, &str)]) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    parse_at(folder.path(), "service.yaml")
}

#[test]
fn bytes_that_are_not_text() {
    let address = Address::parse("memory:service.yaml").unwrap();
    let bytes = b"tosca_definitions_version: tosca_2_0\ndescription: caf\xe9 and more\n";
    let outcome = Parser::builder(&TOSCA).build().unwrap().parse_entry(Entry::text(address, bytes));
    assert_eq!(codes(&outcome), ["T1003"]);
    assert!(outcome.diagnostics[0].message.contains("byte 53"), "no offset: {}", outcome.diagnostics[0].message);
}

/// A provider of a source whose size exceeds the limit.
#[derive(Debug)]
struct Enormous;

impl Provider for Enormous {
    fn serves(&self, address: &Address) -> bool {
        address.scheme() == "enormous"
    }

    fn identity(&self, address: &Address) -> Address {
        address.clone()
    }

    fn read(&self, _: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        Err(ReadError::TooLarge { limit })
    }

    fn exists(&self, _: &Address) -> bool {
        true
    }
}

#[test]
fn a_source_that_is_too_large() {
    let parser = Parser::builder(&TOSCA).provider(Arc::new(Enormous)).threads(1).build().unwrap();
    let outcome = parser.parse("enormous://service").unwrap();
    assert_eq!(codes(&outcome), ["T1004"]);
}
