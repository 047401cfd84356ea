//! Logging commands for Azure Pipelines.

use std::fmt;

use super::printable::sanitize;
use super::{command_lines, name, points};
use crate::diagnostic::{Diagnostic, Severity};
use crate::text::Sources;

/// Problems as issues in an Azure pipeline: one command per line.
#[derive(Clone, Copy, Debug)]
pub struct Azure<'a> {
    diagnostics: &'a [Diagnostic],
    sources: &'a Sources,
}

impl<'a> Azure<'a> {
    /// Creates a report of problems, in the given order.
    pub fn new(diagnostics: &'a [Diagnostic], sources: &'a Sources) -> Self {
        Self { diagnostics, sources }
    }
}

impl fmt::Display for Azure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for diagnostic in self.diagnostics {
            let (start, _) = points(diagnostic.span, self.sources);
            let kind = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            let file = value(&sanitize(name(self.sources, diagnostic.span.source)));
            let (line, column) = (start.line, start.column);
            write!(f, "##vso[task.logissue type={kind};sourcepath={file};linenumber={line};columnnumber={column};")?;
            writeln!(f, "code={}]{}", value(diagnostic.rule.code), command_lines(diagnostic, self.sources, data))?;
        }
        Ok(())
    }
}

/// Escapes the message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%AZP25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a command's property.
fn value(text: &str) -> String {
    data(text).replace(']', "%5D").replace(';', "%3B")
}
