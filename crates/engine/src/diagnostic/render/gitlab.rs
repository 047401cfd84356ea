//! Code quality reports for GitLab.

use std::fmt;

use serde::Serialize;

use super::fingerprint::Fingerprints;
use super::json::points;
use super::printable::sanitize;
use super::{escaped, explaining, name};
use crate::diagnostic::{Diagnostic, Severity};
use crate::text::Sources;

/// Problems in the subset of the Code Climate format that GitLab reads: a JSON list.
#[derive(Clone, Copy, Debug)]
pub struct GitLab<'a> {
    diagnostics: &'a [Diagnostic],
    sources: &'a Sources,
}

impl<'a> GitLab<'a> {
    /// Creates a report of problems, in the given order.
    pub fn new(diagnostics: &'a [Diagnostic], sources: &'a Sources) -> Self {
        Self { diagnostics, sources }
    }
}

#[derive(Serialize)]
struct Issue {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<Content>,
}

/// The explanation of an issue.
#[derive(Serialize)]
struct Content {
    body: String,
}

#[derive(Serialize)]
struct Location {
    path: String,
    positions: Positions,
}

#[derive(Serialize)]
struct Positions {
    begin: Place,
    end: Place,
}

#[derive(Serialize)]
struct Place {
    line: u32,
    column: u32,
}

impl fmt::Display for GitLab<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fingerprints = Fingerprints::default();
        let issues = self.diagnostics.iter().map(|diagnostic| self.issue(diagnostic, &mut fingerprints));
        let issues: Vec<Issue> = issues.collect();
        let text = serde_json::to_string_pretty(&issues).map_err(|_| fmt::Error)?;
        writeln!(f, "{}", escaped(&text))
    }
}

impl GitLab<'_> {
    fn content(&self, diagnostic: &Diagnostic) -> Option<Content> {
        let help = diagnostic.help.iter().map(|help| format!("help: {}", sanitize(help)));
        let lines: Vec<String> = explaining(diagnostic, self.sources).chain(help).collect();
        (!lines.is_empty()).then(|| Content { body: lines.join("\n") })
    }

    fn issue(&self, diagnostic: &Diagnostic, fingerprints: &mut Fingerprints) -> Issue {
        let (begin, end) = points(diagnostic.span, self.sources);
        let place = |point: super::Point| Place { line: point.line, column: point.column };
        Issue {
            description: format!("{}: {}", diagnostic.rule.code, sanitize(&diagnostic.message)),
            check_name: diagnostic.rule.name,
            fingerprint: fingerprints.of(diagnostic, self.sources),
            severity: match diagnostic.severity {
                Severity::Error => "major",
                Severity::Warning => "minor",
            },
            location: Location {
                path: name(self.sources, diagnostic.span.source).to_owned(),
                positions: Positions { begin: place(begin), end: place(end) },
            },
            content: self.content(diagnostic),
        }
    }
}
