//! Clauses that values must fulfill: their evaluation, and explanations of failures.

pub(super) mod constraint;
pub(super) mod explain;

use crate::ard::{Entry, Node};

/// Returns the entries of a list of maps with one entry each, or of a map in its place.
pub(super) fn named(node: Node<'_>) -> impl Iterator<Item = Entry<'_>> {
    node.entries().chain(node.items().flat_map(Node::entries))
}
