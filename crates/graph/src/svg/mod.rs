//! SVG diagrams: measure, lay out, draw.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "there are hundreds of things, not quadrillions"
)]

mod circular;
mod clip;
mod draw;
mod layered;
mod layout;
mod loops;
mod measure;
mod nested;
mod pack;
mod part;
mod parts;
mod style;
#[cfg(test)]
mod tests;
mod turn;

use super::{Graph, MAX_BOXES, TooLarge};
use draw::Drawing;
use layered::Insets;
use layout::Sizes;
use measure::{Card, Label};
use nested::Nested;

/// The maximum number of arrows with labels. In diagrams with more arrows, only colors identify the relationship types,
/// because there is not enough space for labels.
const MAX_LABELS: usize = 60;

/// The space that a frame needs around its content. At the top, it contains the name of the frame and arrowheads.
const HEAD: f64 = 36.0;
const FOOT: f64 = 16.0;
const SIDE: f64 = 20.0;

/// The space between the head of a node and the nodes inside of it.
const BELOW_HEAD: f64 = 18.0;

/// The measured and laid-out diagram.
pub(super) struct Scene {
    pub(super) nested: Nested,
    pub(super) cards: Vec<Card>,
    /// The labels that are drawn; at most [`MAX_LABELS`], so they are boxed.
    pub(super) labels: Vec<Option<Box<Label>>>,
    pub(super) layout: layout::Layout,
}

/// Appends a diagram to a text.
pub(super) fn write(graph: &Graph, is_interactive: bool, made: &mut String) -> Result<(), TooLarge> {
    if graph.nodes.len() > MAX_BOXES {
        return Err(TooLarge { boxes: graph.nodes.len() });
    }
    Drawing { scene: &scene(graph), is_interactive }.write(made);
    Ok(())
}

pub(super) fn scene(graph: &Graph) -> Scene {
    let nested = nested::nested(graph);
    let (cards, labels, sizes) = measured(&nested);
    if !nested.graph.groups.is_empty() && layout::has_dense_part(&nested, &sizes) {
        // The circular layout orders boxes without regard to frames, so frames would be torn apart.
        return scene(&graph.without_frames());
    }
    let layout = layout::layout(&nested, &sizes);
    Scene { nested, cards, labels, layout }
}

fn measured(nested: &Nested) -> (Vec<Card>, Vec<Option<Box<Label>>>, Sizes) {
    let graph = &nested.graph;
    let is_horizontal = graph.direction.is_horizontal();
    // Only labels that are drawn take space.
    let has_labels = graph.edges.iter().filter(|edge| edge.has_drawn_label()).count() <= MAX_LABELS;
    let label = |edge: &crate::Edge| {
        let (name, kind) = edge.drawn_label();
        Box::new(measure::label(&name, kind))
    };
    let is_drawn = |edge: &crate::Edge| has_labels && edge.has_drawn_label();
    let labels: Vec<Option<Box<Label>>> = graph.edges.iter().map(|edge| is_drawn(edge).then(|| label(edge))).collect();
    let mut cards: Vec<_> = graph.nodes.iter().map(measure::card).collect();
    // Arrows from a box to itself need space at its side.
    let mut sides = vec![(0.0, 0.0_f64); cards.len()];
    for (edge, label) in graph.edges.iter().zip(&labels).filter(|(edge, _)| edge.from == edge.to) {
        let (number, height) = &mut sides[edge.from];
        *number += 1.0;
        let size = label.as_ref().map(|label| if is_horizontal { label.width } else { label.height });
        *height = height.max(size.map_or(12.0, |size| size + 4.0));
        let card = &mut cards[edge.from];
        let side = if is_horizontal { &mut card.width } else { &mut card.height };
        *side = side.max(*number * *height);
    }
    let mut ends = vec![(0_usize, 0_usize); cards.len()];
    for edge in &graph.edges {
        ends[edge.from].0 += 1;
        ends[edge.to].1 += 1;
    }
    let turn = |size| graph.direction.size(size);
    let boxes = cards.iter().zip(&nested.frames).zip(&ends).map(|((card, frame), ends)| match frame {
        // It has no box, only space between its arrows.
        Some(_) => (12.0 * ends.0.max(ends.1) as f64 + 16.0, 0.0),
        None => turn((card.width, card.height)),
    });
    let frame = |(group, node): (&crate::Group, &Option<usize>)| {
        let head = node.and_then(|node| nested.heads[node].as_ref());
        let (width, top) = match head {
            Some(head) => (head.width, head.height + BELOW_HEAD),
            None => (measure::frame(group), HEAD),
        };
        let insets = Insets { before: top, after: FOOT, left: SIDE, right: SIDE };
        (turn((width, 0.0)), graph.direction.insets(insets))
    };
    let (frames, insets) = graph.groups.iter().zip(&nested.nodes).map(frame).unzip();
    let sizes = Sizes {
        boxes: boxes.collect(),
        labels: labels.iter().map(|label| label.as_ref().map(|label| turn((label.width, label.height)))).collect(),
        frames,
        insets,
    };
    (cards, labels, sizes)
}
