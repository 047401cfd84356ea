//! How the nodes of a document are stored.
//!
//! There are millions of them, so a node takes eight bytes: where it begins, what it is, and a number that says how far it
//! goes, or which key it is. What has more to say says it in a table beside the nodes, as few do: long maps and lists,
//! aliases, whatever has an anchor or a tag, and scalars whose text is not a slice of the source.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::document::{Kind, NodeId, Style};
use crate::trim::trim;

/// In the place of the number of a key, of what is none.
pub(super) const NO_KEY: u32 = u32::MAX;

/// What may be said of a node besides its place and form.
pub(super) mod flag {
    /// The node stands for another one.
    pub(in crate::ard) const ALIAS: u8 = 1;
    /// The node has an anchor.
    pub(in crate::ard) const ANCHOR: u8 = 1 << 1;
    /// The node has a tag, to be found in `Document::tags`.
    pub(in crate::ard) const TAG: u8 = 1 << 2;
    /// The text of the scalar is not a slice of the source.
    pub(in crate::ard) const UNESCAPED: u8 = 1 << 3;
    /// The node is a `<<` key.
    pub(in crate::ard) const MERGE: u8 = 1 << 4;
    /// The node is a key that occurs earlier in its map.
    pub(in crate::ard) const DUPLICATE: u8 = 1 << 5;
    /// The node is a null that stands in for an alias which was refused.
    pub(in crate::ard) const SUBSTITUTE: u8 = 1 << 6;
    /// The node is a map with merged entries, to be found in `Document::merged`.
    pub(in crate::ard) const MERGED: u8 = 1 << 7;
}

/// What a node is and how it is written, in six bits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Form(pub(super) u8);

impl Form {
    const KINDS: [Kind; 8] = [
        Kind::Null,
        Kind::Boolean,
        Kind::Integer,
        Kind::Float,
        Kind::String,
        Kind::Map,
        Kind::List,
        // There is no eighth.
        Kind::Null,
    ];

    const STYLES: [Style; 8] = [
        Style::Plain,
        Style::SingleQuoted,
        Style::DoubleQuoted,
        Style::Literal,
        Style::Folded,
        Style::Block,
        Style::Flow,
        // There is no eighth.
        Style::Plain,
    ];

    pub(super) const fn new(kind: Kind, style: Style) -> Self {
        Self(kind as u8 | (style as u8) << 3)
    }

    pub(super) const fn kind(self) -> Kind {
        Self::KINDS[(self.0 & 7) as usize]
    }

    pub(super) const fn style(self) -> Style {
        Self::STYLES[(self.0 >> 3 & 7) as usize]
    }

    /// Whether it is a map, a list, or an alias of one.
    pub(super) const fn is_collection(self) -> bool {
        // The last two.
        self.0 & 7 >= Kind::Map as u8
    }

    /// How many bytes a scalar that is a slice of the source has before and after its text.
    const fn quotes(self) -> u32 {
        (self.0 >> 3 & 7 != Style::Plain as u8) as u32
    }
}

const _: () = {
    let mut number = 0;
    while number < 7 {
        assert!(Form::KINDS[number] as usize == number && Form::STYLES[number] as usize == number);
        number += 1;
    }
};

/// A node as it is stored.
#[derive(Clone, Copy)]
struct Raw {
    /// Where it begins in the text.
    start: u32,
    /// In the lowest bits the [`Form`], then [`FAR`](Self::FAR) and [`KEY`](Self::KEY), and above them a number:
    ///
    /// | node | number |
    /// |---|---|
    /// | far | its place in the table of those, or [`MOST`](Self::MOST) |
    /// | map or list | see [`Near`] |
    /// | key | that of the key, which tells how long it is |
    /// | other scalar | how many bytes it has |
    word: u32,
}

const _: () = assert!(size_of::<Raw>() == 8, "there are millions of nodes");

impl Raw {
    /// What is to be known of the node is in the table.
    const FAR: u32 = 1 << 6;
    /// The node is a scalar and a key, of which nothing else is to be said.
    const KEY: u32 = 1 << 7;
    const SHIFT: u32 = 8;

    /// The largest number, which stands for those that are larger. In tests there must be some.
    const MOST: u32 = if cfg!(test) { 1 << 10 } else { u32::MAX >> Self::SHIFT };

    #[inline]
    const fn new(start: u32, form: Form, bits: u32, number: u32) -> Self {
        Self { start, word: form.0 as u32 | bits | number << Self::SHIFT }
    }

    #[inline]
    const fn form(self) -> Form {
        Form(self.word as u8 & 63)
    }

    #[inline]
    const fn is_far(self) -> bool {
        self.word & Self::FAR != 0
    }

    #[inline]
    const fn is_key(self) -> bool {
        self.word & Self::KEY != 0
    }

    #[inline]
    const fn number(self) -> u32 {
        self.word >> Self::SHIFT
    }
}

/// What the number of a short map or list says.
#[derive(Clone, Copy)]
struct Near {
    /// How many nodes are in it, in the upper bits.
    nodes: u32,
    /// How many entries or items it has itself.
    count: u32,
    /// How many bytes come after the last of these nodes, in the lowest bits: a bracket, or nothing.
    tail: u32,
}

impl Near {
    const COUNT: u32 = 6;
    const TAIL: u32 = 5;
    const NODES: u32 = u32::BITS - Raw::SHIFT - Self::COUNT - Self::TAIL;

    #[inline]
    const fn of(number: u32) -> Self {
        Self {
            nodes: number >> (Self::COUNT + Self::TAIL),
            count: number >> Self::TAIL & ((1 << Self::COUNT) - 1),
            tail: number & ((1 << Self::TAIL) - 1),
        }
    }

    /// The number, if there is room for all.
    #[inline]
    fn number(self) -> Option<u32> {
        let Self { nodes, count, tail } = self;
        let fits = nodes < 1 << Self::NODES && count < 1 << Self::COUNT && tail < 1 << Self::TAIL;
        fits.then_some(nodes << (Self::COUNT + Self::TAIL) | count << Self::TAIL | tail)
    }
}

/// What is to be known of a node that has more to say.
#[derive(Clone, Copy, Debug)]
struct Far {
    /// Where it ends in the text.
    end: u32,
    /// Alias: the number of the node that it stands for. Map or list: how many nodes are in it. Scalar with
    /// [`flag::UNESCAPED`]: the number of its text.
    link: u32,
    /// Map or list: how many entries or items it has itself. Scalar, or alias of one: the number of the key that it is, or
    /// [`NO_KEY`].
    number: u32,
    flags: u8,
}

/// A node that is to be stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fresh {
    form: Form,
    start: u32,
    far: Far,
}

impl Fresh {
    /// A scalar whose text stands at its place in the source, and the number of the key that it is, or [`NO_KEY`].
    #[inline]
    pub(super) fn scalar(kind: Kind, style: Style, (start, end): (u32, u32), key: u32) -> Self {
        let far = Far { end, link: 0, number: key, flags: 0 };
        Self { form: Form::new(kind, style), start, far }
    }

    /// A map or list that is empty so far, and ends where it begins.
    #[inline]
    pub(super) fn collection(kind: Kind, style: Style, start: u32) -> Self {
        let far = Far { end: start, link: 0, number: 0, flags: 0 };
        Self { form: Form::new(kind, style), start, far }
    }

    /// What stands for a node of a form, and the number of the key that it is, or [`NO_KEY`].
    pub(super) fn alias(form: Form, (start, end): (u32, u32), target: NodeId, key: u32) -> Self {
        Self { form, start, far: Far { end, link: target.number(), number: key, flags: flag::ALIAS } }
    }

    /// The scalar with a text that has a number, which does not stand in the source.
    #[inline]
    pub(super) fn unescaped(mut self, text: u32) -> Self {
        self.far.link = text;
        self.marked(flag::UNESCAPED)
    }

    /// The same with further flags.
    #[inline]
    pub(super) fn marked(mut self, flags: u8) -> Self {
        self.far.flags |= flags;
        self
    }
}

/// Where the text of a scalar is.
pub(super) enum Text {
    /// At a place in what was read.
    Slice(Range<u32>),
    /// Among those that are not slices of it, under a number.
    Unescaped(u32),
}

impl Text {
    /// The text of a scalar that is a slice of what was read and has a number of bytes; nothing for a map or list.
    #[inline]
    fn within(raw: Raw, length: impl FnOnce() -> u32) -> Self {
        let form = raw.form();
        if form.style() as u8 > Style::DoubleQuoted as u8 {
            return Self::Slice(0..0);
        }
        let quotes = form.quotes();
        Self::Slice(raw.start + quotes..raw.start + length() - quotes)
    }
}

/// All nodes of a document, in the order in which they begin.
#[derive(Default)]
pub(super) struct Nodes {
    list: Vec<Raw>,
    table: Vec<Far>,
    /// The places in the table of nodes for which they are too large a number.
    crowded: Option<Box<FxHashMap<NodeId, u32>>>,
    /// How many bytes the text of each key has, by the numbers of keys.
    lengths: Vec<u32>,
}

impl Nodes {
    /// Makes room for nodes, if there is as much memory.
    pub(super) fn reserve(&mut self, nodes: usize) {
        let _ = self.list.try_reserve(nodes);
    }

    /// Gives back memory that was set aside for more nodes than there are.
    pub(super) fn trim(&mut self) {
        trim(&mut self.list);
        self.table.shrink_to_fit();
        self.lengths.shrink_to_fit();
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The last node.
    pub(super) fn last(&self) -> Option<NodeId> {
        self.list.len().checked_sub(1).map(|last| NodeId::new(last as u32))
    }

    #[inline]
    fn raw(&self, id: NodeId) -> Raw {
        self.list[id.index()]
    }

    /// What is said of a far node in the table.
    #[cold]
    fn far(&self, id: NodeId) -> &Far {
        &self.table[self.place_of_far(id)]
    }

    #[cold]
    fn far_mut(&mut self, id: NodeId) -> &mut Far {
        let place = self.place_of_far(id);
        &mut self.table[place]
    }

    fn place_of_far(&self, id: NodeId) -> usize {
        match self.raw(id).number() {
            Raw::MOST => self.crowded.as_ref().map_or(0, |crowded| crowded[&id] as usize),
            place => place as usize,
        }
    }

    /// Puts what is to be known of a node into the table.
    #[cold]
    fn set_far(&mut self, id: NodeId, far: Far) {
        let Raw { start, .. } = self.list[id.index()];
        let form = self.form(id);
        let place = self.table.len() as u32;
        self.table.push(far);
        if place >= Raw::MOST {
            self.crowded.get_or_insert_default().insert(id, place);
        }
        self.list[id.index()] = Raw::new(start, form, Raw::FAR, place.min(Raw::MOST));
    }

    /// Adds a node.
    pub(super) fn push(&mut self, fresh: Fresh) -> NodeId {
        let Fresh { form, start, far } = fresh;
        if far.flags != 0 {
            self.push_far(form, start, far)
        } else if form.is_collection() {
            self.push_collection(form, start)
        } else {
            self.push_scalar(form, (start, far.end), far.number)
        }
    }

    /// Adds a scalar whose text stands at its place in the source, and the number of the key that it is, or [`NO_KEY`].
    #[inline]
    pub(super) fn push_scalar(&mut self, form: Form, (start, end): (u32, u32), key: u32) -> NodeId {
        // What ends before it begins, as what is written elsewhere might, is very long here.
        let length = end.wrapping_sub(start);
        let (bits, number) = if key == NO_KEY { (0, length) } else { (Raw::KEY, key) };
        if number >= Raw::MOST {
            return self.push_far(form, start, Far { end, link: 0, number: key, flags: 0 });
        }
        if key != NO_KEY {
            self.set_length(key, length.wrapping_sub(2 * form.quotes()));
        }
        self.push_near(Raw::new(start, form, bits, number))
    }

    /// Adds a map or list that is empty so far, and ends where it begins.
    #[inline]
    pub(super) fn push_collection(&mut self, form: Form, start: u32) -> NodeId {
        self.push_near(Raw::new(start, form, 0, 0))
    }

    #[inline]
    fn push_near(&mut self, raw: Raw) -> NodeId {
        let id = NodeId::new(self.list.len() as u32);
        self.list.push(raw);
        id
    }

    #[cold]
    fn push_far(&mut self, form: Form, start: u32, far: Far) -> NodeId {
        let id = self.push_near(Raw::new(start, form, 0, 0));
        self.set_far(id, far);
        id
    }

    /// Notes how many bytes the text of a key has.
    #[inline]
    fn set_length(&mut self, key: u32, length: u32) {
        match self.lengths.get_mut(key as usize) {
            Some(known) => *known = length,
            None => self.add_length(key, length),
        }
    }

    #[cold]
    fn add_length(&mut self, key: u32, length: u32) {
        self.lengths.resize(key as usize, 0);
        self.lengths.push(length);
    }

    /// Drops the last node.
    pub(super) fn pop(&mut self) {
        if let Some(last) = self.last() {
            self.truncate(last);
        }
    }

    /// Drops a node and all that come after it.
    pub(super) fn truncate(&mut self, first: NodeId) {
        self.list.truncate(first.index());
        // What is left in the table of those that are gone is of no use, and of no harm.
        if let Some(crowded) = &mut self.crowded {
            crowded.retain(|id, _| *id < first);
        }
    }

    /// Notes where a map or list ends that all is read of, and how many entries or items it has.
    #[inline]
    pub(super) fn close(&mut self, id: NodeId, end: u32, count: u32) {
        let nodes = (self.list.len() - id.index()) as u32 - 1;
        let raw = self.raw(id);
        // Where the last node ends that is in it.
        let before = if nodes == 0 { raw.start } else { self.end_of_last(id.after(nodes)) };
        let near = Near { nodes, count, tail: end.wrapping_sub(before) };
        match near.number().filter(|_| !raw.is_far()) {
            Some(number) => self.list[id.index()] = Raw::new(raw.start, raw.form(), 0, number),
            None => self.close_far(id, end, nodes, count),
        }
    }

    #[cold]
    fn close_far(&mut self, id: NodeId, end: u32, nodes: u32, count: u32) {
        let flags = self.flags(id);
        let far = Far { end, link: nodes, number: count, flags };
        if self.raw(id).is_far() {
            *self.far_mut(id) = far;
        } else {
            self.set_far(id, far);
        }
    }

    /// Adds flags to those of a node.
    pub(super) fn mark(&mut self, id: NodeId, flags: u8) {
        if self.raw(id).is_far() {
            self.far_mut(id).flags |= flags;
            return;
        }
        let end = self.range(id).end;
        let far = if self.is_collection(id) {
            let nodes = self.after(id).number() - id.number() - 1;
            Far { end, link: nodes, number: self.count(id), flags }
        } else {
            Far { end, link: 0, number: self.number_of_key(id), flags }
        };
        self.set_far(id, far);
    }

    /// Adds all nodes of a part of the same text but the first. Its keys and texts have other numbers here.
    pub(super) fn append(&mut self, part: &Self, key: impl Fn(u32) -> u32, first_text: u32) {
        for (raw, number) in part.list.iter().zip(0..).skip(1) {
            let (form, start) = (raw.form(), raw.start);
            if raw.is_far() {
                let far = part.far(NodeId::new(number));
                let link = if far.flags & flag::UNESCAPED != 0 { far.link + first_text } else { far.link };
                let is_key = !form.is_collection() && far.number != NO_KEY;
                let number = if is_key { key(far.number) } else { far.number };
                self.push_far(form, start, Far { link, number, ..*far });
            } else if raw.is_key() {
                let length = part.lengths[raw.number() as usize] + 2 * form.quotes();
                self.push_scalar(form, (start, start + length), key(raw.number()));
            } else {
                self.push_near(*raw);
            }
        }
    }

    #[inline]
    pub(super) fn form(&self, id: NodeId) -> Form {
        self.raw(id).form()
    }

    #[inline]
    pub(super) fn kind(&self, id: NodeId) -> Kind {
        self.form(id).kind()
    }

    #[inline]
    pub(super) fn style(&self, id: NodeId) -> Style {
        self.form(id).style()
    }

    /// Whether it is a map, a list, or an alias of one.
    #[inline]
    pub(super) fn is_collection(&self, id: NodeId) -> bool {
        self.form(id).is_collection()
    }

    /// What else is said of a node.
    #[inline]
    pub(super) fn flags(&self, id: NodeId) -> u8 {
        if self.raw(id).is_far() { self.far(id).flags } else { 0 }
    }

    /// Whether one of some flags is set.
    #[inline]
    pub(super) fn has(&self, id: NodeId, flags: u8) -> bool {
        self.flags(id) & flags != 0
    }

    /// Where a node begins in what was read.
    #[inline]
    pub(super) fn start(&self, id: NodeId) -> u32 {
        self.raw(id).start
    }

    /// The place of a node in what was read.
    pub(super) fn range(&self, id: NodeId) -> Range<u32> {
        let raw = self.raw(id);
        if raw.is_far() {
            return raw.start..self.far(id).end;
        }
        if !raw.form().is_collection() {
            return raw.start..raw.start + self.length_of_scalar(raw);
        }
        let Near { nodes, tail, .. } = Near::of(raw.number());
        let before = if nodes == 0 { raw.start } else { self.end_of_last(id.after(nodes)) };
        raw.start..before + tail
    }

    /// Where a node ends that has nothing in it, or says itself where it ends.
    #[inline]
    fn end_of_last(&self, id: NodeId) -> u32 {
        let raw = self.raw(id);
        if raw.is_far() {
            self.far(id).end
        } else if raw.form().is_collection() {
            raw.start + Near::of(raw.number()).tail
        } else {
            raw.start + self.length_of_scalar(raw)
        }
    }

    /// How many bytes a near scalar has.
    #[inline]
    fn length_of_scalar(&self, raw: Raw) -> u32 {
        if raw.is_key() { self.lengths[raw.number() as usize] + 2 * raw.form().quotes() } else { raw.number() }
    }

    /// Where the text of a scalar is. That of a map or list is empty, and that of an alias is the text of what it stands for.
    #[inline]
    pub(super) fn text(&self, id: NodeId) -> Text {
        let raw = self.raw(id);
        if raw.is_far() {
            return self.text_of_far(id);
        }
        Text::within(raw, || self.length_of_scalar(raw))
    }

    #[cold]
    fn text_of_far(&self, id: NodeId) -> Text {
        let (raw, far) = (self.raw(id), self.far(id));
        if far.flags & flag::ALIAS != 0 {
            self.text(NodeId::new(far.link))
        } else if far.flags & flag::UNESCAPED != 0 {
            Text::Unescaped(far.link)
        } else {
            Text::within(raw, || far.end - raw.start)
        }
    }

    /// The node that an alias stands for, or the node itself.
    #[inline]
    pub(super) fn content(&self, id: NodeId) -> NodeId {
        if !self.raw(id).is_far() {
            return id;
        }
        let far = self.far(id);
        if far.flags & flag::ALIAS != 0 { NodeId::new(far.link) } else { id }
    }

    /// How many entries or items a map or list has itself.
    #[inline]
    pub(super) fn count(&self, id: NodeId) -> u32 {
        let raw = self.raw(id);
        if raw.is_far() { self.far(id).number } else { Near::of(raw.number()).count }
    }

    /// The number of the key that a scalar, or an alias of one, is; or [`NO_KEY`].
    #[inline]
    pub(super) fn number_of_key(&self, id: NodeId) -> u32 {
        let raw = self.raw(id);
        match (raw.is_key(), raw.is_far()) {
            (true, _) => raw.number(),
            (false, true) => self.far(id).number,
            (false, false) => NO_KEY,
        }
    }

    /// The node after a node and all that is in it.
    #[inline]
    pub(super) fn after(&self, id: NodeId) -> NodeId {
        let raw = self.raw(id);
        if !raw.form().is_collection() {
            id.next()
        } else if raw.is_far() {
            self.after_far(id)
        } else {
            id.after(Near::of(raw.number()).nodes + 1)
        }
    }

    #[cold]
    fn after_far(&self, id: NodeId) -> NodeId {
        let far = self.far(id);
        if far.flags & flag::ALIAS != 0 { id.next() } else { id.after(far.link + 1) }
    }
}
