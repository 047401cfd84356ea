//! Traversal of all nodes of a document.

use crate::ard::{Kind, Node};

/// A node with the keys above it.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    /// The outermost key above it.
    pub(super) top: Option<Node<'a>>,
    /// The key of the map or list that contains it.
    pub(super) around: Option<Node<'a>>,
    /// The key of the node itself.
    pub(super) key: Option<Node<'a>>,
    pub(super) node: Node<'a>,
}

/// Calls a function with a node and all nodes below it, in any order.
pub(super) fn each<'a>(node: Node<'a>, visit: &mut dyn FnMut(Found<'a>)) {
    let mut waiting = vec![Found { top: None, around: None, key: None, node }];
    while let Some(found) = waiting.pop() {
        visit(found);
        let Found { top, key: around, node, .. } = found;
        match node.kind() {
            // The target of an alias is visited where it is written.
            _ if node.is_alias() => {}
            Kind::Map => waiting.extend(node.entries().filter(|entry| !entry.merged).map(|entry| {
                let key = Some(entry.key);
                Found { top: top.or(key), around, key, node: entry.value }
            })),
            Kind::List => waiting.extend(node.items().map(|item| Found { top, around, key: None, node: item })),
            _ => {}
        }
    }
}
