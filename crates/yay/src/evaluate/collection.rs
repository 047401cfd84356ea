//! Mappings, sets and comprehensions in expressions.

use super::convert::{to_text, wrong};
use crate::error::Result;
use crate::graph::{ExprRef, Graph, KnownEntry, ListId, Pending, ScopeId, ThunkId, ThunkKind};
use crate::name::Name;
use crate::source::Span;
use crate::syntax::{Collection, Comprehension, ExprId, ExprKind, Tree};
use crate::value::{Kind, SHAPE, Value, derived};

/// The memory that it takes to remember a value, in bytes.
const SEEN: usize = 64;

impl Graph<'_> {
    /// Returns the name for a computed key.
    pub(crate) fn key_name(&mut self, text: &str, at: Span) -> Result<Name> {
        const KEY: usize = 64;
        self.make_text(text.len() + KEY, at)?;
        Ok(self.loaded.names.number(text))
    }

    /// Returns the items between brackets, including the items of spread lists.
    pub(super) fn display(
        &mut self,
        tree: &Tree,
        number: u32,
        items: &[ExprId],
        scope: ScopeId,
        at: Span,
    ) -> Result<ListId> {
        let mut thunks = Vec::new();
        let mut pending = Vec::new();
        for item in items {
            let within = |expr| ExprRef { tree: number, expr };
            let ExprKind::Spread(operand) = tree.expr(*item).kind else {
                thunks.push(self.add_thunk(ThunkKind::Expr(within(*item), scope)));
                continue;
            };
            let value = self.eval(within(operand), scope)?;
            let spread = self.iterable(&value, tree.expr(operand).span)?;
            pending.push(Pending::Items(self.known_list(at, std::mem::take(&mut thunks)), 0));
            pending.push(Pending::Items(spread, 0));
        }
        let rest = self.known_list(at, thunks);
        if pending.is_empty() {
            return Ok(rest);
        }
        pending.push(Pending::Items(rest, 0));
        pending.reverse();
        Ok(self.add_list(at, pending))
    }

    pub(super) fn dict(&mut self, pairs: Vec<(Option<ExprRef>, ExprRef)>, scope: ScopeId, at: Span) -> Result<Value> {
        let mut entries: Vec<KnownEntry> = Vec::new();
        let mut labels = self.labels_at(at.source);
        for (key, value) in pairs {
            let Some(key) = key else {
                labels |= self.spread_entries(value, scope, &mut entries)?;
                continue;
            };
            let key_value = self.eval(key, scope)?;
            labels |= key_value.labels & !SHAPE;
            let text = to_text(&key_value, self.expr_span(key))?;
            let thunk = self.add_thunk(ThunkKind::Expr(value, scope));
            entries.push(KnownEntry { key: self.key_name(&text, at)?, thunk, secret: key_value.is_secret() });
        }
        let view = self.known_view(at, entries);
        Ok(Value::new(Kind::Map(view), at, labels))
    }

    /// Adds the entries of a mapping that is spread among others. Returns the labels of the values that determined the
    /// keys of the mapping.
    fn spread_entries(&mut self, expr: ExprRef, scope: ScopeId, entries: &mut Vec<KnownEntry>) -> Result<u64> {
        let value = self.eval(expr, scope)?;
        match value.kind {
            Kind::Map(_) => self.add_entries(&value, entries),
            _ => Err(wrong(&value, "a mapping", self.expr_span(expr))),
        }
    }

    /// Adds the entries of a mapping. Returns the labels of the values that determined its keys.
    pub(super) fn add_entries(&mut self, value: &Value, entries: &mut Vec<KnownEntry>) -> Result<u64> {
        let Kind::Map(view) = value.kind else { return Ok(0) };
        let view = self.mapping_of(value, view)?;
        let keys = self.keys(view)?;
        let labels = value.shape() | self.view_labels(view);
        self.look_through(keys.len(), value.at)?;
        for key in keys.iter() {
            if let Some(thunk) = self.member(view, *key)? {
                entries.push(KnownEntry { key: *key, thunk, secret: self.is_secret_key(view, *key)? });
            }
        }
        Ok(labels)
    }

    /// Returns the items of a set: each item once, at its first position.
    pub(super) fn distinct(&mut self, items: Vec<ThunkId>, at: Span) -> Result<Value> {
        self.check_room(items.len(), SEEN, at)?;
        let mut seen: Vec<Value> = Vec::new();
        let mut texts = foldhash::HashSet::default();
        let mut kept = Vec::new();
        let mut labels = 0;
        for item in items {
            let value = self.force(item)?;
            // Whether an item is left out depends on all items.
            labels |= derived(self.all_labels(&value)?);
            let known = match &value.kind {
                Kind::Text(text) => !texts.insert(text.plain.clone()),
                Kind::Int(number, _) => !texts.insert(format!("\0{number}").into()),
                _ => self.among(&seen, &value, &mut labels)?,
            };
            if !known {
                if !matches!(value.kind, Kind::Text(_) | Kind::Int(..)) {
                    seen.push(value);
                }
                kept.push(item);
            }
        }
        let list = self.known_list(at, kept);
        Ok(Value::new(Kind::List(list), at, self.labels_at(at.source) | labels))
    }

    fn among(&mut self, seen: &[Value], value: &Value, labels: &mut u64) -> Result<bool> {
        for other in seen {
            self.step(value.at)?;
            if self.equal(other, value, labels, 0)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn comprehension(
        &mut self,
        comprehension: &Comprehension,
        expr: ExprRef,
        scope: ScopeId,
        at: Span,
    ) -> Result<Value> {
        let list = self.add_list(at, vec![Pending::Clause(expr, 0, scope)]);
        match comprehension.kind {
            Collection::List => Ok(Value::new(Kind::List(list), at, self.labels_at(at.source))),
            Collection::Set => {
                let items = self.items(list)?;
                let labels = self.list_labels(list);
                Ok(self.distinct(items, at)?.labeled(labels))
            }
            Collection::Dict => {
                let pairs = self.items(list)?;
                let labels = self.list_labels(list);
                Ok(self.dict_of_pairs(pairs, at)?.labeled(labels))
            }
        }
    }

    fn dict_of_pairs(&mut self, pairs: Vec<ThunkId>, at: Span) -> Result<Value> {
        let mut entries = Vec::new();
        for pair in pairs {
            let Kind::List(pair) = self.force(pair)?.kind else { continue };
            let (Some(key), Some(value)) = (self.item(pair, 0)?, self.item(pair, 1)?) else { continue };
            let key = self.force(key)?;
            let text = to_text(&key, key.at)?;
            entries.push(KnownEntry { key: self.key_name(&text, at)?, thunk: value, secret: key.is_secret() });
        }
        let view = self.known_view(at, entries);
        Ok(Value::new(Kind::Map(view), at, self.labels_at(at.source)))
    }
}
