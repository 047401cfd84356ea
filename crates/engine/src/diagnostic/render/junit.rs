//! `JUnit` XML, for programs that show test results.

use std::fmt::{self, Write};

use indexmap::IndexMap;

use super::json::points;
use super::xml::xml;
use crate::diagnostic::{Diagnostic, Severity, SourceId};
use crate::text::Sources;

/// Problems as tests: every source is a test suite, and every problem is a test in it.
///
/// An error is a failing test, and a warning is a passing test with output. A source without problems has one passing
/// test, so that the source is visible.
#[derive(Clone, Copy, Debug)]
pub struct JUnit<'a> {
    diagnostics: &'a [Diagnostic],
    sources: &'a Sources,
}

impl<'a> JUnit<'a> {
    /// Creates a report of problems, in the given order.
    pub fn new(diagnostics: &'a [Diagnostic], sources: &'a Sources) -> Self {
        Self { diagnostics, sources }
    }
}

impl fmt::Display for JUnit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut suites: IndexMap<SourceId, Vec<&Diagnostic>> = IndexMap::new();
        // Built-in sources are omitted, because they are not the author's.
        let own = self.sources.iter().filter(|source| !source.name().starts_with("builtin:"));
        suites.extend(own.map(|source| (source.id(), Vec::new())));
        for problem in self.diagnostics {
            suites.entry(problem.span.source).or_default().push(problem);
        }
        let tests: usize = suites.values().map(|suite| suite.len().max(1)).sum();
        writeln!(f, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
        let failures = failures(self.diagnostics.iter());
        writeln!(f, r#"<testsuites name="tosca-parse" tests="{tests}" failures="{failures}" errors="0">"#)?;
        for (source, suite) in suites {
            self.suite(source, &suite, f)?;
        }
        writeln!(f, "</testsuites>")
    }
}

impl JUnit<'_> {
    fn suite(&self, source: SourceId, problems: &[&Diagnostic], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = xml(super::name(self.sources, source));
        let (tests, failures) = (problems.len().max(1), failures(problems.iter().copied()));
        writeln!(f, r#"  <testsuite name="{name}" tests="{tests}" failures="{failures}" errors="0" skipped="0">"#)?;
        if problems.is_empty() {
            writeln!(f, r#"    <testcase name="valid" classname="{name}" file="{name}"/>"#)?;
        }
        for problem in problems {
            let (start, _) = points(problem.span, self.sources);
            let (line, column) = (start.line, start.column);
            let (rule, message) = (problem.rule.name, xml(&problem.message));
            let title = format!("{} at {line}:{column}", problem.rule.title());
            writeln!(f, r#"    <testcase name="{title}" classname="{name}" file="{name}" line="{line}">"#)?;
            let mut text = format!("{name}:{line}:{column}: {message}");
            for place in super::explaining(problem, self.sources) {
                write!(text, "\n{}", xml(&place))?;
            }
            for help in problem.help.iter().flat_map(|help| help.lines()) {
                write!(text, "\nhelp: {}", xml(help))?;
            }
            match problem.severity {
                Severity::Error => {
                    writeln!(f, r#"      <failure message="{message}" type="{rule}">{text}</failure>"#)?;
                }
                Severity::Warning => writeln!(f, "      <system-out>warning: {text}</system-out>")?,
            }
            writeln!(f, "    </testcase>")?;
        }
        writeln!(f, "  </testsuite>")
    }
}

fn failures<'d>(problems: impl Iterator<Item = &'d Diagnostic>) -> usize {
    problems.filter(|problem| problem.severity == Severity::Error).count()
}
