//! Plain texts that look like expressions but are none, so that they are taken for text in silence.
//!
//! In lists and maps on one line a comma ends a text. What it has cut off is not wrong by itself: it belongs to the
//! mistake.

use std::ops::Range;

use tosca_parse::ard::{Node, NodeId};
use tosca_parse_yaql::{Error, Expression, Syntax};

use crate::place::within;
use crate::source_file::range;
use crate::template::{Content, Template, is_plain};

/// A text that looks like an expression, but is none.
pub(super) struct Doubt {
    /// The text.
    pub(super) node: NodeId,
    /// Where it is.
    pub(super) span: Range<u32>,
    /// The part of it that is wrong.
    pub(super) part: Range<u32>,
    /// Why it is no expression.
    pub(super) error: Error,
    /// Whether a comma ends it before its parentheses are closed.
    pub(super) is_cut: bool,
    /// How many parentheses it lacks.
    open: usize,
    /// Where what follows is that the comma has cut off.
    rest: Vec<Range<u32>>,
}

impl Doubt {
    /// What helps: most plain texts may be meant as such, but contracts and statements are not.
    pub(super) fn help(&self, may_be_text: bool) -> &'static str {
        match (self.is_cut, self.open > 0, may_be_text) {
            (true, ..) => {
                "close the parenthesis; in lists and maps on one line a comma ends the text, so write these in several lines"
            }
            (false, true, _) => "close the parenthesis",
            (false, false, true) => "correct it, or put it in quotes if it is text",
            (false, false, false) => "correct it",
        }
    }

    /// Whether something is the text, or was cut off from it.
    pub(super) fn covers(&self, span: &Range<u32>) -> bool {
        let order = |rest: &Range<u32>| (rest.start, rest.end).cmp(&(span.start, span.end));
        self.span == *span || self.rest.binary_search_by(order).is_ok()
    }
}

/// The doubtful texts among some, in their order, of which one may be or may have been cut off from what stands at a
/// place, or be in it.
pub(super) fn near<'d>(doubts: &'d [Doubt], at: &Range<u32>) -> impl Iterator<Item = (usize, &'d Doubt)> {
    let end = at.end;
    let after = doubts.partition_point(|doubt| doubt.span.start <= at.start);
    let near = doubts.iter().enumerate().skip(after.saturating_sub(1));
    near.take_while(move |(_, doubt)| doubt.span.start <= end)
}

/// The doubtful texts in a node, in their order, given what has been made of it.
pub(super) fn doubts(node: Node<'_>, template: &Template) -> Vec<Doubt> {
    let mut found = Vec::new();
    collect((node, template), &mut found);
    found
}

fn collect((node, template): (Node<'_>, &Template), found: &mut Vec<Doubt>) {
    let mut left = 0;
    match &template.content {
        Content::Map(entries) => {
            for (entry, (key, value)) in node.entries().zip(entries) {
                let is_rest = value.is_null();
                left = piece((entry.key, key), left, is_rest, found);
                left = if is_rest { left } else { piece((entry.value, value), 0, false, found) };
            }
        }
        Content::List(items) => {
            for (node, item) in node.items().zip(items) {
                left = piece((node, item), left, !matches!(item.content, Content::List(_) | Content::Map(_)), found);
            }
        }
        Content::String(_) => found.extend(doubt(node)),
        _ => {}
    }
}

/// Looks at a part of a list or map, and says how many parentheses are still open after it.
fn piece(part: (Node<'_>, &Template), left: usize, may_be_rest: bool, found: &mut Vec<Doubt>) -> usize {
    let node = part.0;
    if left > 0 && may_be_rest {
        if let Some(doubt) = found.last_mut() {
            doubt.rest.push(range(node));
        }
        return (left + opened(node.text())).saturating_sub(closed(node.text()));
    }
    let before = found.len();
    collect(part, found);
    // An entry of a list that is a pair without braces ends with its value.
    let cut = found[before..].last().filter(|doubt| doubt.is_cut && doubt.span.end == node.span().end);
    cut.map_or(0, |doubt| doubt.open)
}

fn doubt(node: Node<'_>) -> Option<Doubt> {
    let text = node.text();
    if !is_plain(node) || node.tag().is_some() || !looks_like_code(text) {
        return None;
    }
    let error = Expression::parse(text, Syntax::Murano).err()?;
    let span = range(node);
    let part = error.span().zip(node.written()).map(|(part, written)| within(written, text, &part));
    let part = part.map_or_else(|| span.clone(), |part| span.start + part.start..span.start + part.end);
    let open = opened(text).saturating_sub(closed(text));
    let after = node.document().text().get(span.end as usize..).unwrap_or_default().trim_start();
    Some(Doubt {
        node: node.id(),
        is_cut: open > 0 && after.starts_with(','),
        open,
        span,
        part,
        error,
        rest: Vec::new(),
    })
}

fn opened(text: &str) -> usize {
    text.matches('(').count()
}

fn closed(text: &str) -> usize {
    text.matches(')').count()
}

/// Whether a text begins with a variable, or calls a function with one, as `len($x`, which commas of a list have cut off.
fn looks_like_code(text: &str) -> bool {
    let text = text.trim_start();
    let after_name = text.trim_start_matches(|character: char| character.is_alphanumeric() || "_.".contains(character));
    text.starts_with('$') || after_name.len() < text.len() && after_name.starts_with("($")
}
