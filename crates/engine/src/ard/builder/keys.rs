//! Interns map keys and detects duplicate keys.
//!
//! Nearly all keys are strings. Each distinct key gets a small number within the document, and a table stores for each
//! number the map in which the key was last seen. So checking a map takes one step per entry, without hashing. Other
//! keys, such as integers and lists, are compared by their canonical text.

use foldhash::{HashMap, HashMapExt};

use super::{Builder, Frame, weight};
use crate::ard::document::{Document, Kind, NodeId};
use crate::ard::node::Node;
use crate::ard::node_store::flag;
use crate::ard::quote::ticked;
use crate::diagnostic::Diagnostic;
use crate::rules;
use crate::symbol::{Interner, Symbol};

/// The distinct keys, as strings.
pub(in crate::ard) struct KeyTable<'a> {
    interner: &'a Interner,
    numbers: HashMap<&'a str, u32>,
    symbols: Vec<Symbol>,
    /// For each key, the map in which it was last seen, and its node there.
    seen: Vec<(NodeId, NodeId)>,
}

impl<'a> KeyTable<'a> {
    pub(in crate::ard) fn new(interner: &'a Interner) -> Self {
        // The number of keys in a small template, so that its tables need not grow.
        const INITIAL_CAPACITY: usize = 28;
        Self {
            interner,
            numbers: HashMap::with_capacity(INITIAL_CAPACITY),
            symbols: Vec::with_capacity(INITIAL_CAPACITY),
            seen: Vec::with_capacity(INITIAL_CAPACITY),
        }
    }

    /// Returns the interner that all documents share.
    pub(in crate::ard) fn interner(&self) -> &'a Interner {
        self.interner
    }

    /// Returns the distinct keys, by number.
    pub(in crate::ard) fn texts(&self) -> impl Iterator<Item = &'a str> {
        self.symbols.iter().map(|symbol| self.interner.text(*symbol))
    }

    /// Returns the number of the given key; assigns the next number to a new key.
    #[inline]
    pub(in crate::ard) fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let symbol = self.interner.intern(text);
        let number = self.symbols.len() as u32;
        self.symbols.push(symbol);
        self.numbers.insert(self.interner.text(symbol), number);
        // `NONE` is not the ID of any node, because a source has fewer bytes and thus fewer nodes.
        self.seen.push((NodeId::NONE, NodeId::NONE));
        number
    }

    /// Registers a key of the given map and returns an earlier equal key of that map, if any.
    ///
    /// All keys of one map must be registered before those of the next.
    pub(in crate::ard) fn meet(&mut self, number: u32, map: NodeId, key: NodeId) -> Option<NodeId> {
        let (last_map, first) = &mut self.seen[number as usize];
        if *last_map == map {
            return Some(*first);
        }
        (*last_map, *first) = (map, key);
        None
    }

    /// Returns the distinct keys, by number.
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

/// How a key is compared with other keys.
#[derive(Clone, Copy)]
pub(super) enum Identity {
    /// As a string, by its number.
    Text(u32),
    /// By its content.
    Content,
    /// As a merge key.
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

/// The keys of one map that have been registered so far.
pub(super) struct SeenKeys {
    map: NodeId,
    /// Keys other than strings, by their canonical text.
    others: HashMap<String, NodeId>,
    merge: Option<NodeId>,
}

impl SeenKeys {
    pub(super) fn new(map: NodeId) -> Self {
        Self { map, others: HashMap::default(), merge: None }
    }

    pub(super) fn map(&self) -> NodeId {
        self.map
    }
}

impl Builder<'_> {
    /// Finds duplicate keys in a map and resolves its merges.
    pub(super) fn complete_map(&mut self, frame: &Frame) {
        let keys = frame.first_key..self.open_keys.len();
        if keys.len() < 2 && frame.merges == 0 {
            return;
        }
        let mut met = SeenKeys::new(frame.node);
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

    /// Registers a key of the map and returns an earlier equal key, if any.
    pub(super) fn meet(&mut self, met: &mut SeenKeys, key: OpenKey) -> Option<NodeId> {
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
            Identity::Merge => "merge several maps with a list: `<<: [*a, *b]`",
            _ => "remove one of the entries, or rename one",
        };
        self.report(
            Diagnostic::new(&rules::DUPLICATE_KEY, node.span(), message)
                .with_related(self.document.node(first).span(), "first given here")
                .with_help(help),
        );
    }
}

/// Returns the canonical text of a node, which differs for unequal nodes; `None` if its weight exceeds `left`.
/// Subtracts the weight from `left`.
pub(in crate::ard) fn written_form(node: Node<'_>, left: &mut u64) -> Option<String> {
    let mut form = WrittenForm { text: String::new(), left: *left };
    let is_whole = form.write(node);
    *left = form.left;
    is_whole.then_some(form.text)
}

/// The canonical text of a node: the same for equal nodes in any style, and different for unequal nodes.
struct WrittenForm {
    text: String,
    /// The remaining weight that may be written; see [`weight`].
    left: u64,
}

impl WrittenForm {
    /// Appends a node; returns false if this exceeds the allowed weight. [`super::Limits::MAX_DEPTH`] bounds the
    /// recursion.
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

    /// Appends a map. Maps are equal regardless of the order of their entries.
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
