//! The nodes around some nodes.

use super::{UnknownNode, filter};
use crate::{Graph, text};

/// Keeps the named nodes and those at most `depth` edges away. The others are counted at their neighbors.
pub(super) fn focus(graph: &mut Graph, names: &[String], depth: usize) -> Result<(), UnknownNode> {
    if names.is_empty() {
        return Ok(());
    }
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        near[edge.from].push(edge.to);
        near[edge.to].push(edge.from);
    }
    let mut keep = vec![false; graph.nodes.len()];
    let mut reached: Vec<usize> = Vec::new();
    for name in names {
        let shown = text::line(name);
        let before = reached.len();
        reached.extend((0..graph.nodes.len()).filter(|index| graph.nodes[*index].name == shown));
        if reached.len() == before {
            return Err(UnknownNode { name: shown });
        }
    }
    reached.iter().for_each(|index| keep[*index] = true);
    for _ in 0..depth {
        let next: Vec<usize> = reached.iter().flat_map(|index| &near[*index]).copied().collect();
        reached = next.into_iter().filter(|index| !std::mem::replace(&mut keep[*index], true)).collect();
        if reached.is_empty() {
            break;
        }
    }
    for (index, node) in graph.nodes.iter_mut().enumerate().filter(|(index, _)| keep[*index]) {
        let mut hidden: Vec<usize> = near[index].iter().copied().filter(|other| !keep[*other]).collect();
        hidden.sort_unstable();
        hidden.dedup();
        match hidden.len() {
            0 => {}
            1 => node.notes.push("… 1 more node".to_owned()),
            number => node.notes.push(format!("… {number} more nodes")),
        }
    }
    filter::retain(graph, &keep);
    Ok(())
}
