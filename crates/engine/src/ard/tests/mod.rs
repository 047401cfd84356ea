//! Tests of the whole reader; unit tests are next to the code.

#![allow(clippy::unwrap_used)]

mod aliases;
mod limits;
mod lines;
mod places;
mod problems;
mod properties;
mod values;

use serde_json::Value;

use super::{Document, Kind, Node, Options, Style, read};
use crate::diagnostic::{Diagnostic, SourceId, Span};
use crate::symbol::Interner;

fn read_with(text: &str, options: &Options) -> (Document, Vec<Diagnostic>) {
    read(SourceId(7), text.into(), &Interner::new(), options)
}

/// Reads `text` with the default options.
fn read_any(text: &str) -> (Document, Vec<Diagnostic>) {
    read_with(text, &Options::default())
}

/// Reads `text`, which must have no problems.
fn read_valid(text: &str) -> Document {
    let (document, problems) = read_any(text);
    assert_eq!(problems, [], "{text}");
    assert!(document.is_complete(), "{text}");
    document
}

/// Reads `text`, which must have exactly one problem.
fn read_wrong(text: &str) -> (Document, Diagnostic) {
    let (document, mut problems) = read_any(text);
    assert_eq!(problems.len(), 1, "{text}: {problems:#?}");
    (document, problems.remove(0))
}

/// Returns the root as a JSON value; null if there is none.
fn value(document: &Document) -> Value {
    serde_json::to_value(document.root()).unwrap()
}

/// Returns the text of a span.
fn slice(document: &Document, span: Span) -> &str {
    assert_eq!(span.source, SourceId(7));
    &document.text()[span.start as usize..span.end as usize]
}

/// Returns the node at a path of keys and list indexes.
fn at<'a>(document: &'a Document, path: &[&str]) -> Node<'a> {
    path.iter().fold(document.root().unwrap(), |node, step| match node.kind() {
        Kind::Map => node.find(step).unwrap_or_else(|| panic!("no key {step}")).value,
        _ => node.items().nth(step.parse().unwrap()).unwrap(),
    })
}

/// Checks all positions in a document for the properties that hold for any source.
fn check_places(document: &Document) {
    let mut before = 0;
    if let Some(root) = document.root() {
        check_places_in(root, &mut before);
    }
    let comments = document.comments();
    assert!(comments.iter().all(|comment| document.text()[comment.start as usize..].starts_with('#')));
    assert!(comments.windows(2).all(|pair| pair[0].end <= pair[1].start));
}

/// Checks a node and its children. `before` is the end of the previous token.
fn check_places_in(node: Node<'_>, before: &mut u32) {
    let document = node.document();
    let span = node.span();
    let text = document.text().get(span.start as usize..span.end as usize);
    let text = text.unwrap_or_else(|| panic!("{span:?} is no range of characters"));
    assert!(*before <= span.start, "{node:?} begins before {before}: {:?}", document.text());
    // At the end of truncated text, a map may have begun without an entry.
    let ends_late = text.ends_with([' ', '\n', '\r', '\t']) && is_as_written(document);
    assert!(!ends_late, "{node:?} ends late: {text:?} in {:?}", document.text());
    let mut children = Vec::new();
    if node.is_alias() {
        assert!(text.starts_with('*'), "{node:?}: {text:?}");
    } else {
        let begins = match (node.kind(), node.style()) {
            // Text that a repair has inserted does not occur in the original.
            _ if !is_as_written(document) => true,
            (Kind::Map, Style::Flow) => true,
            (Kind::Map, _) => !text.starts_with(['-', '#']) || !text[1..].starts_with([' ', '\n']),
            (Kind::List, Style::Flow) => text.starts_with('['),
            (Kind::List, _) => text.starts_with('-'),
            (_, Style::SingleQuoted) => text.starts_with('\'') && text.ends_with('\'') && text.len() > 1,
            (_, Style::DoubleQuoted) => text.starts_with('"') && text.ends_with('"') && text.len() > 1,
            (_, Style::Literal) => text.starts_with('|'),
            (_, Style::Folded) => text.starts_with('>'),
            _ => node.is_placeholder() || text.contains(['\n', '\r']) || text == node.text(),
        };
        assert!(begins, "{node:?} has a wrong position: {text:?} in {:?}", document.text());
        children.extend(node.items());
        children.extend(own_entries(node));
    }
    *before = span.start;
    for child in children {
        check_places_in(child, before);
        let inside = child.span();
        assert!(span.start <= inside.start && inside.end <= span.end, "{child:?} is not inside of {node:?}");
    }
    *before = span.end;
}

/// Returns whether the document is complete and was not repaired.
fn is_as_written(document: &Document) -> bool {
    document.is_complete() && document.repaired.is_none()
}

/// Returns the keys and values written in a map, including merge keys.
fn own_entries(map: Node<'_>) -> Vec<Node<'_>> {
    let document = map.document();
    if map.kind() != Kind::Map {
        return Vec::new();
    }
    let mut inside = Vec::new();
    let mut next = map.id().next();
    while next < document.nodes.after(map.id()) {
        inside.push(document.node(next));
        next = document.nodes.after(next);
    }
    inside
}
