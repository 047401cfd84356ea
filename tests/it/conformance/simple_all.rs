//! All other files of real projects: every file must result in an outcome. Descriptors of network functions are valid,
//! except for those that `nfv.md` lists with reasons; the verdicts of the others are unknown.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tosca_parse::TOSCA;

use super::manifest::Parsers;

#[test]
fn every_file_has_an_outcome() {
    let Some(folder) = super::folder("simple-1.x") else { return };
    let files = files(&folder);
    assert!(files.len() > 1900, "only {} files", files.len());
    let mut parsers = Parsers::default();
    let mut parsers_for_nfv = Parsers::with(TOSCA.quirks_of("etsinfv").unwrap());
    let list = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conformance/nfv.md")).unwrap();
    let mut listed: BTreeSet<&str> = list.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    let mut failures = Vec::new();
    for file in &files {
        let name = file.strip_prefix(&folder).unwrap().to_str().unwrap();
        let text = String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
        let is_of_nfv = ["tosca.nodes.nfv", "simple_profile_for_nfv"].iter().any(|word| text.contains(word));
        let result = if is_of_nfv { parsers_for_nfv.parse(file) } else { parsers.parse(file) };
        match result {
            Ok(outcome) if outcome.diagnostics.len() > 100_000 => failures.push(format!("{name}: too many problems")),
            Ok(outcome) if is_of_nfv && outcome.is_valid() == listed.remove(name) => {
                failures.push(format!("{name}: {:?}", outcome.diagnostics));
            }
            Ok(_) => {}
            Err(failure) => failures.push(format!("{name}: {failure}")),
        }
    }
    failures.extend(listed.iter().map(|name| format!("{name}: there is no such descriptor")));
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
