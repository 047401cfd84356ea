//! Diagrams of the structure of a configuration, which show the origin of values.

use std::fmt::Write;
use std::ops::Range;

use tosca_parse_engine::diagnostic::render::sanitize;

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
    let lines: Vec<String> =
        text.lines().map(|line| sanitize(line).replace('\\', "\\\\").replace('"', "\\\"")).collect();
    format!("\"{}\"", lines.join("\\n"))
}

/// Returns the positions of the users and passwords of URLs. If a text ends in the middle of an address, anything that
/// may be a password counts.
fn credentials(text: &str) -> Vec<Range<usize>> {
    let found = text.match_indices("://").filter_map(|(at, sign)| {
        let start = at + sign.len();
        let ends = |character: char| character.is_whitespace() || "/?#\"'`<>".contains(character);
        let authority = text[start..].split(ends).next().unwrap_or_default();
        let is_cut = || start + authority.len() == text.len();
        let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
        let end = match (authority.rfind('@'), authority.rsplit_once(':')) {
            (Some(at), _) => at,
            (None, Some((_, port))) if is_cut() && !authority.starts_with('[') && !is_port(port) => authority.len(),
            _ => return None,
        };
        Some(start..start + end).filter(|range| !range.is_empty())
    });
    found.collect()
}

/// Returns the parts of a computed text without the users and passwords of URLs, and whether each part is one. The text
/// of a part that is not known is empty.
pub(crate) fn without_credentials<'t>(parts: impl Iterator<Item = Option<&'t str>>) -> Vec<(String, bool)> {
    const UNKNOWN: &str = "\u{fffc}";
    let (mut whole, mut places) = (String::new(), Vec::new());
    for part in parts {
        let start = whole.len();
        whole.push_str(part.unwrap_or(UNKNOWN));
        places.push((start..whole.len(), part.is_some()));
    }
    let hidden = credentials(&whole);
    let shown = |(place, is_known): (Range<usize>, bool)| {
        let (mut shown, mut end) = (String::new(), place.start);
        let inside = |range: &&Range<usize>| range.start < place.end && range.end > place.start;
        let mut is_credential = false;
        for range in hidden.iter().filter(inside) {
            shown.extend([&whole[end..range.start.max(end)], MASK]);
            end = range.end.min(place.end);
            is_credential = true;
        }
        shown.push_str(&whole[end..place.end]);
        (if is_known { shown } else { String::new() }, is_credential)
    };
    places.into_iter().map(shown).collect()
}

/// Shortens a string for display in a box.
pub(crate) fn brief(text: &str) -> String {
    const LONGEST: usize = 40;
    let text: &String = &without_credentials(std::iter::once(Some(text))).into_iter().map(|(shown, _)| shown).collect();
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
    /// The open mappings and lists, with the next key or the number of the next item, and whether they are secret.
    open: Vec<(usize, Next, bool)>,
}

enum Next {
    Key(String),
    Item(usize),
}

impl DiagramBuilder {
    fn put(&mut self, kind: &'static str, text: String) -> usize {
        let made = self.diagram.add(kind, text);
        if let Some((outer, next, _)) = self.open.last_mut() {
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

impl DiagramBuilder {
    /// Returns whether a key suggests that the next value is a secret.
    fn hides_next(&self) -> bool {
        self.open.last().is_some_and(|(_, next, is_secret)| {
            *is_secret || matches!(next, Next::Key(key) if tosca_parse_engine::diagnostic::is_secret(key))
        })
    }

    fn begin(&mut self, kind: &'static str, next: Next) {
        let is_secret = self.hides_next();
        let made = self.put(kind, String::new());
        self.open.push((made, next, is_secret));
    }
}

impl Sink for DiagramBuilder {
    fn scalar(&mut self, scalar: &Scalar<'_>, _origin: &Origin) {
        let text = if self.hides_next() { MASK.to_owned() } else { brief(scalar.safe.unwrap_or(scalar.text)) };
        self.put("Boxed", text);
    }

    fn begin_list(&mut self, _origin: &Origin) {
        self.begin("Sequence", Next::Item(0));
    }

    fn end_list(&mut self) {
        self.open.pop();
    }

    fn begin_map(&mut self, _origin: &Origin) {
        self.begin("Mapping", Next::Key(String::new()));
    }

    fn key(&mut self, key: &str, _at: Span) {
        if let Some((_, Next::Key(next), _)) = self.open.last_mut() {
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
    use super::{brief, without_credentials};

    #[test]
    fn credentials_are_not_drawn() {
        for (text, shown) in [
            ("http://ada:hunter2@example.com/a.yay", "http://*****@example.com/a.yay"),
            ("see http://a@b/ and ftp://c:d@e", "see http://*****@b/ and ftp://*****@e"),
            ("http://example.com/a@b", "http://example.com/a@b"),
            ("http://ada:a-password-that-is-longer-than-boxes@b", "http://*****@b"),
            ("a@b", "a@b"),
            ("http://ada:", "http://*****"),
            ("http://ada:hunter2", "http://*****"),
            ("http://example.com:8080", "http://example.com:8080"),
            ("http://[::1]", "http://[::1]"),
        ] {
            assert_eq!(brief(text), shown);
        }
    }

    #[test]
    fn credentials_in_parts_are_not_drawn() {
        let shown = |parts: &[Option<&str>]| {
            let shown = without_credentials(parts.iter().copied()).into_iter();
            shown
                .map(|(text, is_credential)| format!("{text}{}", if is_credential { "!" } else { "" }))
                .collect::<Vec<_>>()
        };
        assert_eq!(shown(&[Some("see http://ada:"), None, Some("@b/c")]), ["see http://*****!", "!", "@b/c"]);
        assert_eq!(shown(&[Some("http://"), None, Some(":hunter2@b")]), ["http://", "!", "*****@b!"]);
        assert_eq!(shown(&[Some("http://"), None, Some("/a@b")]), ["http://", "", "/a@b"]);
    }
}
