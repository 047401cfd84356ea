//! Labels that several edges share.

use indexmap::IndexMap;

use crate::{Graph, LegendEntry};

/// Moves each label that several edges share to the legend.
pub(super) fn gather(graph: &mut Graph) {
    let mut labels: IndexMap<LegendEntry, Vec<usize>> = IndexMap::new();
    for (index, edge) in graph.edges.iter().enumerate() {
        if !edge.name.is_empty() || !edge.kind.is_empty() {
            let entry = LegendEntry { name: edge.name.clone(), kind: edge.kind.clone() };
            labels.entry(entry).or_default().push(index);
        }
    }
    labels.retain(|_, edges| edges.len() > 1);
    for (number, edges) in labels.values().enumerate() {
        edges.iter().for_each(|edge| graph.edges[*edge].legend = Some(number));
    }
    graph.legend = labels.into_keys().collect();
}
