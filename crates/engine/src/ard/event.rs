//! The events of a YAML reader.
//!
//! The library that splits YAML into events is young and may have to be replaced. So the rest of the module depends
//! only on the few types in this file, and only [`super::granit`] names the library.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use super::Style;

/// Receives the events of a reader.
pub(super) trait Sink<'a> {
    /// Whether comments are events, too.
    const TAKES_COMMENTS: bool = true;

    /// Handles the next event and returns whether to continue.
    fn take(&mut self, event: Event<'a>) -> ControlFlow<()>;
}

/// An event and its position in the text.
#[derive(Debug)]
pub(super) struct Event<'a> {
    pub(super) content: Content<'a>,
    /// The position. It is exact for comments, aliases, brackets and scalars other than block scalars. For other
    /// events, it is somewhere between the end of the previous token and the start of the next one.
    pub(super) place: Range<u32>,
    /// The tag and anchor of the node, if it has any.
    pub(super) properties: Option<Box<Properties<'a>>>,
}

/// The content of an [`Event`].
#[derive(Debug)]
pub(super) enum Content<'a> {
    /// The start of a document; `explicit` if there is a `---` at the position.
    DocumentStart { explicit: bool },
    /// The end of the document.
    DocumentEnd,
    /// A comment.
    Comment,
    /// A scalar, without quotes, escapes and indentation. An empty plain scalar stands for a missing value, as after
    /// `key:`.
    Scalar(Cow<'a, str>, Style),
    /// The start of a list.
    ListStart(Style),
    /// The start of a map; its keys and values follow alternately.
    MapStart(Style),
    /// The end of the innermost open list or map.
    End,
    /// An alias with its name.
    Alias(&'a str),
}

/// The properties of a node.
#[derive(Default, Debug)]
pub(super) struct Properties<'a> {
    pub(super) tag: Option<Tag>,
    pub(super) anchor: Option<Anchor<'a>>,
}

/// A tag.
#[derive(Debug)]
pub(super) struct Tag {
    /// The tag with its handle resolved: `tag:yaml.org,2002:str` for `!!str`.
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

/// The reason why reading stopped before the end of the text.
#[derive(Debug)]
pub(super) enum Stop {
    /// The text is not valid YAML from here on.
    Syntax(SyntaxError),
    /// Maps and lists are nested more deeply than allowed.
    TooDeep(Range<u32>),
    /// Too many comments follow one another.
    TooManyComments(Range<u32>),
}

/// A position at which the text is not valid YAML.
#[derive(Debug)]
pub(super) struct SyntaxError {
    /// The message of the problem.
    pub(super) message: String,
    pub(super) place: Range<u32>,
    /// A suggestion for the author.
    pub(super) help: Option<String>,
}
