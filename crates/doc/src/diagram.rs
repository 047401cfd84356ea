//! Diagrams of inheritance.

use rustc_hash::FxHashMap;
use tosca_parse_graph::{Edge, Graph, Node, ShortNames, text};

use crate::model::{Documentation, Link};

/// The maximum number of ancestors in a diagram.
const ANCESTORS: usize = 8;

/// The maximum number of derived types in a diagram.
const DERIVED: usize = 10;

/// Returns the diagram of a type with its ancestors above it, and the types that are derived from it below; `None` if
/// it has neither. `target` returns the target of a link.
pub(crate) fn graph(
    documentation: &Documentation,
    number: usize,
    target: &dyn Fn(&Link) -> Option<String>,
) -> Option<Graph> {
    let page = &documentation.pages[number];
    if page.ancestors.is_empty() && page.derived.is_empty() {
        return None;
    }
    let mut graph = Graph::new(&format!("Inheritance of {}", page.name));
    let of_page = |link: &Link| Node {
        link: target(link),
        full_kind: documentation.link_text(link).to_owned(),
        ..Node::default()
    };
    let kind = documentation.kinds[page.kind].title.clone();
    graph.nodes.push(Node { kind, full_kind: page.name.clone(), ..Node::default() });
    // Ancestors without a page are not drawn: the page lists them.
    let mut known: FxHashMap<usize, usize> = FxHashMap::from_iter([(number, 0)]);
    let mut waiting = vec![number];
    let mut is_cut = false;
    while let Some(child) = waiting.pop() {
        let of_child = &documentation.pages[child];
        for parent in of_child.ancestors.iter().take(of_child.parents) {
            let Some(page) = parent.page else { continue };
            let index = match known.get(&page) {
                Some(index) => *index,
                None if known.len() > ANCESTORS => {
                    is_cut = true;
                    continue;
                }
                None => {
                    waiting.push(page);
                    graph.nodes.push(of_page(parent));
                    known.insert(page, graph.nodes.len() - 1);
                    graph.nodes.len() - 1
                }
            };
            graph.edges.push(Edge::new(index, known[&child], "", ""));
        }
    }
    if is_cut {
        graph.nodes.push(Node::new("…", "more ancestors"));
    }
    let mut add = |node: Node| {
        graph.nodes.push(node);
        graph.edges.push(Edge::new(0, graph.nodes.len() - 1, "", ""));
    };
    page.derived.iter().take(DERIVED).for_each(|derived| add(of_page(derived)));
    if page.derived.len() > DERIVED {
        add(Node::new(&format!("{} more", page.derived.len() - DERIVED), "derived types"));
    }
    shorten(&mut graph);
    Some(graph)
}

/// Names nodes by the last segments of their full names, because boxes are narrow.
fn shorten(graph: &mut Graph) {
    let mut names = ShortNames::default();
    let is_type = |node: &&Node| node.name.is_empty();
    graph.nodes.iter().filter(is_type).for_each(|node| names.add(&node.full_kind));
    let short: Vec<String> = graph.nodes.iter().map(|node| names.short(&node.full_kind)).collect();
    for (node, name) in graph.nodes.iter_mut().zip(short).filter(|(node, _)| node.name.is_empty()) {
        let full = text::line(&node.full_kind);
        node.full_kind = if name == full { String::new() } else { full };
        node.name = name;
    }
}
