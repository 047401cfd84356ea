//! Edits that convert a value to the required form.

use crate::ard::{Kind, Layout, Node, Style};
use crate::diagnostic::{Edit, Safety, Span};

/// Returns the edits that turn a scalar into a list with the scalar as its only item.
pub(crate) fn brackets(node: Node<'_>) -> Vec<Edit> {
    let is_inline = matches!(node.style(), Style::Plain | Style::SingleQuoted | Style::DoubleQuoted);
    // A plain scalar with a comma would become two items.
    let is_one = node.style() != Style::Plain || !node.text().contains([',', '[', ']', '{', '}', '\n']);
    let Some(layout) = Layout::around(node).filter(|_| is_inline && is_one) else { return Vec::new() };
    let Span { start, end, .. } = node.span();
    vec![safe(layout.insert(start, "[ ")), safe(layout.insert(end, " ]"))]
}

/// Returns the edits that turn a map into a list of maps with one entry each.
pub(crate) fn dashes(map: Node<'_>) -> Vec<Edit> {
    let has_others = map.entries().any(|entry| entry.merged || entry.duplicate || entry.value.written().is_none());
    let layout = Layout::around(map).filter(|_| map.kind() == Kind::Map && !has_others);
    let Some(layout) = layout else { return Vec::new() };
    let Span { start, end, .. } = map.span();
    if map.style() == Style::Flow {
        return vec![safe(layout.replace(start, start + 1, "[")), safe(layout.replace(end - 1, end, "]"))];
    }
    let text = map.document().text();
    let mut edits = Vec::new();
    for entry in map.entries() {
        let (from, to) = (entry.key.span().start, entry.value.span().end);
        edits.push(safe(layout.insert(from, "- ")));
        // The following lines of the entry are indented further too.
        let Some(rest) = text.get(from as usize..to as usize) else { return Vec::new() };
        let mut at = from;
        for line in rest.split_inclusive('\n') {
            if at != from && !line.trim().is_empty() {
                edits.push(safe(layout.insert(at, "  ")));
            }
            at += line.len() as u32;
        }
    }
    edits
}

fn safe(edit: Edit) -> Edit {
    Edit { safety: Safety::Safe, ..edit }
}
