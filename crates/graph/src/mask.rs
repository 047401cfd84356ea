//! Masking of secrets in the texts of a graph.

use std::sync::Arc;

use tosca_parse_engine::diagnostic::Secrets;

use crate::{EdgeLabel, Graph, Group, Node};

impl Graph {
    /// Replaces each secret in names, types and values with `*****`.
    #[must_use]
    pub fn masked(mut self, secrets: &Secrets<'_>) -> Self {
        if secrets.is_empty() {
            return self;
        }
        let mask = |text: &mut String| *text = secrets.masked(text);
        mask(&mut self.title);
        self.nodes.iter_mut().for_each(|node| node.each_text(mask));
        for Group { name, kind, full_kind, parent: _ } in &mut self.groups {
            [name, kind, full_kind].into_iter().for_each(mask);
        }
        for edge in &mut self.edges {
            let mut label = EdgeLabel::clone(&edge.label);
            [&mut label.name, &mut label.kind, &mut label.full_kind].into_iter().for_each(mask);
            label.ancestors.iter_mut().for_each(mask);
            // Unchanged labels remain shared.
            if label != *edge.label {
                edge.label = Arc::new(label);
            }
        }
        for entry in &mut self.legend {
            [&mut entry.name, &mut entry.kind].into_iter().for_each(mask);
        }
        self.edge_kinds.iter_mut().for_each(mask);
        self
    }
}

impl Node {
    /// Calls a function with each text that a diagram shows, except positions and links.
    fn each_text(&mut self, call: impl Fn(&mut String) + Copy) {
        [&mut self.name, &mut self.kind, &mut self.full_kind].into_iter().for_each(call);
        self.number.iter_mut().for_each(call);
        [&mut self.ancestors, &mut self.members, &mut self.also_in, &mut self.notes]
            .into_iter()
            .flatten()
            .for_each(call);
        self.rows.iter_mut().for_each(|(name, value)| [name, value].into_iter().for_each(call));
        self.dangling.iter_mut().for_each(|open| [&mut open.name, &mut open.asked].into_iter().for_each(call));
        self.marks.iter_mut().for_each(|mark| call(&mut mark.text));
    }
}
