//! Phase 2: what every name stands for.
//!
//! Every unit has a namespace: the names that it declares and those that it imports, by section (node types,
//! repositories, and so on). Namespaces are made starting at the tips of the import graph; since a namespace shares
//! its structure with those that it was made from, a deep import graph costs no more than its names. Then every
//! reference of every unit is looked up.
//!
//! What an implicit unit declares may have several names, all of which stand for the one thing. They are declarations
//! like others, so looking one of them up costs what any name costs; and since implicit units are asked last, a name
//! that the author has given to something wins over all of them.
//!
//! # Problems
//!
//! Names that stand for different things that two imports bring ([`AMBIGUOUS_NAME`]), names that may not be declared a
//! second time ([`NAME_TAKEN`], [`RESERVED_NAME`]) or hide another ([`SHADOWED_NAME`]), names that stand for nothing
//! ([`UNKNOWN_NAME`]), and names that should be others ([`TOLERATED_NAME`]).
//!
//! [`AMBIGUOUS_NAME`]: crate::rules::AMBIGUOUS_NAME
//! [`NAME_TAKEN`]: crate::rules::NAME_TAKEN
//! [`RESERVED_NAME`]: crate::rules::RESERVED_NAME
//! [`SHADOWED_NAME`]: crate::rules::SHADOWED_NAME
//! [`UNKNOWN_NAME`]: crate::rules::UNKNOWN_NAME
//! [`TOLERATED_NAME`]: crate::rules::TOLERATED_NAME

mod elsewhere;
mod gather;
mod lookup;

use std::collections::BTreeSet;
use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::read::Read;
use super::{Program, Unit, Units};
use crate::diagnostic::{Diagnostic, SourceId};
use crate::entity::{AnyId, Local, MaybeId, Quirk, Reference, Role, Section};
use crate::rules;
use crate::shared_map::SharedMap;
use crate::symbol::Symbol;
use crate::threads;

/// A name that a unit declares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declaration {
    pub(crate) section: Section,
    pub(crate) name: Symbol,
    pub(crate) id: Local,
    pub(crate) naming: Naming,
}

/// Where a declared name comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// It is written in the source.
    Written,
    /// The language gives it to what is written there.
    Further,
    /// The same, but using it is reported.
    Tolerated,
}

/// The stage of a program whose names have been looked up.
#[derive(Debug)]
pub struct Named {
    /// What is known of each unit.
    pub units: Vec<Arc<NamedUnit>>,
}

/// The namespace of a unit, and what its references stand for.
#[derive(Debug)]
pub struct NamedUnit {
    space: Arc<Namespace>,
    targets: Vec<MaybeId>,
    /// The numbers of references to parents that mean that there is none.
    roots: FxHashSet<u32>,
    /// The problems found.
    pub diagnostics: Vec<Diagnostic>,
}

/// The names that a unit can use.
#[derive(Debug, Default)]
struct Namespace {
    /// Names of exported sections that it imports.
    imported: SharedMap<Meaning>,
    /// The same and its own.
    exported: SharedMap<Meaning>,
    /// Names of the other sections.
    local: OwnNames,
    /// The units in which the things are that it names, for sections of its own whose names are found.
    found: FxHashMap<Symbol, SourceId>,
    /// The units that a prefix stands for.
    scopes: SharedMap<Arc<[SourceId]>>,
    /// Names of its own that should not be used.
    tolerated: FxHashSet<u64>,
    /// Whether names may be missing because an import or a part of the source could not be read.
    is_open: bool,
    /// Whether local names may be missing because a part of the source could not be read.
    is_partial: bool,
    /// Sections in which names may be missing because what stands there is no section.
    lost_sections: Sections,
    /// Prefixes below which names may be missing for the same reason.
    open_scopes: BTreeSet<u32>,
    /// The prefix of its names in the entry that the unit is merged into, if they have one.
    outer: Option<Symbol>,
    /// Of an entry into which others are merged, names that have no prefix, whichever import brings them.
    global: FxHashMap<u64, AnyId>,
}

/// Names that a unit declares for itself alone: the numbers of its declarations, by which they are found without being kept
/// twice.
#[derive(Debug, Default)]
struct OwnNames(HashTable<u32>);

impl OwnNames {
    /// Those of a unit; of equal ones the first.
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

    fn get(&self, unit: &Unit, section: Section, name: Symbol) -> Option<Local> {
        if self.0.is_empty() {
            return None;
        }
        let declaration = |number: &u32| unit.declarations.get(*number as usize);
        let is_it = |found: &Declaration| found.section == section && found.name == name;
        let found = self.0.find(Self::hash((section, name)), |number| declaration(number).is_some_and(is_it));
        found.and_then(declaration).map(|found| found.id)
    }

    /// The names of a section, with what they stand for, in any order.
    fn of_section<'a>(&'a self, unit: &'a Unit, section: Section) -> impl Iterator<Item = (Symbol, Local)> + 'a {
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

/// What an exported name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Meaning {
    id: AnyId,
    /// Something else that it stands for, equally near.
    rival: MaybeId,
}

impl Meaning {
    fn resolution(&self) -> Resolved {
        match self.rival.get() {
            Some(rival) => Resolved::Ambiguous(self.id, rival),
            None => Resolved::Found(self.id),
        }
    }
}

/// What a looked-up name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// One thing.
    Found(AnyId),
    /// Two things that are equally near.
    Ambiguous(AnyId, AnyId),
    /// Nothing.
    Unknown,
    /// Nothing, but what could declare it could not be read.
    Unreadable,
}

impl Resolved {
    /// What the name stands for; the first thing if there are two.
    pub fn id(self) -> Option<AnyId> {
        match self {
            Resolved::Found(id) | Resolved::Ambiguous(id, _) => Some(id),
            Resolved::Unknown | Resolved::Unreadable => None,
        }
    }
}

/// Something that knows what references stand for.
pub trait Targets {
    /// What a reference stands for.
    fn target(&self, reference: Reference<()>) -> Option<AnyId>;
}

/// A stage in which names have been looked up.
pub trait HasNames {
    /// The names.
    fn names(&self) -> &Named;
}

impl HasNames for Named {
    fn names(&self) -> &Named {
        self
    }
}

impl<S: HasNames> Targets for Program<S> {
    #[inline]
    fn target(&self, reference: Reference<()>) -> Option<AnyId> {
        let unit = self.units.index(reference.unit)?;
        self.stage.names().units[unit].targets.get(reference.number as usize)?.get()
    }
}

impl<S: HasNames> Program<S> {
    /// Whether a reference to a parent means that there is none.
    pub(crate) fn means_no_parent(&self, reference: Reference<()>) -> bool {
        let units = &self.stage.names().units;
        self.units.index(reference.unit).is_some_and(|unit| units[unit].roots.contains(&reference.number))
    }

    /// Whether every reference to what defines an entity stands for something.
    pub(crate) fn knows_definitions(&self) -> bool {
        let units: Vec<_> = self.units.list.iter().zip(&self.stage.names().units).collect();
        let are_known = threads::map(&units, |(unit, named)| {
            let mut sites = unit.references.iter().zip(&named.targets);
            sites.all(|(site, target)| target.get().is_some() || site.field.role != Role::Definition)
        });
        are_known.into_iter().all(|are_known| are_known)
    }

    /// What a name stands for in a unit.
    pub fn resolve(&self, unit: SourceId, section: Section, name: Symbol) -> Resolved {
        self.units.index(unit).map_or(Resolved::Unknown, |unit| self.spaces().resolve(unit, section, name))
    }

    /// Whether names that a unit uses may be missing because something could not be read.
    pub fn is_open(&self, unit: SourceId) -> bool {
        self.namespace(unit).is_some_and(|space| space.is_open)
    }

    /// The same, or because what stands in the place of a section is none.
    pub fn may_lack_names(&self, unit: SourceId) -> bool {
        self.namespace(unit).is_some_and(|space| space.is_open || space.lost_sections != Sections::default())
    }

    /// The names of a section that a unit can use without a prefix, with what they stand for, sorted.
    pub fn visible(&self, unit: SourceId, section: Section) -> Vec<(&str, AnyId)> {
        self.units.index(unit).map_or_else(Vec::new, |unit| self.spaces().visible(unit, section))
    }

    /// The prefixes that a unit can use, with the units that they stand for, sorted.
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

/// A problem, with help if it is an unknown name that would be known if imported units saw the names of the entry, or
/// that whoever imports the entry may know.
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
    // A plain word is rather a typo, or the name of another language, than that of a type in another file.
    let is_qualified = || name.contains(['.', ':']);
    let is_slip = || diagnostic.help.iter().any(|help| help.starts_with("did you mean"));
    let would_help = would_help || is_unknown && !is_slip() && is_qualified() && program.spaces().is_part();
    let has_quirk = program.list.first().is_some_and(|entry| entry.language.has_quirk(Quirk::SHARED_NAMES));
    let would_help = would_help && has_quirk;
    if would_help { diagnostic.with_help(Quirk::SHARED_NAMES.help()) } else { diagnostic }
}

/// Runs the phase. `known` are the results of earlier runs for units that import the same units as then.
pub fn run(program: Program<Read>, known: &[Option<Arc<NamedUnit>>]) -> Program<Named> {
    let Program { units, stage } = program;
    let spaces = gather::namespaces(&units, &stage, known);
    let unknown: Vec<usize> = (0..units.list.len()).filter(|unit| known[*unit].is_none()).collect();
    let mut new = threads::map(&unknown, |unit| {
        let lookup = Spaces { units: &units, space: |unit: usize| &*spaces[unit] };
        let (targets, roots, mut diagnostics) = lookup.look_up(*unit);
        gather::check_declarations(&units, &spaces, *unit, &mut diagnostics);
        Arc::new(NamedUnit { space: spaces[*unit].clone(), targets, roots, diagnostics: diagnostics.into_list() })
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
