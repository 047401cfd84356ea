//! Third-party files with known verdicts: every verdict is reproduced, or is listed with the reason for the difference.
//!
//! The files are not part of this repository. The environment variable `TOSCA_PARSE_SHARED` names a folder that
//! contains them as `conformance/…`; without the variable, these tests are skipped with a message.
//!
//! Each suite has a separate module with its lists. They are checked in both directions: a case that is listed as
//! failing but passes is also a failure, so that the lists stay up to date.

#[cfg(feature = "archive")]
mod archives;
mod aria;
mod manifest;
mod oasis_2_0;
mod oasis_examples;
mod simple_1_0;
#[cfg(feature = "archive")]
mod simple_1_x;
mod simple_all;

use std::path::PathBuf;

/// Returns the folder of a suite; `None`, with a message, if it is missing.
fn folder(name: &str) -> Option<PathBuf> {
    let Some(shared) = std::env::var_os("TOSCA_PARSE_SHARED") else {
        eprintln!("skipped: the suite {name}, as TOSCA_PARSE_SHARED does not name the folder that holds it");
        return None;
    };
    let folder = PathBuf::from(shared).join("conformance").join(name);
    assert!(folder.is_dir(), "TOSCA_PARSE_SHARED is set, but there is no folder {}", folder.display());
    Some(folder)
}
