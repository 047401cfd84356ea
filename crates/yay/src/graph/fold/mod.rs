//! Folding: a document in which known expressions are computed, and those with unknown names remain.
//!
//! Stanzas keep their order, so that the result is a document with the same meaning: known decisions are replaced by the
//! chosen bodies, and known expressions by their values.

mod expression;
mod stanza;
mod write;

use super::taint::Skip;
use super::{Choice, Graph, GroupId};
use crate::diagram::{Diagram, DiagramBuilder, Stage};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::{Category, Error, Result};
use crate::name::Name;
use crate::source::{Source, SourceId, Span};
use crate::syntax::{StanzaKind, Tree, ValueKind};

use super::decide::Layer;
use super::resolve::Emitter;
use write::write_data;

/// The folded document that is being written.
struct Folder {
    text: String,
    indent: usize,
    /// Whether secrets are hidden.
    masked: bool,
    errors: Vec<Error>,
    /// The number of enclosing parts that may never be evaluated. Their errors are not reported.
    doubts: usize,
    /// Whether the text has expressions as written, in which the names of an enclosing loop have no meaning.
    as_written: bool,
    /// The names in the text.
    names: FxHashSet<Name>,
    lookups: Lookups,
}

/// The parts of the text that depend on the folder of the document that they come from.
#[derive(Default)]
struct Lookups {
    /// The folder of the folded document.
    home: String,
    /// Whether the document that is being folded has such a part and is in a different folder.
    moved: bool,
    /// Whether `search` and `configure` count as such parts. Without a remaining `include`, they have no effect.
    all: bool,
    /// Whether an `include` remains.
    has_includes: bool,
    /// Whether a `search` or `configure` comes from a different folder.
    has_moved: bool,
    /// For each tree, the offsets of such parts and whether they are an `include`.
    of_trees: FxHashMap<u32, Vec<(u32, bool)>>,
}

impl Folder {
    fn new(masked: bool) -> Self {
        Folder {
            lookups: Lookups::default(),
            text: String::new(),
            indent: 0,
            masked,
            errors: Vec::new(),
            doubts: 0,
            as_written: false,
            names: FxHashSet::default(),
        }
    }

    /// Folds a part that may never be evaluated.
    fn in_doubt<T>(&mut self, fold: impl FnOnce(&mut Self) -> T) -> T {
        self.in_doubt_if(true, fold)
    }

    fn in_doubt_if<T>(&mut self, is_doubtful: bool, fold: impl FnOnce(&mut Self) -> T) -> T {
        let doubts = self.doubts;
        self.doubts += usize::from(is_doubtful);
        let result = fold(self);
        self.doubts = doubts;
        result
    }

    fn record(&mut self, error: Error) {
        if self.doubts == 0 && !error.is_unknown() {
            self.errors.push(error);
        }
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(&" ".repeat(self.indent));
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Writes lines that are indented deeper.
    fn deeper<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        self.indent += 2;
        let result = write(self);
        self.indent -= 2;
        result
    }

    /// Turns the indented lines from the given offset on into an item.
    fn put_hyphen(&mut self, start: usize) {
        let at = start + self.indent;
        self.text.replace_range(at..=at, "-");
    }

    /// Returns the value of a result, or records an error other than an unknown name.
    fn known<T>(&mut self, result: Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.record(error);
                None
            }
        }
    }
}

impl Graph<'_> {
    /// Returns all documents as one, with everything known computed.
    pub(crate) fn fold(&mut self, masked: bool) -> Result<String> {
        self.folding(|graph| graph.fold_whole_value(masked))
    }

    fn fold_whole_value(&mut self, masked: bool) -> Result<String> {
        let whole = self.whole_value().and_then(|value| self.data_of(&value, masked));
        match whole {
            Ok(data) => {
                let mut folder = Folder::new(masked);
                write_data(&mut folder, &data);
                Ok(folder.text)
            }
            Err(error) if is_unknown_only(&error) => self.fold_documents(masked),
            Err(error) => Err(error),
        }
    }

    /// Returns whether an error is about a name that folding leaves in place.
    pub(crate) fn is_unknown(&self, error: &Error) -> bool {
        self.folding && error.is_unknown()
    }

    fn fold_documents(&mut self, masked: bool) -> Result<String> {
        let mut folder = Folder::new(masked);
        self.fold_roots(&mut folder)?;
        if folder.lookups.has_includes && folder.lookups.has_moved {
            folder = Folder::new(masked);
            folder.lookups.all = true;
            self.fold_roots(&mut folder)?;
        }
        match Error::all(std::mem::take(&mut folder.errors)) {
            Some(error) => Err(error),
            None => Ok(folder.text),
        }
    }

    fn fold_roots(&mut self, folder: &mut Folder) -> Result<()> {
        let roots = self.roots.clone();
        if let Some(first) = roots.first() {
            let tree = &self.loaded.trees[self.group(*first).block.tree as usize];
            folder.lookups.home = self.folder_of(tree.block(tree.root).span.source);
        }
        for root in roots {
            self.fold_root(folder, root)?;
            if folder.lookups.moved {
                let tree = &self.loaded.trees[self.group(root).block.tree as usize];
                let message = "these documents can't become one: includes remain in documents of different folders";
                let help = "fold the documents of one folder, or use names that begin with a folder or scheme";
                return Err(Error::new(Category::Type, tree.block(tree.root).span, message).help(help));
            }
        }
        Ok(())
    }

    /// Returns the folder of a document, without the slash at its end.
    fn folder_of(&self, source: SourceId) -> String {
        let address = self.loaded.sources.get(source).address.as_deref().unwrap_or_default();
        address.rsplit_once('/').map_or_else(String::new, |(folder, _)| folder.to_owned())
    }

    /// Records the parts of written text that depend on the folder of their document.
    fn note_lookups(&self, folder: &mut Folder, tree: u32, span: Span) {
        let found = || {
            let blocks = self.loaded.trees[tree as usize].blocks.iter();
            let mut found: Vec<(u32, bool)> = blocks
                .flat_map(|block| &block.stanzas)
                .filter_map(|stanza| match stanza.kind {
                    StanzaKind::Include(_) => Some((stanza.span.start, true)),
                    StanzaKind::Search(_) | StanzaKind::Configure { .. } => Some((stanza.span.start, false)),
                    _ => None,
                })
                .collect();
            found.sort_unstable();
            found
        };
        let lookups = &mut folder.lookups;
        let found = lookups.of_trees.entry(tree).or_insert_with(found);
        let first = found.partition_point(|(start, _)| *start < span.start);
        let inside = || found[first..].iter().take_while(|(start, _)| *start < span.end);
        if inside().next().is_none() {
            return;
        }
        let has_include = inside().any(|(_, is_include)| *is_include);
        let is_elsewhere = self.folder_of(span.source) != lookups.home;
        lookups.has_includes |= has_include;
        lookups.has_moved |= is_elsewhere && inside().any(|(_, is_include)| !is_include);
        lookups.moved |= is_elsewhere && (has_include || lookups.all);
    }

    /// Folds a document of the root value. All names of the result are in one block, in which the last binding of a
    /// name counts.
    fn fold_root(&mut self, folder: &mut Folder, root: GroupId) -> Result<()> {
        let (start, mut names) = (folder.text.len(), std::mem::take(&mut folder.names));
        self.fold_group(folder, root)?;
        let bound = if self.roots.len() > 1 { self.bound_names(root) } else { Vec::new() };
        let mut hidden = Vec::new();
        for name in &bound {
            match (self.in_roots(*name), self.in_group(root, *name)) {
                (Ok(whole), Ok(own)) if whole == own => {}
                _ => hidden.push(*name),
            }
        }
        if let Some(name) = hidden.iter().find(|name| folder.names.contains(*name)) {
            let text = folder.text.split_off(start);
            let own = std::mem::take(&mut folder.names);
            folder.in_doubt(|folder| self.fold_bindings(folder, root, &hidden))?;
            if hidden.iter().any(|name| folder.names.contains(name)) {
                let at = self.groups[root.at()].block;
                let message = format!(
                    "these documents can't become one: `{}` has a different meaning in a later one",
                    self.loaded.names.text(*name)
                );
                let at = self.loaded.trees[at.tree as usize].block(at.block).span;
                return Err(Error::new(Category::Type, at, message).help("choose different names"));
            }
            folder.names.extend(own);
            folder.line("if 1:");
            for line in text.lines() {
                folder.text.push_str(if line.is_empty() { "" } else { "  " });
                folder.text.push_str(line);
                folder.text.push('\n');
            }
        }
        names.extend(std::mem::take(&mut folder.names));
        folder.names = names;
        Ok(())
    }

    /// Folds the stanzas of a block and its includes that bind names other than the given ones, because other documents
    /// may use these names.
    fn fold_bindings(&mut self, folder: &mut Folder, group: GroupId, hidden: &[Name]) -> Result<()> {
        let block = self.group(group).block;
        let tree = self.tree(block.tree);
        for (at, stanza) in (0..).zip(&tree.block(block.block).stanzas) {
            let names = match &stanza.kind {
                StanzaKind::Set { targets, .. } => targets.names(),
                StanzaKind::Macro { name, .. } | StanzaKind::Prototype { name, .. } => vec![*name],
                StanzaKind::Include(_) => {
                    let Ok(Some(choice)) = self.decide(group, at, Skip::All) else { continue };
                    let Choice::Layers(layers) = &*choice else { continue };
                    for layer in layers {
                        if let Layer::Group(inner, _) = layer {
                            self.fold_bindings(folder, *inner, hidden)?;
                        }
                    }
                    continue;
                }
                _ => continue,
            };
            if names.iter().any(|name| !hidden.contains(name)) {
                self.fold_stanza(folder, (group, at), &stanza.kind)?;
            }
        }
        Ok(())
    }

    /// Returns the names that a block and its includes bind.
    fn bound_names(&mut self, group: GroupId) -> Vec<Name> {
        let block = self.group(group).block;
        let tree = self.tree(block.tree);
        let syntax = tree.block(block.block);
        let mut names: Vec<Name> = syntax.bindings.keys().copied().collect();
        for include in &syntax.includes {
            let Ok(Some(choice)) = self.decide(group, *include, Skip::All) else { continue };
            let Choice::Layers(layers) = &*choice else { continue };
            for layer in layers {
                if let Layer::Group(inner, _) = layer {
                    names.extend(self.bound_names(*inner));
                }
            }
        }
        names.sort_by_key(|name| self.text_of(*name));
        names.dedup();
        names
    }

    /// Returns the diagram of the folded document.
    pub(crate) fn draw_folded(&mut self) -> Result<Diagram> {
        let text = self.folding(|graph| {
            let mut builder = DiagramBuilder::default();
            let value = graph.whole_value();
            let error = value.map_or_else(Some, |value| {
                let mut emitter = Emitter::new(&mut builder);
                graph.emit(&value, &mut emitter);
                Error::all(emitter.errors)
            });
            match error {
                None => Ok(Err(builder.diagram)),
                Some(error) if is_unknown_only(&error) => graph.fold_documents(true).map(Ok),
                Some(error) => Err(error),
            }
        });
        let text = match text? {
            Ok(text) => text,
            Err(diagram) => return Ok(diagram),
        };
        let mut drawn = Graph::new(Box::new(crate::open::Memory::default()), self.limits.clone());
        let document = drawn.add_document(Source::new("<folded>", None, &text))?;
        drawn.add_layer(document);
        Ok(drawn.draw(Stage::Normalized))
    }

    /// Returns whether an undecidable stanza can't define the key of a lookup.
    pub(super) fn cannot_define(&self, group: GroupId, stanza: u32, what: Skip) -> bool {
        let Skip::Key(key) = what else { return false };
        let block = self.group(group).block;
        let tree = &self.loaded.trees[block.tree as usize];
        !may_define(tree, &tree.block(block.block).stanzas[stanza as usize].kind, key)
    }
}

/// Returns whether the text of a stanza shows that it may define a key.
fn may_define(tree: &Tree, kind: &StanzaKind, key: Name) -> bool {
    let in_block = |block| {
        tree.block(block).stanzas.iter().any(|stanza: &crate::syntax::Stanza| may_define(tree, &stanza.kind, key))
    };
    match kind {
        StanzaKind::If(branches) => branches.iter().any(|branch| in_block(branch.body)),
        StanzaKind::Select { cases, .. } => cases.iter().any(|case| match tree.value(case.value).kind {
            ValueKind::Body(block) => in_block(block),
            ValueKind::EmptyMap => false,
            _ => true,
        }),
        StanzaKind::For { body, .. } => in_block(*body),
        StanzaKind::Set { .. }
        | StanzaKind::Macro { .. }
        | StanzaKind::Prototype { .. }
        | StanzaKind::Search(_)
        | StanzaKind::Configure { .. } => false,
        _ => kind.entries().is_none_or(|entries| entries.iter().any(|entry| entry.key == key)),
    }
}

/// Returns whether the error and all errors found with it are about unknown names.
pub(crate) fn is_unknown_only(error: &Error) -> bool {
    error.each().iter().all(|error| error.is_unknown())
}

impl Error {
    /// Returns whether the error is about an unknown name.
    pub(crate) fn is_unknown(&self) -> bool {
        self.category() == Category::NoMatching && self.has_unknown_name()
    }
}
