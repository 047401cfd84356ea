//! Typical mistakes: a template for each in `tests/mistakes`, with the output in a snapshot next to it.
//!
//! A template has one mistake, which is one problem unless it is in the list. The snapshot contains its position and
//! the text to write. In 24 and 60, only the missing import is reported: the target of a requirement may be a node
//! type, which the import may declare.

use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use tosca_parse::diagnostic::render::Terminal;
use tosca_parse::{Parser, TOSCA};

/// Templates with several problems: the same mistake in several places, or an import that can't be read.
const SEVERAL: &[(&str, usize)] = &[("16-type-of-another-language", 5), ("41-etsi-types-missing", 2)];

/// Templates with a constraint that silently turns an input into a value.
const UNREPORTED: &[&str] = &["02-constraint-beside-type"];

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
            None => usize::from(!UNREPORTED.contains(&name)),
        };
        assert_eq!(outcome.diagnostics.len(), expected, "{name}:\n{shown}");
        assert!(outcome.diagnostics.iter().all(|problem| !problem.help.is_empty()), "{name}:\n{shown}");
    }
}
