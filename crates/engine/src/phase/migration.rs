//! Migration of files to a later version of their language.
//!
//! A language converts its programs with [`Language::migrate`]. If only names differ between its versions, it lists
//! them as [`Renames`], and nothing else is needed: other differences are found by validating the migrated text.

use rustc_hash::FxHashSet;

use super::inheritance::Complete;
use super::namespace::ReferenceResolver as _;
use super::{Program, Unit};
use crate::ard::{Kind as NodeKind, Node, NodeId};
use crate::diagnostic::{Diagnostic, Edit, Safety};
use crate::entity::{FunctionCall, Functions, Keyname, Kind, Language, LanguageVersion};
use crate::position_context::field_of_key;

/// The result of migrating the files of a program.
#[derive(Debug, Default)]
pub struct Migration {
    /// The edits, in the order of their positions in each source.
    pub edits: Vec<Edit>,
    /// Features without a counterpart in the later version.
    pub problems: Vec<Diagnostic>,
}

/// A function that migrates valid programs to a later version of their language, all in the same way. There is one
/// result for each program.
pub type Migrate = fn(&[&Program<Complete>], LanguageVersion) -> Vec<Migration>;

/// The names that are different in a later version: the version itself, keynames and functions. Names of entities that
/// are [aliases](crate::entity::ImplicitUnit::aliases) of others are replaced too.
#[derive(Clone, Copy, Debug)]
pub struct Renames {
    /// The keyname of the version in the root of a source.
    pub version: &'static str,
    /// Returns the name of the function that takes the same arguments as a function that later versions lack; `None` if
    /// there is none.
    pub function: fn(&Unit, FunctionCall<'_>) -> Option<&'static str>,
}

impl Renames {
    /// Renames everything in programs of a language.
    pub fn migrate(&self, language: &Language, programs: &[&Program<Complete>], to: LanguageVersion) -> Vec<Migration> {
        programs.iter().map(|program| self.migrate_one(language, program, to)).collect()
    }

    fn migrate_one(&self, language: &Language, program: &Program<Complete>, to: LanguageVersion) -> Migration {
        let mut migration = Migration::default();
        for unit in migrated(program, language, to) {
            let mut renaming = Renaming { renames: self, unit, to, seen: FxHashSet::default(), edits: Vec::new() };
            renaming.version();
            renaming.keynames();
            renaming.functions();
            renaming.aliases(program);
            renaming.edits.sort_unstable();
            migration.edits.append(&mut renaming.edits);
        }
        migration
    }
}

/// Returns the units of a language that are written by users and have an earlier version.
pub fn migrated<'p>(
    program: &'p Program<Complete>,
    language: &Language,
    to: LanguageVersion,
) -> impl Iterator<Item = &'p Unit> {
    let units = program.list.iter().map(AsRef::as_ref);
    units.filter(move |unit: &&Unit| {
        let is_written = unit.implicit.is_none() && !unit.is_data && !unit.document.is_empty();
        is_written && unit.language.name == language.name && unit.version < to
    })
}

/// The renaming of names in a unit.
struct Renaming<'r, 'p> {
    renames: &'r Renames,
    unit: &'p Unit,
    to: LanguageVersion,
    /// Nodes that have been looked at.
    seen: FxHashSet<NodeId>,
    edits: Vec<Edit>,
}

impl<'p> Renaming<'_, 'p> {
    fn rename(&mut self, node: Node<'p>, name: &str) {
        if !node.is_alias()
            && node.text() != name
            && self.seen.insert(node.id())
            && let Some(edit) = node.reworded(name)
        {
            self.edits.push(Edit { safety: Safety::Safe, ..edit });
        }
    }

    fn version(&mut self) {
        let declared = self.unit.document.root().and_then(|root| root.find(self.renames.version));
        let word = self.unit.language.versions.get(usize::from(self.to.0)).map(|version| version.word);
        if let (Some(declared), Some(word)) = (declared, word) {
            self.rename(declared.value, word);
        }
    }

    fn keynames(&mut self) {
        let unit = self.unit;
        for kind in (0..unit.language.kinds.len()).map(|kind| Kind(kind as u8)) {
            let description = unit.language.kinds[usize::from(kind.0)].description();
            let headers = unit.arenas.of_kind(kind).filter_map(|(id, _)| unit.arenas.header(id));
            for header in headers {
                for entry in unit.document.node(header.node).entries().filter(|entry| !entry.merged) {
                    let Some((field, keyname)) = field_of_key(description, unit.version, entry.key.text()) else {
                        continue;
                    };
                    let name = field.keyname(self.to);
                    if field.exists_in(self.to) && keyname.name != Keyname::ANY && name != Keyname::ANY {
                        self.rename(entry.key, name);
                    }
                }
            }
        }
    }

    fn functions(&mut self) {
        let functions = self.unit.language.functions;
        if let (Some(old), Some(new)) = (functions(self.unit.version), functions(self.to)) {
            for (value, _) in &self.unit.values {
                self.calls(self.unit.document.node(*value), old, new);
            }
        }
    }

    fn calls(&mut self, node: Node<'p>, old: &'static Functions, new: &'static Functions) {
        // An alias has the content of its anchor, which is part of another value.
        if node.is_alias() {
            return;
        }
        if let Some(call) = old.call(node)
            && let Some(name) = (self.renames.function)(self.unit, call).filter(|name| new.find(name).is_some())
        {
            self.rename(call.name_node, &format!("{}{name}", new.prefix));
        }
        match node.kind() {
            NodeKind::Map => node.entries().for_each(|entry| self.calls(entry.value, old, new)),
            NodeKind::List => node.items().for_each(|item| self.calls(item, old, new)),
            _ => {}
        }
    }

    fn aliases(&mut self, program: &Program<Complete>) {
        for (reference, node, ..) in self.unit.references() {
            let Some(target) = program.target(reference) else { continue };
            let node = self.unit.document.node(node);
            let name = program.name(target);
            // A name with the prefix of an import ends with the declared name.
            let is_built_in = program.unit(target.unit).is_some_and(|unit| unit.implicit.is_some());
            if is_built_in && !node.text().ends_with(name) {
                self.rename(node, name);
            }
        }
    }
}
