//! Assembles documents that are not the text of one YAML file.
//!
//! A syntax that evaluates its input knows the result and the origin of each node in it, but no source contains the
//! result as text. An [`Assembler`] builds a [`Document`] from the result anyway, so that the layers above see no
//! difference: problems point at the positions that the nodes come from.

use rustc_hash::FxHashMap;

use super::document::{Document, Kind, NodeId, NodeOrigin, ProvenanceId, ProvenanceStep, Style};
use super::node_store::{NO_KEY, NewNode, flag};
use super::{Limits, Options};
use crate::diagnostic::{SourceId, Span};
use crate::symbol::{Interner, Symbol};
use crate::text::SharedText;

/// The origin of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The position at which it is written, in any source.
    pub span: Span,
    /// The position at which it is used, if different: problems with the node show this position too.
    pub used: Option<Span>,
    /// Its [provenance](Assembler::provenance).
    pub provenance: Option<ProvenanceId>,
}

impl From<Span> for Origin {
    fn from(span: Span) -> Self {
        Self { span, used: None, provenance: None }
    }
}

/// A builder for a document that is not the text of one YAML file.
///
/// Nodes are added in reading order: a map, then its first key, the value of the key, and so on until the map is
/// [closed](Self::close). A node in the position of a key becomes a key.
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// use tosca_parse::ard::{Assembler, Kind, Options};
/// use tosca_parse::diagnostic::{SourceId, Span};
/// use tosca_parse::symbol::Interner;
///
/// let interner = Interner::new();
/// let at = |start, end| Span { source: SourceId(0), start, end };
/// // The result of evaluating a source that contains an expression.
/// let mut assembler = Assembler::new(SourceId(0), "port: 8000 + 80".into(), &interner, &Options::default());
/// assembler.open(Kind::Map, at(0, 15));
/// assembler.scalar(Kind::String, "port", at(0, 4));
/// assembler.scalar(Kind::Integer, "8080", at(6, 15));
/// assembler.close();
/// let document = assembler.finish();
/// let port = document.root().and_then(|root| root.find("port")).expect("there is such a key");
/// assert_eq!((port.value.as_integer(), port.value.span()), (Some(8080), at(6, 15)));
/// ```
pub struct Assembler<'a> {
    document: Document,
    interner: &'a Interner,
    depth: u32,
    numbers: FxHashMap<Symbol, u32>,
    /// For each key, the map in which it was last seen, and its node there.
    seen: Vec<(NodeId, NodeId)>,
    provenances: FxHashMap<Box<[ProvenanceStep]>, ProvenanceId>,
    frames: Vec<Frame>,
}

/// An open map or list.
struct Frame {
    node: NodeId,
    /// In a map: whether a value comes next.
    has_key: bool,
    /// The end of its source text so far.
    end: u32,
}

impl<'a> Assembler<'a> {
    /// Creates an assembler with an empty document for the given source. Scalars that occur verbatim in `text` are
    /// stored as slices of it.
    pub fn new(source: SourceId, text: SharedText, interner: &'a Interner, options: &Options) -> Self {
        let document = Document::assembled(source, text);
        Self {
            document,
            interner,
            depth: options.limits.depth.min(Limits::MAX_DEPTH),
            numbers: FxHashMap::default(),
            seen: Vec::new(),
            provenances: FxHashMap::default(),
            frames: Vec::new(),
        }
    }

    /// Returns the number of open maps and lists.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Registers a provenance: the positions that nodes came through, nearest first. Problems with the nodes show these
    /// positions.
    pub fn provenance(&mut self, steps: &[ProvenanceStep]) -> Option<ProvenanceId> {
        if steps.is_empty() {
            return None;
        }
        if let Some(known) = self.provenances.get(steps) {
            return Some(*known);
        }
        let provenance = ProvenanceId(self.document.provenances.len() as u32);
        self.document.provenances.push(steps.into());
        self.provenances.insert(steps.into(), provenance);
        Some(provenance)
    }

    /// Registers a secret: problems show `*****` in its place.
    pub fn secret(&mut self, text: &str) {
        self.document.secrets.push(text.into());
    }

    /// Registers the name of an input that the document takes.
    pub fn takes_input(&mut self, name: &str) {
        self.document.inputs.push(name.into());
    }

    /// Records the number of steps that computing the document has taken.
    pub fn took(&mut self, steps: u64) {
        self.document.steps = steps;
    }

    /// Opens a map or list. Returns false, without effect, if this would exceed [`Limits::depth`].
    #[must_use = "what is nested too deeply must not be closed"]
    pub fn open(&mut self, kind: Kind, origin: impl Into<Origin>) -> bool {
        if self.frames.len() as u32 >= self.depth {
            return false;
        }
        let origin = origin.into();
        let Span { start, end, .. } = origin.span;
        let node = self.push(NewNode::collection(kind, Style::Block, start), origin);
        self.document.nodes.close(node, end);
        self.frames.push(Frame { node, has_key: false, end });
        true
    }

    /// Closes the innermost map or list.
    ///
    /// # Panics
    ///
    /// Panics if no map or list is open, or if a key has no value.
    pub fn close(&mut self) {
        let frame = self.frames.pop().expect("a map or list is open");
        assert!(!frame.has_key, "a key has a value");
        self.document.nodes.close(frame.node, frame.end);
        self.turn();
    }

    /// Adds a scalar. If it duplicates a key of its map, the new key is ignored and the first one is returned.
    pub fn scalar(&mut self, kind: Kind, text: &str, origin: impl Into<Origin>) -> Option<NodeId> {
        let origin = origin.into();
        let is_key = self.frames.last().is_some_and(|frame| self.is_map(frame.node) && !frame.has_key);
        let key = if is_key { self.number(text) } else { NO_KEY };
        let style = self.verbatim(text, origin.span);
        let place = (origin.span.start, origin.span.end);
        let node = NewNode::scalar(kind, style.unwrap_or(Style::Plain), place, key);
        let node = if style.is_some() { node } else { node.unescaped(self.document.unescaped.push(text)) };
        let node = self.push(node, origin);
        let first = if is_key { self.meet(key, node) } else { None };
        self.turn();
        first
    }

    /// Returns the document. If maps or lists are still open, they are closed, and the document is incomplete.
    pub fn finish(mut self) -> Document {
        if !self.frames.is_empty() {
            self.document.complete = false;
        }
        while let Some(frame) = self.frames.last() {
            if frame.has_key {
                let span = self.document.node(frame.node).span();
                self.scalar(Kind::Null, "", Span { end: span.start, ..span });
            }
            self.close();
        }
        let mut symbols: Vec<(u32, Symbol)> =
            self.numbers.into_iter().map(|(symbol, number)| (number, symbol)).collect();
        symbols.sort_unstable_by_key(|(number, _)| *number);
        self.document.keys = symbols.into_iter().map(|(_, symbol)| symbol).collect();
        self.document.shrink_to_fit();
        self.document
    }

    fn is_map(&self, node: NodeId) -> bool {
        self.document.nodes.kind(node) == Kind::Map
    }

    fn push(&mut self, node: NewNode, origin: Origin) -> NodeId {
        let Origin { span, used, provenance } = origin;
        let node = self.document.nodes.push(node);
        if span.source != self.document.source || used.is_some() || provenance.is_some() {
            self.document.origins.push(NodeOrigin { node, source: span.source, used, provenance });
        }
        node
    }

    /// Returns the style in which a scalar is written, if its text occurs verbatim at `span`.
    fn verbatim(&self, text: &str, span: Span) -> Option<Style> {
        let (start, end) = (span.start as usize, span.end as usize);
        let written = (span.source == self.document.source).then(|| self.document.text.get(start..end)).flatten()?;
        let inside = |quote| written.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) == Some(text);
        if written == text {
            Some(Style::Plain)
        } else if inside('"') {
            Some(Style::DoubleQuoted)
        } else {
            inside('\'').then_some(Style::SingleQuoted)
        }
    }

    fn number(&mut self, text: &str) -> u32 {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(self.interner.intern(text)).or_insert(next);
        if number == next {
            self.seen.push((NodeId::NONE, NodeId::NONE));
        }
        number
    }

    /// Registers a key of the innermost map and returns an earlier equal key, if any.
    fn meet(&mut self, number: u32, key: NodeId) -> Option<NodeId> {
        let map = self.frames.last()?.node;
        let (seen_in, first) = &mut self.seen[number as usize];
        if *seen_in == map {
            self.document.nodes.mark(key, flag::DUPLICATE);
            return Some(*first);
        }
        (*seen_in, *first) = (map, key);
        None
    }

    /// Records that a key or value of the innermost map is complete. After a key, a value is expected; after a value, a
    /// key is expected.
    fn turn(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        if self.document.nodes.kind(frame.node) == Kind::Map {
            frame.has_key = !frame.has_key;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const OWN: SourceId = SourceId(0);
    const OTHER: SourceId = SourceId(7);

    fn at(source: SourceId, start: u32, end: u32) -> Span {
        Span { source, start, end }
    }

    fn assembler<'a>(text: &str, interner: &'a Interner) -> Assembler<'a> {
        Assembler::new(OWN, text.into(), interner, &Options::default())
    }

    #[test]
    fn parts_have_their_origins() {
        let interner = Interner::new();
        let mut assembler = assembler("a: {{ b }}", &interner);
        assert!(assembler.open(Kind::Map, at(OWN, 0, 10)));
        assembler.scalar(Kind::String, "a", at(OWN, 0, 1));
        let used = Some(at(OWN, 3, 10));
        assert!(assembler.open(Kind::List, Origin { span: at(OTHER, 5, 20), used, provenance: None }));
        assembler.scalar(Kind::Integer, "12", Origin { span: at(OTHER, 6, 8), used, provenance: None });
        assembler.scalar(Kind::String, "{{", at(OWN, 3, 5));
        assembler.close();
        assembler.close();
        let document = assembler.finish();
        assert!(document.is_complete());
        let list = document.root().unwrap().find("a").unwrap().value;
        assert_eq!((list.kind(), list.len(), list.span(), list.used()), (Kind::List, 2, at(OTHER, 5, 20), used));
        let items: Vec<_> = list.items().map(|item| (item.text(), item.span(), item.used())).collect();
        assert_eq!(items, [("12", at(OTHER, 6, 8), used), ("{{", at(OWN, 3, 5), None)]);
        assert_eq!(list.items().next().unwrap().as_integer(), Some(12));
    }

    #[test]
    fn provenance_and_secrets_are_kept() {
        let interner = Interner::new();
        let mut assembler = assembler("- a", &interner);
        let steps = [ProvenanceStep { span: at(OTHER, 0, 3), what: "in this loop" }];
        let provenance = assembler.provenance(&steps);
        assert_eq!((assembler.provenance(&[]), assembler.provenance(&steps)), (None, provenance));
        assert!(assembler.open(Kind::List, at(OWN, 0, 3)));
        assembler.scalar(Kind::String, "a", Origin { span: at(OWN, 2, 3), used: None, provenance });
        assembler.secret("a");
        assembler.close();
        let document = assembler.finish();
        let uses: Vec<_> = document.uses().map(|of| (of.written, of.used, of.provenance)).collect();
        assert_eq!(uses, [(at(OWN, 2, 3), None, &steps[..])]);
        assert!(document.secrets().eq(["a"]));
    }

    #[test]
    fn duplicate_keys_are_ignored() {
        let interner = Interner::new();
        let mut assembler = assembler("", &interner);
        assert!(assembler.open(Kind::Map, at(OWN, 0, 0)));
        for (value, first) in [("1", None), ("2", Some(NodeId::new(1)))] {
            assert_eq!(assembler.scalar(Kind::String, "key", at(OWN, 0, 0)), first);
            assert_eq!(assembler.scalar(Kind::Integer, value, at(OWN, 0, 0)), None);
        }
        // The same key in a different map.
        assembler.scalar(Kind::String, "map", at(OWN, 0, 0));
        assert!(assembler.open(Kind::Map, at(OWN, 0, 0)));
        assert_eq!(assembler.scalar(Kind::String, "key", at(OWN, 0, 0)), None);
        assembler.scalar(Kind::Null, "", at(OWN, 0, 0));
        assembler.close();
        assembler.close();
        let document = assembler.finish();
        let root = document.root().unwrap();
        assert_eq!(root.find("key").unwrap().value.text(), "1");
        assert_eq!(root.entries().filter(|entry| entry.duplicate).count(), 1);
        assert_eq!(root.get(interner.intern("map")).unwrap().value.len(), 1);
    }

    #[test]
    fn unclosed_documents_are_incomplete() {
        let interner = Interner::new();
        let mut assembler = assembler("", &interner);
        assert!(assembler.open(Kind::List, at(OWN, 0, 0)));
        assert!(assembler.open(Kind::Map, at(OWN, 0, 0)));
        assembler.scalar(Kind::String, "key", at(OWN, 0, 0));
        assert_eq!(assembler.depth(), 2);
        let document = assembler.finish();
        assert!(!document.is_complete());
        let map = document.root().unwrap().items().next().unwrap();
        assert_eq!(map.find("key").unwrap().value.kind(), Kind::Null);
    }

    #[test]
    fn nesting_is_bounded() {
        let interner = Interner::new();
        let mut assembler = assembler("", &interner);
        let opened = (0..1000).filter(|_| assembler.open(Kind::List, at(OWN, 0, 0))).count();
        assert_eq!(opened as u32, Limits::default().depth);
        assert_eq!(assembler.finish().len(), opened);
    }

    #[test]
    fn texts_are_slices_where_they_can_be() {
        let interner = Interner::new();
        let mut assembler = assembler("'a' \"b\" c", &interner);
        assert!(assembler.open(Kind::List, at(OWN, 0, 9)));
        for (text, start, end) in [("a", 0, 3), ("b", 4, 7), ("c", 8, 9), ("d", 8, 9), ("a", 0, 99)] {
            assembler.scalar(Kind::String, text, at(OWN, start, end));
        }
        assembler.close();
        let document = assembler.finish();
        let items = document.root().unwrap().items().map(|item| (item.text(), item.style()));
        let expected = [
            ("a", Style::SingleQuoted),
            ("b", Style::DoubleQuoted),
            ("c", Style::Plain),
            ("d", Style::Plain),
            ("a", Style::Plain),
        ];
        assert!(items.eq(expected));
    }
}
