//! Diagrams of graphs: nodes, groups, and edges, as SVG, DOT, or Mermaid.
//!
//! A [`Graph`] is built from anything that implements [`ToGraph`]: a TOSCA service or plan, a `MuranoPL` package, or a
//! Yay document. SVG is laid out here and needs no other program; Graphviz (DOT) and Mermaid do their own layout.
//!
//! A node is a box with a name, a type, and some rows; an edge is an arrow; a group is a frame. A node is in at most
//! one frame, and its box lists the other groups that it belongs to. An open requirement is a marked line in its node's
//! box.
//!
//! A diagram of hundreds of nodes is hard to read. [`Collapse`] merges a group, or nodes of the same type, into one
//! box.
//!
//! ```
//! use tosca_parse_graph::{Edge, Graph, Node, Options, ToGraph};
//!
//! struct Pipeline(Vec<&'static str>);
//!
//! impl ToGraph for Pipeline {
//!     fn to_graph(&self, _: Options) -> Graph {
//!         let mut graph = Graph::new("pipeline");
//!         graph.nodes = self.0.iter().map(|step| Node::new(step, "Step")).collect();
//!         graph.edges = (1..self.0.len()).map(|step| Edge::new(step, step - 1, "after", "")).collect();
//!         graph
//!     }
//! }
//!
//! let graph = Graph::of(&Pipeline(vec!["build", "test"]), Options::default());
//! assert!(graph.svg()?.starts_with("<svg "));
//! assert!(graph.mermaid().contains("test"));
//! # Ok::<(), tosca_parse_graph::TooLarge>(())
//! ```

mod collapse;
mod dot;
mod edges;
mod mermaid;
mod names;
mod svg;
pub mod text;
mod topology;

#[cfg(test)]
mod tests;

pub use edges::Edges;
pub use names::ShortNames;

/// The maximum number of boxes of a diagram that is laid out as SVG. A larger one would be unreadable.
pub const MAX_BOXES: usize = 1000;

/// The maximum nesting of frames. Deeper groups are drawn in the innermost allowed frame.
pub const MAX_FRAME_DEPTH: usize = 3;

/// A source of diagrams.
pub trait ToGraph {
    /// Builds the graph, with at most `options.properties` rows per node. [`Graph::of`] applies `options.collapse`.
    fn to_graph(&self, options: Options) -> Graph;
}

/// The options of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The maximum number of properties shown per node: the first assigned ones that fit on a line. Properties of
    /// capabilities follow those of the node. Values are hidden if the name suggests a secret.
    pub properties: usize,
    /// The nodes that are merged into one box.
    pub collapse: Collapse,
}

impl Default for Options {
    fn default() -> Self {
        Self { properties: 3, collapse: Collapse::default() }
    }
}

/// The nodes that are merged into one box to make a large diagram small. Arrows of merged nodes are merged too if they
/// have the same name and type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collapse {
    /// Every outermost group, with all nodes in it.
    pub groups: bool,
    /// Nodes of the same type that are in the same group.
    pub types: bool,
}

/// A graph to draw. All strings are single lines without control characters, as [`text::line`] creates them.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The title.
    pub title: String,
    /// The nodes, in drawing order.
    pub nodes: Vec<Node>,
    /// The groups. A group follows its parent.
    pub groups: Vec<Group>,
    /// The edges.
    pub edges: Vec<Edge>,
}

/// The error for a graph that has too many boxes to be laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{boxes} boxes are too many for an SVG diagram, which may have {MAX_BOXES}")]
pub struct TooLarge {
    /// The number of boxes.
    pub boxes: usize,
}

/// A node, drawn as a box.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The name.
    pub name: String,
    /// The type, shown below the name.
    pub kind: String,
    /// The full name of the type.
    pub full_kind: String,
    /// The multiplicity to show, such as `×3`; `None` for one.
    pub number: Option<String>,
    /// The names of the nodes that were merged into this one.
    pub members: Vec<String>,
    /// Names and values, a row each.
    pub rows: Vec<(String, String)>,
    /// The names of other groups that it belongs to.
    pub also_in: Vec<String>,
    /// Requirements without a target.
    pub dangling: Vec<OpenRequirement>,
    /// The directive of a node that the service does not create: `select` or `substitute`.
    pub directive: Option<String>,
    /// The index of the group in which it is drawn.
    pub group: Option<usize>,
    /// The target of the link that the box is, in SVG and Mermaid. It must be trusted: Mermaid can't escape everything.
    pub link: Option<String>,
}

/// A requirement without a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenRequirement {
    /// The name of the requirement.
    pub name: String,
    /// The required node or type.
    pub asked: String,
    /// Whether it may stay open.
    pub is_optional: bool,
    /// The number of such requirements.
    pub number: usize,
}

/// A group, drawn as a frame.
#[derive(Clone, Debug)]
pub struct Group {
    /// The name.
    pub name: String,
    /// The type.
    pub kind: String,
    /// The full name of the type.
    pub full_kind: String,
    /// The index of the enclosing group, which is smaller than its own.
    pub parent: Option<usize>,
}

/// An edge, drawn as an arrow.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The index of the source node.
    pub from: usize,
    /// The index of the target node.
    pub to: usize,
    /// The name, such as that of a requirement.
    pub name: String,
    /// The type, such as that of a relationship.
    pub kind: String,
    /// The full name of the type.
    pub full_kind: String,
    /// The number of such edges.
    pub number: usize,
}

impl Graph {
    /// Creates an empty graph.
    pub fn new(title: &str) -> Self {
        Self { title: text::line(title), ..Self::default() }
    }

    /// Builds the graph of a source and collapses it according to the options.
    pub fn of(source: &impl ToGraph, options: Options) -> Self {
        source.to_graph(options).collapsed(options)
    }

    fn collapsed(mut self, options: Options) -> Self {
        if options.collapse.groups {
            collapse::groups(&mut self, options.properties);
        }
        if options.collapse.types {
            collapse::types(&mut self);
        }
        self
    }

    /// Returns the number of boxes.
    pub fn boxes(&self) -> usize {
        self.nodes.len()
    }

    /// Lays the graph out as SVG. Its colors suit light and dark backgrounds.
    ///
    /// # Errors
    ///
    /// Returns an error if there are more than [`MAX_BOXES`] boxes.
    pub fn svg(&self) -> Result<String, TooLarge> {
        svg::write(self)
    }

    /// Returns the graph without frames. Boxes list the groups that they were in.
    fn without_frames(&self) -> Self {
        let mut graph = self.clone();
        for node in &mut graph.nodes {
            if let Some(group) = node.group.take() {
                node.also_in.insert(0, self.groups[group].name.clone());
            }
        }
        graph.groups.clear();
        graph
    }

    /// Writes the graph as DOT, for Graphviz.
    pub fn dot(&self) -> String {
        dot::write(self)
    }

    /// Writes the graph as a Mermaid flowchart.
    pub fn mermaid(&self) -> String {
        mermaid::write(self)
    }
}

impl Node {
    /// Creates a node without rows.
    pub fn new(name: &str, kind: &str) -> Self {
        Self { name: text::line(name), kind: text::line(kind), full_kind: text::line(kind), ..Self::default() }
    }
}

impl Edge {
    /// Creates a single edge.
    pub fn new(from: usize, to: usize, name: &str, kind: &str) -> Self {
        Self { from, to, name: text::line(name), kind: text::line(kind), full_kind: text::line(kind), number: 1 }
    }

    /// Returns the name with the multiplicity.
    fn title(&self) -> String {
        text::times(&self.name, self.number)
    }

    /// Returns whether there is a label to draw.
    fn has_label(&self) -> bool {
        !self.name.is_empty() || !self.kind.is_empty() || self.number > 1
    }
}

impl OpenRequirement {
    /// Returns the name with the multiplicity.
    fn title(&self) -> String {
        text::times(&self.name, self.number)
    }
}
