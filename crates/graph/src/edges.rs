//! Merged edges.

use rustc_hash::FxHashMap;

use crate::Edge;

/// A list of edges that merges and counts edges that look the same.
#[derive(Debug, Default)]
pub struct Edges {
    list: Vec<Edge>,
    known: FxHashMap<(usize, usize, String, String), usize>,
}

impl Edges {
    /// Adds an edge, or adds its count to one that looks the same.
    pub fn add(&mut self, edge: Edge) {
        let key = (edge.from, edge.to, edge.name.clone(), edge.full_kind.clone());
        match self.known.get(&key) {
            Some(known) => self.list[*known].number += edge.number,
            None => {
                self.known.insert(key, self.list.len());
                self.list.push(edge);
            }
        }
    }

    /// Returns the edges, in the order in which they were first added.
    pub fn into_list(self) -> Vec<Edge> {
        self.list
    }
}
