//! Selection ranges: the nested parts of a text that contain a position, from the inside out.

use serde_json::{Value, json};
use tosca_parse::ard::{Kind, Node, Style};
use tosca_parse::diagnostic::Span;
use tosca_parse::phase::Unit;

use crate::parsed::Parsed;
use crate::place;
use crate::protocol::Position;

/// Returns the selection ranges of positions in the entry.
pub(crate) fn ranges(parsed: &Parsed, positions: &[Position]) -> Value {
    let Some(unit) = parsed.unit() else { return Value::Null };
    json!(positions.iter().map(|at| range(unit, place::offset(&unit.source, *at))).collect::<Vec<_>>())
}

fn range(unit: &Unit, offset: u32) -> Value {
    let end = unit.source.text().len() as u32;
    let mut spans = vec![(0, end)];
    let mut next = unit.document.root();
    while let Some(node) = next {
        next = inside(unit, node, offset, &mut spans);
    }
    let nested = |parent: Option<Value>, (start, end): (u32, u32)| {
        let range = place::range(&unit.source, start, end);
        Some(match parent {
            Some(parent) => json!({ "range": range, "parent": parent }),
            None => json!({ "range": range }),
        })
    };
    json!(spans.into_iter().fold(None, nested))
}

/// Adds the span of a node and those of its parts around the given offset; returns the part to descend into.
fn inside<'d>(unit: &Unit, node: Node<'d>, offset: u32, spans: &mut Vec<(u32, u32)>) -> Option<Node<'d>> {
    let is_here = |span: Span| span.source == unit.id && span.start <= offset && offset <= span.end;
    let mut add = |start: u32, end: u32| {
        // Each range contains the next one, and they differ.
        if spans.last().is_none_or(|last| *last != (start, end) && last.0 <= start && end <= last.1) {
            spans.push((start, end));
        }
    };
    let span = node.span();
    if !is_here(span) {
        return None;
    }
    add(span.start, span.end);
    if node.is_alias() {
        return None;
    }
    match node.kind() {
        Kind::Map => {
            let whole = |key: Span, value: Span| Span { end: value.end.max(key.end), ..key };
            let mut entries = node.entries().filter(|entry| !entry.merged);
            let entry = entries.find(|entry| is_here(whole(entry.key.span(), entry.value.span())))?;
            let of_entry = whole(entry.key.span(), entry.value.span());
            add(of_entry.start, of_entry.end);
            Some(if is_here(entry.key.span()) { entry.key } else { entry.value })
        }
        Kind::List => node.items().find(|item| is_here(item.span())),
        _ => {
            if matches!(node.style(), Style::SingleQuoted | Style::DoubleQuoted)
                && span.start < offset
                && offset < span.end
            {
                add(span.start + 1, span.end - 1);
            }
            None
        }
    }
}
