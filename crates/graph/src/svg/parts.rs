//! The unconnected parts of a diagram.

use crate::Graph;

/// The members of a part: boxes that arrows or frames connect.
#[derive(Clone, Debug, Default)]
pub(super) struct Members {
    pub(super) nodes: Vec<usize>,
    pub(super) groups: Vec<usize>,
    /// Arrows between different boxes.
    pub(super) edges: Vec<usize>,
    /// Arrows from boxes to themselves.
    pub(super) loops: Vec<usize>,
}

pub(super) fn parts(graph: &Graph, is_omitted: &[bool]) -> Vec<Members> {
    let number = graph.nodes.len();
    let mut union = petgraph::unionfind::UnionFind::<usize>::new(number + graph.groups.len());
    for edge in &graph.edges {
        union.union(edge.from, edge.to);
    }
    for (index, node) in graph.nodes.iter().enumerate() {
        node.group.iter().for_each(|group| _ = union.union(index, number + group));
    }
    for (index, group) in graph.groups.iter().enumerate() {
        group.parent.iter().for_each(|parent| _ = union.union(number + index, number + parent));
    }
    let mut parts: indexmap::IndexMap<usize, Members> = indexmap::IndexMap::new();
    for node in (0..number).filter(|node| !is_omitted[*node]) {
        parts.entry(union.find(node)).or_default().nodes.push(node);
    }
    for group in 0..graph.groups.len() {
        parts.entry(union.find(number + group)).or_default().groups.push(group);
    }
    for (index, edge) in graph.edges.iter().enumerate() {
        let members = parts.entry(union.find(edge.from)).or_default();
        if edge.from == edge.to { members.loops.push(index) } else { members.edges.push(index) }
    }
    parts.into_values().collect()
}
