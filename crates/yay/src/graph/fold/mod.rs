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
use rustc_hash::FxHashSet;

use crate::error::{Category, Error, Result};
use crate::name::Name;
use crate::source::Source;
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
}

impl Folder {
    fn new(masked: bool) -> Self {
        Folder {
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
        for root in self.roots.clone() {
            self.fold_root(&mut folder, root)?;
        }
        match Error::all(std::mem::take(&mut folder.errors)) {
            Some(error) => Err(error),
            None => Ok(folder.text),
        }
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
            if hidden.len() < bound.len() {
                let at = self.groups[root.at()].block;
                let message = format!(
                    "these documents can't become one: `{}` has a different meaning in a later one",
                    self.names.text(*name)
                );
                let at = self.trees[at.tree as usize].block(at.block).span;
                return Err(Error::new(Category::Type, at, message).help("choose different names"));
            }
            let text = folder.text.split_off(start);
            folder.line("if 1:");
            folder.text.extend(text.lines().map(|line| format!("  {line}\n")));
        }
        names.extend(std::mem::take(&mut folder.names));
        folder.names = names;
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
        let tree = &self.trees[block.tree as usize];
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
