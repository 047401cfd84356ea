//! Changes that write what is meant in the form that is due.

use crate::ard::{Kind, Node, Style};
use crate::diagnostic::{Edit, Safety, Span};

/// The changes that make the only item of a list of a scalar.
pub(crate) fn brackets(node: Node<'_>) -> Vec<Edit> {
    let is_inline = matches!(node.style(), Style::Plain | Style::SingleQuoted | Style::DoubleQuoted);
    // A text with a comma would be two items.
    let is_one = node.style() != Style::Plain || !node.text().contains([',', '[', ']', '{', '}', '\n']);
    if !is_inline || !is_one || node.is_alias() {
        return Vec::new();
    }
    let Span { source, start, end } = node.span();
    let put_in = |at: u32, text: &str| Edit { safety: Safety::Safe, ..Edit::insertion(source, at, text) };
    vec![put_in(start, "[ "), put_in(end, " ]")]
}

/// The changes that make a list of maps with one entry each of a map.
pub(crate) fn dashes(map: Node<'_>) -> Vec<Edit> {
    let Span { source, start, end } = map.span();
    let has_merged = map.entries().any(|entry| entry.merged || entry.duplicate);
    if map.kind() != Kind::Map || map.is_alias() || has_merged || source != map.document().source() {
        return Vec::new();
    }
    let change = |start: u32, end: u32, text: &str| Edit {
        span: Span { source, start, end },
        text: text.to_owned(),
        safety: Safety::Safe,
    };
    if map.style() == Style::Flow {
        return vec![change(start, start + 1, "["), change(end - 1, end, "]")];
    }
    let text = map.document().text();
    let mut edits = Vec::new();
    for entry in map.entries() {
        let (from, to) = (entry.key.span().start, entry.value.span().end);
        edits.push(change(from, from, "- "));
        // What follows in lines of its own moves along.
        let Some(rest) = text.get(from as usize..to as usize) else { return Vec::new() };
        let mut at = from;
        for line in rest.split_inclusive('\n') {
            if at != from && !line.trim().is_empty() {
                edits.push(change(at, at, "  "));
            }
            at += line.len() as u32;
        }
    }
    edits
}
