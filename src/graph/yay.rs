//! Pictures of configurations in Yay: a box for each part, and an arrow for each part that it has.

use super::text::line;
use super::{Edge, Graph, Node};
use crate::yay::{Arrow, Picture, PictureBox};

pub(super) fn graph(title: &str, picture: &Picture) -> Graph {
    Graph {
        title: line(title),
        nodes: picture.boxes.iter().map(node).collect(),
        groups: Vec::new(),
        edges: picture.arrows.iter().map(edge).collect(),
    }
}

fn node(this: &PictureBox) -> Node {
    let kind = this.kind.to_owned();
    Node { name: kind.clone(), kind: line(&this.text), full_kind: kind, ..Node::default() }
}

fn edge(arrow: &Arrow) -> Edge {
    Edge {
        from: arrow.from,
        to: arrow.to,
        name: line(&arrow.name),
        kind: String::new(),
        full_kind: String::new(),
        number: 1,
    }
}
