//! The rows of the table of problems, `tosca_parse.arrow.SCHEMA`.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use serde::Serialize;
use tosca_parse::diagnostic::{Safety, Severity, mask_credentials, render as json};
use tosca_parse::rules;

/// The text of a template.
#[derive(FromPyObject)]
pub(crate) enum Text {
    String(PyBackedStr),
    Bytes(PyBackedBytes),
}

impl Text {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::String(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// A problem of a template or, if there is none, the template.
#[derive(Serialize)]
pub(crate) struct Row<'a> {
    uri: &'a str,
    valid: bool,
    #[serde(flatten)]
    problem: Option<Problem>,
}

/// A problem. Nested objects are only in lists, because structs are inconvenient in SQL.
#[derive(Serialize)]
struct Problem {
    code: String,
    name: String,
    url: Option<String>,
    severity: String,
    message: String,
    file: String,
    #[serde(flatten)]
    range: Range,
    help: Vec<String>,
    related: Vec<Related>,
    edits: Vec<Edit>,
}

#[derive(Serialize)]
struct Related {
    file: String,
    #[serde(flatten)]
    range: Range,
    message: String,
}

#[derive(Serialize)]
struct Edit {
    file: String,
    #[serde(flatten)]
    range: Range,
    text: String,
    safety: Safety,
}

/// The range of a problem, without `end` as a name, which is a keyword of SQL.
#[derive(Serialize)]
struct Range {
    start_line: u32,
    start_column: u32,
    start_offset: u32,
    end_line: u32,
    end_column: u32,
    end_offset: u32,
}

impl Range {
    fn new(start: json::Point, end: json::Point) -> Self {
        Self {
            start_line: start.line,
            start_column: start.column,
            start_offset: start.offset,
            end_line: end.line,
            end_column: end.column,
            end_offset: end.offset,
        }
    }
}

impl<'a> Row<'a> {
    /// Returns the rows of a parsed template.
    pub(crate) fn of(uri: &'a str, outcome: &tosca_parse::Outcome) -> Vec<Self> {
        let valid = outcome.is_valid();
        let problems = json::Document::new(&outcome.diagnostics, &outcome.sources).diagnostics;
        if problems.is_empty() {
            return vec![Self { uri, valid, problem: None }];
        }
        problems.into_iter().map(|problem| Self { uri, valid, problem: Some(problem.into()) }).collect()
    }

    /// Returns the row of a template whose configuration is invalid.
    pub(crate) fn misconfigured(uri: &'a str, error: &tosca_parse_config::Error) -> Self {
        Self { uri, valid: false, problem: Some(crate::config::problem(error).into()) }
    }

    /// Returns the row of a template whose URI is invalid.
    pub(crate) fn unreadable(uri: &'a str, message: &str) -> Self {
        let rule = &rules::UNREADABLE;
        let start = json::Point { line: 1, column: 1, offset: 0 };
        let problem = Problem {
            code: rule.code.to_owned(),
            name: rule.name.to_owned(),
            url: tosca_parse::diagnostic::rule_url(rule),
            severity: Severity::Error.to_string(),
            message: mask_credentials(message).into_owned(),
            file: mask_credentials(uri).into_owned(),
            range: Range::new(start, start),
            help: Vec::new(),
            related: Vec::new(),
            edits: Vec::new(),
        };
        Self { uri, valid: false, problem: Some(problem) }
    }
}

impl From<json::Problem<'_>> for Problem {
    fn from(problem: json::Problem<'_>) -> Self {
        let related = problem.related.into_iter().map(|place| Related {
            file: place.file.into_owned(),
            range: Range::new(place.start, place.end),
            message: place.message.into_owned(),
        });
        let edits = problem.edits.into_iter().map(|edit| Edit {
            file: edit.file.into_owned(),
            range: Range::new(edit.start, edit.end),
            text: edit.text.into_owned(),
            safety: edit.safety,
        });
        Self {
            code: problem.code.into_owned(),
            name: problem.name.into_owned(),
            url: problem.url,
            severity: problem.severity.to_string(),
            message: problem.message.into_owned(),
            file: problem.file.into_owned(),
            range: Range::new(problem.start, problem.end),
            related: related.collect(),
            help: problem.help.into_iter().map(Cow::into_owned).collect(),
            edits: edits.collect(),
        }
    }
}
