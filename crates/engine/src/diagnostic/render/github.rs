//! Workflow commands for GitHub, which turns them into annotations.

use std::fmt;

use super::printable::sanitize;
use super::{command_lines, name, points};
use crate::diagnostic::{Diagnostic, Severity};
use crate::text::Sources;

/// Problems as workflow commands, one per line: `::error file=…,line=…::message`.
///
/// GitHub shows ten errors and ten warnings per step; the log contains all of them.
#[derive(Clone, Copy, Debug)]
pub struct GitHub<'a> {
    diagnostics: &'a [Diagnostic],
    sources: &'a Sources,
}

impl<'a> GitHub<'a> {
    /// Creates a report of problems, in the given order.
    pub fn new(diagnostics: &'a [Diagnostic], sources: &'a Sources) -> Self {
        Self { diagnostics, sources }
    }
}

impl fmt::Display for GitHub<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for diagnostic in self.diagnostics {
            let (start, end) = points(diagnostic.span, self.sources);
            let command = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            let file = value(&sanitize(name(self.sources, diagnostic.span.source)));
            write!(f, "::{command} file={file},line={},endLine={}", start.line, end.line)?;
            // Columns are only meaningful within one line.
            if start.line == end.line {
                write!(f, ",col={},endColumn={}", start.column, end.column.max(start.column))?;
            }
            let title = value(&diagnostic.rule.title());
            writeln!(f, ",title={title}::{}", command_lines(diagnostic, self.sources, data))?;
        }
        Ok(())
    }
}

/// Escapes the data after the colons.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a command's parameter.
fn value(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
