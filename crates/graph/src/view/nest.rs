//! Nodes in the nodes that host them.

use crate::{Graph, text};

/// The maximum number of nodes around a node. Nodes that are hosted more deeply keep their arrows.
const MAX_HOSTS: usize = 6;

/// Draws each node in the first node that hosts it, in place of the arrow between them.
pub(super) fn nest(graph: &mut Graph) {
    // The number of levels of hosted nodes in a node.
    let mut levels = vec![0_usize; graph.nodes.len()];
    let mut is_shown = vec![true; graph.edges.len()];
    for (index, edge) in graph.edges.iter().enumerate().filter(|(_, edge)| edge.is_hosting) {
        let (node, host) = (edge.from, edge.to);
        let around: Vec<usize> = hosts(graph, host).collect();
        if graph.nodes[node].host.is_some()
            || host == node
            || around.contains(&node)
            || around.len() + 1 + levels[node] > MAX_HOSTS
        {
            continue;
        }
        for (level, outer) in (levels[node] + 1..).zip(std::iter::once(host).chain(around)) {
            levels[outer] = levels[outer].max(level);
        }
        graph.nodes[node].host = Some(host);
        is_shown[index] = false;
    }
    // An arrow between a node and one around it would start and end in the same place.
    let mut is_host = vec![false; graph.nodes.len()];
    graph.nodes.iter().filter_map(|node| node.host).for_each(|host| is_host[host] = true);
    let mut notes: Vec<(usize, String)> = Vec::new();
    for (edge, is_shown) in graph.edges.iter().zip(&mut is_shown).filter(|(_, is_shown)| **is_shown) {
        let (from, to) = (edge.from, edge.to);
        let note = if from == to && is_host[from] {
            (from, format!("{} → itself", edge.title()))
        } else if hosts(graph, from).any(|outer| outer == to) {
            (from, format!("{} → {}", edge.title(), graph.nodes[to].name))
        } else if hosts(graph, to).any(|outer| outer == from) {
            (to, format!("{} ← {}", edge.title(), graph.nodes[from].name))
        } else {
            continue;
        };
        *is_shown = false;
        notes.push(note);
    }
    notes.into_iter().for_each(|(node, note)| graph.nodes[node].notes.push(text::line(note.trim_start())));
    let mut index = 0..;
    graph.edges.retain(|_| index.next().is_some_and(|index| is_shown[index]));
    leave_groups(graph);
}

/// Takes hosted nodes out of their groups, which their boxes list unless their hosts are in these groups.
fn leave_groups(graph: &mut Graph) {
    for node in 0..graph.nodes.len() {
        let Some(outermost) = hosts(graph, node).last() else { continue };
        let Some(group) = graph.nodes[node].group.take() else { continue };
        let mut around = std::iter::successors(graph.nodes[outermost].group, |group| graph.groups[*group].parent);
        if !around.any(|outer| outer == group) {
            let name = graph.groups[group].name.clone();
            graph.nodes[node].also_in.insert(0, name);
        }
    }
    drop_empty_groups(graph);
}

/// Removes groups without nodes.
fn drop_empty_groups(graph: &mut Graph) {
    let keep = vec![true; graph.nodes.len()];
    super::filter::retain(graph, &keep);
}

/// Returns the nodes around a node, starting with the innermost.
fn hosts(graph: &Graph, node: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(graph.nodes[node].host, |host| graph.nodes[*host].host)
}
