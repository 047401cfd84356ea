//! The nesting of nodes and groups, for writers that write content inside its container.

use crate::Graph;

/// A node or a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Node(usize),
    Group(usize),
}

/// The direct content of every node and group. Nodes precede groups.
#[derive(Debug)]
pub(crate) struct Tree {
    /// The items outside of others.
    pub(crate) top: Vec<Item>,
    nodes: Vec<Vec<Item>>,
    groups: Vec<Vec<Item>>,
}

impl Tree {
    pub(crate) fn of(graph: &Graph) -> Self {
        let mut tree = Self {
            top: Vec::new(),
            nodes: vec![Vec::new(); graph.nodes.len()],
            groups: vec![Vec::new(); graph.groups.len()],
        };
        for (index, node) in graph.nodes.iter().enumerate() {
            let into = match (node.host, node.group) {
                (Some(host), _) => &mut tree.nodes[host],
                (None, Some(group)) => &mut tree.groups[group],
                (None, None) => &mut tree.top,
            };
            into.push(Item::Node(index));
        }
        for (index, group) in graph.groups.iter().enumerate() {
            let into = match group.parent {
                Some(parent) => &mut tree.groups[parent],
                None => &mut tree.top,
            };
            into.push(Item::Group(index));
        }
        tree
    }

    /// Returns the content of an item.
    pub(crate) fn inside(&self, item: Item) -> &[Item] {
        match item {
            Item::Node(node) => &self.nodes[node],
            Item::Group(group) => &self.groups[group],
        }
    }
}
