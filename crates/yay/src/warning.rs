//! Questionable parts of documents that can be evaluated anyway.

use crate::source::Span;

/// The kinds of warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WarningKind {
    /// A name without a meaning, in an expression that was not evaluated.
    UnknownName,
    /// An argument of a call that its macro doesn't use.
    UnusedArgument,
    /// A key whose value is replaced in the same block.
    DuplicateKey,
    /// A key whose value is a scalar, a list or a mapping in one layer, and has a different type in a later one.
    ChangedType,
}

/// A questionable part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The kind of warning.
    pub kind: WarningKind,
    /// One sentence without the position.
    pub message: String,
    /// A suggestion.
    pub help: Option<String>,
    /// The name that the suggestion offers as a replacement.
    pub meant: Option<String>,
    /// The position.
    pub at: Span,
    /// A position that explains the warning, and a label for it.
    pub related: Option<(Span, &'static str)>,
}
