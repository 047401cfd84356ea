//! Merged edges.

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxHashMap;

use crate::{Edge, EdgeLabel};

/// A list of edges that merges and counts edges that look the same.
#[derive(Debug, Default)]
pub struct Edges {
    list: Vec<Edge>,
    labels: IndexSet<Arc<EdgeLabel>>,
    /// The index of the edge between two nodes that has the label with a given index.
    known: FxHashMap<(usize, usize, usize), usize>,
}

impl Edges {
    /// Adds an edge, or adds its count to one that looks the same.
    pub fn add(&mut self, mut edge: Edge) {
        let (label, _) = self.labels.insert_full(edge.label);
        match self.known.get(&(edge.from, edge.to, label)) {
            Some(known) => self.list[*known].number += edge.number,
            None => {
                self.known.insert((edge.from, edge.to, label), self.list.len());
                edge.label = self.labels[label].clone();
                self.list.push(edge);
            }
        }
    }

    /// Returns the edges, in the order in which they were first added.
    pub fn into_list(self) -> Vec<Edge> {
        self.list
    }
}
