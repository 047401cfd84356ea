//! Diagrams of graphs: nodes, groups, and edges, as SVG, HTML, DOT, Mermaid, D2, `PlantUML`, or `GraphML`.
//!
//! A [`Graph`] is built from anything that implements [`ToGraph`]: a TOSCA service or plan, a `MuranoPL` package, or a
//! Yay document. A [`View`] selects and arranges its nodes. Then a method per format writes it. SVG is laid out here and
//! needs no other program; the programs for the other formats do their own layout.
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
mod d2;
mod dot;
mod edges;
mod format;
mod graphml;
mod html;
mod label;
mod marks;
mod mask;
mod mermaid;
mod names;
mod plantuml;
mod stroke;
mod svg;
pub mod text;
mod topology;
mod tree;
mod types;
mod view;

#[cfg(test)]
mod tests;

pub use edges::Edges;
pub use format::{Format, UnknownFormat};
pub use marks::Marked;
pub use names::ShortNames;
pub use types::{Imports, Inheritance};
pub use view::{Filter, UnknownNode, View};

use std::sync::Arc;

use indexmap::IndexMap;
use tosca_parse_engine::diagnostic::Severity;

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
    /// The labels of edges that are shown once, by [`Edge::legend`].
    pub legend: Vec<LegendEntry>,
    /// The types of the edges that the source has, whose order determines their colors. So a type has the same color in
    /// all views. If empty, the remaining edges determine the colors.
    pub edge_kinds: Vec<String>,
    /// The direction in which most edges point.
    pub direction: Direction,
    /// The colors of an SVG diagram.
    pub theme: Theme,
}

/// A label that several edges share.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LegendEntry {
    /// The name of the edges.
    pub name: String,
    /// The type of the edges.
    pub kind: String,
}

impl LegendEntry {
    /// Returns the name and the type as one text.
    fn text(&self) -> String {
        match (&*self.name, &*self.kind) {
            ("", kind) => kind.to_owned(),
            (name, "") => name.to_owned(),
            (name, kind) => format!("{name}: {kind}"),
        }
    }
}

/// A direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From top to bottom.
    #[default]
    Down,
    /// From bottom to top.
    Up,
    /// From left to right.
    Right,
    /// From right to left.
    Left,
}

impl Direction {
    fn is_horizontal(self) -> bool {
        matches!(self, Self::Right | Self::Left)
    }
}

/// The colors of an SVG diagram.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Light or dark, like the page or the system that shows the diagram.
    #[default]
    Auto,
    /// For light backgrounds.
    Light,
    /// For dark backgrounds.
    Dark,
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
    /// The full names of the types that its type is derived from. Filters apply to them too.
    pub ancestors: Vec<String>,
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
    /// Further lines.
    pub notes: Vec<String>,
    /// The problems of the node.
    pub marks: Vec<Mark>,
    /// The index of the group in which it is drawn.
    pub group: Option<usize>,
    /// The index of the node in which it is drawn: see [`View::nest`]. Such a node has no group.
    pub host: Option<usize>,
    /// The row of an SVG diagram, or the column if the direction is horizontal. Used only if all nodes have one.
    pub row: Option<usize>,
    /// The position where it is declared.
    pub location: Option<Location>,
    /// The target of the link that the box is. It must be trusted: Mermaid can't escape everything.
    pub link: Option<String>,
}

/// A problem of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The severity.
    pub severity: Severity,
    /// The message.
    pub text: String,
}

impl Mark {
    /// Returns a character for the severity, so that colors alone don't carry it.
    fn sign(&self) -> char {
        if self.severity == Severity::Error { '✖' } else { '⚠' }
    }
}

/// A position in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file: a path or a URL.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// A requirement without a target.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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

impl OpenRequirement {
    /// Merges requirements that differ only in their number.
    pub fn merged(list: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut numbers: IndexMap<Self, usize> = IndexMap::new();
        for mut requirement in list {
            let number = std::mem::take(&mut requirement.number);
            *numbers.entry(requirement).or_default() += number;
        }
        numbers.into_iter().map(|(requirement, number)| Self { number, ..requirement }).collect()
    }
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
#[derive(Clone, Debug, Default)]
pub struct Edge {
    /// The index of the source node.
    pub from: usize,
    /// The index of the target node.
    pub to: usize,
    /// The name and type, which many edges may share.
    pub label: Arc<EdgeLabel>,
    /// The number of such edges.
    pub number: usize,
    /// Whether the target hosts the source, so that [`View::nest`] can draw the source inside the target.
    pub is_hosting: bool,
    /// The index of the label in the legend, which is then not drawn at the edge.
    pub legend: Option<usize>,
}

/// The name and type of edges.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EdgeLabel {
    /// The name, such as that of a requirement.
    pub name: String,
    /// The type, such as that of a relationship.
    pub kind: String,
    /// The full name of the type.
    pub full_kind: String,
    /// The full names of the types that its type is derived from. Filters apply to them too.
    pub ancestors: Vec<String>,
}

impl Graph {
    /// Creates an empty graph.
    pub fn new(title: &str) -> Self {
        Self { title: text::line(title), ..Self::default() }
    }

    /// Builds the graph of a source and collapses it according to the options.
    pub fn of(source: &impl ToGraph, options: Options) -> Self {
        source.to_graph(options).with_edge_kinds().collapsed(options)
    }

    /// Builds the graph of a source, selects its nodes and edges, collapses it, and arranges the rest.
    ///
    /// # Errors
    ///
    /// Returns an error if the view has the name of a node that is not in the graph.
    pub fn viewed(source: &impl ToGraph, options: Options, view: &View) -> Result<Self, UnknownNode> {
        Ok(view.arranged(view.selected(source.to_graph(options).with_edge_kinds())?.collapsed(options)))
    }

    fn with_edge_kinds(mut self) -> Self {
        self.edge_kinds = stroke::kinds(&self.edges);
        self
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
        let mut made = String::new();
        svg::write(self, false, &mut made)?;
        Ok(made)
    }

    /// Writes the graph as an HTML page that needs no other file. The page zooms, searches, and shows the details of a
    /// node.
    ///
    /// # Errors
    ///
    /// Returns an error if there are more than [`MAX_BOXES`] boxes.
    pub fn html(&self) -> Result<String, TooLarge> {
        html::write(self)
    }

    /// Returns the graph without frames. Boxes list the groups and the nodes that they were in.
    fn without_frames(&self) -> Self {
        let mut graph = self.clone();
        for node in &mut graph.nodes {
            if let Some(group) = node.group.take() {
                node.also_in.insert(0, self.groups[group].name.clone());
            }
            if let Some(host) = node.host.take() {
                node.notes.insert(0, format!("on {}", self.nodes[host].name));
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

    /// Writes the graph as a D2 diagram.
    pub fn d2(&self) -> String {
        d2::write(self)
    }

    /// Writes the graph as a `PlantUML` deployment diagram.
    pub fn plantuml(&self) -> String {
        plantuml::write(self)
    }

    /// Writes the graph as `GraphML`, for editors and programs that analyze graphs.
    pub fn graphml(&self) -> String {
        graphml::write(self)
    }
}

impl Node {
    /// Creates a node without rows.
    pub fn new(name: &str, kind: &str) -> Self {
        Self { name: text::line(name), kind: text::line(kind), full_kind: text::name(kind), ..Self::default() }
    }
}

impl Edge {
    /// Creates a single edge.
    pub fn new(from: usize, to: usize, name: &str, kind: &str) -> Self {
        let (name, kind, full_kind) = (text::line(name), text::line(kind), text::name(kind));
        Self::labeled(from, to, EdgeLabel { name, kind, full_kind, ancestors: Vec::new() })
    }

    /// Creates a single edge with a label.
    pub fn labeled(from: usize, to: usize, label: EdgeLabel) -> Self {
        Self { from, to, label: Arc::new(label), number: 1, ..Self::default() }
    }

    /// Returns the name with the multiplicity.
    fn title(&self) -> String {
        text::times(&self.label.name, self.number)
    }

    /// Returns whether it has a name, a type or a number.
    fn has_label(&self) -> bool {
        !self.label.name.is_empty() || !self.label.kind.is_empty() || self.number > 1
    }

    /// Returns whether something is drawn at the edge.
    fn has_drawn_label(&self) -> bool {
        if self.legend.is_some() { self.number > 1 } else { self.has_label() }
    }

    /// Returns the name and the type to draw at the edge. If the legend has both, only the number remains.
    fn drawn_label(&self) -> (String, &str) {
        match self.legend {
            Some(_) if self.number == 1 => (String::new(), ""),
            Some(_) => (format!("×{}", self.number), ""),
            None => (self.title(), &self.label.kind),
        }
    }
}

impl OpenRequirement {
    /// Returns the name with the multiplicity.
    fn title(&self) -> String {
        text::times(&self.name, self.number)
    }
}
