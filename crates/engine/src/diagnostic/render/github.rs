//! For GitHub: lines that its runner makes annotations of.

use std::fmt;

use super::json::points;
use super::printable::shown;
use super::{explaining, name};
use crate::diagnostic::{Diagnostic, Severity};
use crate::text::Sources;

/// Problems as commands of a workflow, one line each: `::error file=…,line=…::message`.
///
/// The runner cuts off what is behind a line break, so what explains a problem stands behind the message with an encoded one. Of what a
/// step writes GitHub shows ten errors and ten warnings; the log has all.
#[derive(Clone, Copy, Debug)]
pub struct GitHub<'a> {
    diagnostics: &'a [Diagnostic],
    sources: &'a Sources,
}

impl<'a> GitHub<'a> {
    /// Shows problems, in their order.
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
            let file = value(&shown(name(self.sources, diagnostic.span.source)));
            write!(f, "::{command} file={file},line={},endLine={}", start.line, end.line)?;
            // Columns mean something within one line only.
            if start.line == end.line {
                write!(f, ",col={},endColumn={}", start.column, end.column.max(start.column))?;
            }
            write!(f, ",title={}::{}", value(&diagnostic.rule.title()), data(&shown(&diagnostic.message)))?;
            for place in explaining(diagnostic, self.sources) {
                write!(f, "%0A{}", data(&place))?;
            }
            for help in &diagnostic.help {
                let lines: Vec<String> = help.lines().map(|line| data(&shown(line))).collect();
                write!(f, "%0Ahelp: {}", lines.join("%0A"))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// What stands behind the colons.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a parameter of a command.
fn value(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
