//! Diagrams of the topology of a program in any language.

use tosca_parse_engine::entity::{Topology, TopologyEdge, TopologyNode};

use crate::text::line;
use crate::{Edge, Graph, Node, Options, ToGraph};

impl ToGraph for Topology {
    fn to_graph(&self, options: Options) -> Graph {
        let node = |node: &TopologyNode| {
            let rows = node.rows.iter().take(options.properties);
            let rows = rows.map(|(name, value)| (line(name), line(value))).collect();
            Node { rows, ..Node::new(&line(&node.name), &line(&node.kind)) }
        };
        let edge = |edge: &TopologyEdge| Edge::new(edge.from, edge.to, &line(&edge.name), "");
        Graph {
            nodes: self.nodes.iter().map(node).collect(),
            edges: self.edges.iter().map(edge).collect(),
            ..Graph::default()
        }
    }
}
