//! Folding: a document in which known expressions are computed, and those with unknown names remain.
//!
//! Stanzas keep their order, so that the result is a document with the same meaning: known decisions are replaced by the
//! chosen bodies, and known expressions by their values.

mod expression;
mod stanza;
mod write;

use super::taint::Skip;
use super::{Graph, GroupId};
use crate::diagram::{Diagram, Stage};
use crate::error::{Category, Error, Result};
use crate::name::Name;
use crate::source::Source;
use crate::syntax::{StanzaKind, Tree, ValueKind};

use write::write_data;

/// The folded document that is being written.
struct Folder {
    text: String,
    indent: usize,
    /// Whether secrets are hidden.
    masked: bool,
    errors: Vec<Error>,
}

impl Folder {
    fn new(masked: bool) -> Self {
        Folder { text: String::new(), indent: 0, masked, errors: Vec::new() }
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
                if !error.is_unknown() {
                    self.errors.push(error);
                }
                None
            }
        }
    }
}

impl Graph<'_> {
    /// Returns all documents as one, with everything known computed.
    pub(crate) fn fold(&mut self, masked: bool) -> Result<String> {
        self.begin_folding();
        let whole = self.whole_value().and_then(|value| self.data_of(&value, masked));
        let folded = match whole {
            Ok(data) => {
                let mut folder = Folder::new(masked);
                write_data(&mut folder, &data);
                Ok(folder.text)
            }
            Err(error) if is_unknown_only(&error) => self.fold_documents(masked),
            Err(error) => Err(error),
        };
        self.end_folding();
        folded
    }

    /// Makes lookups skip undecidable stanzas from now on, if these can't define the key.
    pub(crate) fn begin_folding(&mut self) {
        self.folding = true;
    }

    pub(crate) fn end_folding(&mut self) {
        self.folding = false;
        self.unknown.clear();
    }

    fn fold_documents(&mut self, masked: bool) -> Result<String> {
        let mut folder = Folder::new(masked);
        for root in self.roots.clone() {
            self.fold_group(&mut folder, root)?;
        }
        match Error::all(std::mem::take(&mut folder.errors)) {
            Some(error) => Err(error),
            None => Ok(folder.text),
        }
    }

    /// Returns the diagram of the folded document.
    pub(crate) fn draw_folded(&mut self) -> Result<Diagram> {
        let text = self.fold(true)?;
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
