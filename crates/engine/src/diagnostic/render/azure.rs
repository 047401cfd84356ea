//! Logging commands of Azure Pipelines.

use std::fmt;

use super::printable::shown;
use super::{explaining, name, points};
use crate::diagnostic::{Diagnostic, Severity};
use crate::text::Sources;

/// Problems as issues of an Azure pipeline: one command per line.
#[derive(Clone, Copy, Debug)]
pub struct Azure<'a> {
    diagnostics: &'a [Diagnostic],
    sources: &'a Sources,
}

impl<'a> Azure<'a> {
    /// Shows problems, in their order.
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
            let file = value(&shown(name(self.sources, diagnostic.span.source)));
            let (line, column) = (start.line, start.column);
            write!(f, "##vso[task.logissue type={kind};sourcepath={file};linenumber={line};columnnumber={column};")?;
            write!(f, "code={}]{}", value(diagnostic.rule.code), data(&shown(&diagnostic.message)))?;
            for place in explaining(diagnostic, self.sources) {
                write!(f, "%0A{}", data(&place))?;
            }
            for help in diagnostic.help.iter().flat_map(|help| help.lines()) {
                write!(f, "%0Ahelp: {}", data(&shown(help)))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Returns the message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%AZP25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Returns the value of a property of a command.
fn value(text: &str) -> String {
    data(text).replace(']', "%5D").replace(';', "%3B")
}
