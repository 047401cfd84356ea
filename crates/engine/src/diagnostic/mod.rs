//! Problems: findings with their positions and help for the author.
//!
//! All phases and readers report through one type, [`Diagnostic`]. Each kind of problem is declared once, as a [`Rule`]
//! in [`crate::rules`] or by a language; a diagnostic refers to its rule and adds the details of the case.
//!
//! A phase collects its problems in [`Diagnostics`], which sorts them for display. [`Levels`] holds the user's settings
//! for rules, and [`render`] contains the renderers. This module is independent of any language.

use std::fmt;

use serde::{Deserialize, Serialize};

mod collector;
pub mod color;
pub mod edit;
pub(crate) mod example;
mod explain;
mod foreign;
mod help;
mod levels;
pub mod markdown;
pub(crate) mod prose;
mod redact;
pub mod render;
mod rule;
mod secrets;
pub mod suggest;
mod summary;

pub use collector::Diagnostics;
pub(crate) use collector::{FirstDiagnostics, MAX_PER_RULE, more};
pub use color::Color;
pub use edit::{Edit, Safety};
pub use example::{Example, ExampleFile, ExampleKind};
pub use explain::Explanation;
pub use foreign::{hide_foreign_text, without_quoted};
pub(crate) use help::Fix;
pub use help::Help;
pub use levels::{Levels, Override, Scope};
pub use redact::Secrets;
pub use rule::{Level, Rule, RuleDocs, rule_url};
pub(crate) use secrets::{MASK, credential_ranges};
pub use secrets::{is_secret, is_secret_parameter, mask_credentials};
pub use summary::Summary;

pub use crate::text::{SourceId, Span};

/// The prefix of comments that suppress problems: `# tosca-parse: ignore[CODE]`.
pub const COMMENT_MARK: &str = "tosca-parse:";

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The input can be used, but it is questionable or deviates from the standard.
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

/// An additional position that explains a problem, such as that of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The position.
    pub span: Span,
    /// A label for the position: `defined here`.
    pub message: String,
}

/// A problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of problem.
    pub rule: &'static Rule,
    /// The severity. Initially, it is the rule's default; see [`Level`].
    pub severity: Severity,
    /// One sentence in the author's terms, without an initial capital or a final period. Names are in back-quotes.
    pub message: String,
    /// The position of the problem.
    pub span: Span,
    /// Positions that explain the problem.
    pub related: Vec<Related>,
    /// Suggestions for the author, one per entry.
    pub help: Vec<String>,
    /// The edits that fix the problem, if there is a fix. They are applied together.
    pub edits: Vec<Edit>,
    /// The fix that the help describes. It is converted to an edit if `edits` is empty.
    pub(crate) fix: Option<Box<Fix>>,
    /// See [`is_unavailable`](Self::is_unavailable).
    pub(crate) is_unavailable: bool,
}

/// The relation of the position at which a value is used to a problem with the value.
pub(crate) const USED: &str = "used here";

impl Diagnostic {
    /// Creates a problem that violates the given rule, with the rule's default severity.
    pub fn new(rule: &'static Rule, span: Span, message: impl Into<String>) -> Self {
        Self {
            rule,
            severity: rule.level.severity(),
            message: one_line(message.into()),
            span,
            related: Vec::new(),
            help: Vec::new(),
            edits: Vec::new(),
            fix: None,
            is_unavailable: false,
        }
    }

    /// Returns whether `--fix` fixes the problem: there are edits, and none of them needs review.
    pub fn is_fixable(&self) -> bool {
        !self.edits.is_empty() && self.edits.iter().all(|edit| edit.safety == Safety::Safe)
    }

    /// Returns whether the problem is not a mistake in a source: an entry, or a source on the network, can't be read.
    pub fn is_unavailable(&self) -> bool {
        self.is_unavailable
    }

    /// Adds a position that explains the problem.
    #[must_use]
    pub fn with_related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.add_related(span, message.into());
        self
    }

    /// Adds a suggestion.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<Help>) -> Self {
        self.add_help(help.into());
        self
    }

    /// Replaces the IDs of all sources in the problem.
    pub fn renumber(&mut self, mut number: impl FnMut(SourceId) -> SourceId) {
        let related = self.related.iter_mut().map(|related| &mut related.span);
        let edits = self.edits.iter_mut().map(|edit| &mut edit.span);
        related.chain(edits).chain([&mut self.span]).for_each(|span| span.source = number(span.source));
    }

    pub(crate) fn add_related(&mut self, span: Span, message: String) {
        self.related.push(Related { span, message: one_line(message) });
    }

    pub(crate) fn add_help(&mut self, help: Help) {
        // Most problems have one help, and there may be a million problems.
        self.help.reserve_exact(1);
        self.help.push(shorten(help.text));
        if self.fix.is_none() {
            self.fix = help.fix;
        }
    }
}

/// Escapes line breaks, because messages may quote the input.
fn one_line(text: String) -> String {
    let text = shorten(text);
    if text.contains(['\n', '\r']) { text.replace('\n', "\\n").replace('\r', "\\r") } else { text }
}

/// Shortens a message that quotes the input, because the quoted text may be as long as a file and may be quoted many
/// times.
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
