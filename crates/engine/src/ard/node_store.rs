//! Storage for the nodes of a document.
//!
//! A node is 16 bytes of plain fields. Aliases and scalars whose value is not a slice of the source are rare; a side
//! table stores the targets of aliases and the values of such scalars.
//!
//! Nodes of 20 bytes made the peak memory for 100 000 node templates (41 MB of text, two threads) 5 % higher, and nodes
//! of 8 bytes with packed headers and a lock-free interner 20 % lower (2026-11-25). It is now 6.4 × the size of the text,
//! not counting the 20 MB of the program's own pages (2026-11-27).

use std::ops::Range;

use super::document::{Kind, NodeId, Style};
use crate::memory;

/// The key number of a scalar that is not a key.
pub(super) const NO_KEY: u32 = u32::MAX;

/// The bits of [`Stored::flags`].
pub(super) mod flag {
    /// The node is an alias.
    pub(in crate::ard) const ALIAS: u8 = 1;
    /// The node has an anchor.
    pub(in crate::ard) const ANCHOR: u8 = 1 << 1;
    /// The node has a tag in `Document::tags`.
    pub(in crate::ard) const TAG: u8 = 1 << 2;
    /// The value of the scalar is not a slice of the source.
    pub(in crate::ard) const UNESCAPED: u8 = 1 << 3;
    /// The node is a `<<` key.
    pub(in crate::ard) const MERGE: u8 = 1 << 4;
    /// The node is a key that occurs earlier in its map.
    pub(in crate::ard) const DUPLICATE: u8 = 1 << 5;
    /// The node is a null that replaces a rejected alias.
    pub(in crate::ard) const SUBSTITUTE: u8 = 1 << 6;
    /// The node is a map with merged entries in `Document::merged`.
    pub(in crate::ard) const MERGED: u8 = 1 << 7;
    /// The node has an entry in `Nodes::links`.
    pub(super) const LINKED: u8 = ALIAS | UNESCAPED;
}

/// A stored node; [`Node`](super::Node) is the view for readers.
#[derive(Clone, Copy, Debug)]
struct Stored {
    /// The start of the node in the text that was read.
    start: u32,
    /// The end of the node in the text that was read.
    end: u32,
    /// For a map or list, the number of nodes inside it. For a scalar or an alias of a scalar, its number among the
    /// keys of the document, or [`NO_KEY`].
    number: u32,
    /// The kind; for an alias, that of the target.
    kind: Kind,
    /// The style; for an alias, that of the target.
    style: Style,
    flags: u8,
}

const _: () = assert!(size_of::<Stored>() == 16, "there are millions of nodes");

impl Stored {
    #[inline]
    const fn has(&self, flags: u8) -> bool {
        self.flags & flags != 0
    }

    #[inline]
    const fn is_collection(&self) -> bool {
        matches!(self.kind, Kind::Map | Kind::List)
    }
}

/// A node to add.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewNode {
    stored: Stored,
    /// The index of the target of an alias or of the value of a scalar with [`flag::UNESCAPED`].
    link: u32,
}

impl NewNode {
    /// Creates a scalar whose value is a slice of the source. `key` is its number among the keys, or [`NO_KEY`].
    #[inline]
    pub(super) const fn scalar(kind: Kind, style: Style, (start, end): (u32, u32), key: u32) -> Self {
        Self { stored: Stored { start, end, number: key, kind, style, flags: 0 }, link: 0 }
    }

    /// Creates an empty map or list that ends where it begins.
    #[inline]
    pub(super) const fn collection(kind: Kind, style: Style, start: u32) -> Self {
        Self { stored: Stored { start, end: start, number: 0, kind, style, flags: 0 }, link: 0 }
    }

    /// Sets the value of the scalar to the unescaped value with the given index, which is not a slice of the source.
    #[inline]
    pub(super) const fn unescaped(self, text: u32) -> Self {
        Self { link: text, ..self }.marked(flag::UNESCAPED)
    }

    /// Adds flags.
    #[inline]
    pub(super) const fn marked(mut self, flags: u8) -> Self {
        self.stored.flags |= flags;
        self
    }
}

/// The location of the text of a scalar.
pub(super) enum Text {
    /// A range of the text that was read.
    Slice(Range<u32>),
    /// An index into [`Unescaped`](super::document::Unescaped).
    Unescaped(u32),
}

/// All nodes of a document, ordered by start position.
#[derive(Default)]
pub(super) struct Nodes {
    list: Vec<Stored>,
    /// For each alias and each scalar with [`flag::UNESCAPED`], in order: the index of the node and that of its target
    /// or value.
    links: Vec<(u32, u32)>,
}

impl Nodes {
    /// Reserves capacity for nodes, if there is enough memory.
    pub(super) fn reserve(&mut self, nodes: usize) {
        let _ = self.list.try_reserve(nodes);
    }

    pub(super) fn shrink_to_fit(&mut self) {
        memory::shrink(&mut self.list);
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns the last node.
    pub(super) fn last(&self) -> Option<NodeId> {
        self.list.len().checked_sub(1).map(|last| NodeId::new(last as u32))
    }

    #[inline]
    fn get(&self, id: NodeId) -> &Stored {
        &self.list[id.index()]
    }

    #[inline]
    pub(super) fn push(&mut self, NewNode { stored, link }: NewNode) -> NodeId {
        let number = self.list.len() as u32;
        if stored.has(flag::LINKED) {
            self.links.push((number, link));
        }
        self.list.push(stored);
        NodeId::new(number)
    }

    /// Drops the last node.
    pub(super) fn pop(&mut self) {
        if let Some(last) = self.last() {
            self.truncate(last);
        }
    }

    /// Drops the given node and all later nodes.
    pub(super) fn truncate(&mut self, first: NodeId) {
        self.list.truncate(first.index());
        while self.links.pop_if(|(node, _)| *node >= first.number()).is_some() {}
    }

    /// Completes a map or list that ends at `end`. All nodes after it are inside it.
    #[inline]
    pub(super) fn close(&mut self, id: NodeId, end: u32) {
        let inside = (self.list.len() - id.index()) as u32 - 1;
        let node = &mut self.list[id.index()];
        (node.end, node.number) = (end, inside);
    }

    /// Sets additional flags for a node.
    pub(super) fn mark(&mut self, id: NodeId, flags: u8) {
        self.list[id.index()].flags |= flags;
    }

    /// Adds all nodes but the first from a later part of the same text, which has no aliases. The numbers of its keys
    /// and values are changed to those of this document.
    pub(super) fn append(&mut self, part: &Self, key: impl Fn(u32) -> u32, first_text: u32) {
        let shift = self.list.len() as u32 - 1;
        self.links.extend(part.links.iter().map(|(node, text)| (node + shift, text + first_text)));
        self.list.extend(part.list.iter().skip(1).map(|node| {
            let is_key = !node.is_collection() && node.number != NO_KEY;
            Stored { number: if is_key { key(node.number) } else { node.number }, ..*node }
        }));
    }

    /// Creates an alias for the node `target`. `key` is its number among the keys, or [`NO_KEY`].
    pub(super) fn alias_of(&self, target: NodeId, (start, end): (u32, u32), key: u32) -> NewNode {
        let stored = Stored { start, end, number: key, flags: flag::ALIAS, ..*self.get(target) };
        NewNode { stored, link: target.number() }
    }

    /// Returns the index stored for a node with [`flag::LINKED`].
    fn link(&self, id: NodeId) -> u32 {
        let found = self.links.binary_search_by_key(&id.number(), |(node, _)| *node);
        found.map_or(0, |found| self.links[found].1)
    }

    #[inline]
    pub(super) fn kind(&self, id: NodeId) -> Kind {
        self.get(id).kind
    }

    #[inline]
    pub(super) fn style(&self, id: NodeId) -> Style {
        self.get(id).style
    }

    /// Returns whether the node is a map, a list or an alias of either.
    #[inline]
    pub(super) fn is_collection(&self, id: NodeId) -> bool {
        self.get(id).is_collection()
    }

    #[inline]
    pub(super) fn flags(&self, id: NodeId) -> u8 {
        self.get(id).flags
    }

    /// Returns whether at least one of the flags is set.
    #[inline]
    pub(super) fn has(&self, id: NodeId, flags: u8) -> bool {
        self.get(id).has(flags)
    }

    /// Returns the range of a node in the text that was read.
    #[inline]
    pub(super) fn range(&self, id: NodeId) -> Range<u32> {
        let node = self.get(id);
        node.start..node.end
    }

    /// Returns the location of the text of a scalar or of the target of an alias; an empty slice for a map or list.
    #[inline]
    pub(super) fn text(&self, id: NodeId) -> Text {
        let node = self.get(id);
        if node.has(flag::LINKED) {
            let link = self.link(id);
            return if node.has(flag::ALIAS) { self.text(NodeId::new(link)) } else { Text::Unescaped(link) };
        }
        Text::Slice(match node.style {
            Style::Plain => node.start..node.end,
            Style::SingleQuoted | Style::DoubleQuoted => node.start + 1..node.end - 1,
            Style::Literal | Style::Folded | Style::Block | Style::Flow => 0..0,
        })
    }

    /// Returns the target of an alias; for any other node, the node itself.
    #[inline]
    pub(super) fn content(&self, id: NodeId) -> NodeId {
        if self.has(id, flag::ALIAS) { NodeId::new(self.link(id)) } else { id }
    }

    /// Returns the number of nodes inside a map or list.
    #[inline]
    pub(super) fn inside(&self, id: NodeId) -> u32 {
        self.get(id).number
    }

    /// Returns the number of a scalar, or of an alias of a scalar, among the keys of the document, or [`NO_KEY`].
    #[inline]
    pub(super) fn number_of_key(&self, id: NodeId) -> u32 {
        self.get(id).number
    }

    /// Returns the first node after the given node and everything inside it.
    #[inline]
    pub(super) fn after(&self, id: NodeId) -> NodeId {
        let node = self.get(id);
        if node.is_collection() && !node.has(flag::ALIAS) { id.after(node.number + 1) } else { id.next() }
    }
}
