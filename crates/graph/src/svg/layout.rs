//! The layout of a diagram.
//!
//! Each part is laid out separately. A part is a set of boxes that arrows or frames connect.

use super::measure::{Card, Label};
use super::pack::pack;
use super::part::Work;
use super::parts::parts;
use crate::Graph;

/// The margin around the diagram.
const MARGIN: f64 = 24.0;

/// A rectangle, given by its center.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rectangle {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A point of an arrow.
pub(crate) type Point = (f64, f64);

/// An arrow.
#[derive(Clone, Debug, Default)]
pub(crate) struct Route {
    /// The points that it passes, from its start.
    pub(crate) points: Vec<Point>,
    /// Whether its source is its target.
    pub(crate) is_loop: bool,
    /// The center of its label.
    pub(crate) label: Option<Point>,
}

/// The positions of all boxes, frames and arrows.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) nodes: Vec<Rectangle>,
    pub(crate) groups: Vec<Rectangle>,
    pub(crate) edges: Vec<Route>,
}

/// Returns whether a part has so many arrows that it can't have frames.
pub(super) fn has_dense_part(graph: &Graph, cards: &[Card], labels: &[Option<Label>]) -> bool {
    parts(graph).iter().any(|members| Work { graph, cards, labels, members }.is_dense())
}

pub(super) fn layout(graph: &Graph, cards: &[Card], labels: &[Option<Label>]) -> Layout {
    let mut layout = Layout {
        nodes: vec![Rectangle::default(); graph.nodes.len()],
        groups: vec![Rectangle::default(); graph.groups.len()],
        edges: vec![Route::default(); graph.edges.len()],
        ..Layout::default()
    };
    let parts = parts(graph);
    let sizes: Vec<(f64, f64)> =
        parts.iter().map(|members| Work { graph, cards, labels, members }.run(&mut layout)).collect();
    let (places, (width, height)) = pack(&sizes);
    for (members, (x, y)) in parts.iter().zip(places) {
        let (x, y) = (x + MARGIN, y + MARGIN);
        let shift = |rectangle: &mut Rectangle| (rectangle.x, rectangle.y) = (rectangle.x + x, rectangle.y + y);
        members.nodes.iter().for_each(|node| shift(&mut layout.nodes[*node]));
        members.groups.iter().for_each(|group| shift(&mut layout.groups[*group]));
        for edge in members.edges.iter().chain(&members.loops) {
            let Route { points, label, .. } = &mut layout.edges[*edge];
            points.iter_mut().chain(label).for_each(|point| *point = (point.0 + x, point.1 + y));
        }
    }
    (layout.width, layout.height) = (width + 2.0 * MARGIN, height + 2.0 * MARGIN);
    layout
}
