//! Keys of maps: interning, and finding those that occur twice.
//!
//! Nearly all keys are strings. Each distinct one gets a small number within the document, and a table under that
//! number says in which map the key was seen last, so that looking at a map costs one step per entry and no hashing.
//! Other keys, such as integers and lists, are compared by a written form.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{Builder, Frame, weight};
use crate::ard::document::{Document, Kind, NodeId};
use crate::ard::node::Node;
use crate::ard::quote::ticked;
use crate::ard::stored::flag;
use crate::diagnostic::Diagnostic;
use crate::rules;
use crate::symbol::{Interner, Symbol};

/// The distinct texts of keys.
pub(in crate::ard) struct KeyTable<'a> {
    interner: &'a Interner,
    numbers: FxHashMap<&'a str, u32>,
    symbols: Vec<Symbol>,
    /// For each key, where it was seen last: the map and the node.
    seen: Vec<(NodeId, NodeId)>,
}

impl<'a> KeyTable<'a> {
    pub(in crate::ard) fn new(interner: &'a Interner) -> Self {
        // As many as a small template has, so that tables need not grow in steps.
        const FEW: usize = 28;
        Self {
            interner,
            numbers: FxHashMap::with_capacity_and_hasher(FEW, FxBuildHasher),
            symbols: Vec::with_capacity(FEW),
            seen: Vec::with_capacity(FEW),
        }
    }

    /// Where the texts of all documents are.
    pub(in crate::ard) fn interner(&self) -> &'a Interner {
        self.interner
    }

    /// The distinct keys, by their numbers.
    pub(in crate::ard) fn texts(&self) -> impl Iterator<Item = &'a str> {
        self.symbols.iter().map(|symbol| self.interner.text(*symbol))
    }

    /// The number of a key; a new one if the key is new.
    #[inline]
    pub(in crate::ard) fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let symbol = self.interner.intern(text);
        let number = self.symbols.len() as u32;
        self.symbols.push(symbol);
        self.numbers.insert(self.interner.text(symbol), number);
        // No map has the number of this node, as the text has fewer bytes.
        self.seen.push((NodeId::NONE, NodeId::NONE));
        number
    }

    /// Remembers a key of a map; returns the equal one that has been met before in this map, if any.
    ///
    /// Other maps must not be looked at before all keys of this one have been met.
    pub(in crate::ard) fn meet(&mut self, number: u32, map: NodeId, key: NodeId) -> Option<NodeId> {
        let (last_map, first) = &mut self.seen[number as usize];
        if *last_map == map {
            return Some(*first);
        }
        (*last_map, *first) = (map, key);
        None
    }

    /// The distinct keys, by their numbers.
    pub(in crate::ard) fn into_symbols(self) -> Vec<Symbol> {
        self.symbols
    }
}

/// A key of an open map.
#[derive(Clone, Copy)]
pub(super) struct OpenKey {
    pub(super) node: NodeId,
    pub(super) identity: Identity,
}

/// How a key is compared with others.
#[derive(Clone, Copy)]
pub(super) enum Identity {
    /// A string, by its number.
    Text(u32),
    /// Anything else, by what is in it.
    Content,
    /// A merge key.
    Merge,
    /// Not at all.
    None,
}

impl OpenKey {
    pub(super) fn new(node: NodeId, document: &Document) -> Self {
        let nodes = &document.nodes;
        let identity = if nodes.has(node, flag::MERGE) {
            Identity::Merge
        } else if nodes.has(node, flag::SUBSTITUTE) {
            Identity::None
        } else if nodes.kind(node) == Kind::String {
            Identity::Text(nodes.number_of_key(node))
        } else {
            Identity::Content
        };
        Self { node, identity }
    }
}

/// The keys of one map that have been met.
pub(super) struct Met {
    map: NodeId,
    /// Keys other than strings, by their written form.
    others: FxHashMap<String, NodeId>,
    merge: Option<NodeId>,
}

impl Met {
    pub(super) fn new(map: NodeId) -> Self {
        Self { map, others: FxHashMap::default(), merge: None }
    }

    pub(super) fn map(&self) -> NodeId {
        self.map
    }
}

impl Builder<'_> {
    /// Finds duplicate keys of a map and resolves its merges.
    pub(super) fn complete_map(&mut self, frame: &Frame) {
        let keys = frame.first_key..self.open_keys.len();
        if keys.len() < 2 && frame.merges == 0 {
            return;
        }
        let mut met = Met::new(frame.node);
        for index in keys.clone() {
            let key = self.open_keys[index];
            if let Some(first) = self.meet(&mut met, key) {
                self.duplicate(first, key);
            }
        }
        if frame.merges > 0 {
            self.merge(&mut met, keys);
        }
    }

    /// Remembers a key of a map; returns the equal one that has been met before, if any.
    pub(super) fn meet(&mut self, met: &mut Met, key: OpenKey) -> Option<NodeId> {
        match key.identity {
            Identity::Text(number) => self.keys.meet(number, met.map, key.node),
            Identity::Content => {
                let written = written_form(self.document.node(key.node), &mut self.written_left)?;
                let first = *met.others.entry(written).or_insert(key.node);
                (first != key.node).then_some(first)
            }
            Identity::Merge => {
                let first = met.merge;
                met.merge = first.or(Some(key.node));
                first
            }
            Identity::None => None,
        }
    }

    fn duplicate(&mut self, first: NodeId, key: OpenKey) {
        self.document.nodes.mark(key.node, flag::DUPLICATE);
        let node = self.document.node(key.node);
        let label = node.short_label();
        let key_name = if label.is_empty() { "the empty key".into() } else { format!("the key {}", ticked(&label)) };
        let message = format!("{key_name} occurs more than once in this map");
        let help = match key.identity {
            Identity::Merge => "merge several maps by a list: `<<: [*a, *b]`",
            _ => "remove one of them, or give one another name",
        };
        self.report(
            Diagnostic::new(&rules::DUPLICATE_KEY, node.span(), message)
                .with_related(self.document.node(first).span(), "first given here")
                .with_help(help),
        );
    }
}

/// A text that is the same for equal nodes and only for them; nothing if that takes more than is left.
pub(in crate::ard) fn written_form(node: Node<'_>, left: &mut u64) -> Option<String> {
    let mut form = WrittenForm { text: String::new(), left: *left };
    let is_whole = form.write(node);
    *left = form.left;
    is_whole.then_some(form.text)
}

/// A text that is the same for equal nodes, whatever their style, and only for them.
struct WrittenForm {
    text: String,
    /// How much may still be written, see [`weight`].
    left: u64,
}

impl WrittenForm {
    /// Appends a node; false if it is too much. The recursion is bounded by [`super::Limits::MAX_DEPTH`].
    fn write(&mut self, node: Node<'_>) -> bool {
        use std::fmt::Write;
        let text = node.text();
        let Some(left) = self.left.checked_sub(weight(text)) else { return false };
        self.left = left;
        // Writing to a string does not fail.
        let _ = match node.kind() {
            Kind::Null => write!(self.text, "null"),
            Kind::Boolean => write!(self.text, "{:?}", node.as_bool()),
            Kind::Integer => match node.as_integer() {
                Some(value) => write!(self.text, "{value}"),
                None => write!(self.text, "integer {text}"),
            },
            Kind::Float => write!(self.text, "float {:?}", node.as_float()),
            Kind::String => write!(self.text, "{text:?}"),
            Kind::List => return self.write_list(node),
            Kind::Map => return self.write_map(node),
        };
        true
    }

    fn write_list(&mut self, list: Node<'_>) -> bool {
        self.text.push('[');
        for item in list.items() {
            if !self.write(item) {
                return false;
            }
            self.text.push(',');
        }
        self.text.push(']');
        true
    }

    /// Maps are equal whatever the order of their entries.
    fn write_map(&mut self, map: Node<'_>) -> bool {
        let mut entries = Vec::with_capacity(map.len());
        for entry in map.entries() {
            let start = self.text.len();
            if !self.write(entry.key) {
                return false;
            }
            self.text.push(':');
            if !self.write(entry.value) {
                return false;
            }
            entries.push(self.text.split_off(start));
        }
        entries.sort_unstable();
        self.text.push('{');
        for entry in &entries {
            self.text.push_str(entry);
            self.text.push(',');
        }
        self.text.push('}');
        true
    }
}
