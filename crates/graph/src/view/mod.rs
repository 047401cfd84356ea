//! The selection and arrangement of nodes and edges, before a writer draws them.
//!
//! Every step changes the graph, so no writer knows about it.

mod filter;
mod focus;
mod legend;
mod nest;

use std::fmt::Write;

use crate::{Direction, Graph, Theme};

/// The part of a graph to draw, and its arrangement.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// The node types to draw.
    pub types: Filter,
    /// The relationship types, or names of edges, to draw.
    pub relationships: Filter,
    /// The names of nodes to draw, together with the nodes around them. All nodes if empty.
    pub focus: Vec<String>,
    /// The maximum number of edges between a node to draw and one in `focus`.
    pub depth: usize,
    /// Whether nodes are drawn in the nodes that host them.
    pub nest: bool,
    /// The relationship types, or names of edges, that mean hosting. If empty, the source decides.
    pub hosting: Vec<String>,
    /// Whether labels that several edges share are shown once.
    pub legend: bool,
    /// The direction of edges; `None` for that of the source.
    pub direction: Option<Direction>,
    /// The colors of an SVG diagram.
    pub theme: Theme,
    /// The links of nodes whose location is known, with placeholders: `{file}`, `{line}`, `{column}`.
    pub links: Option<String>,
}

/// Patterns of names. `*` stands for any characters. A pattern without a dot may also match the last segment of a name.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// The patterns of names to keep. All names if empty.
    pub only: Vec<String>,
    /// The patterns of names to omit.
    pub hidden: Vec<String>,
}

/// The error for a name that is not in the graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the diagram has no node `{name}`")]
pub struct UnknownNode {
    /// The name.
    pub name: String,
}

impl View {
    /// Removes the nodes and edges that are not to be drawn.
    pub(crate) fn selected(&self, mut graph: Graph) -> Result<Graph, UnknownNode> {
        filter::edges(&mut graph, &self.relationships);
        filter::nodes(&mut graph, &self.types);
        focus::focus(&mut graph, &self.focus, self.depth)?;
        Ok(graph)
    }

    /// Arranges the nodes and edges.
    pub(crate) fn arranged(&self, mut graph: Graph) -> Graph {
        if self.nest {
            if !self.hosting.is_empty() {
                filter::host(&mut graph, &self.hosting);
            }
            nest::nest(&mut graph);
        }
        if self.legend {
            legend::gather(&mut graph);
        }
        graph.direction = self.direction.unwrap_or(graph.direction);
        graph.theme = self.theme;
        if let Some(links) = &self.links {
            link(&mut graph, links);
        }
        graph
    }
}

/// Gives links to nodes.
fn link(graph: &mut Graph, links: &str) {
    for node in &mut graph.nodes {
        let Some(location) = &node.location else { continue };
        let link = links.replace("{line}", &location.line.to_string());
        let link = link.replace("{column}", &location.column.to_string());
        node.link = Some(link.replace("{file}", &encoded(&location.file)));
    }
}

/// Encodes a path for URLs. No character remains that has a meaning in a format.
fn encoded(path: &str) -> String {
    let mut made = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'~' | b':' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                made.push(char::from(byte));
            }
            b'\\' => made.push('/'),
            other => _ = write!(made, "%{other:02X}"),
        }
    }
    made
}
