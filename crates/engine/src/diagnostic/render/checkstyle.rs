//! Checkstyle XML.

use std::fmt;

use indexmap::IndexMap;

use super::xml::xml;
use super::{name, points};
use crate::diagnostic::{Diagnostic, Severity, SourceId};
use crate::text::Sources;

/// Problems as a Checkstyle report: a list of files with their problems.
#[derive(Clone, Copy, Debug)]
pub struct Checkstyle<'a> {
    diagnostics: &'a [Diagnostic],
    sources: &'a Sources,
}

impl<'a> Checkstyle<'a> {
    /// Creates a report of problems, in the given order.
    pub fn new(diagnostics: &'a [Diagnostic], sources: &'a Sources) -> Self {
        Self { diagnostics, sources }
    }
}

impl fmt::Display for Checkstyle<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut files: IndexMap<SourceId, Vec<&Diagnostic>> = IndexMap::new();
        for problem in self.diagnostics {
            files.entry(problem.span.source).or_default().push(problem);
        }
        writeln!(f, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
        writeln!(f, r#"<checkstyle version="4.3">"#)?;
        for (source, problems) in files {
            writeln!(f, r#"  <file name="{}">"#, xml(name(self.sources, source)))?;
            for problem in problems {
                let (start, _) = points(problem.span, self.sources);
                let severity = match problem.severity {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                };
                let help: Vec<String> = problem.help.iter().map(|help| format!("; {help}")).collect();
                writeln!(
                    f,
                    r#"    <error line="{}" column="{}" severity="{severity}" message="{}" source="{}"/>"#,
                    start.line,
                    start.column,
                    xml(&format!("{}{}", problem.message, help.concat())),
                    xml(problem.rule.name),
                )?;
            }
            writeln!(f, "  </file>")?;
        }
        writeln!(f, "</checkstyle>")
    }
}
