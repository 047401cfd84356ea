//! Suites with a manifest: a table with a row for each file that says whether the file is valid.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use tosca_parse::diagnostic::render::Concise;
use tosca_parse::diagnostic::{Diagnostic, Severity};
use tosca_parse::entity::Quirk;
use tosca_parse::normal::Service;
use tosca_parse::{Outcome, Parser, ParserBuilder, TOSCA};

/// A suite, and its known results.
pub(super) struct Suite {
    /// The folder of the suite, relative to the folder of all suites.
    pub(super) name: &'static str,
    /// The required number of cases, excluding those that need the network.
    pub(super) cases: usize,
    /// Files whose verdict is not followed, each with the reason in a sentence.
    pub(super) differences: &'static [(&'static str, &'static str)],
    /// For invalid files: the expected error, by the code of its rule and its line. Empty if the reasons have not been
    /// checked yet; otherwise there must be one for each invalid file without a difference.
    pub(super) reasons: &'static [(&'static str, &'static str, u32)],
}

/// A row of a manifest.
pub(super) struct Case {
    /// The file, relative to the manifest.
    pub(super) file: String,
    pub(super) path: PathBuf,
    pub(super) is_valid: bool,
}

impl Suite {
    /// Parses every file of the suite, and compares the verdicts with the manifest and with the known differences.
    pub(super) fn check(&self) {
        let Some(folder) = super::folder(self.name) else { return };
        let cases = cases(&folder.join("manifest.csv"));
        assert_eq!(cases.len(), self.cases, "the number of cases in {}", folder.display());

        let mut failures = self.check_lists(&cases);
        let mut parsers = Parsers::default();
        for case in &cases {
            if let Err(failure) = self.check_case(case, &mut parsers) {
                writeln!(failures, "{}: {failure}", case.file).unwrap();
            }
        }
        assert!(failures.is_empty(), "{}:\n{failures}", self.name);
    }

    fn check_case(&self, case: &Case, parsers: &mut Parsers) -> Result<(), String> {
        let outcome = parsers.parse(&case.path)?;
        let shown = Concise::new(&outcome.diagnostics, &outcome.sources);
        let difference = self.differences.iter().find(|(file, _)| *file == case.file);
        match (outcome.is_valid() == case.is_valid, difference) {
            (true, Some((_, reason))) => return Err(format!("passes, though it is listed: {reason}")),
            (false, None) if case.is_valid => return Err(format!("is valid, but refused:\n{shown}")),
            (false, None) => return Err(format!("is invalid, but accepted:\n{shown}")),
            _ => {}
        }
        let Some((_, code, line)) = self.reasons.iter().find(|(file, ..)| *file == case.file) else { return Ok(()) };
        let is_it = |problem: &Diagnostic| {
            problem.severity == Severity::Error
                && problem.rule.code == *code
                && outcome.entry() == Some(problem.span.source)
                && line_of(&outcome, problem) == Some(*line)
        };
        if outcome.diagnostics.iter().any(is_it) {
            Ok(())
        } else {
            Err(format!("is not refused for what it is about, which is {code} in line {line}:\n{shown}"))
        }
    }

    /// Returns the mistakes in the lists themselves.
    fn check_lists(&self, cases: &[Case]) -> String {
        let mut failures = String::new();
        let all: BTreeMap<&str, bool> = cases.iter().map(|case| (&*case.file, case.is_valid)).collect();
        let different: BTreeSet<&str> = self.differences.iter().map(|(file, _)| *file).collect();
        for file in different.iter().filter(|file| !all.contains_key(**file)) {
            writeln!(failures, "{file}: is listed as a difference, but there is no such case").unwrap();
        }
        let explained: BTreeSet<&str> = self.reasons.iter().map(|(file, ..)| *file).collect();
        let invalid: BTreeSet<&str> = all
            .iter()
            .filter(|(file, is_valid)| !**is_valid && !different.contains(**file))
            .map(|(it, _)| *it)
            .collect();
        if !explained.is_empty() {
            for file in explained.symmetric_difference(&invalid) {
                writeln!(failures, "{file}: is invalid without a reason, or has a reason without being invalid")
                    .unwrap();
            }
        }
        let lists = self.differences.len() + self.reasons.len();
        if different.len() + explained.len() != lists {
            writeln!(failures, "a file is listed twice").unwrap();
        }
        failures
    }
}

/// One parser for each folder, because imports by name are searched in the folder of the file.
#[derive(Default)]
pub(super) struct Parsers {
    by_folder: BTreeMap<PathBuf, Parser>,
    quirks: Vec<Quirk>,
}

impl Parsers {
    /// Returns parsers with quirks.
    pub(super) fn with(quirks: Vec<Quirk>) -> Self {
        Self { quirks, ..Self::default() }
    }

    /// Parses a file. Anything worse than a problem in the outcome is an error.
    pub(super) fn parse(&mut self, path: &Path) -> Result<Outcome, String> {
        let folder = path.parent().unwrap();
        let parser = self.by_folder.entry(folder.to_owned()).or_insert_with(|| {
            let builder = Parser::builder(&TOSCA).directory(folder).profile_path(folder).offline(true);
            self.quirks.iter().copied().fold(builder, ParserBuilder::quirk).build().unwrap()
        });
        let attempt = catch_unwind(AssertUnwindSafe(|| {
            let outcome = parser.parse(path.to_str().unwrap()).unwrap();
            // Any outcome can be converted to a model; its correctness is not tested here.
            let _ = Service::of(&outcome.program);
            outcome
        }));
        attempt.map_err(|_| "the parser panics".into())
    }
}

/// Returns the line of the start of a problem.
pub(super) fn line_of(outcome: &Outcome, problem: &Diagnostic) -> Option<u32> {
    outcome.sources.get(problem.span.source).map(|source| source.line_column(problem.span.start).line)
}

/// Returns the cases of a manifest, except those that need the network.
pub(super) fn cases(manifest: &Path) -> Vec<Case> {
    let table = std::fs::read_to_string(manifest).unwrap_or_else(|error| panic!("{}: {error}", manifest.display()));
    let mut rows = table.lines();
    assert_eq!(rows.next(), Some("file,expect,needs,note"), "{}", manifest.display());
    let mut cases = Vec::new();
    for row in rows {
        // Only notes can be quoted, and they are not used here.
        let columns: Vec<&str> = row.splitn(4, ',').collect();
        let [file, expect, needs, _] = columns[..] else { panic!("not a row of a manifest: {row}") };
        let is_valid = match expect {
            "valid" => true,
            "invalid" => false,
            _ => panic!("`{expect}` is neither `valid` nor `invalid`: {row}"),
        };
        match needs {
            "" => cases.push(Case { file: file.to_owned(), path: manifest.with_file_name(file), is_valid }),
            "network" => {}
            _ => panic!("it is not known how to provide `{needs}`: {row}"),
        }
    }
    cases
}
