//! The layout of a diagram.
//!
//! Each part is laid out separately. A part is a set of boxes that arrows or frames connect.

use super::clip::{self, Cubic};
use super::layered::Insets;
use super::nested::Nested;
use super::pack::pack;
use super::part::Work;
use super::parts::parts;

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
    /// The curves before and after these points, if it starts or ends at a frame. Few arrows do, so they are boxed.
    pub(crate) head: Option<Box<Cubic>>,
    pub(crate) tail: Option<Box<Cubic>>,
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

/// The sizes to lay out, before the diagram is turned into its direction.
pub(super) struct Sizes {
    /// The width and height of each box.
    pub(super) boxes: Vec<(f64, f64)>,
    /// The width and height of each label.
    pub(super) labels: Vec<Option<(f64, f64)>>,
    /// The minimum width and height of each frame.
    pub(super) frames: Vec<(f64, f64)>,
    pub(super) insets: Vec<Insets>,
}

/// Returns whether a part has so many arrows that it can't have frames.
pub(super) fn has_dense_part(nested: &Nested, sizes: &Sizes) -> bool {
    parts(&nested.graph, &nested.is_omitted).iter().any(|members| Work { nested, sizes, members }.is_dense())
}

pub(super) fn layout(nested: &Nested, sizes: &Sizes) -> Layout {
    let graph = &nested.graph;
    let direction = graph.direction;
    let mut layout = Layout {
        nodes: vec![Rectangle::default(); graph.nodes.len()],
        groups: vec![Rectangle::default(); graph.groups.len()],
        edges: vec![Route::default(); graph.edges.len()],
        ..Layout::default()
    };
    let parts = parts(graph, &nested.is_omitted);
    let own: Vec<(f64, f64)> = parts.iter().map(|members| Work { nested, sizes, members }.run(&mut layout)).collect();
    let turned: Vec<(f64, f64)> = own.iter().map(|size| direction.size(*size)).collect();
    let (places, (width, height)) = pack(&turned);
    for ((members, (x, y)), (_, own)) in parts.iter().zip(places).zip(own) {
        let (x, y) = (x + MARGIN, y + MARGIN);
        let shift = |rectangle: &mut Rectangle| {
            *rectangle = direction.rectangle(*rectangle, own);
            (rectangle.x, rectangle.y) = (rectangle.x + x, rectangle.y + y);
        };
        members.nodes.iter().for_each(|node| shift(&mut layout.nodes[*node]));
        members.groups.iter().for_each(|group| shift(&mut layout.groups[*group]));
        for edge in members.edges.iter().chain(&members.loops) {
            let Route { points, label, .. } = &mut layout.edges[*edge];
            for point in points.iter_mut().chain(label) {
                let (across, down) = direction.point(*point, own);
                *point = (across + x, down + y);
            }
        }
    }
    for (edge, route) in graph.edges.iter().zip(&mut layout.edges).filter(|(edge, _)| edge.from != edge.to) {
        let frame = |node: usize| nested.frames[node].map(|frame| &layout.groups[frame]);
        clip::clip(route, frame(edge.from), frame(edge.to), direction.is_horizontal());
    }
    (layout.width, layout.height) = (width + 2.0 * MARGIN, height + 2.0 * MARGIN);
    layout
}
