//! Generic issues for `SonarQube`.

use std::fmt;

use serde_json::{Value, json};

use super::{escaped, masked_help, name};
use crate::diagnostic::{Diagnostic, Rule, Severity, Span, mask_credentials};
use crate::text::Sources;

/// Problems as a generic issue report for `SonarQube` 10.3 and later (`sonar.externalIssuesReportPaths`).
#[derive(Clone, Copy, Debug)]
pub struct SonarQube<'a> {
    diagnostics: &'a [Diagnostic],
    sources: &'a Sources,
}

impl<'a> SonarQube<'a> {
    /// Creates a report of problems, in the given order.
    pub fn new(diagnostics: &'a [Diagnostic], sources: &'a Sources) -> Self {
        Self { diagnostics, sources }
    }
}

impl fmt::Display for SonarQube<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rules: Vec<&'static Rule> = self.diagnostics.iter().map(|diagnostic| diagnostic.rule).collect();
        rules.sort_unstable_by_key(|rule| rule.code);
        rules.dedup_by_key(|rule| rule.code);
        let rules: Vec<Value> = rules.into_iter().map(rule).collect();
        let issues: Vec<Value> = self.diagnostics.iter().map(|diagnostic| self.issue(diagnostic)).collect();
        let text = serde_json::to_string_pretty(&json!({ "rules": rules, "issues": issues }));
        writeln!(f, "{}", escaped(&text.map_err(|_| fmt::Error)?))
    }
}

/// Describes a rule. Its impact applies to all its issues.
fn rule(rule: &Rule) -> Value {
    let severity = match rule.level.severity() {
        Severity::Error => "HIGH",
        Severity::Warning => "MEDIUM",
    };
    json!({
        "id": rule.code,
        "name": rule.name,
        "description": rule.summary,
        "engineId": "tosca-parse",
        "cleanCodeAttribute": "LOGICAL",
        "impacts": [{ "softwareQuality": "RELIABILITY", "severity": severity }],
    })
}

impl SonarQube<'_> {
    fn issue(&self, diagnostic: &Diagnostic) -> Value {
        let message = format!("{}{}", mask_credentials(&diagnostic.message), masked_help(diagnostic));
        let secondary = diagnostic.related.iter();
        let secondary: Vec<Value> =
            secondary.map(|related| self.location(related.span, &mask_credentials(&related.message))).collect();
        json!({
            "ruleId": diagnostic.rule.code,
            "primaryLocation": self.location(diagnostic.span, &message),
            "secondaryLocations": secondary,
        })
    }

    fn location(&self, span: Span, message: &str) -> Value {
        json!({
            "message": message,
            "filePath": name(self.sources, span.source),
            "textRange": self.range(span),
        })
    }

    /// Converts a span to lines, starting at 1, and columns, starting at 0 and counted in UTF-16 units. `SonarQube`
    /// rejects empty ranges, so only the line is given for an empty span.
    fn range(&self, span: Span) -> Value {
        let Some(source) = self.sources.get(span.source) else { return json!({ "startLine": 1 }) };
        let point = |offset: u32| {
            let offset = source.floor(offset);
            let line = source.line_column(offset as u32).line;
            let range = source.line_range(line);
            let before = source.text().get(range.start..offset.clamp(range.start, range.end)).unwrap_or_default();
            (line, before.chars().map(char::len_utf16).sum::<usize>())
        };
        let (start, end) = (point(span.start), point(span.end.max(span.start)));
        if start == end {
            return json!({ "startLine": start.0 });
        }
        json!({ "startLine": start.0, "startColumn": start.1, "endLine": end.0, "endColumn": end.1 })
    }
}
