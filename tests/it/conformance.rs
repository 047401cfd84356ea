//! Files with known verdicts that others have made: every verdict is reproduced, or it is listed why not.
//!
//! The files are not part of this repository. The environment variable `TOSCA_PARSE_SHARED` names a folder that holds
//! them as `conformance/…`; without the variable these tests are skipped and say so.
//!
//! Each suite has a module of its own with its lists. What it lists is checked in both directions: a case that passes
//! though it is listed as failing is a failure too, so the lists stay true.

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

/// The folder of a suite; nothing, and a word about it, if there are no suites here.
fn folder(name: &str) -> Option<PathBuf> {
    let Some(shared) = std::env::var_os("TOSCA_PARSE_SHARED") else {
        eprintln!("skipped: the suite {name}, as TOSCA_PARSE_SHARED does not name the folder that holds it");
        return None;
    };
    let folder = PathBuf::from(shared).join("conformance").join(name);
    assert!(folder.is_dir(), "TOSCA_PARSE_SHARED is set, but there is no folder {}", folder.display());
    Some(folder)
}
