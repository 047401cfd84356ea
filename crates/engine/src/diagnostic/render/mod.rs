//! Output formats for problems: for users at a terminal, for line-based tools, for programs that read JSON, and for
//! tools that collect reports (SARIF, GitHub, GitLab, `JUnit` and others).
//!
//! A renderer receives sorted problems ([`Diagnostics::into_sorted`](super::Diagnostics::into_sorted)) with their final
//! severities ([`Levels::apply`](super::Levels::apply)) and shows all of them. All renderers show the same lines and
//! columns, and all of them implement `Display`:
//!
//! ```
//! # extern crate tosca_parse_engine as tosca_parse;
//! use tosca_parse::diagnostic::render::{Concise, Document, Terminal};
//! use tosca_parse::diagnostic::{Diagnostic, SourceId, Span};
//! use tosca_parse::rules;
//! use tosca_parse::source::{Source, Sources};
//!
//! let sources: Sources = [Source::new(SourceId(0), "service.yaml", "a: 1\na: 2\n")].into_iter().collect();
//! let span = Span { source: SourceId(0), start: 5, end: 6 };
//! let problems = [Diagnostic::new(&rules::DUPLICATE_KEY, span, "key `a` occurs twice")];
//!
//! assert_eq!(Concise::new(&problems, &sources).to_string(), "service.yaml:2:1: error[T1102]: key `a` occurs twice\n");
//! assert!(Terminal::new(&problems, &sources).to_string().contains("2 | a: 2"));
//! assert_eq!(Document::new(&problems, &sources).diagnostics[0].start.line, 2);
//! ```

mod azure;
mod checkstyle;
mod concise;
mod excerpt;
mod fingerprint;
mod github;
mod gitlab;
mod json;
mod junit;
mod printable;
mod rdjson;
mod sarif;
mod sonarqube;
mod statistics;
mod terminal;
mod uri;
mod xml;

pub use azure::Azure;
pub use checkstyle::Checkstyle;
pub use concise::Concise;
pub use github::GitHub;
pub use gitlab::GitLab;
pub use json::{Document, JsonLines, Point, Problem, RelatedLocation, Replacement, VERSION};
pub use junit::JUnit;
pub use printable::{escaped, is_command, is_harmless, printable, sanitize};
pub use rdjson::RdJson;
pub use sarif::Sarif;
pub use sonarqube::SonarQube;
pub use statistics::{Count, Statistics};
pub use terminal::Terminal;
pub use xml::xml;

use super::{Diagnostic, SourceId, mask_credentials};
use crate::text::Sources;
use json::points;

/// Returns the JSON Schema of a [`Document`], which is published as `docs/problems.schema.json`.
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// let schema = tosca_parse::diagnostic::render::json_schema();
/// assert_eq!(schema["properties"]["version"]["const"], tosca_parse::diagnostic::render::VERSION);
/// ```
#[cfg(feature = "schema")]
pub fn json_schema() -> serde_json::Value {
    crate::json_schema::of::<Document>()
}

/// Returns the name of a source, or a placeholder if the source is missing: such a mistake by the caller must not hide
/// the problem from the author.
fn name(sources: &Sources, id: SourceId) -> &str {
    sources.get(id).map_or("<unknown>", |source| source.name())
}

/// Returns the positions that explain a problem, one line each, for text-only formats.
fn explaining(problem: &Diagnostic, sources: &Sources) -> impl Iterator<Item = String> {
    problem.related.iter().map(|related| {
        let (start, _) = points(related.span, sources);
        let file = sanitize(name(sources, related.span.source));
        format!("{file}:{}:{}: {}", start.line, start.column, sanitize(&related.message))
    })
}

/// Returns the message of a problem, the positions that explain it, and its help as the lines of a workflow command.
/// Line breaks are encoded, because a runner cuts off everything after an unencoded one.
fn command_lines(problem: &Diagnostic, sources: &Sources, encoded: fn(&str) -> String) -> String {
    let message = std::iter::once(sanitize(&problem.message).into_owned());
    let help = problem.help.iter().flat_map(|help| {
        let starts = std::iter::once("help: ").chain(std::iter::repeat(""));
        help.lines().zip(starts).map(|(line, start)| format!("{start}{}", sanitize(line)))
    });
    let lines: Vec<String> =
        message.chain(explaining(problem, sources)).chain(help).map(|line| encoded(&line)).collect();
    lines.join("%0A")
}

/// Returns the help of a problem, each suggestion on a separate line, for formats that only have a field for the
/// message.
fn masked_help(problem: &Diagnostic) -> String {
    let lines: Vec<String> = problem.help.iter().map(|help| format!("\nhelp: {}", mask_credentials(help))).collect();
    lines.concat()
}

#[cfg(test)]
mod tests;
