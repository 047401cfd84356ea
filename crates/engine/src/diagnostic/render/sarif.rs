//! SARIF 2.1.0, for tools that collect the results of static analysis.
//!
//! The log contains everything that is needed to show a problem and to recognize it in the next run: the documentation
//! of the violated rules, and each problem with its position, related positions and a fingerprint. File locations are
//! relative, as GitHub requires.

use std::fmt;

use serde::Serialize;
use serde_json::{Value, json};

use super::fingerprint::Fingerprints;
use super::json::points;
use super::uri::reference;
use super::{escaped, name};
use crate::diagnostic::{Diagnostic, Level, Related, Rule, RuleDocs, Severity, Span, mask_credentials, rule_url};
use crate::text::Sources;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Problems as one run in a SARIF log.
#[derive(Clone, Copy, Debug)]
pub struct Sarif<'a> {
    diagnostics: &'a [Diagnostic],
    sources: &'a Sources,
    explained: &'a [RuleDocs],
}

impl<'a> Sarif<'a> {
    /// Creates a report of problems, in the given order.
    pub fn new(diagnostics: &'a [Diagnostic], sources: &'a Sources) -> Self {
        Self { diagnostics, sources, explained: &[] }
    }

    /// Adds documentation for the rules; the log contains that of the violated rules.
    #[must_use]
    pub fn explained(mut self, rules: &'a [RuleDocs]) -> Self {
        self.explained = rules;
        self
    }
}

impl fmt::Display for Sarif<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rules: Vec<&'static Rule> = self.diagnostics.iter().map(|diagnostic| diagnostic.rule).collect();
        rules.sort_unstable_by_key(|rule| rule.code);
        rules.dedup_by_key(|rule| rule.code);
        let mut fingerprints = Fingerprints::default();
        let results = self.diagnostics.iter().map(|diagnostic| {
            let index = rules.partition_point(|rule| rule.code < diagnostic.rule.code);
            self.result(diagnostic, index, &fingerprints.of(diagnostic, self.sources))
        });
        let results: Vec<Problem> = results.collect();
        let log = Log {
            schema: SCHEMA,
            version: "2.1.0",
            runs: [Run {
                automation_details: json!({ "id": "tosca-parse/" }),
                tool: json!({ "driver": {
                    "name": "tosca-parse",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "informationUri": env!("CARGO_PKG_REPOSITORY"),
                    "rules": rules.iter().map(|rule| self.descriptor(rule)).collect::<Vec<Value>>(),
                } }),
                column_kind: "unicodeCodePoints",
                results,
            }],
        };
        let text = serde_json::to_string_pretty(&log).map_err(|_| fmt::Error)?;
        writeln!(f, "{}", escaped(&text))
    }
}

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    /// The category of the run, which distinguishes its results from those of other tools.
    automation_details: Value,
    tool: Value,
    column_kind: &'static str,
    results: Vec<Problem>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Problem {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Value,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    #[serde(rename = "physicalLocation")]
    place: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Value>,
}

impl Sarif<'_> {
    fn result(&self, diagnostic: &Diagnostic, rule_index: usize, fingerprint: &str) -> Problem {
        let mut text = mask_credentials(&diagnostic.message).into_owned();
        for help in &diagnostic.help {
            text.push_str("\nhelp: ");
            text.push_str(&mask_credentials(help));
        }
        let related = diagnostic.related.iter().enumerate();
        Problem {
            rule_id: diagnostic.rule.code,
            rule_index,
            level: level(diagnostic.severity),
            message: json!({ "text": text }),
            locations: [Location { id: None, place: self.place(diagnostic.span), message: None }],
            related_locations: related.map(|(index, related)| self.related(index, related)).collect(),
            partial_fingerprints: json!({ "tosca-parse/v1": fingerprint }),
            fixes: self.fixes(diagnostic),
        }
    }

    fn descriptor(&self, rule: &Rule) -> Value {
        let mut descriptor = json!({
            "id": rule.code,
            "name": rule.name,
            "shortDescription": { "text": rule.summary },
            "defaultConfiguration": { "level": level(rule.level.severity()) },
            "properties": { "strict": rule.level == Level::StrictError },
        });
        if let Some(url) = rule_url(rule) {
            descriptor["helpUri"] = json!(url);
        }
        if let Some(RuleDocs { text, .. }) = self.explained.iter().find(|known| known.rule.code == rule.code) {
            descriptor["help"] = json!({ "text": text, "markdown": text });
        }
        descriptor
    }

    fn related(&self, index: usize, related: &Related) -> Location {
        Location {
            id: Some(index),
            place: self.place(related.span),
            message: Some(json!({ "text": mask_credentials(&related.message) })),
        }
    }

    /// Returns the fixes of a problem, if there are any.
    fn fixes(&self, diagnostic: &Diagnostic) -> Vec<Value> {
        let changes: Vec<Value> = diagnostic
            .edits
            .iter()
            .map(|edit| {
                let place = self.place(edit.span);
                let replacement =
                    json!({ "deletedRegion": place["region"], "insertedContent": { "text": mask_credentials(&edit.text) } });
                json!({ "artifactLocation": place["artifactLocation"], "replacements": [replacement] })
            })
            .collect();
        if changes.is_empty() {
            return Vec::new();
        }
        let help = diagnostic.help.first().map_or_else(|| "apply the fix".into(), |help| mask_credentials(help));
        vec![json!({ "description": { "text": help }, "artifactChanges": changes })]
    }

    fn place(&self, span: Span) -> Value {
        let (start, end) = points(span, self.sources);
        json!({
            "artifactLocation": { "uri": reference(name(self.sources, span.source)) },
            "region": {
                "startLine": start.line,
                "startColumn": start.column,
                "endLine": end.line,
                "endColumn": end.column,
            },
        })
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}
