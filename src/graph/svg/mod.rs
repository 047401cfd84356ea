//! Pictures in SVG: everything is measured, laid out, and then drawn.

mod draw;
mod layout;
mod measure;
mod pack;
mod rank;
mod route;
mod tighten;

use super::{Graph, MOST_BOXES, TooLarge};
use draw::Drawing;

/// Pictures with more arrows say the types of relationships by colours, as there is no room for so many words.
const MOST_LABELS: usize = 60;

pub(super) fn write(graph: &Graph) -> Result<String, TooLarge> {
    if graph.nodes.len() > MOST_BOXES {
        return Err(TooLarge { boxes: graph.nodes.len() });
    }
    let has_labels = graph.edges.len() <= MOST_LABELS;
    let cards: Vec<_> = graph.nodes.iter().map(measure::card).collect();
    let labels: Vec<_> = graph.edges.iter().map(|edge| has_labels.then(|| measure::label(edge))).collect();
    let layout = layout::layout(graph, &cards, &labels);
    Ok(Drawing { graph, cards: &cards, labels: &labels, layout: &layout }.write())
}
