//! Keys that are given twice in a block, and keys whose layers have different types.

use rustc_hash::FxHashMap;

use crate::graph::view::How;
use crate::graph::{Definition, Graph};
use crate::name::Name;
use crate::source::{SourceId, Span};
use crate::syntax::{
    Block, BlockId, Collection, Entry, ExprId, ExprKind, Literal, StanzaKind, Tree, ValueId, ValueKind,
};
use crate::warning::{Warning, WarningKind};

/// The type of a value, as far as the source shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Scalar,
    List,
    Mapping,
}

impl Type {
    fn of(tree: &Tree, value: ValueId) -> Option<Self> {
        match &tree.value(value).kind {
            ValueKind::Plain(..) | ValueKind::Text(_) | ValueKind::Parts(..) => Some(Type::Scalar),
            ValueKind::EmptyList => Some(Type::List),
            ValueKind::EmptyMap => Some(Type::Mapping),
            ValueKind::Body(block) => Type::of_block(tree, *block),
            ValueKind::Template(expr) => Type::of_expr(tree, *expr),
            ValueKind::Empty => None,
        }
    }

    /// Returns the type of an expression, if all of its operands have the same type.
    fn of_expr(tree: &Tree, expr: ExprId) -> Option<Self> {
        let mut found = None;
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            let of = match &tree.expr(expr).kind {
                ExprKind::Literal(_) | ExprKind::Compare(..) | ExprKind::Unary(..) | ExprKind::Template(_) => {
                    Type::Scalar
                }
                ExprKind::List(_) | ExprKind::Set(_) => Type::List,
                ExprKind::Dict(_) => Type::Mapping,
                ExprKind::Comprehension(comprehension) if comprehension.kind == Collection::Dict => Type::Mapping,
                ExprKind::Comprehension(_) => Type::List,
                ExprKind::Binary(_, left, right)
                | ExprKind::And(left, right)
                | ExprKind::Or(left, right)
                | ExprKind::Conditional { then: left, otherwise: right, .. }
                | ExprKind::Else(left, right) => {
                    open.extend([*left, *right]);
                    continue;
                }
                _ => return None,
            };
            if *found.get_or_insert(of) != of {
                return None;
            }
        }
        found
    }

    fn of_block(tree: &Tree, block: BlockId) -> Option<Self> {
        let shape = tree.block(block).shape;
        match shape.mapping {
            Some(true) => Some(Type::Mapping),
            Some(false) => Some(Type::List),
            None => None,
        }
    }

    /// Returns the type with its article.
    fn text(self) -> &'static str {
        match self {
            Type::Scalar => "a scalar",
            Type::List => "a list",
            Type::Mapping => "a mapping",
        }
    }
}

/// The value of a key in a layer.
#[derive(Clone, Copy)]
struct Given {
    at: Span,
    of: Option<Type>,
}

impl Graph<'_> {
    pub(super) fn duplicate_keys(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for document in &self.loaded.documents {
            let tree = &self.loaded.trees[document.tree as usize];
            for block in &tree.blocks {
                self.in_block(tree, block, &mut warnings);
            }
            for expr in &tree.exprs {
                if let ExprKind::Dict(pairs) = &expr.kind {
                    let keys = pairs.iter().filter_map(|(key, _)| *key);
                    let texts = keys.filter_map(|key| match &tree.expr(key).kind {
                        ExprKind::Literal(Literal::Text(text)) => Some((text.clone(), tree.expr(key).span)),
                        _ => None,
                    });
                    repeated(texts, |text, at, first| warnings.push(duplicate("key", text, at, first)));
                }
            }
        }
        warnings
    }

    fn in_block(&self, tree: &Tree, block: &Block, warnings: &mut Vec<Warning>) {
        let mut last: FxHashMap<Name, Given> = FxHashMap::default();
        let mut extended: FxHashMap<Name, Given> = FxHashMap::default();
        let mut note = |entry: &Entry, of: Option<Type>, extends: bool| {
            let Some(at) = tree.value(entry.value).key else { return };
            let newer = Given { at, of };
            if extends {
                extended.insert(entry.key, newer);
                return;
            }
            let Some(older) = last.insert(entry.key, newer) else {
                let older = extended.get(&entry.key);
                warnings.extend(older.and_then(|older| changed(self.loaded.names.text(entry.key), *older, newer)));
                return;
            };
            let text = self.loaded.names.text(entry.key);
            match changed(text, older, newer) {
                Some(warning) => warnings.push(warning),
                None if of == Some(Type::Mapping) => {}
                None => warnings.push(duplicate("key", text, at, older.at)),
            }
        };
        let mut cases = Vec::new();
        for stanza in &block.stanzas {
            match &stanza.kind {
                StanzaKind::Map(entries) => {
                    entries.list.iter().for_each(|entry| note(entry, Type::of(tree, entry.value), false));
                }
                StanzaKind::Extend(entry) => note(entry, Type::of(tree, entry.value), true),
                StanzaKind::NewAs { entry, .. } => note(entry, Some(Type::Mapping), false),
                StanzaKind::Select { cases: own, .. } => cases.push(own),
                _ => {}
            }
        }
        for cases in cases {
            let keys = cases.iter().filter_map(|case| Some((case.key, tree.value(case.value).key?)));
            repeated(keys, |key, at, first| warnings.push(duplicate("case", self.loaded.names.text(*key), at, first)));
        }
    }

    /// Returns warnings about keys whose type changes between layers from different blocks, such as a
    /// document and one that it includes.
    pub(super) fn changed_types(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for layered in &self.layers {
            let mut newest: FxHashMap<Name, (Given, crate::graph::BlockRef)> = FxHashMap::default();
            for (key, definition) in layered.definitions() {
                let Definition::Written(written) = definition else { continue };
                let block = self.group(written.group).block;
                let tree = &self.loaded.trees[block.tree as usize];
                let value = tree.value(written.value);
                let Some(at) = value.key.filter(|at| at.source != SourceId(0)) else { continue };
                let of = match written.how {
                    How::Entry | How::Extend => Type::of(tree, written.value),
                    How::New(_) => Some(Type::Mapping),
                };
                let older = Given { at, of };
                // What is extended has the same type, or else evaluation fails.
                let newer = Given { of: of.filter(|_| !matches!(written.how, How::Extend)), at };
                if let Some((newer, of_block)) = newest.insert(*key, (newer, block))
                    && of_block != block
                {
                    warnings.extend(changed(self.loaded.names.text(*key), older, newer));
                }
            }
        }
        warnings
    }
}

/// Returns the warning about a key whose type changes. There is none if the newer value is a mapping, because that is
/// an error.
fn changed(key: &str, older: Given, newer: Given) -> Option<Warning> {
    let (before, after) = (older.of?, newer.of?);
    if before == after || after == Type::Mapping {
        return None;
    }
    Some(Warning {
        kind: WarningKind::ChangedType,
        message: format!("key `{key}` changes from {} to {}", before.text(), after.text()),
        help: Some(format!("give the key {} in all layers, or rename it", before.text())),
        meant: None,
        at: newer.at,
        related: Some((older.at, "older layer")),
    })
}

fn duplicate(what: &str, key: &str, at: Span, first: Span) -> Warning {
    let help = match what {
        "case" => "remove one of the cases; the first one is chosen",
        _ => "remove one of the keys; the last one counts",
    };
    Warning {
        kind: WarningKind::DuplicateKey,
        message: format!("{what} `{key}` is given twice"),
        help: Some(help.to_owned()),
        meant: None,
        at,
        related: Some((first, "given before")),
    }
}

/// Calls a function for each key that occurred before.
fn repeated<K: std::hash::Hash + Eq>(keys: impl Iterator<Item = (K, Span)>, mut report: impl FnMut(&K, Span, Span)) {
    let mut seen: FxHashMap<K, Span> = FxHashMap::default();
    for (key, at) in keys {
        match seen.get(&key) {
            Some(first) => report(&key, at, *first),
            None => drop(seen.insert(key, at)),
        }
    }
}
