//! The content of a program, for diagrams of any language.

/// The components that a program describes, and their dependencies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    /// The components, in the order of the source.
    pub nodes: Vec<TopologyNode>,
    /// The dependencies.
    pub edges: Vec<TopologyEdge>,
}

/// A component.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopologyNode {
    /// The name.
    pub name: String,
    /// The name of the type.
    pub kind: String,
    /// Names and values to show.
    pub rows: Vec<(String, String)>,
}

/// A dependency of a component on another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopologyEdge {
    /// The index of the dependent component.
    pub from: usize,
    /// The index of the other component.
    pub to: usize,
    /// The reason.
    pub name: String,
}
