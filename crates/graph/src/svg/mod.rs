//! SVG diagrams: measure, lay out, draw.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "there are hundreds of things, not quadrillions"
)]

mod circular;
mod draw;
mod layered;
mod layout;
mod loops;
mod measure;
mod pack;
mod part;
mod parts;

use super::{Graph, MAX_BOXES, TooLarge};
use draw::Drawing;

/// The maximum number of arrows with labels. In diagrams with more arrows, only colors identify the relationship types,
/// because there is not enough space for labels.
const MAX_LABELS: usize = 60;

/// The measured and laid-out diagram.
pub(super) struct Scene {
    pub(super) cards: Vec<measure::Card>,
    pub(super) labels: Vec<Option<measure::Label>>,
    pub(super) layout: layout::Layout,
}

pub(super) fn write(graph: &Graph) -> Result<String, TooLarge> {
    if graph.nodes.len() > MAX_BOXES {
        return Err(TooLarge { boxes: graph.nodes.len() });
    }
    // The circular layout orders boxes without regard to frames, so frames would be torn apart.
    let without_frames = has_dense_frames(graph).then(|| graph.without_frames());
    let graph = without_frames.as_ref().unwrap_or(graph);
    let Scene { cards, labels, layout } = scene(graph);
    Ok(Drawing { graph, cards: &cards, labels: &labels, layout: &layout }.write())
}

fn has_dense_frames(graph: &Graph) -> bool {
    let (cards, labels) = measured(graph);
    !graph.groups.is_empty() && layout::has_dense_part(graph, &cards, &labels)
}

pub(super) fn scene(graph: &Graph) -> Scene {
    let (cards, labels) = measured(graph);
    let layout = layout::layout(graph, &cards, &labels);
    Scene { cards, labels, layout }
}

fn measured(graph: &Graph) -> (Vec<measure::Card>, Vec<Option<measure::Label>>) {
    let has_labels = graph.edges.len() <= MAX_LABELS;
    let mut cards: Vec<_> = graph.nodes.iter().map(measure::card).collect();
    let labels: Vec<_> =
        graph.edges.iter().map(|edge| (has_labels && edge.has_label()).then(|| measure::label(edge))).collect();
    // Arrows from a box to itself need space at its side.
    let mut sides = vec![(0.0, 0.0_f64); cards.len()];
    for (edge, label) in graph.edges.iter().zip(&labels).filter(|(edge, _)| edge.from == edge.to) {
        let (number, height) = &mut sides[edge.from];
        *number += 1.0;
        *height = height.max(label.as_ref().map_or(12.0, |label| label.height + 4.0));
        cards[edge.from].height = cards[edge.from].height.max(*number * *height);
    }
    (cards, labels)
}
