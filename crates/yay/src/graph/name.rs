//! The meaning of names, from the position of an expression outwards.

use rustc_hash::FxHashMap;

use super::decide::{Decision, Layer};
use super::taint::{CLEAN, Memo, Skip};
use super::{BlockRef, Choice, ExprRef, Graph, GroupId, Mark, ScopeId, ScopeKind, ThunkId, ThunkKind};
use crate::error::Result;
use crate::evaluate::Function;
use crate::name::Name;
use crate::source::Span;
use crate::syntax::{Block, ExprId, Meaning, Naming, StanzaKind};
use crate::value::{Kind, Value};

/// The meaning of a name.
pub(crate) enum Found {
    Value(Value),
    Thunk(ThunkId),
}

/// The meaning of a name and the block that binds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Binding {
    group: GroupId,
    naming: Naming,
}

/// The names that a block and its includes bind, as far as they are known.
#[derive(Default)]
pub(super) struct Exports {
    /// The number of includes, from the first one on, whose names are not collected yet.
    left: usize,
    /// The bindings, with the number of the stanza in this block.
    names: FxHashMap<Name, (u32, Binding)>,
    /// Provisional bindings, by name and the number of the include before which the name was looked up.
    pub(super) partial: FxHashMap<(Name, usize), (Option<Binding>, Mark)>,
}

impl Exports {
    pub(super) fn new(block: &Block) -> Self {
        Exports { left: block.includes.len(), names: FxHashMap::default(), partial: FxHashMap::default() }
    }
}

impl Graph<'_> {
    /// Returns the meaning of a name in a scope.
    pub(crate) fn find(&mut self, scope: ScopeId, name: Name, at: Span) -> Result<Option<Found>> {
        let mut next = Some(scope);
        while let Some(scope) = next {
            self.step(at)?;
            if let Some(found) = self.in_scope(scope, name)? {
                return Ok(Some(found));
            }
            next = self.scopes[scope.at()].parent;
        }
        self.in_document(name, at)
    }

    fn in_scope(&mut self, scope: ScopeId, name: Name) -> Result<Option<Found>> {
        match &self.scopes[scope.at()].kind {
            ScopeKind::Unknown(error) if name == self.words.here => Err(error.clone()),
            ScopeKind::Document | ScopeKind::Included { .. } | ScopeKind::Unknown(_) => Ok(None),
            ScopeKind::Bound(bound) => Ok(among(bound, name)),
            ScopeKind::Instance(view) if name == self.words.own => Ok(Some(Found::Value(self.map_value(*view)))),
            ScopeKind::Instance(_) => Ok(None),
            ScopeKind::Arguments(bound, view) => {
                let (found, view) = (among(bound, name), *view);
                match view {
                    Some(view) if found.is_none() => Ok(self.member(view, name)?.map(Found::Thunk)),
                    _ => Ok(found),
                }
            }
            ScopeKind::Group(group) => {
                let group = *group;
                match self.group(group).view {
                    Some(view) if name == self.words.here => Ok(Some(Found::Value(self.map_value(view)))),
                    Some(view) if view == self.root && self.inputs.contains_key(&name) => {
                        Ok(self.inputs.get(&name).copied().map(Found::Thunk))
                    }
                    _ => Ok(self.in_group(group, name)?.map(|binding| self.bound(binding))),
                }
            }
        }
    }

    /// Returns the stanza of a block, or of its includes, that binds a name. The latest one counts.
    pub(super) fn in_group(&mut self, id: GroupId, name: Name) -> Result<Option<Binding>> {
        let block = self.group(id).block;
        let tree = self.tree(block.tree);
        let syntax = tree.block(block.block);
        let own = syntax.bindings.get(&name).map(|naming| Binding { group: id, naming: *naming });
        if syntax.includes.is_empty() {
            return Ok(own);
        }
        self.settle(id, &syntax.includes);
        let later = |stanza: u32| own.is_none_or(|own| stanza > own.naming.stanza);
        let exports = &self.findings(id).exports;
        if let Some((stanza, binding)) = exports.names.get(&name)
            && later(*stanza)
        {
            return Ok(Some(*binding));
        }
        let left = exports.left;
        let floor = own.map_or(0, |own| syntax.includes.partition_point(|stanza| *stanza < own.naming.stanza));
        Ok(self.in_includes(id, name, &syntax.includes, (floor, left))?.or(own))
    }

    /// Returns the binding of a name in the includes whose names are not collected yet, the latest first.
    fn in_includes(
        &mut self,
        id: GroupId,
        name: Name,
        includes: &[u32],
        range: (usize, usize),
    ) -> Result<Option<Binding>> {
        let (floor, mut left) = range;
        let mut start = None;
        while let Some(stanza) = left.checked_sub(1).filter(|at| *at >= floor).map(|at| includes[at]) {
            let hopped = self.hop(id, stanza + 1, Skip::Name(name));
            if hopped <= stanza {
                left = includes[..left].partition_point(|stanza| *stanza < hopped);
                continue;
            }
            if let Some((found, mark)) = self.findings(id).exports.partial.get(&(name, left)).copied() {
                self.touch(mark);
                return Ok(self.keep_partial(id, name, start, found, mark));
            }
            start.get_or_insert(left);
            left -= 1;
            if let Some(found) = self.in_include(id, stanza, name)? {
                return Ok(Some(found));
            }
        }
        let mark = self.current_mark();
        Ok(self.keep_partial(id, name, start, None, mark))
    }

    /// Caches the result of a lookup in includes, with the number of the include at which the lookup started: other
    /// lookups that wait for it continue there.
    fn keep_partial(
        &mut self,
        id: GroupId,
        name: Name,
        start: Option<usize>,
        found: Option<Binding>,
        mark: Mark,
    ) -> Option<Binding> {
        if let Some(left) = start {
            let depth = self.depth_of(mark);
            let mark = self.remember(Memo::Partial(id, name, left), depth);
            self.findings_mut(id).exports.partial.insert((name, left), (found, mark));
        }
        found
    }

    fn in_include(&mut self, id: GroupId, stanza: u32, name: Name) -> Result<Option<Binding>> {
        let Some(choice) = self.decide(id, stanza, Skip::Name(name))? else { return Ok(None) };
        let Choice::Layers(layers) = &*choice else { return Ok(None) };
        for layer in layers.iter().rev() {
            if let Layer::Group(group, _) = layer
                && let Some(binding) = self.in_group(*group, name)?
            {
                return Ok(Some(binding));
            }
        }
        Ok(None)
    }

    /// Collects the names of includes with a final decision, from the last one back.
    fn settle(&mut self, id: GroupId, includes: &[u32]) -> bool {
        while let Some(left) = self.findings(id).exports.left.checked_sub(1) {
            let stanza = includes[left];
            let Some(Decision::Done(Ok(choice), mark)) = self.findings(id).decided.get(&stanza) else { return false };
            let (choice, mark) = (choice.clone(), *mark);
            if self.depth_of(mark) != CLEAN {
                return false;
            }
            let Choice::Layers(layers) = &*choice else { return false };
            let mut found = FxHashMap::default();
            for layer in layers {
                let Layer::Group(group, _) = layer else { continue };
                let block = self.group(*group).block;
                let tree = self.tree(block.tree);
                let syntax = tree.block(block.block);
                if !self.settle(*group, &syntax.includes) {
                    return false;
                }
                self.collect(*group, syntax, stanza, &mut found);
            }
            let exports = &mut self.findings_mut(id).exports;
            exports.left = left;
            found.retain(|name, _| !exports.names.contains_key(name));
            exports.names.extend(found);
        }
        true
    }

    fn collect(&self, group: GroupId, syntax: &Block, stanza: u32, found: &mut FxHashMap<Name, (u32, Binding)>) {
        let own = syntax.bindings.iter();
        found.extend(own.map(|(name, naming)| (*name, (stanza, Binding { group, naming: *naming }))));
        let later = self
            .findings(group)
            .exports
            .names
            .iter()
            .filter(|(name, (inner, _))| syntax.bindings.get(*name).is_none_or(|own| *inner > own.stanza));
        found.extend(later.map(|(name, (_, binding))| (*name, (stanza, *binding))));
    }

    fn bound(&mut self, binding: Binding) -> Found {
        let Binding { group, naming: Naming { stanza, meaning } } = binding;
        let tree = self.group(group).block.tree;
        let body = |block| BlockRef { tree, block };
        let kind = match meaning {
            Meaning::Macro(block) => Kind::Macro(body(block)),
            Meaning::Prototype(block) => Kind::Prototype(body(block)),
            Meaning::Value(expr) => return Found::Thunk(self.whole_thunk(group, stanza, expr)),
            Meaning::Part(expr, index) => return Found::Thunk(self.part_thunk(group, stanza, expr, index)),
        };
        let at = self.stanza_span(group, stanza);
        Found::Value(Value::new(kind, at, self.labels_at(at.source)))
    }

    /// Returns the part of a value for one of several names that are set together.
    fn part_thunk(&mut self, group: GroupId, stanza: u32, expr: ExprId, index: u32) -> ThunkId {
        let part = (stanza, Some(index));
        if let Some(thunk) = self.findings(group).sets.get(&part) {
            return *thunk;
        }
        let whole = self.whole_thunk(group, stanza, expr);
        let thunk = self.add_thunk(ThunkKind::Unpacked { whole, group, stanza, index });
        self.findings_mut(group).sets.insert(part, thunk);
        thunk
    }

    /// Returns the value of a `set`, before it is unpacked.
    fn whole_thunk(&mut self, group: GroupId, stanza: u32, expr: ExprId) -> ThunkId {
        let whole = (stanza, None);
        if let Some(thunk) = self.findings(group).sets.get(&whole) {
            return *thunk;
        }
        let (block, scope) = (self.group(group).block, self.group(group).scope);
        let thunk = self.add_thunk(ThunkKind::Expr(ExprRef { tree: block.tree, expr }, scope));
        self.findings_mut(group).sets.insert(whole, thunk);
        thunk
    }

    /// Returns the meaning of a name in the root value: a name of another layer, a key, a class, a function, or a
    /// constant.
    fn in_document(&mut self, name: Name, at: Span) -> Result<Option<Found>> {
        if let Some(given) = self.inputs.get(&name) {
            return Ok(Some(Found::Thunk(*given)));
        }
        if let Some(binding) = self.in_roots(name)? {
            return Ok(Some(self.bound(binding)));
        }
        if name == self.words.here {
            return Ok(Some(Found::Value(self.map_value(self.root))));
        }
        if !self.root_is_list()?
            && let Some(thunk) = self.member(self.root, name)?
        {
            return Ok(Some(Found::Thunk(thunk)));
        }
        if let Some(class) = self.classes.iter().position(|(class, _)| *class == name) {
            return Ok(Some(Found::Value(Value::new(Kind::Class(class as u32), at, 0))));
        }
        if let Some(builtin) = self.builtins.get(&name) {
            return Ok(Some(Found::Thunk(*builtin)));
        }
        let text = self.text_of(name);
        let kind = match &*text {
            "True" | "true" => Kind::Bool(true, None),
            "False" | "false" => Kind::Bool(false, None),
            "None" | "none" => Kind::Null,
            _ => match Function::named(&text) {
                Some(function) => Kind::Function(function),
                None => return Ok(None),
            },
        };
        Ok(Some(Found::Value(Value::new(kind, at, 0))))
    }

    /// Returns the binding of a name in the documents of the root value, the latest first.
    pub(super) fn in_roots(&mut self, name: Name) -> Result<Option<Binding>> {
        let known = self.root_bindings.get(&name).copied();
        for at in (0..self.open_roots.len()).rev() {
            let document = self.open_roots[at];
            if known.is_some_and(|(found, _)| found > document) {
                break;
            }
            if let Some(binding) = self.in_group(self.roots[document as usize], name)? {
                return Ok(Some(binding));
            }
        }
        Ok(known.map(|(_, binding)| binding))
    }

    /// Records the names that a document of the root value binds.
    pub(super) fn note_root(&mut self, group: GroupId) {
        let block = self.group(group).block;
        let tree = self.tree(block.tree);
        let syntax = tree.block(block.block);
        let document = self.roots.len() as u32 - 1;
        if !syntax.includes.is_empty() {
            self.open_roots.push(document);
            return;
        }
        let bound =
            syntax.bindings.iter().map(|(name, naming)| (*name, (document, Binding { group, naming: *naming })));
        self.root_bindings.extend(bound);
    }

    /// Returns whether the text of the nearest mapping around a scope has a key. Keys are not names.
    pub(crate) fn is_key_around(&mut self, scope: ScopeId, key: &str) -> bool {
        let key = self.loaded.names.number(key);
        let mut around = std::iter::successors(Some(scope), |scope| self.scopes[scope.at()].parent);
        let group = around.find_map(|scope| match self.scopes[scope.at()].kind {
            ScopeKind::Group(group) if self.group(group).view.is_some() => Some(group),
            _ => None,
        });
        let Some(block) = group.map(|group| self.group(group).block) else { return false };
        let stanzas = &self.loaded.trees[block.tree as usize].block(block.block).stanzas;
        stanzas.iter().any(|stanza| match &stanza.kind {
            StanzaKind::Map(entries) => entries.position(key).is_some(),
            StanzaKind::Extend(entry) | StanzaKind::NewAs { entry, .. } => entry.key == key,
            _ => false,
        })
    }

    /// Returns the names that could have been meant at a position, for suggestions.
    pub(crate) fn names_at(&mut self, scope: ScopeId) -> Vec<std::rc::Rc<str>> {
        const MAX: usize = 1_000;
        let mut names = Vec::new();
        let mut next = Some(scope);
        while let Some(scope) = next {
            let this = &self.scopes[scope.at()];
            match &this.kind {
                ScopeKind::Bound(bound) | ScopeKind::Arguments(bound, _) => {
                    names.extend(bound.iter().map(|(name, _)| *name));
                }
                ScopeKind::Group(group) => {
                    let block = self.group(*group).block;
                    let bindings = &self.loaded.trees[block.tree as usize].block(block.block).bindings;
                    names.extend(bindings.keys());
                    names.extend(self.findings(*group).exports.names.keys());
                }
                _ => {}
            }
            next = self.scopes[scope.at()].parent;
        }
        names.extend(self.keys(self.root).iter().flat_map(|keys| keys.iter()));
        names.extend([self.words.here, self.words.own]);
        names.truncate(MAX);
        let mut texts: Vec<_> = names.into_iter().map(|name| self.text_of(name)).collect();
        texts.extend(Function::NAMES.iter().map(|name| (*name).into()));
        texts.sort();
        texts
    }
}

fn among(bound: &[(Name, ThunkId)], name: Name) -> Option<Found> {
    bound.iter().rev().find(|(found, _)| *found == name).map(|(_, thunk)| Found::Thunk(*thunk))
}
