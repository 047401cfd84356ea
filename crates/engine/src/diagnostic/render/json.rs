//! JSON for programs: one complete document with a stable format.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{escaped, name};
use crate::diagnostic::{Diagnostic, Edit, Safety, Severity, Span, Summary, mask_credentials, rule_url};
use crate::text::{LineColumn, Sources};

/// The version of the document. Fields may be added within a version; no field is removed, renamed or given a different
/// meaning.
pub const VERSION: u32 = 1;

/// All problems of one run. It is displayed as indented JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Document<'a> {
    /// The version of the document format, which is 1.
    #[cfg_attr(feature = "schema", schemars(extend("const" = VERSION)))]
    pub version: u32,
    /// The problems, sorted by source and then by position.
    pub diagnostics: Vec<Problem<'a>>,
    /// The number of problems.
    pub summary: Summary,
}

/// A problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Problem<'a> {
    /// The stable code of the rule, such as `T1201`.
    pub code: Cow<'a, str>,
    /// The name of the rule, such as `unknown-keyname`.
    pub name: Cow<'a, str>,
    /// The URL of the rule's documentation; absent for a custom rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// `error` or `warning`, after strict mode and the user's settings.
    pub severity: Severity,
    /// One sentence, without a period.
    pub message: Cow<'a, str>,
    /// The name of the source: a path or a URL.
    pub file: Cow<'a, str>,
    /// The start of the problem; the first position in the source if it could not be read.
    pub start: Point,
    /// The end: the position after the last character of the problem. Equal to `start` if the problem is between two
    /// characters.
    pub end: Point,
    /// Positions that explain the problem; empty if there are none.
    pub related: Vec<RelatedLocation<'a>>,
    /// Suggestions for the author, one per entry; empty if there are none.
    pub help: Vec<Cow<'a, str>>,
    /// The edits that fix the problem, which are applied together; empty if there is no fix.
    #[serde(default)]
    pub edits: Vec<Replacement<'a>>,
}

/// A replacement of text in a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Replacement<'a> {
    /// The name of the source.
    pub file: Cow<'a, str>,
    /// The start of the replaced text.
    pub start: Point,
    /// The end of the replaced text. Equal to `start` for an insertion.
    pub end: Point,
    /// The new text.
    pub text: Cow<'a, str>,
    /// `safe` if the edit needs no review, otherwise `unsafe`.
    pub safety: Safety,
}

/// A position that explains a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RelatedLocation<'a> {
    /// The name of the source.
    pub file: Cow<'a, str>,
    /// The start.
    pub start: Point,
    /// The end.
    pub end: Point,
    /// A label: `defined here`.
    pub message: Cow<'a, str>,
}

/// A position in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Point {
    /// The line, starting at 1.
    pub line: u32,
    /// The column, starting at 1, in characters (Unicode scalar values).
    pub column: u32,
    /// The offset in the source, starting at 0, in bytes of UTF-8.
    pub offset: u32,
}

impl<'a> Document<'a> {
    /// Creates a document with the given problems, in the given order.
    pub fn new(diagnostics: &'a [Diagnostic], sources: &'a Sources) -> Self {
        Self {
            version: VERSION,
            diagnostics: diagnostics.iter().map(|diagnostic| problem(diagnostic, sources)).collect(),
            summary: Summary::of(diagnostics),
        }
    }
}

impl fmt::Display for Document<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string_pretty(self).map_err(|_| fmt::Error)?;
        writeln!(f, "{}", escaped(&text))
    }
}

/// Problems for programs that process line by line: each line is a [`Problem`] in JSON.
#[derive(Clone, Copy, Debug)]
pub struct JsonLines<'a> {
    diagnostics: &'a [Diagnostic],
    sources: &'a Sources,
}

impl<'a> JsonLines<'a> {
    /// Creates a report of problems, in the given order.
    pub fn new(diagnostics: &'a [Diagnostic], sources: &'a Sources) -> Self {
        Self { diagnostics, sources }
    }
}

impl fmt::Display for JsonLines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for diagnostic in self.diagnostics {
            let line = serde_json::to_string(&problem(diagnostic, self.sources)).map_err(|_| fmt::Error)?;
            writeln!(f, "{}", escaped(&line))?;
        }
        Ok(())
    }
}

fn problem<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Problem<'a> {
    let (start, end) = points(diagnostic.span, sources);
    Problem {
        code: diagnostic.rule.code.into(),
        name: diagnostic.rule.name.into(),
        url: rule_url(diagnostic.rule),
        severity: diagnostic.severity,
        message: mask_credentials(&diagnostic.message),
        file: name(sources, diagnostic.span.source).into(),
        start,
        end,
        related: diagnostic
            .related
            .iter()
            .map(|related| {
                let (start, end) = points(related.span, sources);
                let file = name(sources, related.span.source).into();
                RelatedLocation { file, start, end, message: mask_credentials(&related.message) }
            })
            .collect(),
        help: diagnostic.help.iter().map(|help| mask_credentials(help)).collect(),
        edits: diagnostic.edits.iter().map(|edit| change(edit, sources)).collect(),
    }
}

fn change<'a>(edit: &'a Edit, sources: &'a Sources) -> Replacement<'a> {
    let (start, end) = points(edit.span, sources);
    let file = name(sources, edit.span.source).into();
    Replacement { file, start, end, text: mask_credentials(&edit.text), safety: edit.safety }
}

/// Returns the start and end of a span.
pub(super) fn points(span: Span, sources: &Sources) -> (Point, Point) {
    let source = sources.get(span.source);
    let point = |offset: u32| {
        let offset = source.map_or(0, |source| source.floor(offset)) as u32;
        let LineColumn { line, column } = source.map_or(LineColumn::START, |source| source.line_column(offset));
        Point { line, column, offset }
    };
    (point(span.start), point(span.end.max(span.start)))
}
