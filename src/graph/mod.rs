//! Pictures of a topology.
//!
//! Whoever looks at a service for the first time wants to see it: what there is, what needs what, and what is still
//! missing. A [`Graph`] is what is worth drawing of a [`Service`], and is written as SVG, which needs no other program
//! to be seen, or as text for Graphviz (DOT) or Mermaid, which lay it out themselves.
//!
//! Every node is a box with its name, its type and some properties; every requirement that has found its node is an
//! arrow; one that has not is a marked line in the box of the node that needs it. Groups are frames. A node can be in
//! one frame only: that of the first group that has it, or of a group in that group. Of the others its box says that it
//! is also in them.
//!
//! A picture of hundreds of nodes shows little. [`Collapse`] makes one box of a group, or of nodes of the same type.
//!
//! ```
//! use tosca_parse::graph::{Graph, Options};
//! use tosca_parse::normal::Service;
//! use tosca_parse::{Entry, Parser, TOSCA};
//!
//! let parser = Parser::builder(&TOSCA).build()?;
//! let text = "
//! tosca_definitions_version: tosca_2_0
//! node_types:
//!   Server: {}
//! service_template:
//!   node_templates:
//!     web: { type: Server }
//! ";
//! let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml")?, text));
//! let service = Service::of(&outcome.program).ok_or("there is no service template")?;
//! let graph = Graph::of(&service, Options::default());
//! assert!(graph.svg()?.starts_with("<svg "));
//! assert!(graph.mermaid().contains("web"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
#[cfg(feature = "murano")]
mod classes;
mod collapse;
mod dot;
mod mermaid;
#[cfg(feature = "murano")]
mod objects;
mod plan;
mod svg;
mod text;
#[cfg(feature = "yay")]
mod yay;

#[cfg(test)]
mod tests;

use crate::normal::{Plan, Service};
#[cfg(feature = "murano")]
use crate::phase::{Program, inheritance::Complete};

/// More boxes than this are not laid out: nobody could read it.
pub const MOST_BOXES: usize = 1000;

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many properties of a node are shown at most: the first that are given and fit into a line. Those of its
    /// capabilities follow its own. What looks like a secret by its name is not told.
    pub properties: usize,
    /// What becomes one box.
    pub collapse: Collapse,
}

impl Default for Options {
    fn default() -> Self {
        Self { properties: 3, collapse: Collapse::default() }
    }
}

/// What becomes one box, so that a large picture gets small. The arrows of what becomes one box become one arrow, if
/// they are for the same requirement and relationship.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collapse {
    /// Every group that is in no other one, with everything in it.
    pub groups: bool,
    /// Nodes of the same type that are in the same group.
    pub types: bool,
}

/// What is worth drawing of a service.
#[derive(Clone, Debug)]
pub struct Graph {
    title: String,
    nodes: Vec<Node>,
    groups: Vec<Group>,
    edges: Vec<Edge>,
}

/// There are more boxes than can be laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{boxes} boxes are too many for a picture that is laid out here, which may have {MOST_BOXES}")]
pub struct TooLarge {
    /// How many there are.
    pub boxes: usize,
}

/// A box.
#[derive(Clone, Debug, Default)]
struct Node {
    name: String,
    /// What stands under the name: the type.
    kind: String,
    /// The same in full.
    full_kind: String,
    /// How many nodes it stands for, if that is not one; as it is shown.
    number: Option<String>,
    /// Names of the node templates, if it stands for several.
    members: Vec<String>,
    rows: Vec<(String, String)>,
    /// Other groups that it is in.
    also_in: Vec<String>,
    dangling: Vec<Dangling>,
    /// `select` or `substitute`, for a node that the service does not make.
    directive: Option<String>,
    group: Option<usize>,
}

/// A requirement whose node has yet to be found.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Dangling {
    name: String,
    /// What it asks for.
    asked: String,
    is_optional: bool,
    number: usize,
}

/// A frame.
#[derive(Clone, Debug)]
struct Group {
    name: String,
    kind: String,
    full_kind: String,
    /// The frame that it is in, which comes before it.
    parent: Option<usize>,
}

/// An arrow.
#[derive(Clone, Debug)]
struct Edge {
    from: usize,
    to: usize,
    /// The name of the requirement.
    name: String,
    /// The type of the relationship.
    kind: String,
    full_kind: String,
    number: usize,
}

impl Graph {
    /// What is worth drawing of a service. It may have problems: what it mentions and does not have is dangling.
    pub fn of(service: &Service, options: Options) -> Self {
        build::graph(service, options.properties).collapsed(options)
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

    /// A plan: what it removes, and what it deploys.
    pub fn of_plan(plan: &Plan) -> Self {
        plan::graph(plan)
    }

    /// What a configuration in Yay is made of.
    #[cfg(feature = "yay")]
    pub fn of_yay(title: &str, picture: &crate::yay::Picture) -> Self {
        yay::graph(title, picture)
    }

    /// The classes of a package or file in `MuranoPL`, with at most some of their properties, and what they extend.
    #[cfg(feature = "murano")]
    pub fn of_classes(program: &Program<Complete>, properties: usize) -> Self {
        classes::graph(program, properties)
    }

    /// The objects of a model in `MuranoPL`: what owns what, and what refers to what. Nothing if the entry is no model.
    #[cfg(feature = "murano")]
    pub fn of_objects(program: &Program<Complete>, options: Options) -> Option<Self> {
        objects::graph(program, options.properties).map(|graph| graph.collapsed(options))
    }

    /// How many boxes there are.
    pub fn boxes(&self) -> usize {
        self.nodes.len()
    }

    /// The picture in SVG. Its colours suit light and dark surroundings. The error is that there are too many boxes.
    pub fn svg(&self) -> Result<String, TooLarge> {
        svg::write(self)
    }

    /// The same without frames; what was in one says so.
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

    /// The picture in the language of Graphviz.
    pub fn dot(&self) -> String {
        dot::write(self)
    }

    /// The picture in the language of Mermaid.
    pub fn mermaid(&self) -> String {
        mermaid::write(self)
    }
}

impl Edge {
    /// The requirement, and how many there are of it.
    fn title(&self) -> String {
        text::times(&self.name, self.number)
    }
}

impl Dangling {
    /// The requirement, and how many there are of it.
    fn title(&self) -> String {
        text::times(&self.name, self.number)
    }
}
