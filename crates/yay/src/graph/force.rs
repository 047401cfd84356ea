//! Forcing lazy values.

use super::taint::{CLEAN, Memo};
use super::{ExprRef, Graph, GroupId, Mark, ScopeId, Thunk, ThunkId, ThunkKind, ValueRef};
use crate::error::{Category, Error, Result, Step};
use crate::name::Name;
use crate::source::Span;
use crate::syntax::{StanzaKind, Target, Targets};
use crate::value::{Kind, MASK, SECRET, Value};

#[derive(Clone)]
pub(super) enum State {
    Todo,
    /// Being evaluated, with the number of enclosing undecided stanzas.
    Busy(u32),
    Done(Result<Value>, Mark),
}

/// A value that is evaluated on demand.
pub(crate) struct Lazy {
    kind: ThunkKind,
    state: State,
}

impl Lazy {
    pub(super) fn new(kind: ThunkKind) -> Self {
        Lazy { kind, state: State::Todo }
    }
}

impl Thunk {
    /// Forgets the result, unless it is being evaluated.
    pub(super) fn forget(&mut self) {
        if let Thunk::Lazy(lazy) = self
            && matches!(lazy.state, State::Done(..))
        {
            lazy.state = State::Todo;
        }
    }

    /// Returns the definition of a lazy value.
    pub(super) fn kind(&self) -> Option<&ThunkKind> {
        match self {
            Thunk::Known(_) => None,
            Thunk::Lazy(lazy) => Some(&lazy.kind),
        }
    }

    fn set(&mut self, state: State) {
        if let Thunk::Lazy(lazy) = self {
            lazy.state = state;
        }
    }
}

impl Graph<'_> {
    pub(crate) fn force(&mut self, id: ThunkId) -> Result<Value> {
        let lazy = match &self.thunks[id.at()] {
            Thunk::Known(value) => return Ok(value.clone()),
            Thunk::Lazy(lazy) => lazy,
        };
        let kind = lazy.kind;
        let before = match &lazy.state {
            State::Done(result, mark) => {
                let (result, mark) = (result.clone(), *mark);
                self.touch(mark);
                return result;
            }
            // If a stanza in between is undecided, the value may be a different one.
            State::Busy(frames) if *frames < self.frame_count() => State::Busy(*frames),
            State::Busy(_) => return Err(self.cycle(id)),
            State::Todo => State::Todo,
        };
        let again = matches!(before, State::Busy(_));
        let busy = State::Busy(self.frame_count());
        self.thunks[id.at()].set(busy);
        let at = self.kind_span(&kind);
        self.waiting.push(id);
        let (result, taint) = self.watch(|graph| graph.nested(at, |graph| graph.evaluate(kind)));
        self.waiting.pop();
        if again {
            self.thunks[id.at()].set(before);
            return result;
        }
        let mark = if taint == CLEAN { Mark::CLEAN } else { self.remember(Memo::Thunk(id), taint) };
        self.thunks[id.at()].set(State::Done(result.clone(), mark));
        result
    }

    /// Returns the error for a value that depends on itself, with the values that the cycle passes through.
    fn cycle(&self, id: ThunkId) -> Error {
        const LONGEST: usize = 6;
        let span = |id: &ThunkId| self.thunk_span(*id);
        let at = span(&id);
        let start = self.waiting.iter().rposition(|waiting| *waiting == id).map_or(self.waiting.len(), |at| at + 1);
        let mut through: Vec<Span> = self.waiting[start..].iter().map(span).filter(|span| *span != at).collect();
        through.dedup();
        through.truncate(LONGEST);
        let mut steps: Vec<_> = through.into_iter().map(|at| Step { what: "through this value:", at }).collect();
        steps.extend(self.thunk_scope(id).into_iter().flat_map(|scope| self.trail(scope)));
        Error::new(Category::Cycle, at, "this value depends on itself").trail(steps)
    }

    fn evaluate(&mut self, kind: ThunkKind) -> Result<Value> {
        match kind {
            ThunkKind::Expr(expr, scope) => self.eval(expr, scope),
            ThunkKind::Value(value, scope) => self.value(value, scope, None),
            ThunkKind::Member { view, key, definition } => self.defined(view, key, definition, 0),
            ThunkKind::Unpacked { whole, group, stanza, index } => self.unpacked(whole, group, stanza, index),
            ThunkKind::Labelled { thunk, labels } => Ok(self.force(thunk)?.labeled(labels)),
        }
    }

    fn unpacked(&mut self, whole: ThunkId, group: GroupId, stanza: u32, index: u32) -> Result<Value> {
        let block = self.group(group).block;
        let tree = self.tree(block.tree);
        let StanzaKind::Set { targets, .. } = &tree.block(block.block).stanzas[stanza as usize].kind else {
            return self.force(whole);
        };
        let bound = self.bind(targets, whole)?;
        match bound.get(index as usize) {
            Some((_, thunk)) => self.force(*thunk),
            None => self.force(whole),
        }
    }

    /// Gives names to a value or to its items.
    pub(crate) fn bind(&mut self, targets: &Targets, whole: ThunkId) -> Result<Vec<(Name, ThunkId)>> {
        let mut bound = Vec::new();
        self.bind_into(targets, whole, &mut bound)?;
        Ok(bound)
    }

    fn bind_into(&mut self, targets: &Targets, whole: ThunkId, bound: &mut Vec<(Name, ThunkId)>) -> Result<()> {
        if !targets.unpack {
            return match &targets.list[0] {
                Target::Name(name) => {
                    bound.push((*name, whole));
                    Ok(())
                }
                Target::Tuple(inner) => self.bind_into(inner, whole, bound),
                Target::Rest(_) | Target::Other => Ok(()),
            };
        }
        let value = self.force(whole)?;
        let wanted = targets.list.len();
        let rest = targets.list.iter().position(|target| matches!(target, Target::Rest(_)));
        let least = if rest.is_some() { "at least " } else { "" };
        let fixed = wanted - usize::from(rest.is_some());
        if !matches!(value.kind, Kind::List(_) | Kind::Map(_) | Kind::Text(_)) {
            let message = format!("a list of {least}{fixed} items is expected, not {}", value.shown());
            return Err(Error::new(Category::Type, value.at, message).used(targets.span));
        }
        let list = self.iterable(&value, targets.span)?;
        let mut items = self.items(list)?;
        if items.len() < fixed || rest.is_none() && items.len() > fixed {
            let is_secret = (value.shape() | self.list_labels(list)) & SECRET != 0;
            let found = if is_secret { MASK.to_owned() } else { items.len().to_string() };
            let message = format!("a list of {least}{fixed} items is expected, but this one has {found}");
            return Err(Error::new(Category::Type, value.at, message).used(targets.span));
        }
        if let Some(at) = rest {
            let taken: Vec<_> = items.splice(at..at + items.len() - fixed, [whole]).collect();
            let labels = value.labels | self.list_labels(list);
            let made = self.known_list(value.at, taken);
            items[at] = self.known_thunk(Value::new(Kind::List(made), value.at, labels));
        }
        for (target, item) in targets.list.iter().zip(items) {
            match target {
                Target::Name(name) | Target::Rest(name) => bound.push((*name, item)),
                Target::Tuple(inner) => self.bind_into(inner, item, bound)?,
                Target::Other => {}
            }
        }
        Ok(())
    }

    /// Returns the position of a lazy value.
    pub(crate) fn thunk_span(&self, id: ThunkId) -> Span {
        match &self.thunks[id.at()] {
            Thunk::Known(value) => value.at,
            Thunk::Lazy(lazy) => self.kind_span(&lazy.kind),
        }
    }

    fn kind_span(&self, kind: &ThunkKind) -> Span {
        match kind {
            ThunkKind::Expr(expr, _) => self.expr_span(*expr),
            ThunkKind::Value(value, _) => self.value_span(*value),
            ThunkKind::Member { definition, .. } => self.definition_span(*definition),
            ThunkKind::Unpacked { whole: thunk, .. } | ThunkKind::Labelled { thunk, .. } => self.thunk_span(*thunk),
        }
    }

    /// Returns the scope in which a lazy value is written.
    pub(crate) fn thunk_scope(&self, id: ThunkId) -> Option<ScopeId> {
        match self.thunks[id.at()].kind()? {
            ThunkKind::Expr(_, scope) | ThunkKind::Value(_, scope) => Some(*scope),
            ThunkKind::Member { definition, .. } => self.definition_scope(*definition),
            ThunkKind::Unpacked { group, .. } => Some(self.group(*group).scope),
            ThunkKind::Labelled { thunk, .. } => self.thunk_scope(*thunk),
        }
    }

    pub(crate) fn expr_span(&self, expr: ExprRef) -> Span {
        self.loaded.trees[expr.tree as usize].expr(expr.expr).span
    }

    pub(crate) fn value_span(&self, value: ValueRef) -> Span {
        self.loaded.trees[value.tree as usize].value(value.value).span
    }
}
