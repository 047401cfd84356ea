//! Phase 2: the resolution of names.
//!
//! Every unit has a namespace: the names that it declares and those that it imports, by section (node types,
//! repositories, and so on). Namespaces are built starting with the leaves of the import graph. A namespace shares
//! memory with the ones that it is built from, so the cost depends on the number of names, not on the depth of the
//! import graph. Then every reference in every unit is looked up.
//!
//! An entity that an implicit unit declares may have several names. These are normal declarations, so looking up such a
//! name costs no more than any other. Because implicit units are searched last, a name declared by the author takes
//! precedence over all such names.
//!
//! # Problems
//!
//! This phase reports names that two imports declare differently ([`AMBIGUOUS_NAME`]), declared names that are already
//! taken ([`NAME_TAKEN`], [`RESERVED_NAME`]) or that hide an existing name ([`SHADOWED_NAME`]), names that are not
//! declared ([`UNKNOWN_NAME`]), and names with a preferred alternative ([`TOLERATED_NAME`]).
//!
//! [`AMBIGUOUS_NAME`]: crate::rules::AMBIGUOUS_NAME
//! [`NAME_TAKEN`]: crate::rules::NAME_TAKEN
//! [`RESERVED_NAME`]: crate::rules::RESERVED_NAME
//! [`SHADOWED_NAME`]: crate::rules::SHADOWED_NAME
//! [`UNKNOWN_NAME`]: crate::rules::UNKNOWN_NAME
//! [`TOLERATED_NAME`]: crate::rules::TOLERATED_NAME

mod gather;
mod lookup;
mod name_hint;

use std::collections::BTreeSet;
use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::read::Read;
use super::{Program, Unit, Units};
use crate::diagnostic::suggest::Suggestions;
use crate::diagnostic::{Diagnostic, Fix, Help, SourceId};
use crate::entity::{AnyId, LocalId, MaybeId, Quirk, Reference, Role, Section};
use crate::parallel;
use crate::rules;
use crate::shared_map::SharedMap;
use crate::symbol::Symbol;

/// A name that a unit declares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declaration {
    pub(crate) section: Section,
    pub(crate) name: Symbol,
    pub(crate) id: LocalId,
    pub(crate) naming: Naming,
}

/// The origin of a declared name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// The name is written in the source.
    Written,
    /// The language adds the name to a written declaration.
    Further,
    /// The language adds the name, and its use is reported.
    Tolerated,
}

/// The stage of a program whose names have been resolved.
#[derive(Debug)]
pub struct Named {
    /// The results for each unit.
    pub units: Vec<Arc<NamedUnit>>,
}

/// The namespace of a unit and the targets of its references.
#[derive(Debug)]
pub struct NamedUnit {
    space: Arc<Namespace>,
    targets: Vec<MaybeId>,
    /// The indexes of those references to parents that mean that there is no parent.
    roots: FxHashSet<u32>,
    /// The problems that were found.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of names that were compared to suggest one.
    pub(crate) compared: usize,
}

/// The names that a unit can use.
#[derive(Debug, Default)]
struct Namespace {
    /// The imported names, in exported sections.
    imported: SharedMap<NameBinding>,
    /// The imported names and the unit's own names, in exported sections.
    exported: SharedMap<NameBinding>,
    /// The unit's own names in the other sections.
    local: PrivateNames,
    /// The units that declare the names that the unit uses, for sections whose names are
    /// [found](crate::entity::SectionDescription::found).
    found: FxHashMap<Symbol, SourceId>,
    /// The units that each prefix refers to.
    scopes: SharedMap<Arc<[SourceId]>>,
    /// The unit's own names that should not be used.
    tolerated: FxHashSet<u64>,
    /// Whether names may be missing because an import or part of the source could not be read.
    is_open: bool,
    /// Whether local names may be missing because part of the source could not be read.
    is_partial: bool,
    /// Sections in which names may be missing because the section in the source is invalid.
    lost_sections: Sections,
    /// Prefixes for which names may be missing because an import or part of a source could not be read.
    open_scopes: BTreeSet<u32>,
    /// The prefix that the unit's names have in the entry, if the unit is merged into it with a prefix.
    outer: Option<Symbol>,
    /// For an entry into which units are merged: names that never have a prefix, regardless of the import.
    global: FxHashMap<u64, AnyId>,
}

/// The names that only the unit itself can use, stored as the indexes of its declarations to avoid copying the names.
#[derive(Debug, Default)]
struct PrivateNames(HashTable<u32>);

impl PrivateNames {
    /// Collects the local names of a unit. If a name is declared several times, the first declaration counts.
    fn of(unit: &Unit) -> Self {
        let is_own = |declaration: &Declaration| !unit.language.sections[usize::from(declaration.section.0)].exported;
        let all = || unit.declarations.iter().zip(0..).filter(|(declaration, _)| is_own(declaration));
        let name_of = |number: &u32| unit.declarations.get(*number as usize).map(|found| (found.section, found.name));
        let hash_of = |number: &u32| name_of(number).map_or(0, Self::hash);
        let mut table = HashTable::with_capacity(all().count());
        for (declaration, number) in all() {
            let name = (declaration.section, declaration.name);
            table.entry(Self::hash(name), |other| name_of(other) == Some(name), hash_of).or_insert(number);
        }
        Self(table)
    }

    fn get(&self, unit: &Unit, section: Section, name: Symbol) -> Option<LocalId> {
        if self.0.is_empty() {
            return None;
        }
        let declaration = |number: &u32| unit.declarations.get(*number as usize);
        let is_it = |found: &Declaration| found.section == section && found.name == name;
        let found = self.0.find(Self::hash((section, name)), |number| declaration(number).is_some_and(is_it));
        found.and_then(declaration).map(|found| found.id)
    }

    /// Returns the names in a section with their entities, in arbitrary order.
    fn of_section<'a>(&'a self, unit: &'a Unit, section: Section) -> impl Iterator<Item = (Symbol, LocalId)> + 'a {
        let declarations = self.0.iter().filter_map(|number| unit.declarations.get(*number as usize));
        declarations.filter(move |found| found.section == section).map(|found| (found.name, found.id))
    }

    fn hash(name: (Section, Symbol)) -> u64 {
        FxBuildHasher.hash_one(name)
    }
}

/// A set of sections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sections([u64; 4]);

impl Sections {
    fn has(self, section: Section) -> bool {
        let (word, bit) = Self::bit(section);
        self.0[word] & bit != 0
    }

    fn insert(&mut self, section: Section) {
        let (word, bit) = Self::bit(section);
        self.0[word] |= bit;
    }

    fn extend(&mut self, others: Self) {
        self.0.iter_mut().zip(others.0).for_each(|(word, other)| *word |= other);
    }

    fn bit(section: Section) -> (usize, u64) {
        (usize::from(section.0 / 64), 1 << (section.0 % 64))
    }
}

/// The target of an exported name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NameBinding {
    id: AnyId,
    /// A different target with the same name in an equally close import, if there is one.
    rival: MaybeId,
}

impl NameBinding {
    fn resolution(&self) -> LookupResult {
        match self.rival.get() {
            Some(rival) => LookupResult::Ambiguous(self.id, rival),
            None => LookupResult::Found(self.id),
        }
    }
}

/// The result of looking up a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookupResult {
    /// The name refers to one entity.
    Found(AnyId),
    /// Two entities in equally close imports have the name.
    Ambiguous(AnyId, AnyId),
    /// No entity has the name.
    Unknown,
    /// No known entity has the name, but something that may declare it could not be read.
    Unreadable,
}

impl LookupResult {
    /// Returns the target; the first one if there are two.
    pub fn id(self) -> Option<AnyId> {
        match self {
            LookupResult::Found(id) | LookupResult::Ambiguous(id, _) => Some(id),
            LookupResult::Unknown | LookupResult::Unreadable => None,
        }
    }
}

/// Resolves references to their targets.
pub trait ReferenceResolver {
    /// Returns the target of a reference.
    fn target(&self, reference: Reference<()>) -> Option<AnyId>;
}

/// A stage in which names have been resolved.
pub trait HasNames {
    /// Returns the names.
    fn names(&self) -> &Named;
}

impl HasNames for Named {
    fn names(&self) -> &Named {
        self
    }
}

impl<S: HasNames> ReferenceResolver for Program<S> {
    #[inline]
    fn target(&self, reference: Reference<()>) -> Option<AnyId> {
        let unit = self.units.index(reference.unit)?;
        self.stage.names().units[unit].targets.get(reference.number as usize)?.get()
    }
}

impl<S: HasNames> Program<S> {
    /// Returns whether a reference to a parent means that there is no parent.
    pub fn means_no_parent(&self, reference: Reference<()>) -> bool {
        let units = &self.stage.names().units;
        self.units.index(reference.unit).is_some_and(|unit| units[unit].roots.contains(&reference.number))
    }

    /// Returns whether every reference with the role of a definition has a target.
    pub(crate) fn knows_definitions(&self) -> bool {
        let units: Vec<_> = self.units.list.iter().zip(&self.stage.names().units).collect();
        let are_known = parallel::map(&units, |(unit, named)| {
            let mut sites = unit.references.iter().zip(&named.targets);
            sites.all(|(site, target)| target.get().is_some() || site.field.role != Role::Definition)
        });
        are_known.into_iter().all(|are_known| are_known)
    }

    /// Resolves a name in a unit.
    pub fn resolve(&self, unit: SourceId, section: Section, name: Symbol) -> LookupResult {
        self.units.index(unit).map_or(LookupResult::Unknown, |unit| self.spaces().resolve(unit, section, name))
    }

    /// Returns whether names that a unit uses may be missing because something could not be read.
    pub fn is_open(&self, unit: SourceId) -> bool {
        self.namespace(unit).is_some_and(|space| space.is_open)
    }

    /// Returns whether the namespace of a unit is [open](Self::is_open) or lacks the names in an invalid section.
    pub fn may_lack_names(&self, unit: SourceId) -> bool {
        self.namespace(unit).is_some_and(|space| space.is_open || space.lost_sections != Sections::default())
    }

    /// Returns the names in a section that a unit can use without a prefix, with their entities, sorted.
    pub fn visible(&self, unit: SourceId, section: Section) -> Vec<(&str, AnyId)> {
        self.units.index(unit).map_or_else(Vec::new, |unit| self.spaces().visible(unit, section))
    }

    /// Returns the names that a unit declares, with their sections and entities, sorted.
    pub fn declared(&self, unit: SourceId) -> Vec<(Section, &str, AnyId)> {
        self.units.index(unit).map_or_else(Vec::new, |unit| self.spaces().declared(unit))
    }

    /// Returns help with the name in a section that resembles an unknown name, within a budget.
    pub(super) fn suggest(
        &self,
        unit: SourceId,
        sections: &[Section],
        name: &str,
        suggestions: &Suggestions,
    ) -> Option<Help> {
        self.spaces().suggestion(self.units.index(unit)?, name, sections, suggestions)
    }

    /// Returns the prefixes that a unit can use, with their units, sorted.
    pub fn prefixes(&self, unit: SourceId) -> Vec<(&str, Vec<SourceId>)> {
        let Some(space) = self.namespace(unit) else { return Vec::new() };
        let mut prefixes: Vec<_> =
            space.scopes.iter().map(|(key, units)| (self.units.text(name_of(key)), units.to_vec())).collect();
        prefixes.sort_unstable_by_key(|(prefix, _)| *prefix);
        prefixes
    }

    fn namespace(&self, unit: SourceId) -> Option<&Namespace> {
        Some(&*self.stage.names().units[self.units.index(unit)?].space)
    }

    fn spaces<'a>(&'a self) -> Spaces<'a, impl Fn(usize) -> &'a Namespace> {
        let named = &self.stage.names().units;
        Spaces { units: &self.units, space: move |unit: usize| &*named[unit].space }
    }
}

/// The namespaces of all units of a program.
struct Spaces<'a, F> {
    units: &'a Units,
    space: F,
}

fn key(section: Section, name: Symbol) -> u64 {
    u64::from(section.0) << 32 | u64::from(name.number())
}

fn section_of(key: u64) -> Section {
    Section((key >> 32) as u8)
}

fn name_of(key: u64) -> Symbol {
    Symbol::from_number(key as u32)
}

/// If a quirk would accept an unknown name, because the entry declares the name or a file that imports the entry may
/// declare it, adds help that suggests the quirk. Returns other problems unchanged.
pub(crate) fn with_quirk(program: &Program<Named>, diagnostic: &Diagnostic) -> Diagnostic {
    let is_unknown = diagnostic.rule.code == rules::UNKNOWN_NAME.code && !program.quirks.has(Quirk::SHARED_NAMES);
    let place = diagnostic.span.start as usize..diagnostic.span.end as usize;
    let text = program.unit(diagnostic.span.source).and_then(|unit| unit.source.text().get(place));
    let name = text.unwrap_or_default().trim_matches(['"', '\'']);
    let entry = program.list.first().filter(|entry| is_unknown && entry.id != diagnostic.span.source);
    let would_help = entry.is_some_and(|entry| {
        let symbol = program.interner.get(name);
        let mut sections = (0..entry.language.sections.len() as u8).map(Section);
        symbol.is_some_and(|symbol| sections.any(|section| program.resolve(entry.id, section, symbol).id().is_some()))
    });
    let diagnostic = diagnostic.clone();
    // A plain word is more likely a typo, or a name from a different language, than the name of a type in a different
    // file.
    let is_qualified = || name.contains(['.', ':']);
    let is_slip = || matches!(diagnostic.fix.as_deref(), Some(Fix::Name(_)));
    let would_help = would_help || is_unknown && !is_slip() && is_qualified() && program.spaces().is_part();
    let has_quirk = program.list.first().is_some_and(|entry| entry.language.has_quirk(Quirk::SHARED_NAMES));
    let would_help = would_help && has_quirk;
    if would_help { diagnostic.with_help(Quirk::SHARED_NAMES.help()) } else { diagnostic }
}

/// Runs the phase. `known` contains the results of earlier runs for units that still import the same units.
pub fn run(program: Program<Read>, known: &[Option<Arc<NamedUnit>>]) -> Program<Named> {
    let Program { units, stage } = program;
    let spaces = gather::namespaces(&units, &stage, known);
    let unknown: Vec<usize> = (0..units.list.len()).filter(|unit| known[*unit].is_none()).collect();
    let mut new = parallel::map(&unknown, |unit| {
        let lookup = Spaces { units: &units, space: |unit: usize| &*spaces[unit] };
        let (targets, roots, mut diagnostics, compared) = lookup.look_up(*unit);
        gather::check_declarations(&units, &spaces, *unit, &mut diagnostics);
        let (space, diagnostics) = (spaces[*unit].clone(), diagnostics.into_list());
        Arc::new(NamedUnit { space, targets, roots, diagnostics, compared })
    })
    .into_iter();
    let named = known.iter().filter_map(|known| known.clone().or_else(|| new.next())).collect();
    Program { units, stage: Named { units: named } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_room_for_every_section() {
        let mut sections = Sections::default();
        for number in 0..=u8::MAX {
            assert!(!sections.has(Section(number)), "{number}");
            sections.insert(Section(number));
            assert!(sections.has(Section(number)), "{number}");
        }
        let mut others = Sections::default();
        others.extend(sections);
        assert_eq!(others, sections);
    }
}
