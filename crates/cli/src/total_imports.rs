//! The limit on what all files of a run import.
//!
//! Each file is a template of its own, so a file that others import is imported again for each of them. In a chain, *n*
//! files have *n*²/2 imports. Measured 2026-11-28: 3 200 files of 100 bytes took 55 s without this limit. In the same
//! way, values that a configuration gives for inputs are checked for each file, problems in an imported file are found
//! for each file that imports it, and each model contains what it takes from imported types. All of this counts as a
//! number of imports, most of it as part of the [cost](tosca_parse::Outcome::import_cost) of a template.

use std::sync::atomic::{AtomicU64, Ordering};

use super::overview::plural;
use tosca_parse::diagnostic::{Diagnostic, SourceId, Span};
use tosca_parse::phase::Units;
use tosca_parse::rules;
use tosca_parse::source::{Source, Sources};

/// The imports of the files so far, in the order of the files.
pub(super) struct TotalImports {
    most: u64,
    count: AtomicU64,
}

impl TotalImports {
    pub(super) fn new(limit: u64) -> Self {
        Self { most: limit, count: AtomicU64::new(0) }
    }

    /// Returns whether the limit is exceeded, so that the next files are not read. Another thread may ask for a file
    /// ahead of its turn: the answer is then the same as in its turn, or no.
    pub(super) fn is_exceeded(&self) -> bool {
        self.count.load(Ordering::Acquire) > self.most
    }

    /// Returns whether the templates of one archive alone, with this number of imports so far, exceed the limit.
    pub(super) fn is_exceeded_by(&self, imports: usize) -> bool {
        imports as u64 > self.most
    }

    /// Counts the imports of a template. Call this in the order of the files.
    pub(super) fn count(&self, imports: usize) {
        self.count.fetch_add(imports as u64, Ordering::AcqRel);
    }

    /// Returns the limit, as an argument.
    pub(super) fn limit(&self) -> String {
        format!("`--limit import-total={}`", self.most)
    }

    /// Returns the problem of a file that is not read, and its source.
    pub(super) fn problem(&self, file: &str) -> (Diagnostic, Sources) {
        let id = SourceId(0);
        let message = format!("not checked, because {}", self.reason());
        let problem = Diagnostic::new(&rules::TOO_MANY_IMPORTS, Span { source: id, start: 0, end: 0 }, message)
            .with_help("check fewer files at a time, or raise the limit: `--limit import-total=…`");
        (problem, [Source::new(id, file.to_owned(), "")].into_iter().collect())
    }

    /// Returns a message about files to which something was not done, such as `changed`.
    pub(super) fn left(&self, files: usize, done: &str) -> String {
        let (files, are) = (plural(files, "file"), if files == 1 { "is" } else { "are" });
        format!("{files} {are} not {done}, because {}; raise the limit with `--limit import-total=…`", self.reason())
    }

    /// Returns a message about files that are processed together or not at all.
    pub(super) fn too_many_at_once(&self) -> String {
        let help = "migrate fewer files at a time, or raise the limit: `--limit import-total=…`";
        let message = "the imports of the files, and what counts as imports, exceed the limit";
        format!("{message} ({} in all)\nhelp: {help}", self.most)
    }

    fn reason(&self) -> String {
        format!("the imports of the files before, and what counts as imports, exceed the limit ({} in all)", self.most)
    }
}

/// Returns the number of sources that are in memory for a template, or the number of imports that count, whichever is
/// greater.
pub(super) fn sources_in_memory(import_cost: usize, units: &Units) -> usize {
    let sources = units.list.iter().skip(1).filter(|unit| unit.implicit.is_none());
    sources.count().max(counting_imports(import_cost, units))
}

/// Returns the number of imports of a template that count, given their [cost](tosca_parse::Outcome::import_cost): those
/// beyond what the size of the template allows.
pub(super) fn counting_imports(import_cost: usize, units: &Units) -> usize {
    import_cost.saturating_sub(units.free_imports())
}
