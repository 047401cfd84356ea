//! The older test suite of the technical committee, for TOSCA 1.0.
//!
//! The metadata of an invalid file contains the lines of the expected errors.

use std::fs;

use tosca_parse::diagnostic::Severity;
use tosca_parse::diagnostic::render::Concise;

use super::manifest::{Parsers, Suite, cases, line_of};

#[test]
fn verdicts_are_those_of_the_suite() {
    Suite { name: "simple-1.0", cases: 46, differences: &[], reasons: &[] }.check();
}

/// Files in which the problem is reported on a different line than in their metadata: the lines in the metadata, the
/// reported lines, and the reason.
const OTHER_LINES: &[(&str, &[u32], &[u32], &str)] = &[
    (
        "3.5.7-imports-08-missing-repository-remote.yml",
        &[21, 22],
        &[22],
        "what is imported from a repository that nobody knows can't be called missing: there is one problem, not two",
    ),
    (
        "3.6.4-interface_type-03-inputs-operation.yml",
        &[26],
        &[23],
        "the file has 25 lines; the problem is in the one that it describes",
    ),
    (
        "3.6.5-data_type-11-extend_native_add_properties.yml",
        &[20],
        &[22],
        "it names `derived_from`, but what must go, and is reported, are the `properties`",
    ),
    (
        "3.9.3.7-dsl_definitions-02-invalid-value-type.yml",
        &[22],
        &[23],
        "the wrong value is one line below the one that it names",
    ),
];

#[test]
fn problems_are_on_the_lines_that_the_files_name() {
    let Some(folder) = super::folder("simple-1.0") else { return };
    let mut parsers = Parsers::default();
    let mut failures = Vec::new();
    let mut named = 0;
    for case in cases(&folder.join("manifest.csv")).iter().filter(|case| !case.is_valid) {
        let Some(wanted) = lines_named_by(&fs::read_to_string(&case.path).unwrap()) else { continue };
        named += 1;
        let outcome = parsers.parse(&case.path).unwrap();
        let errors = outcome.diagnostics.iter().filter(|problem| problem.severity == Severity::Error);
        let found: Vec<u32> = errors.filter_map(|problem| line_of(&outcome, problem)).collect();
        let other = OTHER_LINES.iter().find(|(file, ..)| *file == case.file);
        let is_right = match other {
            Some((_, theirs, ours, _)) => wanted == *theirs && found == *ours,
            None => wanted.iter().all(|line| found.contains(line)),
        };
        if !is_right {
            let shown = Concise::new(&outcome.diagnostics, &outcome.sources);
            failures.push(format!("{}: the problem is in {wanted:?}, reported are\n{shown}", case.file));
        }
    }
    assert!(named > 20, "only {named} files name a line");
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// Returns the lines that a file's metadata gives for its errors or warnings, if any.
fn lines_named_by(text: &str) -> Option<Vec<u32>> {
    let line =
        text.lines().find(|line| line.contains("tags.errors_lines:") || line.contains("tags.warnings_lines:"))?;
    let (_, numbers) = line.split_once("_lines:")?;
    Some(numbers.split(',').map(|number| number.trim().parse().unwrap()).collect())
}
