//! Merging several boxes into one.

use indexmap::IndexMap;

use super::{Edge, Edges, Graph, Node, OpenRequirement};

/// Merges every outermost frame into one box.
pub(super) fn groups(graph: &mut Graph, rows: usize) {
    let outermost = |mut group: usize| {
        while let Some(parent) = graph.groups[group].parent {
            group = parent;
        }
        group
    };
    let keys: Vec<Result<usize, usize>> =
        graph.nodes.iter().enumerate().map(|(index, node)| node.group.map(outermost).ok_or(index)).collect();
    let groups = std::mem::take(&mut graph.groups);
    merge(graph, &keys, |key, mut nodes| match key {
        Err(_) => nodes.pop().unwrap_or_default(),
        Ok(group) => {
            let mut kinds: IndexMap<String, usize> = IndexMap::new();
            nodes.iter().for_each(|node| *kinds.entry(node.kind.clone()).or_default() += 1);
            Node {
                name: groups[group].name.clone(),
                kind: groups[group].kind.clone(),
                full_kind: groups[group].full_kind.clone(),
                number: Some(format!("×{}", nodes.len())),
                rows: kinds.into_iter().take(rows).map(|(kind, number)| (kind, format!("×{number}"))).collect(),
                dangling: together(&nodes),
                marks: nodes.iter().flat_map(|node| node.marks.clone()).collect(),
                members: nodes.into_iter().map(|node| node.name).collect(),
                ..Node::default()
            }
        }
    });
    // Edges within a merged group are not shown.
    graph.edges.retain(|edge| edge.from != edge.to || graph.nodes[edge.from].members.is_empty());
}

/// Merges nodes of the same type in the same frame into one box.
pub(super) fn types(graph: &mut Graph) {
    let keys: Vec<_> = graph
        .nodes
        .iter()
        .enumerate()
        .map(|(index, node)| {
            // Merged groups have no type of their own, and nodes without a type have nothing in common.
            let is_alone = !node.members.is_empty() || node.full_kind.is_empty();
            (is_alone.then_some(index), node.full_kind.clone(), node.group, node.directive.clone())
        })
        .collect();
    merge(graph, &keys, |_, mut nodes| {
        let Some(first) = nodes.first().filter(|_| nodes.len() > 1) else { return nodes.pop().unwrap_or_default() };
        let names: Vec<String> = nodes.iter().map(|node| node.name.clone()).collect();
        let is_common = |row: &&(String, String)| nodes.iter().all(|node| node.rows.contains(row));
        Node {
            name: first.kind.clone(),
            kind: super::text::line(&names.join(", ")),
            full_kind: first.full_kind.clone(),
            ancestors: first.ancestors.clone(),
            marks: nodes.iter().flat_map(|node| node.marks.clone()).collect(),
            number: Some(format!("×{}", nodes.len())),
            rows: first.rows.iter().filter(is_common).cloned().collect(),
            dangling: together(&nodes),
            directive: first.directive.clone(),
            group: first.group,
            members: names,
            ..Node::default()
        }
    });
}

/// Returns the open requirements of several nodes, with equal ones merged.
fn together(nodes: &[Node]) -> Vec<OpenRequirement> {
    OpenRequirement::merged(nodes.iter().flat_map(|node| node.dangling.iter().cloned()))
}

/// Merges nodes with the same key into one, at the position of the first.
fn merge<K: Clone + Eq + std::hash::Hash>(graph: &mut Graph, keys: &[K], make: impl Fn(K, Vec<Node>) -> Node) {
    let mut merged: IndexMap<K, Vec<Node>> = IndexMap::new();
    let mut places = Vec::with_capacity(keys.len());
    for (key, node) in keys.iter().zip(std::mem::take(&mut graph.nodes)) {
        let entry = merged.entry(key.clone());
        places.push(entry.index());
        entry.or_default().push(node);
    }
    graph.nodes = merged.into_iter().map(|(key, nodes)| make(key, nodes)).collect();

    let mut edges = Edges::default();
    for edge in std::mem::take(&mut graph.edges) {
        edges.add(Edge { from: places[edge.from], to: places[edge.to], ..edge });
    }
    graph.edges = edges.into_list();
}
