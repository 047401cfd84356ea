//! Writes nodes into a document.
//!
//! The line reader knows the exact positions of all nodes and stops at any error. So, unlike
//! [`Builder`](crate::ard::builder::Builder), this module need not search for positions or report problems.

use std::borrow::Cow;
use std::ops::Range;

use foldhash::HashSet;

use super::{Known, Unknown};
use crate::ard::builder::keys::{KeyTable, written_form};
use crate::ard::document::{Document, Kind, NodeId, Style};
use crate::ard::node_store::{NO_KEY, NewNode};
use crate::symbol::Interner;

/// A builder for a document, which receives nodes with exact positions.
pub(super) struct Tree<'a> {
    document: Document,
    keys: KeyTable<'a>,
    /// The open maps and lists, innermost last.
    frames: Vec<Frame>,
    /// The maximum number of open maps and lists.
    depth: usize,
    /// The largest number of maps and lists that have been open at the same time.
    height: usize,
    /// The end of the last scalar or bracket.
    end: u32,
}

/// An open map or list.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    node: NodeId,
    pub(super) kind: Kind,
    /// The column of its keys or dashes.
    pub(super) indent: u32,
    /// A bit set of the keys; several keys may share a bit.
    names: u64,
    /// Whether a bit was set twice, so that there may be a duplicate key.
    doubtful: bool,
    /// The number of keys that are not strings.
    others: u32,
}

/// A scalar.
pub(super) struct Scalar<'t> {
    /// The range in the text, including quotes or the header of a block scalar.
    pub(super) place: Range<usize>,
    pub(super) style: Style,
    /// The value: a slice of the source, unless it was folded or has escapes.
    pub(super) text: Cow<'t, str>,
}

impl<'a> Tree<'a> {
    /// Creates a tree for text of the given length.
    pub(super) fn new(mut document: Document, length: usize, interner: &'a Interner, depth: usize) -> Self {
        // There is one node for every eight to fifteen bytes. Unused reserved memory costs nothing, but moving all
        // nodes of a large source takes a tenth of the parse time.
        const BYTES_OF_A_NODE: usize = 8;
        const MAX_RESERVED: usize = 1 << 24;
        document.nodes.reserve((length / BYTES_OF_A_NODE + 1).min(MAX_RESERVED));
        Self { document, keys: KeyTable::new(interner), frames: Vec::with_capacity(16), depth, height: 0, end: 0 }
    }

    /// Opens the list that holds all documents. Sources with more than one document are left to the library.
    pub(super) fn open_documents(&mut self) {
        self.document.nodes.push(NewNode::collection(Kind::List, Style::Block, 0));
        self.depth = self.depth.saturating_sub(1);
    }

    /// Closes the list that holds all documents. Documents other than maps and lists are left to the library.
    pub(super) fn close_documents(&mut self) -> Known<()> {
        let (list, nodes) = (NodeId::new(0), &mut self.document.nodes);
        if nodes.len() < 2 || !matches!(nodes.kind(list.next()), Kind::Map | Kind::List) {
            return Err(Unknown);
        }
        nodes.close(list, self.end);
        Ok(())
    }

    /// Returns a tree for a part of the same text, with an open map whose keys are in column `indent`.
    pub(super) fn part(&self, length: usize, indent: u32) -> Self {
        let mut document = Document::new(self.document.source, self.document.text.clone());
        document.schema = self.document.schema;
        let mut part = Self::new(document, length, self.keys.interner(), self.depth);
        let node = part.document.nodes.push(NewNode::collection(Kind::Map, Style::Block, 0));
        part.begin(node, Kind::Map, indent);
        part
    }

    /// Returns whether the nesting stays within the limit if `part` is appended to the innermost map.
    pub(super) fn has_room_for(&self, part: &Self) -> bool {
        self.frames.len() + part.height <= self.depth + 1
    }

    /// Appends the entries of `part` to the innermost map.
    pub(super) fn append(&mut self, mut part: Self) {
        // The first node of the part stands for the map, which already exists.
        let shift = self.document.nodes.len() as u32 - 1;
        let keys: Vec<u32> = part.keys.texts().map(|key| self.keys.number(key)).collect();
        self.document.append(&mut part.document, &keys);
        if let (Some(map), Some(of_part)) = (self.frames.last_mut(), part.frames.first()) {
            map.others += of_part.others;
            map.doubtful = true;
        }
        self.frames.extend(part.frames[1..].iter().map(|frame| Frame { node: frame.node.after(shift), ..*frame }));
        self.height = self.height.max(self.frames.len());
        self.end = part.end;
    }

    /// Returns the document. All maps and lists must be closed.
    pub(super) fn finish(mut self) -> Document {
        self.document.keys = self.keys.into_symbols();
        self.document.shrink_to_fit();
        self.document
    }

    /// Returns the innermost open map or list.
    #[inline]
    pub(super) fn top(&self) -> Option<&Frame> {
        self.frames.last()
    }

    /// Opens a map or list; `indent` is the column of its keys or dashes.
    pub(super) fn open(&mut self, kind: Kind, style: Style, start: usize, indent: u32) -> Known<()> {
        if self.frames.len() >= self.depth {
            return Err(Unknown);
        }
        let node = self.document.nodes.push(NewNode::collection(kind, style, start as u32));
        self.begin(node, kind, indent);
        Ok(())
    }

    fn begin(&mut self, node: NodeId, kind: Kind, indent: u32) {
        self.frames.push(Frame { node, kind, indent, names: 0, doubtful: false, others: 0 });
        self.height = self.height.max(self.frames.len());
    }

    /// Closes the innermost map or list at the end of its last value.
    pub(super) fn close(&mut self) -> Known<()> {
        let Some(frame) = self.frames.pop() else { return Err(Unknown) };
        self.document.nodes.close(frame.node, self.end);
        if (frame.doubtful || frame.others > 1) && self.has_duplicate(&frame) {
            return Err(Unknown);
        }
        Ok(())
    }

    /// Closes the innermost map or list at the end of its closing bracket.
    pub(super) fn close_at(&mut self, end: usize) -> Known<()> {
        self.end = end as u32;
        self.close()
    }

    /// Adds a key to the innermost map.
    pub(super) fn key(&mut self, key: &Scalar<'_>) -> Known<()> {
        let kind = self.kind_of(key);
        let number = self.number_of_key(&key.text, kind)?;
        if key.style == Style::Plain && key.text == "<<" {
            return Err(Unknown);
        }
        self.scalar(key, kind, number);
        Ok(())
    }

    /// Adds a key that is a plain word.
    #[inline]
    pub(super) fn word_as_key(&mut self, start: usize, text: &str) -> Known<()> {
        let kind = self.document.schema.resolve(text);
        let number = self.number_of_key(text, kind)?;
        if text == "<<" {
            return Err(Unknown);
        }
        self.verbatim(start, text, kind, number);
        Ok(())
    }

    /// Returns the number of the given key and registers it as a key of the innermost map.
    #[inline]
    fn number_of_key(&mut self, text: &str, kind: Kind) -> Known<u32> {
        let number = self.keys.number(text);
        let frame = self.frames.last_mut().ok_or(Unknown)?;
        if kind == Kind::String {
            let bit = 1 << (number % u64::BITS);
            frame.doubtful |= frame.names & bit != 0;
            frame.names |= bit;
        } else {
            frame.others += 1;
        }
        Ok(number)
    }

    /// Adds a value or item to the innermost map or list.
    pub(super) fn value(&mut self, value: &Scalar<'_>) {
        self.scalar(value, self.kind_of(value), NO_KEY);
    }

    /// Adds a value or item that is a plain word.
    #[inline]
    pub(super) fn word(&mut self, start: usize, text: &str) {
        self.verbatim(start, text, self.document.schema.resolve(text), NO_KEY);
    }

    #[inline]
    fn verbatim(&mut self, start: usize, text: &str, kind: Kind, key: u32) {
        let start = start as u32;
        self.end = start + text.len() as u32;
        self.document.nodes.push(NewNode::scalar(kind, Style::Plain, (start, self.end), key));
    }

    /// Adds a null for a missing value or item.
    pub(super) fn missing(&mut self, at: usize) {
        self.word(at, "");
    }

    pub(super) fn comment(&mut self, place: Range<usize>) {
        self.document.comments.push(place.start as u32..place.end as u32);
    }

    /// Returns the range of the last node, which is a scalar.
    pub(super) fn last_place(&self) -> Range<usize> {
        let nodes = &self.document.nodes;
        let last = nodes.last().map(|last| nodes.range(last));
        last.map_or(0..0, |place| place.start as usize..place.end as usize)
    }

    /// Replaces the last scalar, a plain value, with a scalar that continues on further lines.
    pub(super) fn replace_last(&mut self, scalar: &Scalar<'_>) {
        self.document.nodes.pop();
        self.scalar(scalar, self.kind_of(scalar), NO_KEY);
    }

    fn kind_of(&self, scalar: &Scalar<'_>) -> Kind {
        if scalar.style == Style::Plain { self.document.schema.resolve(&scalar.text) } else { Kind::String }
    }

    fn scalar(&mut self, scalar: &Scalar<'_>, kind: Kind, key: u32) {
        let (start, end) = (scalar.place.start as u32, scalar.place.end as u32);
        self.end = end;
        let mut node = NewNode::scalar(kind, scalar.style, (start, end), key);
        if let Cow::Owned(text) = &scalar.text {
            node = node.unescaped(self.document.unescaped.push(text));
        }
        self.document.nodes.push(node);
    }

    /// Returns whether the completed map has a duplicate key.
    fn has_duplicate(&mut self, frame: &Frame) -> bool {
        let mut others = HashSet::default();
        let mut key = frame.node.next();
        let nodes = &self.document.nodes;
        let end = nodes.after(frame.node);
        while key < end {
            let is_new = if nodes.kind(key) == Kind::String {
                self.keys.meet(nodes.number_of_key(key), frame.node, key).is_none()
            } else {
                let mut left = u64::MAX;
                written_form(self.document.node(key), &mut left).is_some_and(|written| others.insert(written))
            };
            if !is_new {
                return true;
            }
            key = nodes.after(nodes.after(key));
        }
        false
    }
}
