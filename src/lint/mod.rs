//! What is looked for in templates if somebody asks: what is declared and never used, what is deprecated, values that
//! are not what they seem, secrets, and names.

mod deprecated;
mod naming;
mod unused;
mod values;

use crate::ard::{Kind, Node};
use crate::phase::Lint;

/// The lints of TOSCA.
pub(super) static LINTS: &[&dyn Lint] = &[
    &unused::Inputs,
    &unused::Types,
    &unused::Imports,
    &unused::Repositories,
    &deprecated::Deprecated,
    &values::Seeming,
    &values::Secrets,
    &naming::Naming,
];

/// A node, and how it is called.
#[derive(Clone, Copy)]
struct Found<'a> {
    /// The outermost key on the way to it.
    top: Option<Node<'a>>,
    /// The key of the map or list that it is in.
    around: Option<Node<'a>>,
    /// Its own key.
    key: Option<Node<'a>>,
    node: Node<'a>,
}

/// Calls a function with a node and all nodes below it, in any order.
fn each<'a>(node: Node<'a>, visit: &mut dyn FnMut(Found<'a>)) {
    let mut waiting = vec![Found { top: None, around: None, key: None, node }];
    while let Some(found) = waiting.pop() {
        visit(found);
        let Found { top, key: around, node, .. } = found;
        match node.kind() {
            // What an alias stands for is met where it is written.
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
