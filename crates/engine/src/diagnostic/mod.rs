//! Problems: what was found, where it stands, and what an author can do about it.
//!
//! Every phase and every reader reports through one type, [`Diagnostic`]. What kinds of problems exist is declared
//! once, as [`Rule`]s in [`crate::rules`]; a diagnostic names its rule and adds what is particular to the case.
//!
//! A phase collects its problems in [`Diagnostics`], which puts them into the order in which they are shown. What the
//! user wants of single rules is in [`Levels`]; the renderers are in [`render`]. Nothing here knows any language.

use std::fmt;

use serde::{Deserialize, Serialize};

pub mod color;
pub mod edit;
pub(crate) mod example;
mod explain;
mod hidden;
mod levels;
mod list;
pub(crate) mod markdown;
pub(crate) mod prose;
pub mod render;
mod rule;
mod secrets;
pub mod suggest;
mod summary;

pub use color::Color;
pub use edit::{Edit, Safety};
pub use example::{Example, ExampleFile, Verdict};
pub use explain::Explanation;
pub use hidden::Secrets;
pub use levels::{Levels, Override, Scope};
pub use list::Diagnostics;
pub(crate) use list::MOST_OF_A_RULE;
pub use rule::{Explained, Level, Rule, rule_url};
pub use secrets::{is_secret, is_secret_parameter, masked};
pub use summary::Summary;

pub use crate::text::{SourceId, Span};

/// How much a problem matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The input can be used; what it says is doubtful, or not the letter of the standard.
    Warning,
    /// The input is invalid.
    Error,
}

/// `warning` or `error`.
impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// Another place that explains a problem: where a thing is defined, what the parent says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The place.
    pub span: Span,
    /// What is to be seen there, in the form of a label: `defined here`.
    pub message: String,
}

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of problem.
    pub rule: &'static Rule,
    /// How much it matters. Starts as the default of the rule; see [`Level`].
    pub severity: Severity,
    /// One sentence in the terms of the author, without capital and full stop; names stand in back-ticks.
    pub message: String,
    /// Where the problem is.
    pub span: Span,
    /// Places that explain it.
    pub related: Vec<Related>,
    /// What the author can do, one remedy per entry.
    pub help: Vec<String>,
    /// The change of the text that settles it, where help names one; several are made together.
    pub edits: Vec<Edit>,
}

impl Diagnostic {
    /// A problem of the given kind, with the severity that the rule has by default.
    pub fn new(rule: &'static Rule, span: Span, message: impl Into<String>) -> Self {
        Self {
            rule,
            severity: rule.level.severity(),
            message: one_line(message.into()),
            span,
            related: Vec::new(),
            help: Vec::new(),
            edits: Vec::new(),
        }
    }

    /// Whether `--fix` changes the text: an edit is known, and certain to be what the author means.
    pub fn is_fixable(&self) -> bool {
        !self.edits.is_empty() && self.edits.iter().all(|edit| edit.safety == Safety::Safe)
    }

    /// Adds a place that explains the problem.
    #[must_use]
    pub fn with_related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.add_related(span, message.into());
        self
    }

    /// Adds a remedy.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.add_help(help.into());
        self
    }

    /// Gives the sources that the problem is about other numbers.
    pub fn renumber(&mut self, mut number: impl FnMut(SourceId) -> SourceId) {
        let related = self.related.iter_mut().map(|related| &mut related.span);
        let edits = self.edits.iter_mut().map(|edit| &mut edit.span);
        related.chain(edits).chain([&mut self.span]).for_each(|span| span.source = number(span.source));
    }

    pub(crate) fn add_related(&mut self, span: Span, message: String) {
        self.related.push(Related { span, message: one_line(message) });
    }

    pub(crate) fn add_help(&mut self, help: String) {
        self.help.push(shorten(help));
    }
}

/// What quotes the input stays one line.
fn one_line(text: String) -> String {
    let text = shorten(text);
    if text.contains(['\n', '\r']) { text.replace('\n', "\\n").replace('\r', "\\r") } else { text }
}

/// What quotes the input does not get much longer than a message is, since what is quoted may be as long as a file, and
/// may be quoted many times.
fn shorten(text: String) -> String {
    const START: usize = 1600;
    const END: usize = 400;
    if text.len() <= START + END {
        return text;
    }
    let boundary = |near: usize| (near..text.len()).find(|index| text.is_char_boundary(*index)).unwrap_or(text.len());
    format!("{}…{}", &text[..boundary(START)], &text[boundary(text.len() - END)..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_one_line_and_not_too_long() {
        assert_eq!(one_line("a `b\r\n` ü".to_owned()), "a `b\\r\\n` ü");
        let long = one_line(format!("`{}` is too long", "ü".repeat(100_000)));
        assert!(long.len() < 2100 && long.starts_with("`ü") && long.ends_with("üü` is too long"), "{long}");
    }
}
