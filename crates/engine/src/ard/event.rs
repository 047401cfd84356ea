//! What a YAML reader says about a text.
//!
//! The library that splits YAML into events is young and may have to be replaced. So the rest of the module knows only
//! the few types of this file; the library is named in [`super::granit`] alone.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use super::Style;

/// Takes what a reader finds.
pub(super) trait Sink<'a> {
    /// Takes the next event; whether there should be more.
    fn take(&mut self, event: Event<'a>) -> ControlFlow<()>;
}

/// Something in the text.
#[derive(Debug)]
pub(super) struct Event<'a> {
    pub(super) content: Content<'a>,
    /// Where it is. Exact for comments, aliases, brackets and scalars other than block scalars; for the rest, a place
    /// between the end of what comes before and the beginning of what comes next.
    pub(super) place: Range<u32>,
    /// The tag and anchor of a node that has any.
    pub(super) properties: Option<Box<Properties<'a>>>,
}

/// What an [`Event`] is about.
#[derive(Debug)]
pub(super) enum Content<'a> {
    /// A document begins, with `---` at the given place or without.
    DocumentStart { explicit: bool },
    /// The document ends.
    DocumentEnd,
    /// A comment.
    Comment,
    /// A scalar, with quotes, escapes and indentation taken off. A plain one without text is one that is missing: the
    /// value of `key:`.
    Scalar(Cow<'a, str>, Style),
    /// A list begins.
    ListStart(Style),
    /// A map begins; its keys and values follow in turn.
    MapStart(Style),
    /// The innermost open list or map ends.
    End,
    /// An alias of the given name.
    Alias(&'a str),
}

/// What stands before a node.
#[derive(Default, Debug)]
pub(super) struct Properties<'a> {
    pub(super) tag: Option<Tag>,
    pub(super) anchor: Option<Anchor<'a>>,
}

/// A tag.
#[derive(Debug)]
pub(super) struct Tag {
    /// The whole tag, with its handle resolved: `tag:yaml.org,2002:str` for `!!str`.
    pub(super) name: String,
    pub(super) place: Range<u32>,
}

/// An anchor.
#[derive(Debug)]
pub(super) struct Anchor<'a> {
    /// The name, without `&`.
    pub(super) name: &'a str,
    pub(super) place: Range<u32>,
}

/// Why reading ends before the end of the text.
#[derive(Debug)]
pub(super) enum Stop {
    /// The text is not YAML from here on.
    Syntax(SyntaxError),
    /// More levels are open than the reader was told to allow.
    TooDeep(Range<u32>),
}

/// A place where the text is not YAML.
#[derive(Debug)]
pub(super) struct SyntaxError {
    /// What is wrong, in the form of the message of a diagnostic.
    pub(super) message: String,
    pub(super) place: Range<u32>,
    /// What the author can do.
    pub(super) help: Option<String>,
}
