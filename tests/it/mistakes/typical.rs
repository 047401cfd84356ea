//! Typical mistakes: a template for each in `tests/mistakes`, with the output in a snapshot next to it.
//!
//! A template has one mistake, which causes one problem unless the template is in the list. The snapshot contains its
//! position and the text to write.

use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use tosca_parse::diagnostic::render::Terminal;
use tosca_parse::{Parser, TOSCA};

/// Templates with several problems: the same mistake in several places, or an import that can't be read.
const SEVERAL: &[(&str, usize)] = &[
    ("16-type-of-another-language", 5),
    ("24-unknown-target-with-missing-import", 2),
    ("41-etsi-types-missing", 3),
    ("60-unknown-target-with-unreachable-import", 2),
];

#[test]
fn each_is_reported_with_the_text_to_write() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "yaml"));
    files.sort();
    assert!(files.len() >= 61, "{} holds only {} templates", folder.display(), files.len());

    let parser = Parser::builder(&TOSCA).directory(&folder).build().unwrap();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(&folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let outcome = parser.parse(file.to_str().unwrap()).unwrap();
        let shown = Terminal::new(&outcome.diagnostics, &outcome.sources).to_string();
        settings.bind(|| assert_snapshot!(name, shown));
        let expected = match SEVERAL.iter().find(|(several, _)| *several == name) {
            Some((_, number)) => *number,
            None => 1,
        };
        assert_eq!(outcome.diagnostics.len(), expected, "{name}:\n{shown}");
        assert!(outcome.diagnostics.iter().all(|problem| !problem.help.is_empty()), "{name}:\n{shown}");
    }
}
