//! Reads YAML with granit-parser; only this module names the library.

mod error;

use std::borrow::Cow;
use std::ops::Range;

use granit_parser::{
    Event as Token, Options, Parser, ScalarStyle, Span, StructureStyle, TryLoadError, TrySpannedEventReceiver,
};

use super::Style;
use super::event::{Anchor, Content, Event, Properties, Sink, Stop, Tag};

/// Reads YAML with granit-parser, allowing at least `depth` open maps and lists.
pub(super) fn read<'a, S: Sink<'a>>(text: &'a str, depth: u32, sink: &mut S) -> Result<(), Stop> {
    // The library looks ahead within a line, and may meet opening brackets there. Without this addition, it could
    // exceed the limit before it has emitted the earlier events.
    let depth = depth as usize + LOOKAHEAD;
    let options: Options = granit_parser::options! {
        emit_unresolved_aliases: true,
        emit_anchor_events: true,
        emit_comments: S::TAKES_COMMENTS,
        max_buffered_comment_events: MAX_COMMENTS,
        flow_nesting_limit: depth,
        block_nesting_limit: depth,
        simple_key_max_lookahead: LOOKAHEAD,
    };
    let mut receiver = Receiver { text, sink, anchored: None };
    match Parser::new_from_str_with_options(text, options).try_load(&mut receiver, true) {
        Ok(()) | Err(TryLoadError::Receiver(Enough)) => Ok(()),
        Err(TryLoadError::Scan(error)) => Err(error::explain(text, &error)),
    }
}

/// The maximum number of comments between a key and its value, which the library keeps in memory.
pub(super) const MAX_COMMENTS: usize = 50_000;

/// The maximum lookahead of the library to detect keys, in characters.
const LOOKAHEAD: usize = 1024;

/// A receiver that passes the events of the library on to a [`Sink`].
struct Receiver<'a, 's, S> {
    text: &'a str,
    sink: &'s mut S,
    /// A node with an anchor, held back because the parser emits the anchor's name right after the node.
    anchored: Option<Event<'a>>,
}

/// The error that stops the parser because the sink wants no more events.
struct Enough;

impl<'a, S: Sink<'a>> TrySpannedEventReceiver<'a> for Receiver<'a, '_, S> {
    type Error = Enough;

    fn on_event(&mut self, token: Token<'a>, span: Span) -> Result<(), Enough> {
        let place = place(&span);
        let (content, anchor, tag) = match token {
            Token::Scalar(text, style, anchor, tag) => {
                // The library reports a missing node with the text of a null, but an empty span.
                let missing = style == ScalarStyle::Plain && place.is_empty();
                let text = if missing { Cow::Borrowed("") } else { text };
                (Content::Scalar(text, scalar_style(style)), anchor, tag)
            }
            Token::SequenceStart(style, anchor, tag) => (Content::ListStart(collection_style(style)), anchor, tag),
            Token::MappingStart(style, anchor, tag) => (Content::MapStart(collection_style(style)), anchor, tag),
            Token::SequenceEnd | Token::MappingEnd => (Content::End, 0, None),
            Token::Alias(_) | Token::UnresolvedAlias(_) => (Content::Alias(self.name(&place, '*')), 0, None),
            Token::Anchor(..) => return self.anchor(place),
            Token::Comment(..) => (Content::Comment, 0, None),
            Token::DocumentStart(explicit, _) => (Content::DocumentStart { explicit }, 0, None),
            Token::DocumentEnd => (Content::DocumentEnd, 0, None),
            // This includes events that later versions of the library may add.
            _ => return Ok(()),
        };
        let mut event = Event { content, place, properties: None };
        if let Some(tag) = tag {
            let (handle, suffix) = tag.parts();
            let place = self::place(&span.tag_span().unwrap_or(span));
            let tag = Some(Tag { name: format!("{handle}{suffix}"), place });
            event.properties = Some(Box::new(Properties { tag, anchor: None }));
        }
        if anchor == 0 {
            self.pass(event)
        } else {
            self.anchored = Some(event);
            Ok(())
        }
    }
}

impl<'a, S: Sink<'a>> Receiver<'a, '_, S> {
    fn anchor(&mut self, place: Range<u32>) -> Result<(), Enough> {
        let Some(mut event) = self.anchored.take() else { return Ok(()) };
        let name = self.name(&place, '&');
        event.properties.get_or_insert_default().anchor = Some(Anchor { name, place });
        self.pass(event)
    }

    fn pass(&mut self, event: Event<'a>) -> Result<(), Enough> {
        if self.sink.take(event).is_break() { Err(Enough) } else { Ok(()) }
    }

    /// Returns the name of an anchor or alias, without its sign (`&` or `*`).
    fn name(&self, place: &Range<u32>, sign: char) -> &'a str {
        let text = self.text.get(place.start as usize..place.end as usize);
        text.and_then(|text| text.strip_prefix(sign)).unwrap_or_default()
    }
}

/// Returns the byte range of a span, which the library always knows for text in memory.
fn place(span: &Span) -> Range<u32> {
    let range = span.byte_range().unwrap_or_default();
    range.start as u32..range.end as u32
}

fn scalar_style(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted => Style::SingleQuoted,
        ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
        ScalarStyle::Literal => Style::Literal,
        ScalarStyle::Folded => Style::Folded,
    }
}

fn collection_style(style: StructureStyle) -> Style {
    match style {
        StructureStyle::Block => Style::Block,
        StructureStyle::Flow => Style::Flow,
    }
}
