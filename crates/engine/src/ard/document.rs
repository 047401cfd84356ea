//! The flat tree of a source.
//!
//! A service template of 50 MB has millions of nodes. A tree of boxes, maps and strings would take many times as much
//! memory as the text, and would be slow to build and to drop. So all nodes of a [`Document`] are in one vector,
//! ordered by start position, and scalars are slices of the text where possible.

use std::any::Any;
use std::fmt;
use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use thin_vec::ThinVec;

use super::node::{Keys, Node};
use super::node_store::{Nodes, flag};
use super::scalar::Schema;
use super::source_map::SourceMap;
use crate::diagnostic::{SourceId, Span};
use crate::symbol::{Interner, Symbol};
use crate::text::SharedText;

/// The index of a node in its document.
///
/// Nodes are numbered by start position: a map before its first key, a key before its value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    /// Returns the ID of the node at the given index. Indexes are stored plus one, so that an `Option<NodeId>` is as
    /// small as a `NodeId`.
    pub(crate) const fn new(number: u32) -> Self {
        Self(NonZeroU32::MIN.saturating_add(number))
    }

    /// A placeholder for a missing node, greater than any valid ID.
    pub(super) const NONE: Self = Self(NonZeroU32::MAX);

    pub(super) const fn number(self) -> u32 {
        self.0.get() - 1
    }

    /// Returns the node after this one.
    pub(super) const fn next(self) -> Self {
        self.after(1)
    }

    /// Returns the node that is `count` nodes after this one.
    pub(super) const fn after(self, count: u32) -> Self {
        Self(self.0.saturating_add(count))
    }

    /// Returns the index, for use in tables that are parallel to the nodes.
    pub const fn index(self) -> usize {
        self.number() as usize
    }
}

/// The kind of a node, in YAML's core schema.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `null`, `~`, or an empty value.
    Null,
    /// `true` or `false`.
    Boolean,
    /// An integer: decimal, `0o17` or `0x1F`.
    Integer,
    /// A number with a decimal point or an exponent, `.inf` or `.nan`.
    Float,
    /// Any other scalar.
    String,
    /// A map, whose entries keep the order of the source.
    Map,
    /// A list.
    List,
}

/// The style in which a node is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Style {
    /// An unquoted scalar.
    Plain,
    /// A scalar in single quotes.
    SingleQuoted,
    /// A scalar in double quotes.
    DoubleQuoted,
    /// A block scalar after `|`.
    Literal,
    /// A block scalar after `>`.
    Folded,
    /// A map or list written by indentation.
    Block,
    /// A map or list written in brackets.
    Flow,
}

/// The origin of a node that is not from its own document.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeOrigin {
    pub(super) node: NodeId,
    pub(super) source: SourceId,
    pub(super) used: Option<Span>,
    pub(super) provenance: Option<ProvenanceId>,
}

/// The index of a [provenance](super::Assembler::provenance) in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProvenanceId(pub(super) u32);

/// A step in the provenance of a node: a loop, a macro or a different source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProvenanceStep {
    /// The position.
    pub span: Span,
    /// A label for the position: `in this loop`.
    pub what: &'static str,
}

/// The origin of a node and the position at which it is used.
#[derive(Clone, Copy, Debug)]
pub struct NodeUse<'a> {
    /// The position at which it is written.
    pub written: Span,
    /// The position at which it is used, if different.
    pub used: Option<Span>,
    /// Its provenance, nearest step first.
    pub provenance: &'a [ProvenanceStep],
}

/// The values of scalars that are not slices of the source, concatenated.
#[derive(Default)]
pub(super) struct Unescaped {
    text: String,
    ends: Vec<u32>,
}

impl Unescaped {
    /// Adds a value and returns its index.
    pub(super) fn push(&mut self, text: &str) -> u32 {
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        (self.ends.len() - 1) as u32
    }

    /// Adds all values of `others` and returns the index of the first one.
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

/// A YAML document that has been read from a source.
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
    /// The keys and values of merged entries; the entries of one map are adjacent.
    pub(super) merged: ThinVec<(NodeId, NodeId)>,
    /// The range in `merged` for each map with merged entries.
    pub(super) merged_of: Option<Box<FxHashMap<NodeId, Range<u32>>>>,
    pub(super) comments: Vec<Range<u32>>,
    pub(super) complete: bool,
    /// The nodes that come from other sources or are used elsewhere, in order.
    pub(super) origins: ThinVec<NodeOrigin>,
    /// The distinct provenances of nodes.
    pub(super) provenances: ThinVec<Box<[ProvenanceStep]>>,
    /// Secret values of scalars.
    pub(super) secrets: ThinVec<Box<str>>,
    /// The names of the inputs that the document takes.
    pub(super) inputs: ThinVec<Box<str>>,
    /// The number of steps that computing the document has taken.
    pub(crate) steps: u64,
    /// The number of bytes that were read to repair syntax errors.
    pub(crate) repair_bytes: usize,
    /// Whether the document was assembled rather than read as YAML from `text`.
    pub(super) assembled: bool,
    /// The schema that determines the types of scalars.
    pub(super) schema: Schema,
    /// The original text and its mapping to the repaired text, if the text was repaired before reading.
    pub(super) repaired: Option<Box<SourceMap>>,
    /// Whether the document was precompiled.
    pub(super) unpacked: bool,
    /// The weight that aliases and merges have added; see [`Self::weight`].
    pub(super) added: u64,
    is_shallow: OnceLock<bool>,
    /// The keys of maps that are too large for a linear search, indexed on demand.
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
            origins: ThinVec::new(),
            provenances: ThinVec::new(),
            secrets: ThinVec::new(),
            inputs: ThinVec::new(),
            steps: 0,
            repair_bytes: 0,
            assembled: false,
            schema: Schema::Core,
            repaired: None,
            unpacked: false,
            added: 0,
            is_shallow: OnceLock::new(),
            large: OnceLock::new(),
            memo: OnceLock::new(),
        }
    }

    /// Creates an empty document for an [`Assembler`](super::Assembler). Its content will not be read as YAML from
    /// `text`.
    pub(super) fn assembled(source: SourceId, text: SharedText) -> Self {
        Self { assembled: true, ..Self::new(source, text) }
    }

    /// Creates an empty document for a repaired text. Its positions refer to the original text.
    pub(super) fn recovered(source: SourceId, repaired: SourceMap, text: SharedText) -> Self {
        Self { repaired: Some(Box::new(repaired)), ..Self::new(source, text) }
    }

    /// Returns a value that the language computes from the document on first use. A document can store only one value;
    /// returns `None` if that has a different type.
    pub fn memo<T: Any + Send + Sync>(&self, make: impl FnOnce(&Self) -> T) -> Option<&T> {
        self.memo.get_or_init(|| Box::new(make(self))).downcast_ref()
    }

    /// Releases unused reserved memory.
    pub(super) fn shrink_to_fit(&mut self) {
        self.nodes.shrink_to_fit();
        self.unescaped.shrink_to_fit();
        self.keys.shrink_to_fit();
        self.tags.shrink_to_fit();
        self.merged.shrink_to_fit();
        self.comments.shrink_to_fit();
        self.origins.shrink_to_fit();
    }

    /// Returns the root node; `None` if the source contains only white space and comments.
    pub fn root(&self) -> Option<Node<'_>> {
        (!self.is_empty()).then(|| self.node(NodeId::new(0)))
    }

    /// Returns the node with the given index.
    ///
    /// # Panics
    ///
    /// Panics if the index comes from a different document and is too large for this one.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        assert!(id.index() < self.nodes.len(), "the node belongs to another document");
        Node::new(self, id)
    }

    /// Returns all nodes, ordered by start position.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Node<'_>> {
        (0..self.nodes.len() as u32).map(|number| Node::new(self, NodeId::new(number)))
    }

    /// Returns the weight of the document: one for each node and each hundred bytes of its text, with aliases expanded.
    pub fn weight(&self) -> u64 {
        self.nodes.len() as u64 + self.text.len() as u64 / 100 + self.added
    }

    /// Returns the map that starts at the given offset; the outermost one if there are several.
    pub(crate) fn map_at(&self, start: u32) -> Option<Node<'_>> {
        let (mut low, mut high) = (0, self.nodes.len() as u32);
        while low < high {
            let middle = low.midpoint(high);
            if self.node(NodeId::new(middle)).span().start < start {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let nodes = (low..self.nodes.len() as u32).map(|number| self.node(NodeId::new(number)));
        nodes.take_while(|node| node.span().start == start).find(|node| node.kind() == Kind::Map)
    }

    /// Returns the number of nodes; an alias counts as one node, regardless of its target.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there are no nodes; see [`Document::root`].
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 0
    }

    /// Returns whether no node is deeply nested, so that recursion over nested nodes needs little stack.
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
                // The targets of aliases and merges may themselves be deeply nested.
                open.len() <= Self::SHALLOW && !self.nodes.has(id, flag::ALIAS | flag::MERGED)
            })
        })
    }

    /// The maximum nesting depth of a [shallow](Self::is_shallow) document.
    const SHALLOW: usize = 32;

    /// Returns the original text of the source.
    pub fn text(&self) -> &str {
        self.repaired.as_ref().map_or(&self.text, |repaired| &repaired.original)
    }

    /// Returns the ID of the source.
    pub fn source(&self) -> SourceId {
        self.source
    }

    /// Returns whether the whole source was read: false if reading stopped at a limit, or if text had to be omitted
    /// because of a syntax error. If the intended meaning of erroneous text is clear, nothing is omitted.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns whether the text was repaired to read past a syntax error.
    pub fn is_recovered(&self) -> bool {
        self.repaired.is_some()
    }

    /// Returns whether the line of a node was indented differently to read past a syntax error.
    pub(crate) fn is_moved(&self, node: Node<'_>) -> bool {
        self.repaired.as_ref().is_some_and(|repaired| repaired.is_moved(node.span().start))
    }

    /// Returns whether text at an offset in the source was changed, to read past a syntax error, without knowing its
    /// intended meaning. Problems there are probably consequences of the error, which has been reported.
    pub(crate) fn is_unclear(&self, offset: u32) -> bool {
        self.repaired.as_ref().is_some_and(|repaired| repaired.is_unclear(offset))
    }

    /// Returns whether the document was precompiled by [`pack`](super::pack).
    pub fn is_unpacked(&self) -> bool {
        self.unpacked
    }

    /// Returns the positions of the comments in the text, in order, each including `#` but not the line break.
    pub fn comments(&self) -> &[Range<u32>] {
        &self.comments
    }

    /// Returns the comments with their positions in the source.
    pub fn tool_comments(&self) -> impl Iterator<Item = (Span, &str)> {
        let text = |range: &Range<u32>| self.text.get(range.start as usize..range.end as usize);
        self.comments.iter().filter_map(move |range| Some((self.span(range.clone()), text(range)?)))
    }

    /// Returns the span in the source for a range of the text that was read.
    pub(super) fn span(&self, range: Range<u32>) -> Span {
        let range = self.place(range);
        Span { source: self.source, start: range.start, end: range.end }
    }

    /// Returns the range in the source for a range of the text that was read.
    pub(super) fn place(&self, range: Range<u32>) -> Range<u32> {
        self.repaired.as_ref().map_or(range.clone(), |repaired| repaired.place(range))
    }

    /// Returns the nodes that are used somewhere other than where they are written, or that have a provenance.
    pub fn uses(&self) -> impl Iterator<Item = NodeUse<'_>> {
        let uses = self.origins.iter().filter(|origin| origin.used.is_some() || origin.provenance.is_some());
        uses.map(|origin| NodeUse {
            written: self.node(origin.node).span(),
            used: origin.used,
            provenance: origin.provenance.map_or(&[], |provenance| &self.provenances[provenance.0 as usize]),
        })
    }

    /// Returns the names of the inputs with which the document was assembled, regardless of those that it declares itself.
    pub fn inputs(&self) -> impl Iterator<Item = &str> {
        self.inputs.iter().map(|input| &**input)
    }

    /// Returns the secret values of scalars, which problems must not quote.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().map(|text| &**text)
    }

    /// Returns the origin of a node, if the node comes from a different source, is used elsewhere or has a provenance.
    pub(super) fn origin(&self, id: NodeId) -> Option<&NodeOrigin> {
        self.origins.binary_search_by_key(&id, |origin| origin.node).ok().map(|found| &self.origins[found])
    }

    /// Drops the given node and all later nodes.
    pub(super) fn truncate(&mut self, first: NodeId) {
        self.nodes.truncate(first);
        while self.tags.last().is_some_and(|(tagged, _)| *tagged >= first) {
            self.tags.pop();
        }
    }

    /// Appends the document of a later part of the same text, with its keys renumbered. The first node of `part` is
    /// omitted, because it stands for a map that is already open here.
    pub(super) fn append(&mut self, part: &mut Self, keys: &[u32]) {
        let first_text = self.unescaped.append(&part.unescaped);
        self.nodes.append(&part.nodes, |key| keys[key as usize], first_text);
        self.comments.append(&mut part.comments);
    }

    /// Returns the first key with the given symbol in a [large](Self::LARGE) map, ignoring merged keys.
    pub(super) fn key_of_large(&self, map: NodeId, key: Symbol) -> Option<NodeId> {
        self.large.get_or_init(|| Box::new(self.index_large())).get(&(map, key)).copied()
    }

    /// Returns the keys that satisfy the given predicate.
    pub fn keys_that(&self, interner: &Interner, condition: impl Fn(&str) -> bool) -> Keys {
        let numbered = self.keys.iter().zip(0..);
        Keys(numbered.filter(|(key, _)| condition(interner.text(**key))).map(|(_, number)| number).collect())
    }

    /// The minimum number of nodes in a map whose keys are indexed.
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
