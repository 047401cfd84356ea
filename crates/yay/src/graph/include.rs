//! Documents that others include: their names, the folders in which they are looked up, and the check that none
//! includes itself.

use std::rc::Rc;

use foldhash::HashSet;

use super::decide::Layer;
use super::pattern::is_pattern;
use super::taint::{CLEAN, Skip};
use super::{BlockRef, Choice, Document, ExprRef, Graph, GroupId, ScopeId, ScopeKind};
use crate::error::{Category, Error, Result, Step};
use crate::evaluate::to_text;
use crate::open::{LoadedDocument, OpenError};
use crate::source::{Source, Span};
use crate::syntax::{ExprKind, StanzaKind};
use crate::value::{Kind, MASK, SECRET};

/// The folders that the first `search` stanzas name, if no open decision can change them.
#[derive(Default)]
pub(super) struct SearchFolders {
    /// The number of these stanzas.
    evaluated: usize,
    list: Vec<String>,
    known: HashSet<String>,
}

/// The stanzas before an `include` that may tell where its document is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Earlier {
    /// The branches that are taken.
    Branches,
    /// These, and documents that are included.
    All,
}

impl Graph<'_> {
    /// Returns the names after an `include` and whether they are secrets.
    pub(super) fn included_names(&mut self, names: ExprRef, scope: ScopeId) -> Result<Vec<(Rc<str>, bool)>> {
        let value = self.eval(names, scope).map_err(|error| self.unquoted(names, error))?;
        let user = self.expr_span(names);
        let Kind::List(list) = value.kind else { return Ok(vec![(to_text(&value, user)?, value.is_secret())]) };
        let mut texts = Vec::new();
        let list = self.list_of(&value, list);
        for item in self.items(list)? {
            let item = self.force(item)?;
            texts.push((to_text(&item, user)?, item.is_secret()));
        }
        Ok(texts)
    }

    /// Returns the error, with help if the name of a document lacks quotes and was therefore read as an expression.
    fn unquoted(&self, names: ExprRef, error: Error) -> Error {
        let is_name = matches!(self.loaded.trees[names.tree as usize].expr(names.expr).kind, ExprKind::Attribute(..));
        if is_name && error.category() == Category::NoMatching {
            return error.help("put the name of a document in quotes, unless it is computed");
        }
        error
    }

    pub(super) fn included(&mut self, names: &[(Rc<str>, bool)], group: GroupId, at: Span) -> Result<Vec<u32>> {
        let mut documents = Vec::new();
        for (name, secret) in names {
            if is_pattern(name) && self.configured_name(name, *secret, at)?.is_none() {
                documents.extend(self.documents_like(name, *secret, group, at)?);
            } else {
                documents.push(self.document(name, *secret, group, at)?);
            }
        }
        Ok(documents)
    }

    fn document(&mut self, name: &str, secret: bool, group: GroupId, at: Span) -> Result<u32> {
        let shown = if secret { MASK } else { name };
        let base = self.loaded.sources.get(at.source).address.clone();
        let remote = self.loaded.sources.get(at.source).remote;
        self.refused = None;
        if name.contains(':') {
            self.read_earlier(group, Earlier::Branches);
        }
        let places = loop {
            if let Some((address, by_setting)) = self.configured_name(name, secret, at)? {
                return self.opened_there(&address, (shown, secret || by_setting), remote, group, at)?.ok_or_else(
                    || {
                        self.no_document(shown, group, at)
                            .help("`configure openers` determines where such documents are looked up")
                    },
                );
            }
            let mut places = vec![base.as_deref().map_or(String::new(), str::to_owned)];
            places.extend(self.search_places(at)?);
            self.refused = None;
            for place in &places {
                let Some(address) = self.loaded.opener.locate(name, place) else { continue };
                let (address, by_setting) = self.configured_address(address, secret, at)?;
                let shown = (shown, secret || by_setting);
                if let Some(document) = self.opened_there(&address, shown, remote, group, at)? {
                    return Ok(document);
                }
            }
            if !self.read_earlier(group, Earlier::All) {
                break places;
            }
        };
        let error = self.no_document(shown, group, at);
        Err(match places.len() - 1 {
            0 => error.help("documents are looked up next to this one; add other folders with `search`"),
            1 => error.help("documents are looked up next to this one and in 1 search folder"),
            count => error.help(format!("documents are looked up next to this one and in {count} search folders")),
        })
    }

    /// Reads earlier stanzas, because they may add folders to the search path or configure openers. Returns whether they
    /// have done so. Problems with them are reported where they stand.
    fn read_earlier(&mut self, group: GroupId, earlier: Earlier) -> bool {
        if self.reading_earlier {
            return false;
        }
        let known = self.searches.len() + self.configured.len();
        let scopes = std::iter::successors(Some(self.group(group).scope), |scope| self.scopes[scope.at()].parent);
        let groups = scopes.filter_map(|scope| match self.scopes[scope.at()].kind {
            ScopeKind::Group(group) => Some(group),
            _ => None,
        });
        let around: Vec<GroupId> = groups.collect();
        // The outer documents begin before the inner ones.
        let all: Vec<GroupId> = self.roots.iter().chain(around.iter().rev()).copied().collect();
        self.reading_earlier = true;
        let mut left: Vec<(GroupId, u32)> = all.into_iter().rev().map(|group| (group, 0)).collect();
        while let Some((group, number)) = left.pop() {
            let block = self.group(group).block;
            let tree = self.tree(block.tree);
            let Some(stanza) = tree.block(block.block).stanzas.get(number as usize) else { continue };
            if self.is_busy(group, number) {
                continue;
            }
            left.push((group, number + 1));
            let is_wanted = match stanza.kind {
                StanzaKind::If(_) | StanzaKind::Select { .. } => true,
                StanzaKind::Include(_) => earlier == Earlier::All,
                _ => false,
            };
            if is_wanted
                && let Ok(Some(choice)) = self.decide(group, number, Skip::All)
                && let Choice::Layers(layers) = &*choice
            {
                let groups = layers.iter().rev().filter_map(|layer| match layer {
                    Layer::Group(group, _) => Some((*group, 0)),
                    Layer::Native(_) => None,
                });
                left.extend(groups);
            }
        }
        self.reading_earlier = false;
        self.searches.len() + self.configured.len() > known
    }

    /// Returns the document at an address, with its name for messages and whether the address is a secret.
    pub(super) fn opened_there(
        &mut self,
        address: &str,
        (shown, secret): (&str, bool),
        remote: bool,
        group: GroupId,
        at: Span,
    ) -> Result<Option<u32>> {
        if remote && self.loaded.opener.is_local(address) {
            let message = format!("a remote document can't include the local `{shown}`");
            let trail = self.trail(self.group(group).scope);
            return Err(Error::new(Category::NotFound, at, message).trail(trail));
        }
        let document = self.open(address, secret, at)?;
        if let Some(document) = document {
            self.check_chain(document, group, at)?;
        }
        Ok(document)
    }

    /// Returns the document at an address, which may be a secret; `None` if there is none. Each document is read only
    /// once.
    pub(super) fn open(&mut self, address: &str, secret: bool, at: Span) -> Result<Option<u32>> {
        if let Some(known) = self.loaded.known.get(address) {
            return known.clone().map(Some);
        }
        let opened = match self.loaded.opener.open(address) {
            Ok(opened) => opened,
            Err(OpenError::Missing) => return Ok(None),
            Err(OpenError::Refused(message)) => {
                let message = if secret { format!("a sandbox refuses `{MASK}`") } else { message };
                self.refused = Some(Error::new(Category::NotFound, at, message));
                return Ok(None);
            }
            Err(OpenError::Failed(message)) => {
                let message = if secret { format!("can't read `{MASK}`") } else { message };
                let error = Error::new(Category::NotFound, at, message);
                self.loaded.known.insert(address.to_owned(), Err(error.clone()));
                return Err(error);
            }
        };
        if self.loaded.documents.len() >= self.limits.includes {
            let message = format!("at most {} documents can be read", self.limits.includes);
            return Err(Error::new(Category::Limit, at, message));
        }
        // The document may have been opened by a different name.
        let read = match self.loaded.known.get(&opened.address) {
            Some(known) => known.clone(),
            None => self.read(&opened, secret, at),
        };
        self.loaded.known.insert(opened.address.clone(), read.clone());
        self.loaded.known.insert(address.to_owned(), read.clone());
        read.map(Some)
    }

    fn read(&mut self, opened: &LoadedDocument, secret: bool, at: Span) -> Result<u32> {
        let name = if secret { MASK } else { &opened.name };
        self.bytes += opened.text.len();
        if self.bytes > self.limits.bytes {
            let message = format!("all documents together can have at most {} bytes", self.limits.bytes);
            return Err(Error::new(Category::Limit, at, message));
        }
        let Ok(text) = std::str::from_utf8(&opened.text) else {
            let message = format!("`{name}` is not UTF-8 text");
            return Err(Error::new(Category::NotFound, at, message));
        };
        let mut source = Source::new(name, Some(&opened.address), text);
        source.remote = opened.remote;
        source.hidden = opened.hidden;
        source.labels = self.label_bits(&opened.labels);
        self.add_document(source)
    }

    /// Checks that a document is not a layer of itself.
    fn check_chain(&self, document: u32, group: GroupId, at: Span) -> Result<()> {
        let view = self.group(group).view;
        let mut next = Some(self.group(group).scope);
        while let Some(scope) = next {
            let this = &self.scopes[scope.at()];
            if let ScopeKind::Included { document: found, view: inside } = this.kind
                && found == document
                && inside == view
            {
                let error = Error::new(Category::Cycle, at, "this document includes itself");
                return Err(error.trail(self.trail(scope)));
            }
            next = this.parent;
        }
        Ok(())
    }

    pub(super) fn included_layers(&mut self, group: GroupId, documents: &[u32], at: Span) -> Choice {
        let (outer, view) = (self.group(group).scope, self.group(group).view);
        let mut layers = Vec::new();
        for document in documents {
            let tree = self.loaded.documents[*document as usize].tree;
            let block = BlockRef { tree, block: self.loaded.trees[tree as usize].root };
            let kind = ScopeKind::Included { document: *document, view };
            let scope = self.add_scope(outer, kind, Some(Step { what: "included here:", at }));
            let group = self.add_group(block, scope, view);
            layers.push(self.layer_of(group));
        }
        Choice::Layers(layers)
    }

    /// Returns the search path besides the including document: `search`, `yay.searchpath`, the host's folders. Each
    /// folder takes a step, because a document is looked up in each.
    pub(super) fn search_places(&mut self, at: Span) -> Result<Vec<String>> {
        // A document that is included by a macro adds its `search` with every call.
        let mut open = Vec::new();
        let mut number = self.search_folders.evaluated;
        while let Some((expr, scope)) = self.searches.get(number).copied() {
            let (mut folders, is_final) = self.searched(expr, scope)?;
            folders.retain(|folder| !self.search_folders.known.contains(folder));
            if is_final && number == self.search_folders.evaluated {
                self.search_folders.known.extend(folders.iter().cloned());
                self.search_folders.list.extend(folders);
                self.search_folders.evaluated += 1;
            } else {
                open.extend(folders);
            }
            number += 1;
        }
        let mut places = self.search_folders.list.clone();
        places.extend(open);
        if self.searchpath_key {
            self.graph_entries(&mut places)?;
        }
        places.extend(self.search.iter().cloned());
        self.budget.steps(places.len() as u64).map_err(|exceeded| Error::exceeded(&exceeded, at))?;
        Ok(places)
    }

    /// Returns the folders that a `search` names, and whether open decisions can't change them.
    fn searched(&mut self, expr: ExprRef, scope: ScopeId) -> Result<(Vec<String>, bool)> {
        let outer = std::mem::replace(&mut self.taint, CLEAN);
        let mut folders = Vec::new();
        let named = self.eval(expr, scope).and_then(|value| self.entries_of(&value, &mut folders));
        let taint = self.taint;
        self.taint = outer.min(taint);
        named.map(|()| (folders, taint == CLEAN))
    }

    fn entries_of(&mut self, value: &crate::value::Value, places: &mut Vec<String>) -> Result<()> {
        match value.kind {
            Kind::List(list) => {
                for item in self.items(list)? {
                    let item = self.force(item)?;
                    let text = to_text(&item, value.at)?;
                    places.push(self.folder(&text, item.at));
                }
            }
            _ => {
                let text = to_text(value, value.at)?;
                places.push(self.folder(&text, value.at));
            }
        }
        Ok(())
    }

    /// Returns the address of a folder that a document names.
    pub(super) fn folder(&self, text: &str, at: Span) -> String {
        let folder = format!("{}/", text.trim_end_matches('/'));
        let base = self.loaded.sources.get(at.source).address.clone();
        let located = self.loaded.opener.locate(&folder, base.as_deref().unwrap_or_default());
        located.map_or(folder, |located| format!("{}/", located.trim_end_matches('/')))
    }

    fn graph_entries(&mut self, places: &mut Vec<String>) -> Result<()> {
        let Some(yay) = self.member(self.root, self.words.yay)? else { return Ok(()) };
        let Kind::Map(yay) = self.force(yay)?.kind else { return Ok(()) };
        let Some(path) = self.member(yay, self.words.searchpath)? else { return Ok(()) };
        let value = self.force(path)?;
        self.entries_of(&value, places)
    }

    pub(crate) fn label_bits(&mut self, labels: &[String]) -> u64 {
        let bits = labels.iter().fold(0, |bits, label| bits | self.label_bit(label));
        self.loaded.has_secrets |= bits & SECRET != 0;
        bits
    }

    fn label_bit(&mut self, label: &str) -> u64 {
        const MAX: usize = 63;
        let at = self.loaded.label_names.iter().position(|known| known == label).unwrap_or_else(|| {
            if self.loaded.label_names.len() < MAX {
                self.loaded.label_names.push(label.to_owned());
            }
            self.loaded.label_names.len() - 1
        });
        1 << at
    }

    pub(crate) fn labels_of(&self, bits: u64) -> Vec<String> {
        let set = self.loaded.label_names.iter().enumerate().filter(|(at, _)| bits & (1 << at) != 0);
        set.map(|(_, name)| name.clone()).collect()
    }

    pub(super) fn note_document(&mut self, tree: u32, address: Option<Rc<str>>) -> u32 {
        self.loaded.documents.push(Document { tree, address });
        self.loaded.documents.len() as u32 - 1
    }
}
