//! All other files of real projects: their verdicts are unknown, but every file must result in an outcome.

use std::fs;
use std::path::{Path, PathBuf};

use super::manifest::Parsers;

#[test]
fn every_file_has_an_outcome() {
    let Some(folder) = super::folder("simple-1.x") else { return };
    let files = files(&folder);
    assert!(files.len() > 1900, "only {} files", files.len());
    let mut parsers = Parsers::default();
    let mut failures = Vec::new();
    for file in &files {
        let result = parsers.parse(file);
        let name = file.strip_prefix(&folder).unwrap().display();
        match result {
            Ok(outcome) if outcome.diagnostics.len() > 100_000 => failures.push(format!("{name}: too many problems")),
            Ok(_) => {}
            Err(failure) => failures.push(format!("{name}: {failure}")),
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// Returns the YAML files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(|entry| entry.unwrap().into_path());
    entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml"))
        .inspect(|path| assert!(fs::metadata(path).is_ok()))
        .collect()
}
