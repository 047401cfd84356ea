//! Views of nodes: what a reader of a document works with.

use std::fmt;
use std::iter::FusedIterator;

use super::document::{Document, Kind, NodeId, Style};
use super::scalar;
use super::stored::{NO_KEY, Text, flag};
use crate::diagnostic::Span;
use crate::symbol::Symbol;

/// A node of a [`Document`].
///
/// The node of an alias is that of the alias as far as its number and its place are concerned; everything else is that
/// of the anchored node, so that nobody needs to care about aliases.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    document: &'a Document,
    id: NodeId,
}

impl<'a> Node<'a> {
    pub(super) fn new(document: &'a Document, id: NodeId) -> Self {
        Self { document, id }
    }

    /// The number of the node.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// The document that the node belongs to.
    pub fn document(self) -> &'a Document {
        self.document
    }

    fn has(self, flag: u8) -> bool {
        self.document.nodes.has(self.id, flag)
    }

    fn is_collection(self) -> bool {
        self.document.nodes.is_collection(self.id)
    }

    /// The node that holds the content: the anchored one for an alias. An anchored node is never an alias.
    fn content(self) -> Self {
        Self { id: self.document.nodes.content(self.id), ..self }
    }

    /// What the node is.
    pub fn kind(self) -> Kind {
        self.document.nodes.kind(self.id)
    }

    /// How the node was written.
    pub fn style(self) -> Style {
        self.document.nodes.style(self.id)
    }

    /// The raw text of a scalar: exactly as written for a plain one (`False`, `1.10`), without quotes and escapes for
    /// a quoted one, without indentation for one that has lines of its own. Empty for maps and lists.
    pub fn text(self) -> &'a str {
        let document = self.document;
        match document.nodes.text(self.id) {
            Text::Slice(place) => &document.text[place.start as usize..place.end as usize],
            Text::Unescaped(number) => document.unescaped.get(number),
        }
    }

    /// The place of the node in the text: a scalar with its quotes, a map or list from its first bracket, `-` or key to
    /// its last bracket or to the end of its last value; neither has its tag and anchor. Where a value is missing, the
    /// place is empty and stands where the value would begin, right after the colon or dash.
    pub fn span(self) -> Span {
        let span = self.document.span(self.document.nodes.range(self.id));
        self.document.stem(self.id).map_or(span, |stem| Span { source: stem.source, ..span })
    }

    /// What stands at the place of the node in the text of its document, quotes and escapes as they are; none for a node
    /// that comes from another source.
    pub fn written(self) -> Option<&'a str> {
        let span = self.span();
        let text = self.document.text();
        if span.source == self.document.source { text.get(span.start as usize..span.end as usize) } else { None }
    }

    /// Where the node is used, if that is not where it is written: problems with it name both places.
    pub fn used(self) -> Option<Span> {
        self.document.stem(self.id)?.used
    }

    /// The tag, resolved: `tag:yaml.org,2002:str` for `!!str`, `!color` for `!color`, `!` for a single `!`.
    pub fn tag(self) -> Option<&'a str> {
        let node = self.content();
        if !node.has(flag::TAG) {
            return None;
        }
        let tags = &node.document.tags;
        tags.binary_search_by_key(&node.id, |(id, _)| *id).ok().map(|found| &*tags[found].1)
    }

    /// Whether the node itself has an anchor, which an alias never has.
    pub fn has_anchor(self) -> bool {
        self.has(flag::ANCHOR)
    }

    /// Whether the node is an alias.
    pub fn is_alias(self) -> bool {
        self.has(flag::ALIAS)
    }

    /// Whether the node is a null that stands in for an alias which was refused. A problem has been reported for it,
    /// so that whoever finds its content wrong should keep silent.
    pub fn is_substitute(self) -> bool {
        self.has(flag::SUBSTITUTE)
    }

    /// The interned text of a scalar that is a key of a map.
    pub fn symbol(self) -> Option<Symbol> {
        if self.is_collection() {
            return None;
        }
        let number = self.document.nodes.number_of_key(self.id);
        (number != NO_KEY).then(|| self.document.keys[number as usize])
    }

    /// The entries of a map: its own ones in the order of the source, then those that `<<` brings in and that no
    /// entry before them overrides. Nothing for any other kind.
    pub fn entries(self) -> Entries<'a> {
        let node = self.content();
        let (next, end) = if node.kind() == Kind::Map { node.inside() } else { (node.id, node.id) };
        Entries { document: node.document, next, end, merged: node.merged() }
    }

    /// The items of a list; nothing for any other kind.
    pub fn items(self) -> Items<'a> {
        let node = self.content();
        let (next, end) = if node.kind() == Kind::List { node.inside() } else { (node.id, node.id) };
        Items { document: node.document, next, end }
    }

    /// The numbers of the first node in a map or list and of the one after it.
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

    /// The number of nodes inside a map or list as it is written, however deep; 0 for a scalar or an alias.
    pub fn written_nodes(self) -> usize {
        let nodes = &self.document.nodes;
        (nodes.after(self.id).number() - self.id.number()) as usize - 1
    }

    /// How many entries or items a map or list has, merged ones included; 0 for a scalar.
    pub fn len(self) -> usize {
        match self.kind() {
            Kind::Map => self.entries().count(),
            _ => self.items().count(),
        }
    }

    /// Whether there is neither an entry nor an item.
    pub fn is_empty(self) -> bool {
        self.entries().next().is_none() && self.items().next().is_none()
    }

    /// The first entry of a map whose key has the given symbol. It does not take longer for large maps.
    pub fn get(self, key: Symbol) -> Option<Entry<'a>> {
        let node = self.content();
        let mut entries = node.entries();
        if node.kind() == Kind::Map && node.document.nodes.inside(node.id) >= Document::LARGE {
            if let Some(key) = node.document.key_of_large(node.id, key) {
                let nodes = &node.document.nodes;
                return Some(entries.entry(key, nodes.after(key), nodes.flags(key), false));
            }
            // What is merged comes after all others.
            entries.next = entries.end;
        }
        entries.find(|entry| entry.key.symbol() == Some(key))
    }

    /// The first entry of a map whose key has the given text. It is looked for from the first entry on.
    pub fn find(self, key: &str) -> Option<Entry<'a>> {
        self.entries().find(|entry| entry.key.symbol().is_some() && entry.key.text() == key)
    }

    /// Whether one of some keys of the document may be in the node, however deep: it is, or not all is written here, since
    /// something stands for a node elsewhere. Looking costs next to nothing.
    pub fn may_have(self, keys: &Keys) -> bool {
        let nodes = &self.document.nodes;
        (self.id.number()..nodes.after(self.id).number()).map(NodeId::new).any(|id| {
            let is_one = || keys.0.binary_search(&nodes.number_of_key(id)).is_ok();
            nodes.has(id, flag::ALIAS | flag::MERGE) || !nodes.is_collection(id) && is_one()
        })
    }

    /// The value of a boolean.
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Boolean).then(|| scalar::boolean(self.text()))
    }

    /// The value of an integer; nothing if it is too large.
    pub fn as_integer(self) -> Option<i128> {
        if self.kind() == Kind::Integer { self.document.schema.integer(self.text()) } else { None }
    }

    /// The value of a float or an integer, rounded to what a float can hold.
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

/// Some of the keys that a document has, in ascending order; see [`Document::keys_that`].
#[derive(Clone, Debug, Default)]
pub struct Keys(pub(super) Vec<u32>);

/// An entry of a map.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The key.
    pub key: Node<'a>,
    /// The value.
    pub value: Node<'a>,
    /// Whether the entry was brought in by `<<` and stands in another map of the source.
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
