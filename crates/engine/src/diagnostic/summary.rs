//! The last line of the output.

use std::fmt;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::color::{ERROR, GOOD, WARNING, paint};
use super::{Diagnostic, Severity};

/// The number of problems of each severity and of affected sources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// The number of sources with problems.
    pub files: usize,
}

impl Summary {
    /// Counts problems.
    pub fn of(diagnostics: &[Diagnostic]) -> Self {
        let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
        let files: FxHashSet<_> = diagnostics.iter().map(|diagnostic| diagnostic.span.source).collect();
        Self { errors, warnings: diagnostics.len() - errors, files: files.len() }
    }

    /// Returns the summary as one line, optionally in color: `3 errors and 1 warning in 2 files`.
    pub fn line(self, color: bool) -> String {
        if self.errors + self.warnings == 0 {
            return paint("no problems", GOOD, color);
        }
        let found = [(self.errors, "error", ERROR), (self.warnings, "warning", WARNING)];
        let found = found.into_iter().filter(|(number, ..)| *number > 0);
        let found: Vec<String> = found.map(|(number, noun, style)| paint(plural(number, noun), style, color)).collect();
        format!("{} in {}", found.join(" and "), plural(self.files, "file"))
    }
}

/// Writes the summary without color; see [`Summary::line`].
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line(false))
    }
}

fn plural(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(errors: usize, warnings: usize, files: usize) -> String {
        Summary { errors, warnings, files }.to_string()
    }

    #[test]
    fn numbers_have_nouns() {
        assert_eq!(line(0, 0, 0), "no problems");
        assert_eq!(line(1, 0, 1), "1 error in 1 file");
        assert_eq!(line(0, 2, 1), "2 warnings in 1 file");
        assert_eq!(line(3, 1, 2), "3 errors and 1 warning in 2 files");
    }

    #[test]
    fn color_marks_errors_and_warnings() {
        let line = Summary { errors: 1, warnings: 2, files: 2 }.line(true);
        assert_eq!(line, "\u{1b}[1m\u{1b}[91m1 error\u{1b}[0m and \u{1b}[1m\u{1b}[33m2 warnings\u{1b}[0m in 2 files");
    }
}
