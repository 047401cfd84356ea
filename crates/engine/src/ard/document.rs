//! The flat tree that a source is read into.
//!
//! A service template of 50 MB has millions of nodes. A tree of boxes, maps and strings would cost many times the
//! text and would be slow to build and to drop. So all nodes of a [`Document`] lie in one vector, in the order in
//! which they begin in the text, 20 bytes each, and scalars are ranges of the text wherever possible.

use std::any::Any;
use std::fmt;
use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use thin_vec::ThinVec;

use super::node::{Keys, Node};
use super::repaired::Repaired;
use super::scalar::Schema;
use super::stored::{Nodes, flag};
use crate::diagnostic::{SourceId, Span};
use crate::symbol::{Interner, Symbol};
use crate::text::SharedText;

/// The number of a node within its document.
///
/// Nodes are numbered in the order in which they begin: a map before its first key, a key before its value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    /// The node with a number. What may lack a node is as small as what has one, since none is kept as zero.
    pub(crate) const fn new(number: u32) -> Self {
        Self(NonZeroU32::MIN.saturating_add(number))
    }

    /// In the place of a node where there is none; no document has so many.
    pub(super) const NONE: Self = Self(NonZeroU32::MAX);

    pub(super) const fn number(self) -> u32 {
        self.0.get() - 1
    }

    /// The node after this one.
    pub(super) const fn next(self) -> Self {
        self.after(1)
    }

    /// The node that comes a number of nodes after this one.
    pub(super) const fn after(self, count: u32) -> Self {
        Self(self.0.saturating_add(count))
    }

    /// The number, for use as an index of tables that run parallel to the nodes.
    pub const fn index(self) -> usize {
        self.number() as usize
    }
}

/// What a node is, by YAML's core schema.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `null`, `~`, or nothing at all.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A whole number: decimal, `0o17` or `0x1F`.
    Integer,
    /// A number with a point or an exponent, `.inf` or `.nan`.
    Float,
    /// Any other scalar.
    String,
    /// A map, in the order of the source.
    Map,
    /// A list.
    List,
}

/// How a node was written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Style {
    /// A scalar without quotes.
    Plain,
    /// A scalar in `'`.
    SingleQuoted,
    /// A scalar in `"`.
    DoubleQuoted,
    /// A scalar on lines of its own after `|`.
    Literal,
    /// A scalar on lines of its own after `>`.
    Folded,
    /// A map or list by indentation.
    Block,
    /// A map or list in brackets.
    Flow,
}

/// What is to be known of a node that does not stand where its document does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stem {
    pub(super) node: NodeId,
    pub(super) source: SourceId,
    pub(super) used: Option<Span>,
    pub(super) way: Option<WayId>,
}

/// The number of a [way](super::Assembler::way) in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WayId(pub(super) u32);

/// A place on the way of a node to where it is: a loop, a macro or another source that brought it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stop {
    /// The place.
    pub span: Span,
    /// What is to be seen there, in the form of a label: `in this loop`.
    pub what: &'static str,
}

/// Where a node is used that is written elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Use<'a> {
    /// Where it is written.
    pub written: Span,
    /// Where it is used, if that is somewhere else.
    pub used: Option<Span>,
    /// How it got there, the nearest place first.
    pub way: &'a [Stop],
}

/// The texts of scalars that are not slices of the source, one after the other.
#[derive(Default)]
pub(super) struct Unescaped {
    text: String,
    ends: Vec<u32>,
}

impl Unescaped {
    /// Adds a text, and returns its number.
    pub(super) fn push(&mut self, text: &str) -> u32 {
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        (self.ends.len() - 1) as u32
    }

    /// Adds all texts of others, and returns the number of the first of them.
    pub(super) fn append(&mut self, others: &Self) -> u32 {
        let (first, shift) = (self.ends.len() as u32, self.text.len() as u32);
        self.text.push_str(&others.text);
        self.ends.extend(others.ends.iter().map(|end| end + shift));
        first
    }

    pub(super) fn get(&self, number: u32) -> &str {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.text[start..self.ends[number] as usize]
    }

    fn shrink_to_fit(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// The first YAML document of a source.
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// use tosca_parse::ard::{self, Kind, Options};
/// use tosca_parse::diagnostic::SourceId;
/// use tosca_parse::symbol::Interner;
///
/// let text = "host: db\nports: [80, 0x1F90]\n".into();
/// let (document, problems) = ard::read(SourceId(0), text, &Interner::new(), &Options::default());
/// assert!(problems.is_empty());
///
/// let root = document.root().expect("the source is not empty");
/// let ports = root.find("ports").expect("there is such a key").value;
/// assert_eq!(ports.kind(), Kind::List);
/// assert_eq!(ports.items().filter_map(|port| port.as_integer()).collect::<Vec<_>>(), [80, 8080]);
/// ```
pub struct Document {
    pub(super) source: SourceId,
    pub(super) text: SharedText,
    pub(super) nodes: Nodes,
    pub(super) unescaped: Unescaped,
    /// The distinct keys of all maps.
    pub(super) keys: Vec<Symbol>,
    /// Tagged nodes, in order, with their resolved tags.
    pub(super) tags: ThinVec<(NodeId, Arc<str>)>,
    /// Key and value of merged entries, those of one map next to each other.
    pub(super) merged: ThinVec<(NodeId, NodeId)>,
    /// Which of them belong to which map.
    pub(super) merged_of: Option<Box<FxHashMap<NodeId, Range<u32>>>>,
    pub(super) comments: Vec<Range<u32>>,
    pub(super) complete: bool,
    /// The nodes that come from other sources or are used elsewhere, in order.
    pub(super) stems: ThinVec<Stem>,
    /// The ways that nodes came.
    pub(super) ways: ThinVec<Box<[Stop]>>,
    /// Texts of scalars that nobody may see.
    pub(super) secrets: ThinVec<Box<str>>,
    /// The inputs that it was made with.
    pub(super) inputs: ThinVec<Box<str>>,
    /// Whether it was put together from something else than the YAML of its text.
    pub(super) assembled: bool,
    /// By which schema scalars are typed.
    pub(super) schema: Schema,
    /// The text as it was, if what was read has been mended.
    pub(super) repaired: Option<Box<Repaired>>,
    /// Whether it was read ahead.
    pub(super) unpacked: bool,
    is_shallow: OnceLock<bool>,
    /// The keys of maps that are too large to look through, made when one is first asked for.
    large: OnceLock<Box<FxHashMap<(NodeId, Symbol), NodeId>>>,
    memo: OnceLock<Box<dyn Any + Send + Sync>>,
}

impl Document {
    pub(super) fn new(source: SourceId, text: SharedText) -> Self {
        Self {
            source,
            text,
            nodes: Nodes::default(),
            unescaped: Unescaped::default(),
            keys: Vec::new(),
            tags: ThinVec::new(),
            merged: ThinVec::new(),
            merged_of: None,
            comments: Vec::new(),
            complete: true,
            stems: ThinVec::new(),
            ways: ThinVec::new(),
            secrets: ThinVec::new(),
            inputs: ThinVec::new(),
            assembled: false,
            schema: Schema::Core,
            repaired: None,
            unpacked: false,
            is_shallow: OnceLock::new(),
            large: OnceLock::new(),
            memo: OnceLock::new(),
        }
    }

    /// A document that is not the YAML of its text.
    pub(super) fn assembled(source: SourceId, text: SharedText) -> Self {
        Self { assembled: true, ..Self::new(source, text) }
    }

    /// The document of a text that has been mended. Its places are those of the original.
    pub(super) fn mended(source: SourceId, original: SharedText, text: SharedText) -> Self {
        let repaired = Repaired::new(original, text.clone());
        Self { repaired: Some(Box::new(repaired)), ..Self::new(source, text) }
    }

    /// A fact about the document that its language has found out, which is made when it is first asked for. There is one
    /// of one type.
    pub fn memo<T: Any + Send + Sync>(&self, make: impl FnOnce(&Self) -> T) -> Option<&T> {
        self.memo.get_or_init(|| Box::new(make(self))).downcast_ref()
    }

    /// Gives back memory that was set aside for more than there is.
    pub(super) fn shrink_to_fit(&mut self) {
        self.nodes.shrink_to_fit();
        self.unescaped.shrink_to_fit();
        self.keys.shrink_to_fit();
        self.tags.shrink_to_fit();
        self.merged.shrink_to_fit();
        self.comments.shrink_to_fit();
        self.stems.shrink_to_fit();
    }

    /// The outermost node; none if the source holds nothing but white space and comments.
    pub fn root(&self) -> Option<Node<'_>> {
        (!self.is_empty()).then(|| self.node(NodeId::new(0)))
    }

    /// The node with the given number.
    ///
    /// # Panics
    ///
    /// If the number comes from another document and is too large for this one.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        assert!(id.index() < self.nodes.len(), "the node belongs to another document");
        Node::new(self, id)
    }

    /// All nodes, in the order in which they begin.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Node<'_>> {
        (0..self.nodes.len() as u32).map(|number| Node::new(self, NodeId::new(number)))
    }

    /// How many nodes there are; an alias is one node, whatever it stands for.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node at all; see [`Document::root`].
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 0
    }

    /// Whether nothing is nested deeply, so that what goes through nested nodes by recursion needs little stack.
    pub(crate) fn is_shallow(&self) -> bool {
        *self.is_shallow.get_or_init(|| {
            let mut open: Vec<NodeId> = Vec::with_capacity(Self::SHALLOW + 1);
            (0..self.len() as u32).map(NodeId::new).all(|id| {
                while open.last().is_some_and(|end| *end <= id) {
                    open.pop();
                }
                if self.nodes.is_collection(id) {
                    open.push(self.nodes.after(id));
                }
                // What an alias stands for, and what is merged, may be nested itself.
                open.len() <= Self::SHALLOW && !self.nodes.has(id, flag::ALIAS | flag::MERGED)
            })
        })
    }

    /// How many maps and lists are nested in one another at most where [nothing is nested deeply](Self::is_shallow).
    const SHALLOW: usize = 32;

    /// The text that was read.
    pub fn text(&self) -> &str {
        self.repaired.as_ref().map_or(&self.text, |repaired| &repaired.original)
    }

    /// The source that the text comes from.
    pub fn source(&self) -> SourceId {
        self.source
    }

    /// Whether the whole source was read: false if reading ended at a limit, or if something had to be left out because
    /// of a syntax error. Where it is clear what is meant, nothing is.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Whether something else was read than its text, which has been mended first, so that not much is lost.
    pub fn is_mended(&self) -> bool {
        self.repaired.is_some()
    }

    /// Whether it was made of what [`pack`](super::pack) had made of its text.
    pub fn is_unpacked(&self) -> bool {
        self.unpacked
    }

    /// The places of comments in the text, with their `#` and without the line break, in order.
    pub fn comments(&self) -> &[Range<u32>] {
        &self.comments
    }

    /// The comments, each with its place in the source.
    pub fn remarks(&self) -> impl Iterator<Item = (Span, &str)> {
        let text = |range: &Range<u32>| self.text.get(range.start as usize..range.end as usize);
        self.comments.iter().filter_map(move |range| Some((self.span(range.clone()), text(range)?)))
    }

    /// The place of a range of the text.
    pub(super) fn span(&self, range: Range<u32>) -> Span {
        let range = self.place(range);
        Span { source: self.source, start: range.start, end: range.end }
    }

    /// The place in the source of a range of what was read.
    pub(super) fn place(&self, range: Range<u32>) -> Range<u32> {
        self.repaired.as_ref().map_or(range.clone(), |repaired| repaired.place(range))
    }

    /// The nodes that are used elsewhere than where they are written, or that something brought to where they are.
    pub fn uses(&self) -> impl Iterator<Item = Use<'_>> {
        let told = self.stems.iter().filter(|stem| stem.used.is_some() || stem.way.is_some());
        told.map(|stem| Use {
            written: self.node(stem.node).span(),
            used: stem.used,
            way: stem.way.map_or(&[], |way| &self.ways[way.0 as usize]),
        })
    }

    /// Whether what is given to an input is used to make the document, whatever the document itself says of inputs.
    pub fn takes_input(&self, name: &str) -> bool {
        self.inputs.iter().any(|input| &**input == name)
    }

    /// Texts of scalars that nobody may see, so that no problem quotes them.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().map(|text| &**text)
    }

    /// Where a node comes from, if that is another source, or if it is used elsewhere.
    pub(super) fn stem(&self, id: NodeId) -> Option<&Stem> {
        self.stems.binary_search_by_key(&id, |stem| stem.node).ok().map(|found| &self.stems[found])
    }

    /// Drops a node and all that come after it.
    pub(super) fn truncate(&mut self, first: NodeId) {
        self.nodes.truncate(first);
        while self.tags.last().is_some_and(|(tagged, _)| *tagged >= first) {
            self.tags.pop();
        }
    }

    /// Adds all nodes of a document of a part of the same text but the first, whose keys have other numbers here. The
    /// first is a map, and here an open one.
    pub(super) fn append(&mut self, part: &mut Self, keys: &[u32]) {
        let first_text = self.unescaped.append(&part.unescaped);
        self.nodes.append(&part.nodes, |key| keys[key as usize], first_text);
        self.comments.append(&mut part.comments);
    }

    /// The first key of a [large](Self::LARGE) map that has a symbol, merged ones left out.
    pub(super) fn key_of_large(&self, map: NodeId, key: Symbol) -> Option<NodeId> {
        self.large.get_or_init(|| Box::new(self.index_large())).get(&(map, key)).copied()
    }

    /// The keys whose texts fulfil a condition.
    pub fn keys_that(&self, interner: &Interner, condition: impl Fn(&str) -> bool) -> Keys {
        let numbered = self.keys.iter().zip(0..);
        Keys(numbered.filter(|(key, _)| condition(interner.text(**key))).map(|(_, number)| number).collect())
    }

    /// The number of nodes inside a map from which on its keys are indexed.
    pub(super) const LARGE: u32 = 128;

    fn index_large(&self) -> FxHashMap<(NodeId, Symbol), NodeId> {
        let is_large = |id: &NodeId| {
            let nodes = &self.nodes;
            nodes.kind(*id) == Kind::Map && !nodes.has(*id, flag::ALIAS) && nodes.inside(*id) >= Self::LARGE
        };
        let mut index = FxHashMap::default();
        for map in (0..self.nodes.len() as u32).map(NodeId::new).filter(is_large) {
            let keys = Node::new(self, map).entries().take_while(|entry| !entry.merged).map(|entry| entry.key);
            for (symbol, key) in keys.filter_map(|key| Some((key.symbol()?, key.id()))) {
                index.entry((map, symbol)).or_insert(key);
            }
        }
        index
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Document({:?}, {} nodes)", self.source, self.nodes.len())
    }
}
