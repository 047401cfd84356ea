//! Views of nodes in a document.

use std::fmt;
use std::iter::FusedIterator;

use super::document::{Document, Kind, NodeId, Style};
use super::node_store::{NO_KEY, Text, flag};
use super::scalar;
use crate::diagnostic::{Diagnostic, Rule, Span, USED};
use crate::symbol::Symbol;

/// A node of a [`Document`].
///
/// An alias has its own index and position. In all other respects, it behaves like the anchored node, so that callers
/// can ignore aliases.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    document: &'a Document,
    id: NodeId,
}

impl<'a> Node<'a> {
    pub(super) fn new(document: &'a Document, id: NodeId) -> Self {
        Self { document, id }
    }

    /// Returns the index of the node.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// Returns the document of the node.
    pub fn document(self) -> &'a Document {
        self.document
    }

    fn has(self, flag: u8) -> bool {
        self.document.nodes.has(self.id, flag)
    }

    fn is_collection(self) -> bool {
        self.document.nodes.is_collection(self.id)
    }

    /// Returns the node that has the content: for an alias, the anchored node, which is never an alias itself.
    fn content(self) -> Self {
        Self { id: self.document.nodes.content(self.id), ..self }
    }

    /// Returns the kind of the node.
    pub fn kind(self) -> Kind {
        self.document.nodes.kind(self.id)
    }

    /// Returns the style of the node.
    pub fn style(self) -> Style {
        self.document.nodes.style(self.id)
    }

    /// Returns the text of a scalar: verbatim for a plain scalar (`False`, `1.10`), without quotes and escapes for a
    /// quoted scalar, and without indentation for a block scalar. Empty for maps and lists.
    pub fn text(self) -> &'a str {
        let document = self.document;
        match document.nodes.text(self.id) {
            Text::Slice(place) => &document.text[place.start as usize..place.end as usize],
            Text::Unescaped(number) => document.unescaped.get(number),
        }
    }

    /// Returns the span of the node in the source, excluding its tag and anchor. The span of a scalar includes its
    /// quotes. The span of a map or list extends from the opening bracket, or the first `-` or key, to the closing
    /// bracket or the end of the last value. A missing value has an empty span right after the colon or dash.
    pub fn span(self) -> Span {
        let span = self.document.span(self.document.nodes.range(self.id));
        self.document.origin(self.id).map_or(span, |origin| Span { source: origin.source, ..span })
    }

    /// Creates a problem with the node, related to the position at which the node is used.
    pub(crate) fn problem(self, rule: &'static Rule, message: impl Into<String>) -> Diagnostic {
        let problem = Diagnostic::new(rule, self.span(), message);
        match self.used() {
            Some(used) => problem.with_related(used, USED),
            None => problem,
        }
    }

    /// Returns the verbatim text of the node in its document, including quotes and escapes; `None` for a node from a
    /// different source.
    pub fn written(self) -> Option<&'a str> {
        let span = self.span();
        let text = self.document.text();
        if span.source == self.document.source { text.get(span.start as usize..span.end as usize) } else { None }
    }

    /// Returns the position at which the node is used, if that differs from the position at which it is written.
    /// Problems show both positions.
    pub fn used(self) -> Option<Span> {
        self.document.origin(self.id)?.used
    }

    /// Returns the resolved tag: `tag:yaml.org,2002:str` for `!!str`, `!color` for `!color`, `!` for a single `!`.
    pub fn tag(self) -> Option<&'a str> {
        let node = self.content();
        if !node.has(flag::TAG) {
            return None;
        }
        let tags = &node.document.tags;
        tags.binary_search_by_key(&node.id, |(id, _)| *id).ok().map(|found| &*tags[found].1)
    }

    /// Returns whether the node itself has an anchor. An alias never has one.
    pub fn has_anchor(self) -> bool {
        self.has(flag::ANCHOR)
    }

    /// Returns whether the node is an alias.
    pub fn is_alias(self) -> bool {
        self.has(flag::ALIAS)
    }

    /// Returns whether the node is a null that replaces a rejected alias. The alias has been reported, so checks must
    /// not report the content of the node.
    pub fn is_placeholder(self) -> bool {
        self.has(flag::SUBSTITUTE)
    }

    /// Returns the interned text of a scalar map key.
    pub fn symbol(self) -> Option<Symbol> {
        if self.is_collection() {
            return None;
        }
        let number = self.document.nodes.number_of_key(self.id);
        (number != NO_KEY).then(|| self.document.keys[number as usize])
    }

    /// Returns the entries of a map: its own entries in source order, then the entries that `<<` merges in, except for
    /// those that an earlier entry overrides. Empty for any other kind.
    pub fn entries(self) -> Entries<'a> {
        let node = self.content();
        let (next, end) = if node.kind() == Kind::Map { node.inside() } else { (node.id, node.id) };
        Entries { document: node.document, next, end, merged: node.merged() }
    }

    /// Returns the items of a list; empty for any other kind.
    pub fn items(self) -> Items<'a> {
        let node = self.content();
        let (next, end) = if node.kind() == Kind::List { node.inside() } else { (node.id, node.id) };
        Items { document: node.document, next, end }
    }

    /// Returns the index of the first node in a map or list and the index of the first node after the map or list.
    fn inside(self) -> (NodeId, NodeId) {
        (self.id.next(), self.document.nodes.after(self.id))
    }

    fn merged(self) -> &'a [(NodeId, NodeId)] {
        if !self.has(flag::MERGED) {
            return &[];
        }
        let document = self.document;
        let range = document.merged_of.as_ref().and_then(|ranges| ranges.get(&self.id));
        range.map_or(&[], |range| &document.merged[range.start as usize..range.end as usize])
    }

    /// Returns the number of nodes that are written inside a map or list, at any depth; 0 for a scalar or an alias.
    pub fn written_nodes(self) -> usize {
        let nodes = &self.document.nodes;
        (nodes.after(self.id).number() - self.id.number()) as usize - 1
    }

    /// Returns the number of entries or items of a map or list, including merged ones; 0 for a scalar.
    pub fn len(self) -> usize {
        match self.kind() {
            Kind::Map => self.entries().count(),
            _ => self.items().count(),
        }
    }

    /// Returns whether there are no entries or items.
    pub fn is_empty(self) -> bool {
        self.entries().next().is_none() && self.items().next().is_none()
    }

    /// Returns the first entry of a map whose key is the given symbol. The search is also fast in large maps.
    pub fn get(self, key: Symbol) -> Option<Entry<'a>> {
        let node = self.content();
        let mut entries = node.entries();
        if node.kind() == Kind::Map && node.document.nodes.inside(node.id) >= Document::LARGE {
            if let Some(key) = node.document.key_of_large(node.id, key) {
                let nodes = &node.document.nodes;
                return Some(entries.entry(key, nodes.after(key), nodes.flags(key), false));
            }
            // Merged entries come after all others.
            entries.next = entries.end;
        }
        entries.find(|entry| entry.key.symbol() == Some(key))
    }

    /// Returns the first entry of a map with the given key, by a linear search.
    pub fn find(self, key: &str) -> Option<Entry<'a>> {
        self.entries().find(|entry| entry.key.symbol().is_some() && entry.key.text() == key)
    }

    /// Returns whether the node may contain one of the given keys, at any depth: true if it does, or if it contains an
    /// alias or merged entries, whose content is written elsewhere. The check is very cheap.
    pub fn may_have(self, keys: &Keys) -> bool {
        let nodes = &self.document.nodes;
        (self.id.number()..nodes.after(self.id).number()).map(NodeId::new).any(|id| {
            let is_one = || keys.0.binary_search(&nodes.number_of_key(id)).is_ok();
            nodes.has(id, flag::ALIAS | flag::MERGE) || !nodes.is_collection(id) && is_one()
        })
    }

    /// Returns the value of a boolean; `None` for any other kind.
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Boolean).then(|| scalar::boolean(self.text()))
    }

    /// Returns the value of an integer; `None` if it is too large, or for any other kind.
    pub fn as_integer(self) -> Option<i128> {
        if self.kind() == Kind::Integer { self.document.schema.integer(self.text()) } else { None }
    }

    /// Returns the value of a float or of an integer rounded to a float; `None` for any other kind.
    pub fn as_float(self) -> Option<f64> {
        match self.kind() {
            Kind::Float | Kind::Integer => self.document.schema.float(self.text()),
            _ => None,
        }
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.document.nodes.range(self.id);
        write!(f, "Node({} {:?} {place:?} {})", self.id.number(), self.kind(), self.short_label())
    }
}

/// A subset of a document's keys, in ascending order; see [`Document::keys_that`].
#[derive(Clone, Debug, Default)]
pub struct Keys(pub(super) Vec<u32>);

/// An entry of a map.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The key.
    pub key: Node<'a>,
    /// The value.
    pub value: Node<'a>,
    /// Whether the entry was merged in by `<<` and is written in a different map.
    pub merged: bool,
    /// Whether the map has an earlier entry with the same key, which has been reported.
    pub duplicate: bool,
}

/// The entries of a map; see [`Node::entries`].
#[derive(Clone, Debug)]
pub struct Entries<'a> {
    document: &'a Document,
    next: NodeId,
    end: NodeId,
    merged: &'a [(NodeId, NodeId)],
}

impl<'a> Entries<'a> {
    fn entry(&self, key: NodeId, value: NodeId, flags: u8, merged: bool) -> Entry<'a> {
        let (key, value) = (Node::new(self.document, key), Node::new(self.document, value));
        Entry { key, value, merged, duplicate: flags & flag::DUPLICATE != 0 }
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let nodes = &self.document.nodes;
        while self.next < self.end {
            let key = self.next;
            let value = nodes.after(key);
            self.next = nodes.after(value);
            let flags = nodes.flags(key);
            if flags & flag::MERGE == 0 {
                return Some(self.entry(key, value, flags, false));
            }
        }
        let (&(key, value), rest) = self.merged.split_first()?;
        self.merged = rest;
        Some(self.entry(key, value, nodes.flags(key), true))
    }
}

impl FusedIterator for Entries<'_> {}

/// The items of a list; see [`Node::items`].
#[derive(Clone, Debug)]
pub struct Items<'a> {
    document: &'a Document,
    next: NodeId,
    end: NodeId,
}

impl<'a> Iterator for Items<'a> {
    type Item = Node<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let item = self.next;
        (item < self.end).then(|| {
            self.next = self.document.nodes.after(item);
            Node::new(self.document, item)
        })
    }
}

impl FusedIterator for Items<'_> {}
