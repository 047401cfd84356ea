//! The content of a program in any language, for diagrams, plans and forms.

use serde::{Deserialize, Serialize};

use crate::ard::{Entry, Kind, Node};
use crate::diagnostic::{Secrets, is_secret};

/// The components that a program describes, and their dependencies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Topology {
    /// The components, in source order.
    pub nodes: Vec<TopologyNode>,
    /// The dependencies.
    pub edges: Vec<TopologyEdge>,
}

impl Topology {
    /// Replaces each secret in names and values with `*****`.
    #[must_use]
    pub fn masked(mut self, secrets: &Secrets<'_>) -> Self {
        if secrets.is_empty() {
            return self;
        }
        let mask = |text: &mut String| *text = secrets.masked(text);
        for TopologyNode { name, kind, rows } in &mut self.nodes {
            [name, kind].into_iter().for_each(mask);
            rows.iter_mut().for_each(|(name, value)| [name, value].into_iter().for_each(mask));
        }
        self.edges.iter_mut().for_each(|edge| mask(&mut edge.name));
        self
    }
}

/// A component.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopologyNode {
    /// The name.
    pub name: String,
    /// The name of the type.
    pub kind: String,
    /// The names and values to show.
    pub rows: Vec<(String, String)>,
}

impl TopologyNode {
    /// Returns the scalars in a map as rows, except for those that are probably secret.
    pub fn rows_of(map: Option<Node<'_>>) -> Vec<(String, String)> {
        let is_shown = |entry: &Entry<'_>| {
            !matches!(entry.value.kind(), Kind::Map | Kind::List | Kind::Null) && !is_secret(entry.key.text())
        };
        let entries = map.into_iter().flat_map(Node::entries).filter(is_shown);
        entries.map(|entry| (entry.key.text().to_owned(), entry.value.text().to_owned())).collect()
    }
}

/// A dependency of one component on another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopologyEdge {
    /// The index of the dependent component.
    pub from: usize,
    /// The index of the component that it depends on.
    pub to: usize,
    /// A label for the dependency, such as the name of the requirement.
    pub name: String,
}

/// A form for the input values that users give to a program.
#[derive(Clone, Debug, PartialEq)]
pub struct InputForm {
    /// The JSON Schema (2020-12) for the values.
    pub schema: serde_json::Value,
    /// The name of the file that contains the values.
    pub file: &'static str,
}
