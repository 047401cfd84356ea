//! The colors and dash patterns of arrows.

use indexmap::IndexSet;

use crate::{Edge, EdgeLabel, Graph};

/// The colors of types, visible on light and dark backgrounds. The style sheet of SVG has shades for each background.
pub(crate) const COLORS: [&str; 7] = ["#2563eb", "#0d9488", "#9333ea", "#c2410c", "#be185d", "#4d7c0f", "#0369a1"];

/// The color of edges without a type.
pub(crate) const PLAIN: &str = "#64748b";

/// The number of dash patterns, which distinguish entries of the legend that have the same color.
pub(crate) const DASHES: usize = 7;

/// Arrows of the legends in formats without lines there, by dash pattern.
pub(crate) const ARROWS: [&str; 4] = ["⟶", "⇢", "⤑", "⟹"];

/// The color and the dash pattern of an arrow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stroke {
    /// The index of the color; the number of colors if the arrow is plain.
    pub(crate) color: usize,
    /// The index of the dash pattern; 0 for a solid line.
    pub(crate) dash: usize,
}

impl Stroke {
    const NONE: Self = Self { color: COLORS.len(), dash: 0 };

    fn new(place: usize) -> Self {
        Self { color: place % COLORS.len(), dash: place / COLORS.len() % DASHES }
    }

    /// Returns the color for writers without a style sheet.
    pub(crate) fn hex(self) -> &'static str {
        COLORS.get(self.color).copied().unwrap_or(PLAIN)
    }
}

/// The strokes of a graph.
pub(crate) struct Strokes {
    kinds: IndexSet<String>,
    entries: Vec<Stroke>,
}

impl Strokes {
    /// Returns the strokes of a graph. The order of types determines their colors.
    pub(crate) fn of(graph: &Graph) -> Self {
        let kinds = if graph.edge_kinds.is_empty() { kinds(&graph.edges) } else { graph.edge_kinds.clone() };
        let mut strokes = Self { kinds: kinds.into_iter().collect(), entries: Vec::new() };
        for entry in &graph.legend {
            let mut stroke = strokes.keyed(if entry.kind.is_empty() { &entry.name } else { &entry.kind });
            // Names of the same type have the same color.
            for _ in 1..DASHES {
                if !strokes.entries.contains(&stroke) {
                    break;
                }
                stroke.dash = (stroke.dash + 1) % DASHES;
            }
            strokes.entries.push(stroke);
        }
        strokes
    }

    /// Returns the stroke of an edge, which is that of its entry in the legend if it has one.
    pub(crate) fn edge(&self, edge: &Edge) -> Stroke {
        edge.legend.and_then(|entry| self.entries.get(entry).copied()).unwrap_or_else(|| self.label(&edge.label))
    }

    /// Returns the stroke of a label, without regard to the legend.
    pub(crate) fn label(&self, label: &EdgeLabel) -> Stroke {
        self.keyed(key(label))
    }

    /// Returns the text that determines the color of a label; `None` if it has no color.
    pub(crate) fn key<'a>(&self, label: &'a EdgeLabel) -> Option<&'a str> {
        Some(key(label)).filter(|key| self.kinds.contains(*key))
    }

    /// Returns the stroke of an entry of the legend.
    pub(crate) fn entry(&self, entry: usize) -> Stroke {
        self.entries.get(entry).copied().unwrap_or(Stroke::NONE)
    }

    fn keyed(&self, key: &str) -> Stroke {
        self.kinds.get_index_of(key).map_or(Stroke::NONE, Stroke::new)
    }
}

/// Returns the type of a label, or its name if it has no type.
fn key(label: &EdgeLabel) -> &str {
    if label.kind.is_empty() { &label.name } else { &label.kind }
}

/// Returns the types of edges, in the order in which they appear. If no edge has a type, names take their place, unless
/// there is only one or there are more than colors.
pub(crate) fn kinds(edges: &[Edge]) -> Vec<String> {
    let distinct = |text: fn(&EdgeLabel) -> &String| {
        let all: IndexSet<&String> =
            edges.iter().map(|edge| text(&edge.label)).filter(|text| !text.is_empty()).collect();
        all.into_iter().cloned().collect::<Vec<String>>()
    };
    let kinds = distinct(|label| &label.kind);
    if !kinds.is_empty() {
        return kinds;
    }
    let names = distinct(|label| &label.name);
    if (2..=COLORS.len()).contains(&names.len()) { names } else { Vec::new() }
}
