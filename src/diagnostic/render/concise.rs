//! For tools that read lines: editors, build logs, `grep`.

use std::fmt;

use super::name;
use super::printable::printable;
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{Position, Sources};

/// Problems in one line each: `file:line:col: CODE message`, with ` (warning)` at the end of warnings.
///
/// Line and column are 1 in a source that could not be read.
#[derive(Clone, Copy, Debug)]
pub struct Concise<'a> {
    diagnostics: &'a [Diagnostic],
    sources: &'a Sources,
}

impl<'a> Concise<'a> {
    /// Shows problems, in their order.
    pub fn new(diagnostics: &'a [Diagnostic], sources: &'a Sources) -> Self {
        Self { diagnostics, sources }
    }
}

impl fmt::Display for Concise<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Diagnostic { rule, severity, message, span, .. } in self.diagnostics {
            let file = printable(name(self.sources, span.source));
            let source = self.sources.get(span.source);
            let Position { line, column } = source.map_or(Position::START, |source| source.line_column(span.start));
            let warning = if *severity == Severity::Warning { " (warning)" } else { "" };
            writeln!(f, "{file}:{line}:{column}: {} {}{warning}", rule.code, printable(message))?;
        }
        Ok(())
    }
}
