//! Stanzas whose layer is determined only when a condition, a name or a class is known.

use std::rc::Rc;

use super::taint::{CLEAN, Memo, Skip};
use super::view::{Frontier, Next, Older};
use super::{
    BlockRef, ExprRef, Graph, GroupId, Mark, NativeId, ScopeId, ScopeKind, ThunkId, ThunkKind, ValueRef, ViewId,
};
use crate::error::{Category, Error, Result, Step};
use crate::evaluate::to_text;
use crate::native::Params;
use crate::source::{Source, Span};
use crate::syntax::{Branch, Entry, ExprKind, Literal, StanzaKind, Tree, ValueKind};
use crate::value::{Kind, SECRET, derived};

/// The maximum number of cases in a message.
const MAX_CASES: usize = 8;

/// A layer and the number of its stanzas that are still to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Layer {
    Group(GroupId, u32),
    /// The members that a class of the host adds.
    Native(NativeId),
}

/// The decision about a stanza.
pub(crate) enum Choice {
    /// Layers, the oldest first; none if nothing was chosen.
    Layers(Vec<Layer>),
    /// A value other than a block.
    Value(ThunkId),
}

/// The basis of a decision; if it changes, so does the decision.
#[derive(Clone, PartialEq)]
enum Guard {
    Branch(Option<usize>),
    /// The names and their documents.
    Documents(Vec<Rc<str>>, Vec<u32>),
    Block(BlockRef),
    Class(u32),
    Turns(Turns),
}

/// The turns of a loop: the numbers of the items and the bodies with their scopes.
#[derive(Clone, Default)]
struct Turns(Vec<(usize, BlockRef, ScopeId)>);

impl PartialEq for Turns {
    /// Compares the numbers. A scope is new whenever a loop is decided.
    fn eq(&self, other: &Self) -> bool {
        let numbers = |turns: &Self| turns.0.iter().map(|(number, ..)| *number).collect::<Vec<_>>();
        numbers(self) == numbers(other)
    }
}

pub(super) enum Decision {
    Busy(u32),
    Done(Result<Rc<Choice>>, Mark),
}

/// A class of the host and the mapping that it is instantiated with.
pub(super) struct Native {
    class: u32,
    params: ViewId,
    at: Span,
    members: Option<Layer>,
    busy: bool,
}

impl Graph<'_> {
    /// Decides a stanza. Returns `None` if it is already being decided, and records that it was looked up.
    pub(super) fn decide(&mut self, group: GroupId, stanza: u32, what: Skip) -> Result<Option<Rc<Choice>>> {
        match self.findings(group).decided.get(&stanza) {
            Some(Decision::Busy(depth)) => {
                let depth = *depth;
                self.skip(depth, what);
                return Ok(None);
            }
            Some(Decision::Done(result, mark)) => {
                let (result, mark) = (result.clone(), *mark);
                self.touch(mark);
                return result.map(Some);
            }
            None => {}
        }
        let at = self.stanza_span(group, stanza);
        let outer = std::mem::replace(&mut self.taint, CLEAN);
        let depth = self.push_frame(group, stanza);
        self.note::<Decision>(2);
        let result = self.nested(at, |graph| graph.decision(group, stanza, depth));
        self.pop_frame(group, stanza);
        // Results that only this stanza tainted are now valid.
        let taint = if self.taint >= depth { CLEAN } else { self.taint };
        self.taint = outer.min(taint);
        let mark = if taint == CLEAN { Mark::CLEAN } else { self.remember(Memo::Decision(group, stanza), taint) };
        self.findings_mut(group).decided.insert(stanza, Decision::Done(result.clone(), mark));
        result.map(Some)
    }

    /// Returns whether a stanza is being decided.
    pub(super) fn is_busy(&self, group: GroupId, stanza: u32) -> bool {
        matches!(self.findings(group).decided.get(&stanza), Some(Decision::Busy(_)))
    }

    fn decision(&mut self, group: GroupId, stanza: u32, depth: u32) -> Result<Rc<Choice>> {
        self.findings_mut(group).decided.insert(stanza, Decision::Busy(depth));
        let guard = self.guard(group, stanza)?;
        let choice = Rc::new(self.choice(group, stanza, &guard));
        let skipped = self.skipped(group, depth);
        self.end_run(group, stanza);
        if skipped.is_empty() {
            return Ok(choice);
        }
        let mark = self.mark(depth);
        self.findings_mut(group).decided.insert(stanza, Decision::Done(Ok(choice.clone()), mark));
        if !self.touches(group, &choice, &skipped) {
            return Ok(choice);
        }
        self.forget();
        self.findings_mut(group).decided.insert(stanza, Decision::Done(Ok(choice.clone()), mark));
        let again = self.guard(group, stanza);
        match again {
            Ok(again) if again == guard => Ok(choice),
            Err(error) if self.is_unknown(&error) => Err(error),
            Err(error)
                if !matches!(error.category(), Category::NoMatching | Category::NotFound | Category::Paradox) =>
            {
                Err(error)
            }
            _ => Err(self.paradox(group, stanza)),
        }
    }

    fn paradox(&self, group: GroupId, stanza: u32) -> Error {
        let message = "the decision changes the values that it depends on";
        let at = self.guard_span(group, stanza);
        Error::new(Category::Paradox, at, message).trail(self.trail(self.group(group).scope))
    }

    /// Returns whether a stanza defines a key that was looked up past it.
    fn touches(&mut self, group: GroupId, choice: &Choice, skipped: &[Skip]) -> bool {
        let Choice::Layers(layers) = choice else { return true };
        let view = self.group(group).view.unwrap_or(self.root);
        skipped.iter().any(|skip| match skip {
            Skip::All => !layers.is_empty(),
            Skip::Name(name) => layers.iter().any(|layer| match layer {
                Layer::Group(group, _) => !matches!(self.in_group(*group, *name), Ok(None)),
                Layer::Native(_) => false,
            }),
            Skip::Key(key) => {
                let stack = layers.iter().map(|layer| self.whole(*layer)).collect();
                self.has_key(view, Frontier::new(stack, Older::Nothing), *key)
            }
        })
    }

    fn has_key(&mut self, view: ViewId, mut frontier: Frontier, key: crate::name::Name) -> bool {
        loop {
            match self.next_layer(view, &mut frontier, Skip::Key(key)) {
                Ok(Next::End) => return false,
                Ok(Next::Stanza(group, stanza)) if self.in_stanza(group, stanza, key).is_empty() => {}
                _ => return true,
            }
        }
    }

    fn guard(&mut self, group: GroupId, stanza: u32) -> Result<Guard> {
        let block = self.group(group).block;
        let scope = self.group(group).scope;
        let tree = self.tree(block.tree);
        let syntax = &tree.block(block.block).stanzas[stanza as usize];
        let expr = |expr| ExprRef { tree: block.tree, expr };
        if !matches!(syntax.kind, StanzaKind::If(_) | StanzaKind::Select { .. }) {
            self.check_calls(scope, syntax.span)?;
        }
        match &syntax.kind {
            StanzaKind::If(branches) => self.branch(block.tree, branches, scope).map(Guard::Branch),
            StanzaKind::Select { subject, cases } => {
                let case = self.case(expr(*subject), cases, scope, syntax.span)?;
                Ok(Guard::Branch(Some(case)))
            }
            StanzaKind::Include(name) => {
                let names = self.included_names(expr(*name), scope)?;
                let documents = self.included(&names, group, syntax.span)?;
                Ok(Guard::Documents(names.into_iter().map(|(name, _)| name).collect(), documents))
            }
            StanzaKind::Call { callee, .. } => {
                let value = self.eval(expr(*callee), scope)?;
                match value.kind {
                    Kind::Macro(body) => Ok(Guard::Block(body)),
                    _ => {
                        let message = format!("{} can't be called", value.what());
                        Err(Error::new(Category::Type, syntax.span, message).used(value.at).trail(self.trail(scope)))
                    }
                }
            }
            StanzaKind::New { class, .. } | StanzaKind::NewAs { class, .. } => self.class(expr(*class), scope),
            StanzaKind::For { .. } => self.turns(group, stanza).map(Guard::Turns),
            _ => Ok(Guard::Branch(None)),
        }
    }

    fn turns(&mut self, group: GroupId, stanza: u32) -> Result<Turns> {
        let list = self.loop_list(group, stanza)?;
        let mut turns = Turns::default();
        for (number, item) in self.items(list)?.into_iter().enumerate() {
            if let Some((body, scope)) = self.turn_scope(group, stanza, item)? {
                self.note::<(usize, BlockRef, ScopeId)>(2);
                turns.0.push((number, body, scope));
            }
        }
        Ok(turns)
    }

    fn branch(&mut self, tree: u32, branches: &[Branch], scope: ScopeId) -> Result<Option<usize>> {
        for (at, branch) in branches.iter().enumerate() {
            let Some(condition) = branch.condition else { return Ok(Some(at)) };
            let value = self.eval(ExprRef { tree, expr: condition }, scope)?;
            if self.is_true(&value)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    fn case(&mut self, subject: ExprRef, cases: &[Entry], scope: ScopeId, at: Span) -> Result<usize> {
        let value = self.eval(subject, scope)?;
        let text = to_text(&value, self.expr_span(subject))?;
        if let Some(found) = cases.iter().position(|case| **self.loaded.names.text(case.key) == *text) {
            return Ok(found);
        }
        let message = format!("the selection has no case {}", value.shown());
        let names: Vec<Rc<str>> = cases.iter().map(|case| self.text_of(case.key)).collect();
        let error =
            Error::new(Category::NoMatching, at, message).used(self.expr_span(subject)).trail(self.trail(scope));
        let error = error.labeled(derived(value.labels));
        let suggested = if value.is_secret() {
            error
        } else {
            self.loaded.suggestions.add(error, &text, names.iter().map(|name| &**name))
        };
        if suggested.advice().is_some() {
            return Err(suggested);
        }
        let shown: Vec<String> = names.iter().take(MAX_CASES).map(|name| format!("`{name}`")).collect();
        let more = if names.len() > MAX_CASES { ", …" } else { "" };
        Err(suggested.help(format!("the cases are {}{more}", shown.join(", "))))
    }

    fn class(&mut self, class: ExprRef, scope: ScopeId) -> Result<Guard> {
        let value = self.eval(class, scope)?;
        let at = self.expr_span(class);
        match &value.kind {
            Kind::Prototype(body) => Ok(Guard::Block(*body)),
            Kind::Class(class) => Ok(Guard::Class(*class)),
            Kind::Text(text) if self.is_literal(class) => {
                self.class_of(&text.plain).map(Guard::Class).ok_or_else(|| {
                    Error::new(Category::NoMatching, at, format!("there is no class {}", value.shown()))
                        .trail(self.trail(scope))
                })
            }
            _ => {
                let message = format!("{} is not a prototype", value.shown());
                Err(Error::new(Category::Type, value.at, message).used(at).trail(self.trail(scope)))
            }
        }
    }

    fn is_literal(&self, expr: ExprRef) -> bool {
        matches!(self.loaded.trees[expr.tree as usize].expr(expr.expr).kind, ExprKind::Literal(Literal::Text(_)))
    }

    fn class_of(&mut self, text: &str) -> Option<u32> {
        let name = self.loaded.names.number(text);
        self.classes.iter().position(|(found, _)| *found == name).map(|at| at as u32)
    }

    fn choice(&mut self, group: GroupId, stanza: u32, guard: &Guard) -> Choice {
        let block = self.group(group).block;
        let tree = self.tree(block.tree);
        let syntax = &tree.block(block.block).stanzas[stanza as usize];
        match (&syntax.kind, guard) {
            (StanzaKind::If(branches), Guard::Branch(Some(at))) => self.layer(group, block.tree, branches[*at].body),
            (StanzaKind::Select { cases, .. }, Guard::Branch(Some(at))) => self.chosen_case(group, &tree, &cases[*at]),
            (StanzaKind::Include(_), Guard::Documents(_, documents)) => {
                self.included_layers(group, documents, syntax.span)
            }
            (StanzaKind::Call { arguments, .. }, Guard::Block(body)) => {
                let outer = self.group(group).scope;
                let view = self.block_view(BlockRef { tree: block.tree, block: *arguments }, outer);
                let step = Step { what: "called here:", at: syntax.span };
                let scope = self.add_scope(outer, ScopeKind::Arguments(Vec::new(), Some(view)), Some(step));
                self.layer_in(*body, scope, self.group(group).view)
            }
            (StanzaKind::For { .. }, Guard::Turns(turns)) => {
                let view = self.group(group).view;
                let mut layer = |(_, body, scope): &(usize, BlockRef, ScopeId)| {
                    let group = self.add_group(*body, *scope, view);
                    self.layer_of(group)
                };
                Choice::Layers(turns.0.iter().map(&mut layer).collect())
            }
            (StanzaKind::New { .. }, _) => {
                let view = self.group(group).view;
                Choice::Layers(self.instance_of(group, stanza, view, guard))
            }
            _ => Choice::Layers(Vec::new()),
        }
    }

    fn layer(&mut self, group: GroupId, tree: u32, block: crate::syntax::BlockId) -> Choice {
        let (scope, view) = (self.group(group).scope, self.group(group).view);
        self.layer_in(BlockRef { tree, block }, scope, view)
    }

    fn layer_in(&mut self, block: BlockRef, scope: ScopeId, view: Option<ViewId>) -> Choice {
        let group = self.add_group(block, scope, view);
        Choice::Layers(vec![self.layer_of(group)])
    }

    fn chosen_case(&mut self, group: GroupId, tree: &Tree, case: &Entry) -> Choice {
        let number = self.group(group).block.tree;
        match tree.value(case.value).kind {
            ValueKind::Body(block) => self.layer(group, number, block),
            ValueKind::EmptyMap if self.group(group).view.is_some() => Choice::Layers(Vec::new()),
            _ => {
                let value = ValueRef { tree: number, value: case.value };
                let scope = self.group(group).scope;
                Choice::Value(self.add_thunk(ThunkKind::Value(value, scope)))
            }
        }
    }

    /// Returns a block as a separate mapping.
    pub(super) fn block_view(&mut self, block: BlockRef, scope: ScopeId) -> ViewId {
        self.view_of(block, scope, Older::Nothing).0
    }

    /// Returns the layers of `new … as`: the prototype under the body.
    pub(super) fn instance(&mut self, group: GroupId, stanza: u32, view: Option<ViewId>) -> Result<Vec<Layer>> {
        let guard = self.guard(group, stanza)?;
        Ok(self.instance_of(group, stanza, view, &guard))
    }

    fn instance_of(&mut self, group: GroupId, stanza: u32, view: Option<ViewId>, guard: &Guard) -> Vec<Layer> {
        let block = self.group(group).block;
        let tree = self.tree(block.tree);
        let syntax = &tree.block(block.block).stanzas[stanza as usize];
        let (StanzaKind::New { body, .. } | StanzaKind::NewAs { body, .. }) = syntax.kind else {
            return Vec::new();
        };
        let outer = self.group(group).scope;
        let body = BlockRef { tree: block.tree, block: body };
        let view = view.unwrap_or_else(|| self.add_view(syntax.span, Older::Nothing).id);
        let step = Step { what: "instantiated here:", at: syntax.span };
        let scope = self.add_scope(outer, ScopeKind::Instance(view), Some(step));
        let under = match guard {
            Guard::Block(prototype) => {
                let group = self.add_group(*prototype, scope, Some(view));
                self.layer_of(group)
            }
            Guard::Class(class) => {
                let params = self.block_view(body, outer);
                self.natives.push(Native { class: *class, params, at: syntax.span, members: None, busy: false });
                Layer::Native(NativeId(self.natives.len() as u32 - 1))
            }
            _ => return Vec::new(),
        };
        let own = self.add_group(body, scope, Some(view));
        vec![under, self.layer_of(own)]
    }

    /// Returns the members that a class of the host adds. The class runs only once.
    pub(super) fn native_members(&mut self, id: NativeId) -> Result<Layer> {
        let native = &self.natives[id.at()];
        if let Some(layer) = native.members {
            return Ok(layer);
        }
        let (class, params, at) = (native.class, native.params, native.at);
        if native.busy {
            return Err(Error::new(Category::Cycle, at, "the class depends on its own members"));
        }
        self.natives[id.at()].busy = true;
        let made = self.apply(class, params, at);
        self.natives[id.at()].busy = false;
        let layer = made?;
        self.natives[id.at()].members = Some(layer);
        Ok(layer)
    }

    fn apply(&mut self, class: u32, params: ViewId, at: Span) -> Result<Layer> {
        let class = self.classes[class as usize].1.clone();
        let mut params = Params { graph: self, view: params, at, is_secret: false };
        let members = class.members(&mut params)?;
        let mut source = at.source;
        if params.is_secret {
            let mut made = Source::new(&self.loaded.sources.get(source).name.clone(), None, "");
            made.labels = SECRET;
            source = self.loaded.sources.add(made);
        }
        let block = self.data_block(&members, source);
        let scope = self.document_scope();
        let group = self.add_group(block, scope, None);
        Ok(self.layer_of(group))
    }

    pub(super) fn stanza_span(&self, group: GroupId, stanza: u32) -> Span {
        let block = self.group(group).block;
        self.loaded.trees[block.tree as usize].block(block.block).stanzas[stanza as usize].span
    }

    /// Returns the condition or the name that decides.
    fn guard_span(&self, group: GroupId, stanza: u32) -> Span {
        let block = self.group(group).block;
        let tree = &self.loaded.trees[block.tree as usize];
        let syntax = &tree.block(block.block).stanzas[stanza as usize];
        match &syntax.kind {
            StanzaKind::If(branches) => {
                branches[0].condition.map_or(syntax.span, |condition| tree.expr(condition).span)
            }
            StanzaKind::Select { subject: expr, .. } | StanzaKind::Include(expr) => tree.expr(*expr).span,
            _ => syntax.span,
        }
    }
}
