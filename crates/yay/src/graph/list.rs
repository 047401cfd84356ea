//! Lists: the items that were needed so far and the source of the next ones.

use std::rc::Rc;

use super::decide::Layer;
use super::taint::{CLEAN, Memo};
use super::{BlockRef, Choice, ExprRef, Graph, GroupId, ListId, Mark, ScopeId, ScopeKind, ThunkId, ThunkKind, ViewId};
use crate::error::{Category, Error, Result, Step};
use crate::source::Span;
use crate::syntax::{BlockId, Collection, ExprKind, StanzaKind};
use crate::value::{Kind, SECRET, SHAPE, Text, Value};

/// A source of items. The last element of a list of sources comes next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pending {
    /// The stanzas of a block, starting at an index.
    Block(GroupId, u32),
    /// The items of a different list, starting at an index.
    Items(ListId, usize),
    /// A loop whose list is not known yet.
    Loop(GroupId, u32),
    /// A loop at an item of its list.
    Turn(GroupId, u32, ListId, usize),
    /// A comprehension: its n-th clause in a scope.
    Clause(ExprRef, u32, ScopeId),
    ClauseTurn(ExprRef, u32, ScopeId, ListId, usize),
}

pub(super) struct List {
    at: Span,
    items: Vec<ThunkId>,
    pending: Vec<Pending>,
    first: Vec<Pending>,
    mark: Mark,
    /// The labels of the values that determined the items; each item has them, too.
    labels: u64,
    /// The number of undecided stanzas that surround the computation of the next item; `None` if no item is being
    /// computed.
    busy: Option<u32>,
}

impl List {
    /// Drops the items so that they are computed again.
    pub(super) fn forget(&mut self) {
        if self.busy.is_none() {
            self.items.clear();
            self.pending.clone_from(&self.first);
            self.mark = Mark::CLEAN;
        }
    }
}

impl Graph<'_> {
    pub(crate) fn add_list(&mut self, at: Span, pending: Vec<Pending>) -> ListId {
        self.note::<List>(1);
        self.note::<Pending>(2 * pending.len());
        let first = pending.clone();
        self.lists.push(List { at, items: Vec::new(), pending, first, mark: Mark::CLEAN, labels: 0, busy: None });
        ListId(self.lists.len() as u32 - 1)
    }

    pub(crate) fn known_list(&mut self, at: Span, items: Vec<ThunkId>) -> ListId {
        let id = self.add_list(at, Vec::new());
        self.note::<ThunkId>(items.len());
        self.lists[id.at()].items = items;
        id
    }

    /// Returns the keys of a mapping as a list, as loops iterate over them: sorted.
    pub(crate) fn key_list(&mut self, map: ViewId, value: &Value, sorted: bool) -> Result<ListId> {
        let secret = self.secret_keys(map, value.at)?;
        let labels = |key| value.labels | if secret.contains(&key) { SECRET } else { 0 };
        let mut keys: Vec<_> = self.keys(map)?.iter().map(|key| (self.text_of(*key), labels(*key))).collect();
        if sorted {
            keys.sort();
        }
        let text = |key: Rc<str>| Kind::Text(Text { plain: key, safe: None, absent: false });
        let items = keys.into_iter().map(|(key, labels)| self.known_thunk(Value::new(text(key), value.at, labels)));
        let items = items.collect();
        let list = self.known_list(value.at, items);
        self.label_list(list, if secret.is_empty() { value.shape() | self.view_labels(map) } else { SECRET | SHAPE });
        Ok(list)
    }

    /// Adds the labels of the values that the items of a list depend on.
    pub(crate) fn label_list(&mut self, list: ListId, labels: u64) {
        self.lists[list.at()].labels |= labels;
    }

    /// Returns the labels of the values that determined the items of a list, as far as it was read.
    pub(crate) fn list_labels(&self, list: ListId) -> u64 {
        self.lists[list.at()].labels
    }

    /// Returns the list of a value. If its shape is secret, so are all items.
    pub(crate) fn list_of(&mut self, value: &Value, list: ListId) -> ListId {
        let labels = value.shape();
        if labels == 0 {
            return list;
        }
        let made = self.add_list(value.at, vec![Pending::Items(list, 0)]);
        self.label_list(made, labels);
        made
    }

    /// Returns items with the labels that they have outside their list.
    fn taken(&mut self, list: ListId, items: Vec<ThunkId>) -> Vec<ThunkId> {
        match self.list_labels(list) {
            0 => items,
            labels => items.into_iter().map(|item| self.labelled_thunk(item, labels)).collect(),
        }
    }

    pub(crate) fn list_span(&self, list: ListId) -> Span {
        self.lists[list.at()].at
    }

    /// Returns all items.
    pub(crate) fn items(&mut self, list: ListId) -> Result<Vec<ThunkId>> {
        let id = self.readable(list)?;
        while !self.lists[id.at()].pending.is_empty() {
            self.expand(id)?;
        }
        let list = &self.lists[id.at()];
        let (at, items, mark) = (list.at, list.items.clone(), list.mark);
        self.look_through(items.len(), at)?;
        self.touch(mark);
        Ok(self.taken(id, items))
    }

    /// Returns the n-th item; later ones are not evaluated.
    pub(crate) fn item(&mut self, list: ListId, n: usize) -> Result<Option<ThunkId>> {
        if let Some(item) = self.lists[list.at()].items.get(n).copied() {
            return Ok(Some(self.read_item(list, item)));
        }
        let list = self.readable(list)?;
        loop {
            let this = &self.lists[list.at()];
            if let Some(item) = this.items.get(n).copied() {
                return Ok(Some(self.read_item(list, item)));
            }
            if this.pending.is_empty() {
                let mark = this.mark;
                self.touch(mark);
                return Ok(None);
            }
            self.expand(list)?;
        }
    }

    fn read_item(&mut self, list: ListId, item: ThunkId) -> ThunkId {
        let (mark, labels) = (self.lists[list.at()].mark, self.lists[list.at()].labels);
        self.touch(mark);
        self.labelled_thunk(item, labels)
    }

    /// Returns a list to read from: this list, or a copy that starts from the beginning if the next item of this list is
    /// being computed before an undecided stanza. Without such a stanza, the list depends on itself, which is an error.
    fn readable(&mut self, list: ListId) -> Result<ListId> {
        let this = &self.lists[list.at()];
        match this.busy {
            None => Ok(list),
            Some(frames) if frames < self.frame_count() => {
                let (at, first) = (this.at, this.first.clone());
                Ok(self.add_list(at, first))
            }
            Some(_) => Err(Error::new(Category::Cycle, this.at, "the items of this list depend on the list itself")),
        }
    }

    fn expand(&mut self, id: ListId) -> Result<()> {
        let at = self.lists[id.at()].at;
        let Some(pending) = self.lists[id.at()].pending.pop() else { return Ok(()) };
        self.lists[id.at()].busy = Some(self.frame_count());
        let (result, taint) = self.watch(|graph| graph.nested(at, |graph| graph.produce(id, pending)));
        self.lists[id.at()].busy = None;
        if result.is_err() {
            self.lists[id.at()].pending.push(pending);
        }
        if taint != CLEAN {
            let earlier = self.depth_of(self.lists[id.at()].mark);
            let mark = self.remember(Memo::List(id), taint.min(earlier));
            self.lists[id.at()].mark = mark;
        }
        result?;
        if self.lists[id.at()].items.len() > self.limits.list {
            let message = format!("a list can't have more than {} items", self.limits.list);
            return Err(Error::new(Category::Limit, at, message));
        }
        Ok(())
    }

    fn push(&mut self, list: ListId, pending: Pending) {
        self.lists[list.at()].pending.push(pending);
    }

    fn push_item(&mut self, list: ListId, item: ThunkId) {
        // While a list grows, its capacity may be twice its length.
        self.note::<ThunkId>(2);
        self.lists[list.at()].items.push(item);
    }

    fn produce(&mut self, id: ListId, pending: Pending) -> Result<()> {
        match pending {
            Pending::Block(group, stanza) => self.produce_stanza(id, group, stanza),
            Pending::Items(from, n) => {
                let item = self.item(from, n)?;
                let labels = self.list_labels(from);
                self.label_list(id, labels);
                if let Some(item) = item {
                    self.push_item(id, item);
                    self.push(id, Pending::Items(from, n + 1));
                }
                Ok(())
            }
            Pending::Loop(group, stanza) => {
                let through = self.loop_list(group, stanza)?;
                self.push(id, Pending::Turn(group, stanza, through, 0));
                Ok(())
            }
            Pending::Turn(group, stanza, through, n) => self.turn(id, group, stanza, through, n),
            Pending::Clause(expr, clause, scope) => self.clause(id, expr, clause, scope),
            Pending::ClauseTurn(expr, clause, scope, through, n) => {
                self.clause_turn(id, expr, clause, scope, through, n)
            }
        }
    }

    fn produce_stanza(&mut self, id: ListId, group: GroupId, stanza: u32) -> Result<()> {
        let block = self.group(group).block;
        let tree = self.tree(block.tree);
        let syntax = tree.block(block.block);
        let Some(this) = syntax.stanzas.get(stanza as usize) else { return Ok(()) };
        let scope = self.group(group).scope;
        let next = Pending::Block(group, stanza + 1);
        match &this.kind {
            StanzaKind::List(items) => {
                let thunks: Vec<_> =
                    items.iter().map(|item| self.add_thunk(ThunkKind::item(block.tree, *item, scope))).collect();
                self.note::<ThunkId>(2 * thunks.len());
                let list = &mut self.lists[id.at()];
                list.items.extend(thunks);
                list.pending.push(next);
            }
            StanzaKind::For { .. } => {
                self.push(id, next);
                self.push(id, Pending::Loop(group, stanza));
            }
            StanzaKind::Map(_) | StanzaKind::Extend(_) | StanzaKind::NewAs { .. } => {
                let list = syntax
                    .stanzas
                    .iter()
                    .find(|stanza| is_list(&stanza.kind))
                    .map_or(self.lists[id.at()].at, |list| list.span);
                return Err(mixed(list, this.span).trail(self.trail(scope)));
            }
            StanzaKind::New { .. } => return Err(mixed(self.lists[id.at()].at, this.span).trail(self.trail(scope))),
            StanzaKind::If(_) | StanzaKind::Select { .. } | StanzaKind::Include(_) | StanzaKind::Call { .. } => {
                let choice = self.decide(group, stanza, super::taint::Skip::All)?;
                self.push(id, next);
                if let Some(choice) = choice {
                    self.push_choice_items(id, &choice)?;
                }
            }
            _ => self.push(id, next),
        }
        Ok(())
    }

    fn push_choice_items(&mut self, id: ListId, choice: &Choice) -> Result<()> {
        match choice {
            Choice::Layers(layers) => {
                for layer in layers.iter().rev() {
                    match layer {
                        Layer::Group(group, _) => self.push(id, Pending::Block(*group, 0)),
                        Layer::Native(_) => {
                            let at = self.lists[id.at()].at;
                            return Err(mixed(at, at));
                        }
                    }
                }
                Ok(())
            }
            Choice::Value(thunk) => {
                let value = self.force(*thunk)?;
                match value.kind {
                    Kind::List(list) => {
                        let list = self.list_of(&value, list);
                        self.push(id, Pending::Items(list, 0));
                        Ok(())
                    }
                    _ => {
                        let message = format!("{} can't be added to a list here", value.what());
                        Err(Error::new(Category::Type, value.at, message).used(self.lists[id.at()].at))
                    }
                }
            }
        }
    }

    /// Returns the list of a loop.
    pub(super) fn loop_list(&mut self, group: GroupId, stanza: u32) -> Result<ListId> {
        let block = self.group(group).block;
        let scope = self.group(group).scope;
        let tree = self.tree(block.tree);
        let StanzaKind::For { iterable, .. } = &tree.block(block.block).stanzas[stanza as usize].kind else {
            return Ok(self.known_list(self.stanza_span(group, stanza), Vec::new()));
        };
        let expr = ExprRef { tree: block.tree, expr: *iterable };
        let value = self.eval(expr, scope)?;
        if let Kind::Text(_) = value.kind {
            let message = format!("a list or a mapping is expected, not {}", value.shown());
            let error = Error::new(Category::Type, value.at, message).used(self.expr_span(expr));
            return Err(error.help("use `list(text)` for the characters of a string").trail(self.trail(scope)));
        }
        self.iterable(&value, self.expr_span(expr)).map_err(|error| error.trail(self.trail(scope)))
    }

    /// Returns the items for a loop: those of a list, the keys of a mapping, or the characters of text.
    pub(crate) fn iterable(&mut self, value: &Value, user: Span) -> Result<ListId> {
        match value.kind {
            Kind::List(list) => Ok(self.list_of(value, list)),
            Kind::Map(map) => self.key_list(map, value, true),
            Kind::Text(ref text) => self.characters(value, text, user),
            _ => {
                let message = format!("a list, a mapping or text is expected, not {}", value.shown());
                Err(Error::new(Category::Type, value.at, message).used(user))
            }
        }
    }

    fn turn(&mut self, id: ListId, group: GroupId, stanza: u32, through: ListId, n: usize) -> Result<()> {
        let Some(item) = self.item(through, n)? else { return Ok(()) };
        let next = Pending::Turn(group, stanza, through, n + 1);
        match self.turn_scope(group, stanza, item)? {
            Some((body, scope)) => self.turn_body(id, body.tree, body.block, scope, next),
            None => {
                self.push(id, next);
                Ok(())
            }
        }
    }

    /// Returns the body of a loop with its scope for an item; `None` if the item does not fulfill the condition.
    pub(super) fn turn_scope(
        &mut self,
        group: GroupId,
        stanza: u32,
        item: ThunkId,
    ) -> Result<Option<(BlockRef, ScopeId)>> {
        let block = self.group(group).block;
        let outer = self.group(group).scope;
        let tree = self.tree(block.tree);
        let syntax = &tree.block(block.block).stanzas[stanza as usize];
        let StanzaKind::For { targets, condition, body, .. } = &syntax.kind else { return Ok(None) };
        let bound = self.bind(targets, item)?;
        let step = Step { what: "in this loop:", at: syntax.span };
        let scope = self.add_scope(outer, ScopeKind::Bound(bound), Some(step));
        if let Some(condition) = condition {
            let value = self.eval(ExprRef { tree: block.tree, expr: *condition }, scope)?;
            if !self.is_true(&value)? {
                return Ok(None);
            }
        }
        Ok(Some((BlockRef { tree: block.tree, block: *body }, scope)))
    }

    /// Adds the items of the body of a turn. A body other than a list is one item.
    fn turn_body(&mut self, id: ListId, tree: u32, body: BlockId, scope: ScopeId, next: Pending) -> Result<()> {
        let block = BlockRef { tree, block: body };
        if self.loaded.trees[tree as usize].block(body).shape.mapping == Some(false) {
            let group = self.add_group(block, scope, None);
            self.push(id, next);
            self.push(id, Pending::Block(group, 0));
            return Ok(());
        }
        let value = self.block_value(block, scope, None)?;
        self.push(id, next);
        if let Kind::List(list) = value.kind {
            let list = self.list_of(&value, list);
            self.push(id, Pending::Items(list, 0));
        } else {
            let item = self.known_thunk(value);
            self.push_item(id, item);
        }
        Ok(())
    }

    fn clause(&mut self, id: ListId, expr: ExprRef, clause: u32, scope: ScopeId) -> Result<()> {
        let tree = self.tree(expr.tree);
        let ExprKind::Comprehension(comprehension) = &tree.expr(expr.expr).kind else { return Ok(()) };
        let at = |inner| ExprRef { tree: expr.tree, expr: inner };
        let Some(this) = comprehension.clauses.get(clause as usize) else {
            let item = match comprehension.kind {
                Collection::List | Collection::Set => self.add_thunk(ThunkKind::Expr(at(comprehension.element), scope)),
                Collection::Dict => self.pair(comprehension.key.map(at), at(comprehension.element), scope),
            };
            self.push_item(id, item);
            return Ok(());
        };
        let value = self.eval(at(this.iterable), scope)?;
        let through = self.iterable(&value, self.expr_span(at(this.iterable)))?;
        self.label_list(id, value.shape());
        self.push(id, Pending::ClauseTurn(expr, clause, scope, through, 0));
        Ok(())
    }

    /// Returns a key and its value, as a list of two.
    fn pair(&mut self, key: Option<ExprRef>, element: ExprRef, scope: ScopeId) -> ThunkId {
        let at = self.expr_span(element);
        let value = self.add_thunk(ThunkKind::Expr(element, scope));
        let key = key.map_or(value, |key| self.add_thunk(ThunkKind::Expr(key, scope)));
        let list = self.known_list(at, vec![key, value]);
        self.known_thunk(Value::new(Kind::List(list), at, 0))
    }

    fn clause_turn(
        &mut self,
        id: ListId,
        expr: ExprRef,
        clause: u32,
        outer: ScopeId,
        through: ListId,
        n: usize,
    ) -> Result<()> {
        let item = self.item(through, n)?;
        let labels = self.list_labels(through);
        self.label_list(id, labels);
        let Some(item) = item else { return Ok(()) };
        let tree = self.tree(expr.tree);
        let ExprKind::Comprehension(comprehension) = &tree.expr(expr.expr).kind else { return Ok(()) };
        let this = &comprehension.clauses[clause as usize];
        let bound = self.bind(&this.targets, item)?;
        let step = Step { what: "in this loop:", at: tree.expr(expr.expr).span };
        let scope = self.add_scope(outer, ScopeKind::Bound(bound), Some(step));
        let mut wanted = true;
        for condition in &this.conditions {
            let value = self.eval(ExprRef { tree: expr.tree, expr: *condition }, scope)?;
            let (is_true, labels) = self.truth(&value)?;
            self.label_list(id, labels);
            wanted = is_true;
            if !wanted {
                break;
            }
        }
        self.push(id, Pending::ClauseTurn(expr, clause, outer, through, n + 1));
        if wanted {
            self.push(id, Pending::Clause(expr, clause + 1, scope));
        }
        Ok(())
    }
}

fn is_list(kind: &StanzaKind) -> bool {
    matches!(kind, StanzaKind::List(_) | StanzaKind::For { .. })
}

fn mixed(list: Span, mapping: Span) -> Error {
    Error::new(Category::Type, list, "a list can't be mixed with a mapping").used(mapping)
}
