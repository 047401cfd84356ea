//! Frames for nodes that have others inside.

use super::measure::{self, Card};
use crate::Graph;

/// A graph in which every node with nodes inside is a frame.
pub(crate) struct Nested {
    /// The graph. The node of such a frame is still there, in its own frame, so that arrows can lead to it.
    pub(crate) graph: Graph,
    /// For each group, the node that it stands for.
    pub(crate) nodes: Vec<Option<usize>>,
    /// For each node, its frame.
    pub(crate) frames: Vec<Option<usize>>,
    /// For each node with a frame, the content of the head of the frame.
    pub(crate) heads: Vec<Option<Card>>,
    /// Whether a node is drawn as a frame that no arrow leads to, and so needs no place.
    pub(crate) is_omitted: Vec<bool>,
}

pub(super) fn nested(graph: &Graph) -> Nested {
    let mut made = graph.clone();
    let number = graph.nodes.len();
    let mut frames: Vec<Option<usize>> = vec![None; number];
    let mut nodes: Vec<Option<usize>> = vec![None; graph.groups.len()];
    let mut is_container = vec![false; number];
    graph.nodes.iter().filter_map(|node| node.host).for_each(|host| is_container[host] = true);
    // Outer frames come first.
    let depth = |node: usize| {
        let hosts = std::iter::successors(graph.nodes[node].host, |host| graph.nodes[*host].host);
        hosts.take(number + 1).count()
    };
    let mut containers: Vec<(usize, usize)> =
        (0..number).filter(|node| is_container[*node]).map(|node| (depth(node), node)).collect();
    containers.sort_unstable();
    for (_, node) in containers.into_iter().filter(|(depth, _)| *depth <= number) {
        let of = &graph.nodes[node];
        let parent = of.host.map_or(of.group, |host| frames[host]);
        frames[node] = Some(made.groups.len());
        nodes.push(Some(node));
        let (name, kind, full_kind) = (of.name.clone(), of.kind.clone(), of.full_kind.clone());
        made.groups.push(crate::Group { name, kind, full_kind, parent });
    }
    for (index, node) in made.nodes.iter_mut().enumerate() {
        node.group = frames[index].or_else(|| node.host.map_or(node.group, |host| frames[host]));
        node.host = None;
    }
    let mut is_omitted: Vec<bool> = frames.iter().map(Option::is_some).collect();
    for edge in &graph.edges {
        (is_omitted[edge.from], is_omitted[edge.to]) = (false, false);
    }
    let head = |(node, frame): (&crate::Node, &Option<usize>)| frame.map(|_| measure::host(node));
    let heads = graph.nodes.iter().zip(&frames).map(head).collect();
    Nested { graph: made, nodes, frames, heads, is_omitted }
}
