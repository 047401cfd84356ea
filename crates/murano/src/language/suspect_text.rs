//! Plain strings that look like expressions but are not, and are therefore silently treated as text.
//!
//! In lists and maps on one line, a comma ends a string. The rest after it is not a separate error: it belongs to the
//! same mistake.

use std::ops::Range;

use tosca_parse::ard::{Node, NodeId};
use tosca_parse_yaql::{Error, Expression, Syntax};

use crate::place::within;
use crate::source_file::range;
use crate::template::{Content, Template, is_plain};

/// A string that looks like an expression but is not one.
pub(super) struct SuspectText {
    /// The string.
    pub(super) node: NodeId,
    /// The position.
    pub(super) span: Range<u32>,
    /// The part of the string that is wrong.
    pub(super) part: Range<u32>,
    /// The syntax error.
    pub(super) error: Error,
    /// Whether a comma ends it before its parentheses are closed.
    pub(super) is_cut: bool,
    /// The number of missing parentheses.
    open: usize,
    /// The positions of the rest that the comma cut off.
    rest: Vec<Range<u32>>,
}

impl SuspectText {
    /// Returns the help. Most plain strings may be intended as text, but contracts and statements are not.
    pub(super) fn help(&self, may_be_text: bool) -> &'static str {
        match (self.is_cut, self.open > 0, may_be_text) {
            (true, ..) => {
                "close the parenthesis; in lists and maps on one line a comma ends the text, so use several lines"
            }
            (false, true, _) => "close the parenthesis",
            (false, false, true) => "correct the expression, or put it in quotes if it is meant as text",
            (false, false, false) => "correct the expression",
        }
    }

    /// Returns whether a span is that of the string or of the rest that was cut off from it.
    pub(super) fn covers(&self, span: &Range<u32>) -> bool {
        let order = |rest: &Range<u32>| (rest.start, rest.end).cmp(&(span.start, span.end));
        self.span == *span || self.rest.binary_search_by(order).is_ok()
    }
}

/// Returns the suspect strings that may be at a position or in it, or that may have been cut off from it, in order.
pub(super) fn near<'d>(doubts: &'d [SuspectText], at: &Range<u32>) -> impl Iterator<Item = (usize, &'d SuspectText)> {
    let end = at.end;
    let after = doubts.partition_point(|doubt| doubt.span.start <= at.start);
    let near = doubts.iter().enumerate().skip(after.saturating_sub(1));
    near.take_while(move |(_, doubt)| doubt.span.start <= end)
}

/// Returns the suspect strings in a node, in order, given its template.
pub(super) fn suspect_texts(node: Node<'_>, template: &Template) -> Vec<SuspectText> {
    let mut found = Vec::new();
    collect((node, template), &mut found);
    found
}

fn collect((node, template): (Node<'_>, &Template), found: &mut Vec<SuspectText>) {
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

/// Checks a part of a list or map and returns the number of parentheses that are open after it.
fn piece(part: (Node<'_>, &Template), left: usize, may_be_rest: bool, found: &mut Vec<SuspectText>) -> usize {
    let node = part.0;
    if left > 0 && may_be_rest {
        if let Some(doubt) = found.last_mut() {
            doubt.rest.push(range(node));
        }
        return (left + opened(node.text())).saturating_sub(closed(node.text()));
    }
    let before = found.len();
    collect(part, found);
    // A list entry that is a pair without braces ends with its value.
    let cut = found[before..].last().filter(|doubt| doubt.is_cut && doubt.span.end == node.span().end);
    cut.map_or(0, |doubt| doubt.open)
}

fn doubt(node: Node<'_>) -> Option<SuspectText> {
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
    Some(SuspectText {
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

/// Returns whether the string begins with a variable, or calls a function with one, such as `len($x`, whose rest a
/// comma in a list has cut off.
fn looks_like_code(text: &str) -> bool {
    let text = text.trim_start();
    let after_name = text.trim_start_matches(|character: char| character.is_alphanumeric() || "_.".contains(character));
    text.starts_with('$') || after_name.len() < text.len() && after_name.starts_with("($")
}
