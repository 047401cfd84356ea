//! What a program describes, for diagrams of any language.

/// The things that a program describes, and what they need of each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    /// The things, in the order of the source.
    pub nodes: Vec<TopologyNode>,
    /// What they need.
    pub edges: Vec<TopologyEdge>,
}

/// A thing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopologyNode {
    /// The name.
    pub name: String,
    /// The name of the type.
    pub kind: String,
    /// Names and values to show.
    pub rows: Vec<(String, String)>,
}

/// The need of a thing for another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopologyEdge {
    /// The index of the thing that needs the other.
    pub from: usize,
    /// The index of the other.
    pub to: usize,
    /// The reason.
    pub name: String,
}
