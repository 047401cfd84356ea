//! Labels that several edges share.

use indexmap::IndexMap;

use crate::{Graph, LegendEntry};

/// The maximum number of entries. If all of them have the same type, dash patterns distinguish them.
const MAX_ENTRIES: usize = crate::stroke::DASHES;

/// Moves each label that several edges share to the legend, or only the most frequent labels if there are too many.
pub(super) fn gather(graph: &mut Graph) {
    let mut labels: IndexMap<LegendEntry, Vec<usize>> = IndexMap::new();
    for (index, edge) in graph.edges.iter().enumerate() {
        if !edge.label.name.is_empty() || !edge.label.kind.is_empty() {
            let entry = LegendEntry { name: edge.label.name.clone(), kind: edge.label.kind.clone() };
            labels.entry(entry).or_default().push(index);
        }
    }
    labels.retain(|_, edges| edges.len() > 1);
    let mut numbers: Vec<usize> = labels.values().map(Vec::len).collect();
    numbers.sort_unstable_by(|one, other| other.cmp(one));
    if let Some(most) = numbers.get(MAX_ENTRIES) {
        // Of equally frequent labels, the first ones are kept.
        labels.retain(|_, edges| edges.len() >= *most);
        labels.sort_by(|_, one, _, other| other.len().cmp(&one.len()));
        labels.truncate(MAX_ENTRIES);
    }
    for (number, edges) in labels.values().enumerate() {
        edges.iter().for_each(|edge| graph.edges[*edge].legend = Some(number));
    }
    graph.legend = labels.into_keys().collect();
}
