//! The Reviewdog Diagnostic Format.

use std::fmt;

use serde_json::{Value, json};

use super::{escaped, masked_help, name};
use crate::diagnostic::{Diagnostic, Severity, Span, mask_credentials, rule_url};
use crate::text::Sources;

/// Problems as one `DiagnosticResult` in JSON, which `reviewdog -f=rdjson` reads.
#[derive(Clone, Copy, Debug)]
pub struct RdJson<'a> {
    diagnostics: &'a [Diagnostic],
    sources: &'a Sources,
}

impl<'a> RdJson<'a> {
    /// Creates a report of problems, in the given order.
    pub fn new(diagnostics: &'a [Diagnostic], sources: &'a Sources) -> Self {
        Self { diagnostics, sources }
    }
}

impl fmt::Display for RdJson<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let diagnostics: Vec<Value> = self.diagnostics.iter().map(|diagnostic| self.one(diagnostic)).collect();
        let source = json!({ "name": "tosca-parse", "url": env!("CARGO_PKG_REPOSITORY") });
        let result = json!({ "source": source, "diagnostics": diagnostics });
        let text = serde_json::to_string_pretty(&result).map_err(|_| fmt::Error)?;
        writeln!(f, "{}", escaped(&text))
    }
}

impl RdJson<'_> {
    fn one(&self, diagnostic: &Diagnostic) -> Value {
        let mut code = json!({ "value": diagnostic.rule.code });
        if let Some(url) = rule_url(diagnostic.rule) {
            code["url"] = json!(url);
        }
        let mut one = json!({
            "message": format!("{}{}", mask_credentials(&diagnostic.message), masked_help(diagnostic)),
            "location": self.location(diagnostic.span),
            "severity": match diagnostic.severity {
                Severity::Error => "ERROR",
                Severity::Warning => "WARNING",
            },
            "code": code,
        });
        let related = diagnostic.related.iter();
        let related: Vec<Value> = related
            .map(|related| json!({ "message": mask_credentials(&related.message), "location": self.location(related.span) }))
            .collect();
        if !related.is_empty() {
            one["related_locations"] = related.into();
        }
        // Suggestions apply to the problem's own file, and each of them is a separate fix, so only a single edit can be
        // a suggestion.
        if let [edit] = &diagnostic.edits[..]
            && edit.span.source == diagnostic.span.source
        {
            one["suggestions"] = json!([{ "range": self.range(edit.span), "text": mask_credentials(&edit.text) }]);
        }
        one
    }

    fn location(&self, span: Span) -> Value {
        json!({ "path": name(self.sources, span.source), "range": self.range(span) })
    }

    /// Converts a span to lines and columns, where columns are counted in bytes.
    fn range(&self, span: Span) -> Value {
        let point = |offset: u32| match self.sources.get(span.source) {
            Some(source) => {
                let offset = source.floor(offset);
                let line = source.line_column(offset as u32).line;
                json!({ "line": line, "column": offset.saturating_sub(source.line_range(line).start) + 1 })
            }
            None => json!({ "line": 1, "column": 1 }),
        };
        json!({ "start": point(span.start), "end": point(span.end.max(span.start)) })
    }
}
