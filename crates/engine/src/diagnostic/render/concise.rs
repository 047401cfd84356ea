//! One line per problem, for line-based tools: editors, build logs, `grep`.

use std::fmt;

use super::name;
use super::printable::sanitize;
use crate::diagnostic::Diagnostic;
use crate::text::{LineColumn, Sources};

/// Problems, one per line, in the style of compilers: `file:line:col: error[CODE]: message`.
///
/// Line and column are 1 for a source that could not be read.
#[derive(Clone, Copy, Debug)]
pub struct Concise<'a> {
    diagnostics: &'a [Diagnostic],
    sources: &'a Sources,
}

impl<'a> Concise<'a> {
    /// Creates a report of problems, in the given order.
    pub fn new(diagnostics: &'a [Diagnostic], sources: &'a Sources) -> Self {
        Self { diagnostics, sources }
    }
}

impl fmt::Display for Concise<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Diagnostic { rule, severity, message, span, .. } in self.diagnostics {
            let file = sanitize(name(self.sources, span.source));
            let source = self.sources.get(span.source);
            let LineColumn { line, column } = source.map_or(LineColumn::START, |source| source.line_column(span.start));
            writeln!(f, "{file}:{line}:{column}: {severity}[{}]: {}", rule.code, sanitize(message))?;
        }
        Ok(())
    }
}
