//! Comparison of documents by their nodes and comments.

use tosca_parse_engine::ard::{Document, Node};

/// Returns whether two documents have the same nodes and comments.
pub(crate) fn is_same(one: &Document, other: &Document) -> bool {
    one.len() == other.len()
        && one.nodes().zip(other.nodes()).all(|(one, other)| is_same_node(one, other))
        && one.comments().len() == other.comments().len()
        && comments(one).eq(comments(other))
}

pub(crate) fn is_same_node(one: Node<'_>, other: Node<'_>) -> bool {
    // The name of an alias is its text.
    let name = |node: Node<'_>| if node.is_alias() { node.written().map(str::to_owned) } else { None };
    one.kind() == other.kind()
        && one.written_nodes() == other.written_nodes()
        && one.text() == other.text()
        && one.tag() == other.tag()
        && one.has_anchor() == other.has_anchor()
        && name(one) == name(other)
}

pub(crate) fn comments(document: &Document) -> impl Iterator<Item = &str> {
    document.tool_comments().map(|(_, comment)| comment.trim_end())
}
