//! Diagrams of the structure of a configuration, which show the origin of values.

use std::fmt::Write;

use crate::sink::{Origin, Scalar, Sink};
use crate::source::Span;
use crate::value::MASK;

/// The state in which a configuration is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// The source. The layer under a body is not known yet and is drawn as a box.
    #[default]
    Initial,
    /// The source, with an arrow from each stanza to the layer under it, as far as the text shows it.
    Normalized,
    /// The result: mappings, lists and scalars.
    Folded,
}

/// A diagram of boxes and arrows.
#[derive(Clone, Debug, Default)]
pub struct Diagram {
    /// The boxes, in the order of discovery.
    pub boxes: Vec<DiagramBox>,
    /// The arrows, in the order of the boxes at their start.
    pub arrows: Vec<Arrow>,
}

/// A box: a part of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagramBox {
    /// The kind: `Mapping`, `If`.
    pub kind: &'static str,
    /// The text of a scalar or a name; empty for other kinds. Secrets are `*****`.
    pub text: String,
}

/// An arrow from a box to the box of one of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// The number of the box at its start.
    pub from: usize,
    /// The number of the box at its end.
    pub to: usize,
    /// The key, the number of the item, or the role of the part.
    pub name: String,
    /// Whether the arrow leads to the layer under the box at its start.
    pub is_predecessor: bool,
}

impl Diagram {
    pub(crate) fn add(&mut self, kind: &'static str, text: impl Into<String>) -> usize {
        self.boxes.push(DiagramBox { kind, text: text.into() });
        self.boxes.len() - 1
    }

    pub(crate) fn connect(&mut self, from: usize, to: usize, name: impl Into<String>) {
        self.arrows.push(Arrow { from, to, name: name.into(), is_predecessor: false });
    }

    pub(crate) fn over(&mut self, from: usize, to: usize) {
        self.arrows.push(Arrow { from, to, name: "predecessor".to_owned(), is_predecessor: true });
    }

    /// Returns the diagram in the DOT language of Graphviz.
    pub fn dot(&self) -> String {
        let mut made = String::from("digraph yay {\n  node [shape=box, fontname=\"Helvetica\", fontsize=11];\n");
        made.push_str("  edge [fontname=\"Helvetica\", fontsize=10];\n");
        for (number, this) in self.boxes.iter().enumerate() {
            let label =
                if this.text.is_empty() { this.kind.to_owned() } else { format!("{}\n{}", this.kind, this.text) };
            let _ = writeln!(made, "  n{number} [label={}];", quoted(&label));
        }
        for arrow in &self.arrows {
            let style = if arrow.is_predecessor { ", style=dotted" } else { "" };
            let _ = writeln!(made, "  n{} -> n{} [label={}{style}];", arrow.from, arrow.to, quoted(&arrow.name));
        }
        made.push_str("}\n");
        made
    }
}

#[cfg(feature = "graph")]
impl tosca_parse_graph::ToGraph for Diagram {
    fn to_graph(&self, _: tosca_parse_graph::Options) -> tosca_parse_graph::Graph {
        use tosca_parse_graph::{Edge, Graph, Node, text::line};

        let node = |part: &DiagramBox| Node { kind: line(&part.text), ..Node::new(part.kind, part.kind) };
        let edge = |arrow: &Arrow| Edge::new(arrow.from, arrow.to, &arrow.name, "");
        Graph {
            nodes: self.boxes.iter().map(node).collect(),
            edges: self.arrows.iter().map(edge).collect(),
            ..Graph::default()
        }
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', ""))
}

/// Returns a string without the users and passwords of URLs in it.
fn without_credentials(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("://") {
        let ends = |character: char| character.is_whitespace() || "/?#\"'`<>".contains(character);
        let authority = after.split(ends).next().unwrap_or_default();
        shown.extend([before, "://"]);
        rest = match authority.rfind('@') {
            Some(at) => {
                shown.push_str(MASK);
                &after[at..]
            }
            None => after,
        };
    }
    shown + rest
}

/// Shortens a string for display in a box.
pub(crate) fn brief(text: &str) -> String {
    const LONGEST: usize = 40;
    let text = &without_credentials(text);
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// A sink that builds the diagram of a value.
#[derive(Default)]
pub(crate) struct DiagramBuilder {
    pub(crate) diagram: Diagram,
    /// The open mappings and lists, with the next key or the number of the next item.
    open: Vec<(usize, Next)>,
}

enum Next {
    Key(String),
    Item(usize),
}

impl DiagramBuilder {
    fn put(&mut self, kind: &'static str, text: String) -> usize {
        let made = self.diagram.add(kind, text);
        if let Some((outer, next)) = self.open.last_mut() {
            let name = match next {
                Next::Key(key) => std::mem::take(key),
                Next::Item(number) => {
                    *number += 1;
                    (*number - 1).to_string()
                }
            };
            let outer = *outer;
            self.diagram.connect(outer, made, name);
        }
        made
    }
}

impl Sink for DiagramBuilder {
    fn scalar(&mut self, scalar: &Scalar<'_>, _origin: &Origin) {
        self.put("Boxed", brief(scalar.safe.unwrap_or(scalar.text)));
    }

    fn begin_list(&mut self, _origin: &Origin) {
        let made = self.put("Sequence", String::new());
        self.open.push((made, Next::Item(0)));
    }

    fn end_list(&mut self) {
        self.open.pop();
    }

    fn begin_map(&mut self, _origin: &Origin) {
        let made = self.put("Mapping", String::new());
        self.open.push((made, Next::Key(String::new())));
    }

    fn key(&mut self, key: &str, _at: Span) {
        if let Some((_, Next::Key(next))) = self.open.last_mut() {
            key.clone_into(next);
        }
    }

    fn hides_secrets(&self) -> bool {
        true
    }

    fn end_map(&mut self) {
        self.open.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::brief;

    #[test]
    fn credentials_are_not_drawn() {
        for (text, shown) in [
            ("http://ada:hunter2@example.com/a.yay", "http://*****@example.com/a.yay"),
            ("see http://a@b/ and ftp://c:d@e", "see http://*****@b/ and ftp://*****@e"),
            ("http://example.com/a@b", "http://example.com/a@b"),
            ("http://ada:a-password-that-is-longer-than-boxes@b", "http://*****@b"),
            ("a@b", "a@b"),
        ] {
            assert_eq!(brief(text), shown);
        }
    }
}
