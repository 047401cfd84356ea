//! Changes that problems name: slips are put into valid files, and must be gone when the changes are made.

use std::path::{Path, PathBuf};

use tosca_parse::diagnostic::edit;
use tosca_parse::source::Memory;
use tosca_parse::{Entry, Outcome, Parser, TOSCA};

/// Slips, and what was meant.
const SLIPS: &[(&str, &str)] = &[
    ("node_templates:", "node_tempaltes:"),
    ("properties:", "porperties:"),
    ("derived_from:", "dervied_from:"),
    ("requirements:", "requirement:"),
    ("capabilities:", "capabilites:"),
    ("description:", "desription:"),
    ("$get_property:", "get_property:"),
    ("$get_input:", "get_input:"),
    ("required: false", "required: False"),
    ("type: integer", "type: interger"),
    ("type: string", "type: strng"),
    ("validation:", "validaton:"),
];

/// The files in a folder that may be templates.
fn yaml_files(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
    let files = entries.map(walkdir::DirEntry::into_path);
    files.filter(|path| path.extension().is_some_and(|extension| extension == "yaml")).collect()
}

/// The text after the changes of all problems of the file.
fn changed(outcome: &Outcome) -> String {
    let source = outcome.sources.iter().next().unwrap();
    let edits = outcome.diagnostics.iter().flat_map(|problem| &problem.edits);
    edit::apply(source.text(), edits.filter(|edit| edit.span.source == source.id()))
}

/// The valid files among some, with the number of slips that were put in and of those that are gone afterwards.
fn mend(files: &[PathBuf]) -> (usize, usize, Vec<String>) {
    let parser = Parser::builder(&TOSCA).build().unwrap();
    let (mut slips, mut mended, mut failures) = (0, 0, Vec::new());
    for (number, path) in files.iter().enumerate() {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let address = parser.address(path.to_str().unwrap()).unwrap();
        let parse = |text: &str| parser.parse_entry(Entry::text(address.clone(), text));
        let outcome = parse(&text);
        if !outcome.diagnostics.is_empty() {
            continue;
        }
        // One slip of those that fit, another one for each file.
        let fitting: Vec<_> = SLIPS.iter().filter(|(right, _)| text.contains(right)).collect();
        if fitting.is_empty() {
            continue;
        }
        let (right, wrong) = fitting[number % fitting.len()];
        let with_slip = text.replacen(right, wrong, 1);
        let outcome = parse(&with_slip);
        if outcome.diagnostics.is_empty() {
            continue;
        }
        slips += 1;
        let after = changed(&outcome);
        if after == text {
            mended += 1;
        } else if after != with_slip {
            // What is changed must not be worse than what was there.
            let left = parse(&after);
            if left.diagnostics.len() > outcome.diagnostics.len() {
                failures.push(format!("{}: {wrong} becomes\n{after}", path.display()));
            }
        }
        if after == with_slip && std::env::var_os("SHOW").is_some() {
            eprintln!("{}: {wrong}: {:?}", path.display(), outcome.diagnostics[0]);
        }
    }
    (slips, mended, failures)
}

#[test]
fn slips_in_our_files_are_mended() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = yaml_files(&root.join("tests/chapters"));
    let (slips, mended, failures) = mend(&files);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(slips > 20 && mended * 10 >= slips * 8, "{mended} of {slips}");
}

#[test]
fn slips_in_conformance_files_are_mended() {
    let Some(shared) = std::env::var_os("TOSCA_PARSE_SHARED") else {
        eprintln!("SKIPPED: TOSCA_PARSE_SHARED does not name the folder that holds the conformance files");
        return;
    };
    let files = yaml_files(&Path::new(&shared).join("conformance/oasis-2.0"));
    let step = files.len().div_ceil(150).max(1);
    let files: Vec<PathBuf> = files.into_iter().step_by(step).collect();
    let (slips, mended, failures) = mend(&files);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(mended * 10 >= slips * 8, "{mended} of {slips}");
}

#[test]
fn what_is_read_from_memory_is_changed_there() {
    let memory = Memory::new();
    let parser = Parser::builder(&TOSCA).provider(std::sync::Arc::new(memory.clone())).build().unwrap();
    let address = parser.address("service.yaml").unwrap();
    memory.insert(address.clone(), "tosca_definitions_version: tosca_2_0\nnode_tpyes: {}\n");
    let outcome = parser.parse_entry(Entry::at(address));
    assert_eq!(changed(&outcome), "tosca_definitions_version: tosca_2_0\nnode_types: {}\n");
}
