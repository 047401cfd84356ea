//! The console output in the README and in pages of the documentation.

use std::process::Command;

use super::root;

/// Returns the output that a page shows for a command, and the actual output.
fn shown_and_written(page: &str, command: &str) -> (String, String) {
    let root = root();
    let text = std::fs::read_to_string(root.join(page)).unwrap();
    let (_, rest) = text.split_once(&format!("cargo run --release -- {command}\n")).unwrap();
    let (_, shown) = rest.split_once("```text\n").unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    let mut process = Command::new(env!("CARGO_BIN_EXE_tosca-parse"));
    // The configuration of the user who runs the tests must not be read; this folder contains none.
    process.env("XDG_CONFIG_HOME", root.join("tests"));
    let output = process.current_dir(root).args(command.split(' ')).output().unwrap();
    let written = [output.stdout, output.stderr].concat();
    (shown.to_owned(), String::from_utf8(written).unwrap())
}

#[test]
fn a_valid_service_is_summed_up() {
    let (shown, written) = shown_and_written("README.md", "examples/templates/shop.yaml");
    assert_eq!(written, shown);
}

#[test]
fn the_first_problem_is_shown() {
    let (shown, written) = shown_and_written("README.md", "examples/templates/broken.yaml");
    assert!(written.starts_with(&shown), "{written}");
    assert!(written.ends_with("4 errors in 1 file, 2 fixable with `--unsafe-fixes`\n"), "{written}");
}

#[test]
fn open_requirements_are_fulfilled() {
    let (shown, written) = shown_and_written("docs/resolve.md", "resolve examples/templates/open.yaml");
    assert!(written.starts_with(&shown), "{written}");
    assert!(written.ends_with("1 warning in 1 file\n"), "{written}");
}
