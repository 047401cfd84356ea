//! Mappings: layers of definitions, viewed as one.
//!
//! A view reads its layers from the newest to the oldest, and only as far as it must. The layers that it has read
//! before any undecided stanza (up to its *frontier*) are in an index, so that each is read once. Lookups past an
//! undecided stanza are not cached, nor are those past a stanza that depends on an unknown name while folding.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::decide::Layer;
use super::index::Definitions;
use super::plain::Plain;
use super::taint::{CLEAN, Memo, Skip};
use super::{BlockRef, Choice, Graph, GroupId, LayersId, Mark, ThunkId, ThunkKind, ViewId};
use crate::error::{Category, Error, Result};
use crate::name::Name;
use crate::source::Span;
use crate::syntax::{BlockId, Shape, StanzaKind, Tree, ValueId, ValueKind};
use crate::value::{Kind, SECRET, SHAPE, Value};

/// The number of layers whose search costs a step.
const LAYERS_PER_STEP: u32 = 4;

/// A definition of a key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Definition {
    /// A definition in a stanza.
    Written(Written),
    /// A member of a different mapping.
    Thunk {
        thunk: ThunkId,
        /// Whether the key was computed from a secret.
        secret: bool,
    },
}

/// A value that is written for a key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    pub(super) group: GroupId,
    pub(super) value: ValueId,
    pub(super) how: How,
}

/// The effect of a definition on its key.
#[derive(Clone, Copy, Debug)]
pub(super) enum How {
    Entry,
    Extend,
    /// `new … as key` and its stanza.
    New(u32),
}

impl Definition {
    /// Returns the definition, if it is an `extend`.
    pub(super) fn extension(self) -> Option<Written> {
        match self {
            Definition::Written(written @ Written { how: How::Extend, .. }) => Some(written),
            _ => None,
        }
    }
}

/// A known key of a mapping and its value.
pub(crate) struct KnownEntry {
    pub(crate) key: Name,
    pub(crate) thunk: ThunkId,
    /// Whether the key was computed from a secret.
    pub(crate) secret: bool,
}

/// The layers before those of a view.
#[derive(Clone, Copy, Debug)]
pub(super) enum Older {
    Nothing,
    /// The given number of documents of the root value, the oldest ones.
    Documents(usize),
    /// The definitions of a key, from the n-th newest on.
    Key(ViewId, Name, usize),
}

/// The position in the layers of a view.
#[derive(Clone, Debug)]
pub(super) struct Frontier {
    pub(super) stack: Vec<Layer>,
    pub(super) older: Older,
    /// Whether a stanza was skipped that can't define the key of the lookup, but other ones.
    pub(super) has_gaps: bool,
}

impl Frontier {
    pub(super) fn new(stack: Vec<Layer>, older: Older) -> Self {
        Frontier { stack, older, has_gaps: false }
    }
}

pub(crate) struct View {
    pub(crate) at: Span,
    pub(super) content: Content,
}

#[derive(Clone, Copy)]
pub(super) enum Content {
    Plain(Plain),
    Layered(LayersId),
}

/// A view that is not plain.
#[derive(Clone, Copy)]
pub(super) struct LayeredView {
    pub(super) id: ViewId,
    layers: LayersId,
}

/// The layers of a view, as far as they were read.
pub(super) struct Layered {
    frontier: Frontier,
    /// The number of moves of the frontier.
    version: u64,
    definitions: Definitions,
    /// The mapping under all layers.
    tail: Option<ViewId>,
    complete: bool,
    members: FxHashMap<Name, (ThunkId, Mark)>,
    keys: Option<Rc<[Name]>>,
    /// The labels of the values that determined the keys, as far as the layers were read.
    labels: u64,
}

/// A cached key of a mapping.
type Member = (Name, Definition, Mark);

impl Layered {
    fn new(older: Older) -> Self {
        Layered {
            frontier: Frontier::new(Vec::new(), older),
            version: 0,
            definitions: Definitions::default(),
            tail: None,
            complete: false,
            members: FxHashMap::default(),
            keys: None,
            labels: 0,
        }
    }

    /// Returns all definitions that were read, the newest first.
    pub(super) fn definitions(&self) -> impl Iterator<Item = &(Name, Definition)> {
        self.definitions.iter()
    }
}

#[derive(Clone, Copy)]
pub(super) enum Next {
    Stanza(GroupId, u32),
    Tail(ViewId),
    End,
}

impl Graph<'_> {
    pub(super) fn add_view(&mut self, at: Span, older: Older) -> LayeredView {
        self.note::<(Layered, View)>(1);
        let layers = LayersId(self.layers.len() as u32);
        self.layers.push(Layered::new(older));
        self.views.push(View { at, content: Content::Layered(layers) });
        LayeredView { id: ViewId(self.views.len() as u32 - 1), layers }
    }

    /// Makes a view read its layers again.
    pub(super) fn reset_view(&mut self, view: ViewId, at: Span, older: Older) {
        let view = &mut self.views[view.at()];
        view.at = at;
        if let Content::Layered(layers) = view.content {
            self.layers[layers.at()] = Layered::new(older);
        }
    }

    pub(super) fn push_layer(&mut self, view: LayeredView, layer: Layer) {
        self.layered_mut(view).frontier.stack.push(layer);
    }

    fn layered(&self, view: LayeredView) -> &Layered {
        &self.layers[view.layers.at()]
    }

    fn layered_mut(&mut self, view: LayeredView) -> &mut Layered {
        &mut self.layers[view.layers.at()]
    }

    pub(super) fn forget_member(&mut self, view: ViewId, key: Name) {
        if let Content::Layered(layers) = self.views[view.at()].content {
            self.layers[layers.at()].members.remove(&key);
        }
    }

    /// Returns a mapping of values that are known.
    pub(crate) fn known_view(&mut self, at: Span, entries: Vec<KnownEntry>) -> ViewId {
        let id = self.add_view(at, Older::Nothing);
        self.note::<Member>(2 * entries.len());
        let view = self.layered_mut(id);
        view.complete = true;
        for KnownEntry { key, thunk, secret } in entries.into_iter().rev() {
            view.definitions.push(key, Definition::Thunk { thunk, secret });
        }
        id.id
    }

    /// Returns whether a key of a mapping was computed from a secret.
    pub(crate) fn is_secret_key(&mut self, view: ViewId, key: Name) -> Result<bool> {
        if !self.loaded.has_secrets || matches!(self.views[view.at()].content, Content::Plain(_)) {
            return Ok(false);
        }
        let definition = self.definition(view, key, 0)?;
        Ok(matches!(definition, Some(Definition::Thunk { secret: true, .. })))
    }

    /// Returns the keys of a mapping that were computed from secrets, if there are any.
    pub(crate) fn secret_keys(&mut self, view: ViewId, at: Span) -> Result<FxHashSet<Name>> {
        let mut secret = FxHashSet::default();
        if !self.loaded.has_secrets || matches!(self.views[view.at()].content, Content::Plain(_)) {
            return Ok(secret);
        }
        let keys = self.keys(view)?;
        self.look_through(4 * keys.len(), at)?;
        for key in keys.iter() {
            if self.is_secret_key(view, *key)? {
                secret.insert(*key);
            }
        }
        Ok(secret)
    }

    /// Returns the labels that values inherit from the keys of a mapping if they depend on them.
    pub(crate) fn key_labels(&mut self, value: &Value, view: ViewId) -> Result<u64> {
        let secret = !self.secret_keys(view, value.at)?.is_empty();
        Ok(value.labels | self.view_labels(view) | if secret { SECRET | SHAPE } else { 0 })
    }

    /// Returns the labels of the values that determined the keys of a mapping, as far as its layers were read.
    pub(crate) fn view_labels(&self, view: ViewId) -> u64 {
        match self.views[view.at()].content {
            Content::Plain(_) => 0,
            Content::Layered(layers) => self.layers[layers.at()].labels,
        }
    }

    fn label_view(&mut self, view: ViewId, labels: u64) {
        if let Content::Layered(layers) = self.views[view.at()].content {
            self.layers[layers.at()].labels |= labels;
        }
    }

    /// Returns the mapping of a value. If its shape is secret, so are its keys and values.
    pub(crate) fn mapping_of(&mut self, value: &Value, view: ViewId) -> Result<ViewId> {
        let labels = value.shape();
        if labels == 0 {
            return Ok(view);
        }
        let mut entries = Vec::new();
        for key in self.keys(view)?.iter() {
            if let Some(thunk) = self.member(view, *key)? {
                entries.push(KnownEntry { key: *key, thunk: self.labelled_thunk(thunk, labels), secret: true });
            }
        }
        Ok(self.known_view(value.at, entries))
    }

    /// Returns the lazy value of a key.
    pub(crate) fn member(&mut self, view: ViewId, key: Name) -> Result<Option<ThunkId>> {
        let layered = match self.views[view.at()].content {
            Content::Plain(plain) => return Ok(self.plain_member(view, plain, key)),
            Content::Layered(layers) => LayeredView { id: view, layers },
        };
        if let Some((thunk, mark)) = self.layered(layered).members.get(&key).copied() {
            self.touch(mark);
            return Ok(Some(thunk));
        }
        let (found, taint) = self.watch(|graph| graph.definition(view, key, 0));
        let Some(definition) = found? else { return Ok(None) };
        if let Definition::Thunk { thunk, .. } = definition {
            return Ok(Some(thunk));
        }
        let thunk = self.add_thunk(ThunkKind::Member { view, key, definition });
        let mark = if taint == CLEAN { Mark::CLEAN } else { self.remember(Memo::Member(view, key), taint) };
        self.note::<Member>(2);
        self.layered_mut(layered).members.insert(key, (thunk, mark));
        Ok(Some(thunk))
    }

    /// Returns the n-th newest definition of a key.
    pub(super) fn definition(&mut self, view: ViewId, key: Name, n: usize) -> Result<Option<Definition>> {
        let view = match self.views[view.at()].content {
            Content::Plain(plain) if n == 0 => return Ok(self.plain_definition(plain, key)),
            Content::Plain(_) => return Ok(None),
            Content::Layered(layers) => LayeredView { id: view, layers },
        };
        loop {
            let this = self.layered(view);
            if let Some(definition) = this.definitions.nth(key, n) {
                return Ok(Some(definition));
            }
            if this.complete {
                return self.in_tail(this.tail, key, n, this.definitions.count(key));
            }
            if !self.advance(view, Skip::Key(key))? {
                return self.beyond(view, key, n);
            }
        }
    }

    /// Returns whether it is certain that a key has no n-th newest definition.
    pub(super) fn has_no_older(&self, view: ViewId, key: Name, n: usize) -> bool {
        match self.views[view.at()].content {
            Content::Plain(_) => n > 0,
            Content::Layered(layers) => {
                let this = &self.layers[layers.at()];
                this.complete && this.tail.is_none() && this.definitions.count(key) <= n
            }
        }
    }

    fn in_tail(&mut self, tail: Option<ViewId>, key: Name, n: usize, count: usize) -> Result<Option<Definition>> {
        match tail {
            Some(tail) if n == count => {
                let at = self.views[tail.at()].at;
                let Some(thunk) = self.nested(at, |graph| graph.member(tail, key))? else { return Ok(None) };
                Ok(Some(Definition::Thunk { thunk, secret: self.is_secret_key(tail, key)? }))
            }
            _ => Ok(None),
        }
    }

    /// Advances the frontier by one layer; returns false if a stanza is undecided or can't be decided.
    fn advance(&mut self, view: LayeredView, what: Skip) -> Result<bool> {
        if let Some(next) = self.next_certain(view) {
            self.keep(view, next);
            return Ok(true);
        }
        let mut frontier = self.layered(view).frontier.clone();
        let version = self.layered(view).version;
        let (next, taint) = self.watch(|graph| graph.next_layer(view.id, &mut frontier, what));
        let next = next?;
        if self.layered(view).version != version {
            // A nested lookup has moved the frontier in the meantime.
            return Ok(true);
        }
        if taint != CLEAN || frontier.has_gaps {
            return Ok(false);
        }
        self.layered_mut(view).frontier = frontier;
        self.keep(view, next);
        Ok(true)
    }

    /// Returns the next layer, if it can be determined without evaluation.
    fn next_certain(&mut self, view: LayeredView) -> Option<Next> {
        loop {
            let frontier = &mut self.layers[view.layers.at()].frontier;
            let Some(layer) = frontier.stack.last_mut() else {
                return matches!(frontier.older, Older::Nothing | Older::Documents(0)).then_some(Next::End);
            };
            let Layer::Group(group, left) = layer else { return None };
            let Some(stanza) = left.checked_sub(1) else {
                frontier.stack.pop();
                continue;
            };
            let group = *group;
            let is_certain = self.findings[self.groups[group.at()].findings as usize].run.range.is_none();
            let tree = &self.loaded.trees[self.groups[group.at()].block.tree as usize];
            let syntax = &tree.block(self.groups[group.at()].block.block).stanzas[stanza as usize];
            if !is_certain || syntax.kind.entries().is_none() {
                return None;
            }
            *left = stanza;
            return Some(Next::Stanza(group, stanza));
        }
    }

    fn keep(&mut self, view: LayeredView, next: Next) {
        let this = &mut self.layers[view.layers.at()];
        this.version += 1;
        match next {
            Next::End => this.complete = true,
            Next::Tail(tail) => {
                this.tail = Some(tail);
                this.complete = true;
            }
            Next::Stanza(group, stanza) => {
                let block = self.groups[group.at()].block;
                let defined = defined(&self.loaded.trees[block.tree as usize], block.block, group, stanza);
                defined.for_each(|(key, written)| this.definitions.push(key, Definition::Written(written)));
            }
        }
    }

    /// Looks for a definition past undecided stanzas.
    fn beyond(&mut self, view: LayeredView, key: Name, n: usize) -> Result<Option<Definition>> {
        let mut frontier = self.layered(view).frontier.clone();
        let mut count = self.layered(view).definitions.count(key);
        loop {
            match self.next_layer(view.id, &mut frontier, Skip::Key(key))? {
                Next::End => return Ok(None),
                Next::Tail(tail) => return self.in_tail(Some(tail), key, n, count),
                Next::Stanza(group, stanza) => {
                    let found = self.in_stanza(group, stanza, key);
                    if let Some(written) = found.get(n - count) {
                        return Ok(Some(Definition::Written(*written)));
                    }
                    count += found.len();
                }
            }
        }
    }

    /// Returns the definitions of a key in a stanza, the newest first.
    pub(super) fn in_stanza(&self, group: GroupId, stanza: u32, key: Name) -> Vec<Written> {
        let block = self.group(group).block;
        let tree = &self.loaded.trees[block.tree as usize];
        if let StanzaKind::Map(entries) = &tree.block(block.block).stanzas[stanza as usize].kind {
            let values = entries.find(key).into_iter().map(|entry| entries.list[entry as usize].value);
            return values.map(|value| Written { group, value, how: How::Entry }).collect();
        }
        let defined = defined(tree, block.block, group, stanza);
        defined.filter(|(defined, _)| *defined == key).map(|(_, written)| written).collect()
    }

    /// Returns all keys: in the order in which they appear first, older layers before newer ones.
    pub(crate) fn keys(&mut self, view: ViewId) -> Result<Rc<[Name]>> {
        let view = match self.views[view.at()].content {
            Content::Plain(plain) => return Ok(self.plain_keys(plain)),
            Content::Layered(layers) => LayeredView { id: view, layers },
        };
        loop {
            if let Some(keys) = &self.layered(view).keys {
                return Ok(keys.clone());
            }
            let this = self.layered(view);
            if this.complete {
                let (tail, own) = (this.tail, this.definitions.keys().collect());
                let (keys, taint) = self.watch(|graph| graph.ordered(view.id, tail, own));
                let keys = keys?;
                if taint == CLEAN {
                    self.layered_mut(view).keys = Some(keys.clone());
                }
                return Ok(keys);
            }
            if !self.advance(view, Skip::All)? {
                return self.keys_beyond(view);
            }
        }
    }

    fn keys_beyond(&mut self, view: LayeredView) -> Result<Rc<[Name]>> {
        let mut frontier = self.layered(view).frontier.clone();
        let known: Vec<Name> = self.layered(view).definitions.keys().collect();
        let mut older = Vec::new();
        let tail = loop {
            match self.next_layer(view.id, &mut frontier, Skip::All)? {
                Next::End => break None,
                Next::Tail(tail) => break Some(tail),
                Next::Stanza(group, stanza) => {
                    let block = self.group(group).block;
                    let defined = defined(&self.loaded.trees[block.tree as usize], block.block, group, stanza);
                    older.extend(defined.map(|(key, _)| key));
                }
            }
        };
        let own = older.into_iter().rev().chain(known).collect();
        self.ordered(view.id, tail, own)
    }

    /// Returns keys in the order in which they appear first, each once, after those of the mapping under them.
    fn ordered(&mut self, view: ViewId, tail: Option<ViewId>, mut own: Vec<Name>) -> Result<Rc<[Name]>> {
        // A mapping may be under itself.
        let at = self.views[view.at()].at;
        let under = tail.map(|tail| self.nested(at, |graph| graph.keys(tail))).transpose()?.unwrap_or_default();
        self.label_view(view, tail.map_or(0, |tail| self.view_labels(tail)));
        let mut seen: FxHashSet<Name> = under.iter().copied().collect();
        own.retain(|key| seen.insert(*key));
        Ok(if under.is_empty() { own.into() } else { under.iter().copied().chain(own).collect() })
    }

    /// Returns the next stanza that defines keys, from the newest to the oldest.
    pub(super) fn next_layer(&mut self, view: ViewId, frontier: &mut Frontier, what: Skip) -> Result<Next> {
        loop {
            // A few nested loops make many layers, and each name is looked up in all of them.
            self.layers_passed = self.layers_passed.wrapping_add(1);
            if self.layers_passed.is_multiple_of(LAYERS_PER_STEP) {
                self.step(self.views[view.at()].at)?;
            }
            let Some(layer) = frontier.stack.last_mut() else {
                match self.older_layer(view, frontier, what)? {
                    Some(next) => return Ok(next),
                    None => continue,
                }
            };
            let (group, stanza) = match layer {
                Layer::Native(native) => {
                    let native = *native;
                    frontier.stack.pop();
                    let members = self.native_members(native)?;
                    frontier.stack.push(members);
                    continue;
                }
                Layer::Group(_, 0) => {
                    frontier.stack.pop();
                    continue;
                }
                Layer::Group(group, left) => {
                    let (group, before) = (*group, *left);
                    let hopped = self.hop(group, before, what);
                    if let Some(Layer::Group(_, left)) = frontier.stack.last_mut() {
                        *left = hopped.min(before);
                        if hopped < before {
                            continue;
                        }
                        *left -= 1;
                    }
                    (group, before - 1)
                }
            };
            let block = self.group(group).block;
            let tree = self.tree(block.tree);
            let syntax = &tree.block(block.block).stanzas[stanza as usize];
            match &syntax.kind {
                StanzaKind::Map(_) | StanzaKind::Extend(_) | StanzaKind::NewAs { .. } => {
                    return Ok(Next::Stanza(group, stanza));
                }
                StanzaKind::List(_) | StanzaKind::For { layers: false, .. } => {
                    let later = &tree.block(block.block).stanzas[stanza as usize + 1..];
                    let mapping =
                        later.iter().find(|stanza| matches!(stanza.kind, StanzaKind::Map(_) | StanzaKind::Extend(_)));
                    let new = mapping.map_or(self.views[view.at()].at, |mapping| mapping.span);
                    return Err(map_over(syntax.span, "a list", new));
                }
                StanzaKind::Set { .. } | StanzaKind::Macro { .. } | StanzaKind::Prototype { .. } => {}
                StanzaKind::Search(_) | StanzaKind::Configure { .. } => {}
                _ => match self.decide(group, stanza, what) {
                    Ok(None) => {}
                    Ok(Some(choice)) => {
                        if let Some(next) = self.push_choice(view, frontier, &choice)? {
                            return Ok(next);
                        }
                    }
                    Err(error)
                        if self.folding
                            && error.category() != Category::Limit
                            && self.cannot_define(group, stanza, what) =>
                    {
                        frontier.has_gaps = true;
                    }
                    Err(error) => return Err(error),
                },
            }
        }
    }

    fn push_choice(&mut self, view: ViewId, frontier: &mut Frontier, choice: &Choice) -> Result<Option<Next>> {
        match choice {
            Choice::Layers(layers) => frontier.stack.extend(layers.iter().map(|layer| self.whole(*layer))),
            Choice::Value(thunk) => {
                let value = self.force(*thunk)?;
                match value.kind {
                    Kind::Map(tail) => {
                        self.label_view(view, value.shape());
                        let tail = self.mapping_of(&value, tail)?;
                        frontier.stack.clear();
                        frontier.older = Older::Nothing;
                        return Ok(Some(Next::Tail(tail)));
                    }
                    _ => return Err(self.map_over(view, value.at, value.what())),
                }
            }
        }
        Ok(None)
    }

    /// Returns a layer whose stanzas are all still to be read.
    pub(super) fn whole(&self, layer: Layer) -> Layer {
        match layer {
            Layer::Group(group, _) => self.layer_of(group),
            native @ Layer::Native(_) => native,
        }
    }

    pub(super) fn layer_of(&self, group: GroupId) -> Layer {
        let block = self.group(group).block;
        Layer::Group(group, self.loaded.trees[block.tree as usize].block(block.block).stanzas.len() as u32)
    }

    /// Returns the error for a mapping over a value that is not one.
    fn map_over(&self, view: ViewId, old: Span, what: &str) -> Error {
        map_over(old, what, self.views[view.at()].at)
    }

    fn older_layer(&mut self, view: ViewId, frontier: &mut Frontier, what: Skip) -> Result<Option<Next>> {
        match frontier.older {
            Older::Nothing => Ok(Some(Next::End)),
            Older::Documents(0) => Ok(Some(Next::End)),
            Older::Documents(count) => {
                frontier.older = Older::Documents(count - 1);
                frontier.stack.push(self.layer_of(self.roots[count - 1]));
                Ok(None)
            }
            Older::Key(parent, key, n) => {
                let Some(definition) = self.definition(parent, key, n)? else {
                    frontier.older = Older::Nothing;
                    return Ok(Some(Next::End));
                };
                frontier.older = Older::Key(parent, key, n + 1);
                self.push_definition(view, frontier, definition, what)
            }
        }
    }

    /// Adds an older definition of the same key as a layer.
    fn push_definition(
        &mut self,
        view: ViewId,
        frontier: &mut Frontier,
        definition: Definition,
        what: Skip,
    ) -> Result<Option<Next>> {
        let written = match definition {
            Definition::Thunk { thunk, .. } => return self.push_value(view, frontier, thunk),
            Definition::Written(written) => written,
        };
        if let How::New(stanza) = written.how {
            let choice = self.instance(written.group, stanza, Some(view))?;
            frontier.stack.extend(choice.iter().map(|layer| self.whole(*layer)));
            return Ok(None);
        }
        let (value, scope) = self.written_value(written);
        let tree = self.tree(value.tree);
        let node = tree.value(value.value);
        match &node.kind {
            ValueKind::EmptyMap => Ok(None),
            ValueKind::Body(block)
                if tree.block(*block).shape
                    == (Shape { mapping: Some(true), list_inside: tree.block(*block).shape.list_inside }) =>
            {
                let group = self.add_group(BlockRef { tree: value.tree, block: *block }, scope, Some(view));
                frontier.stack.push(self.layer_of(group));
                Ok(None)
            }
            ValueKind::Body(block) => {
                let group = self.add_group(BlockRef { tree: value.tree, block: *block }, scope, Some(view));
                match self.body(group, what)? {
                    super::body::Body::Map => frontier.stack.push(self.layer_of(group)),
                    super::body::Body::Nothing => {}
                    super::body::Body::List => return Err(self.map_over(view, node.span, "a list")),
                    super::body::Body::Value(thunk) => return self.push_value(view, frontier, thunk),
                }
                Ok(None)
            }
            ValueKind::EmptyList => Err(self.map_over(view, node.span, "a list")),
            ValueKind::Template(_) => {
                let thunk = self.add_thunk(ThunkKind::Value(value, scope));
                self.push_value(view, frontier, thunk)
            }
            _ => Err(self.map_over(view, node.span, "a scalar")),
        }
    }

    /// Puts the mapping of a template under all layers.
    fn push_value(&mut self, view: ViewId, frontier: &mut Frontier, thunk: ThunkId) -> Result<Option<Next>> {
        let value = self.force(thunk)?;
        match value.kind {
            Kind::Map(tail) => {
                self.label_view(view, value.shape());
                let tail = self.mapping_of(&value, tail)?;
                frontier.older = Older::Nothing;
                Ok(Some(Next::Tail(tail)))
            }
            _ => Err(self.map_over(view, value.at, value.what())),
        }
    }

    pub(crate) fn map_value(&self, view: ViewId) -> Value {
        let at = self.views[view.at()].at;
        Value::new(Kind::Map(view), at, self.labels_at(at.source))
    }
}

/// Returns the definitions of a stanza, the last key first.
fn defined(tree: &Tree, block: BlockId, group: GroupId, stanza: u32) -> impl Iterator<Item = (Name, Written)> {
    let kind = &tree.block(block).stanzas[stanza as usize].kind;
    let how = match kind {
        StanzaKind::Extend(_) => How::Extend,
        StanzaKind::NewAs { .. } => How::New(stanza),
        _ => How::Entry,
    };
    let entries = kind.entries().unwrap_or_default().iter().rev();
    entries.map(move |entry| (entry.key, Written { group, value: entry.value, how }))
}

fn map_over(old: Span, what: &str, new: Span) -> Error {
    Error::new(Category::Type, old, format!("a mapping can't be put over {what}")).used(new)
}
