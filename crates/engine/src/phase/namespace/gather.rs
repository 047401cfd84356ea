//! Builds namespaces from the declarations and imports of units.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{NameBinding, NamedUnit, Namespace, Naming, PrivateNames, Sections, key};
use crate::diagnostic::{Diagnostic, Diagnostics, SourceId};
use crate::entity::position_context::imports;
use crate::entity::{AnyId, MaybeId, Merging, Precedence, Quirk, SectionDescription};
use crate::parallel;
use crate::phase::read::Read;
use crate::phase::{ResolvedImport, Unit, Units};
use crate::rules;
use crate::shared_map::SharedMap;
use crate::source::ImportTarget;
use crate::symbol::Symbol;

/// The maximum number of groups in a level for which one thread builds the namespaces, because sharing the work would
/// take longer.
const MAX_SEQUENTIAL: usize = 32;

/// The maximum length of a merged unit's prefix, in bytes. It is limited because each import in a long chain may make
/// the prefix longer.
const MAX_PREFIX: usize = 1_000;

/// Builds the namespaces of all units.
///
/// Imports without a prefix pass names on. Units that import each other without a prefix share their imported names.
/// The targets of prefixes are followed only when a name is looked up.
pub(super) fn namespaces(units: &Units, read: &Read, known: &[Option<Arc<NamedUnit>>]) -> Vec<Arc<Namespace>> {
    let mut spaces: Vec<Option<Arc<Namespace>>> =
        known.iter().map(|known| known.as_ref().map(|known| known.space.clone())).collect();
    let reserved = Reserved::new(units);
    let own: Vec<Option<usize>> = (0..spaces.len()).map(|unit| spaces[unit].is_none().then_some(unit)).collect();
    let own = parallel::map(&own, |unit| unit.map(|unit| Own::of(units, &reserved, unit)));
    let outer = Outer::of(units);
    for level in levels(units, own) {
        let make = |group: Group| {
            let imported = imported(units, read, &spaces, &group);
            let with_own = |(unit, own)| (unit, Arc::new(with_own_names(units, own, imported.clone(), unit)));
            group.into_iter().map(with_own).collect::<Vec<_>>()
        };
        let made = if level.len() <= MAX_SEQUENTIAL {
            level.into_iter().map(make).collect()
        } else {
            parallel::map_owned(level, make)
        };
        for (unit, space) in made.into_iter().flatten() {
            spaces[unit] = Some(space);
        }
    }
    let mut spaces: Vec<Arc<Namespace>> = spaces.into_iter().map(Option::unwrap_or_default).collect();
    for (unit, prefix) in outer.prefixes {
        if let Some(space) = Arc::get_mut(&mut spaces[unit]) {
            space.outer = Some(prefix);
        }
    }
    if let Some(space) = spaces.first_mut().and_then(Arc::get_mut) {
        space.global = outer.global;
    }
    spaces
}

/// The names of merged units in the entry.
#[derive(Default)]
struct Outer {
    /// The prefixes for the units' names: the first prefix that is found for each unit when following the imports from
    /// the entry.
    prefixes: Vec<(usize, Symbol)>,
    /// Names that never have a prefix, regardless of the import.
    global: FxHashMap<u64, AnyId>,
}

impl Outer {
    fn of(units: &Units) -> Self {
        let merging = units.list.first().and_then(|entry| entry.language.merging);
        let has_prefix = || units.links.iter().flatten().any(|link| link.prefix.is_some());
        let Some(merging) = merging.filter(|_| has_prefix()) else { return Self::default() };
        let mut global = FxHashMap::default();
        for unit in units.list.iter().filter(|unit| unit.implicit.is_none()) {
            for own in unit.declarations.iter().filter(|own| (merging.is_global)(units.text(own.name))) {
                global.entry(key(own.section, own.name)).or_insert(own.id.of(unit.id));
            }
        }
        Self { prefixes: outer_prefixes(units, merging), global }
    }
}

fn outer_prefixes(units: &Units, merging: Merging) -> Vec<(usize, Symbol)> {
    let mut prefixes: FxHashMap<usize, Option<Symbol>> = FxHashMap::from_iter([(0, None)]);
    let mut waiting = VecDeque::from([0]);
    while let Some(unit) = waiting.pop_front() {
        let outer = prefixes.get(&unit).copied().flatten();
        for link in &units.links[unit] {
            if prefixes.contains_key(&link.unit) {
                continue;
            }
            let prefix = match (outer, link.prefix) {
                (Some(outer), Some(inner)) => {
                    let full = format!("{}{}{}", units.text(outer), merging.separator, units.text(inner));
                    Some(units.interner.intern(&full))
                }
                (outer, inner) => outer.or(inner),
            };
            let prefix = prefix.filter(|prefix| units.text(*prefix).len() <= MAX_PREFIX);
            prefixes.insert(link.unit, prefix);
            waiting.push_back(link.unit);
        }
    }
    (0..units.list.len()).filter_map(|unit| Some((unit, (*prefixes.get(&unit)?)?))).collect()
}

/// A group of units that import each other without a prefix, with the names that each unit declares.
type Group = Vec<(usize, Own)>;

/// Returns the units whose namespaces must be built, in groups. Units in a level import, apart from their own group,
/// only units in earlier levels.
fn levels(units: &Units, mut own: Vec<Option<Own>>) -> Vec<Vec<Group>> {
    let mut levels: Vec<Vec<Group>> = Vec::new();
    // For each unit, the number of levels that must come before its importers.
    let mut below = vec![0; own.len()];
    // Imported units come before their importers.
    for mut group in units.groups(|link| link.prefix.is_none()) {
        group.sort_unstable();
        let links = group.iter().flat_map(|unit| &units.links[*unit]).filter(|link| link.prefix.is_none());
        let level = links.map(|link| below[link.unit]).max().unwrap_or_default();
        let group: Group = group.into_iter().filter_map(|unit| Some((unit, own[unit].take()?))).collect();
        if group.is_empty() {
            continue;
        }
        group.iter().for_each(|(unit, _)| below[*unit] = level + 1);
        if levels.len() <= level {
            levels.resize_with(level + 1, Vec::new);
        }
        levels[level].push(group);
    }
    levels
}

/// Returns the names that the units in a group import from outside the group and from each other.
fn imported(units: &Units, read: &Read, spaces: &[Option<Arc<Namespace>>], group: &Group) -> Imported {
    let mut imported = Imported::default();
    // The prefixes and units to add, all at once: adding a thousand of them one by one would take longer.
    let mut scopes = Vec::new();
    for &(unit, _) in group {
        let list = &units.list[unit];
        imported.is_open |= !list.document.is_complete() || list.root.is_none() || list.losses.imports;
        for failed in &read.failed_imports[unit] {
            match list.imports[*failed].prefix {
                Some(prefix) => imported.open_scopes.push(prefix.number()),
                None => imported.is_open = true,
            }
        }
        for link in &units.links[unit] {
            // Names in a different language are resolved by that language.
            if !std::ptr::eq(units.list[link.unit].language, list.language) {
                continue;
            }
            if let Some(prefix) = link.prefix {
                scopes.push((u64::from(prefix.number()), units.list[link.unit].id));
            } else if let Some(space) = &spaces[link.unit] {
                imported.add_scopes(&mut scopes);
                imported.names.merge(&space.exported, &mut |_, mine, theirs| nearest(list, mine, theirs));
                imported.scopes.merge(&space.scopes, &mut |_, mine, theirs| union(mine, theirs));
                imported.is_open |= space.is_open;
                imported.lost_sections.extend(exported(space.lost_sections, list));
                imported.open_scopes.extend(&space.open_scopes);
            }
        }
    }
    imported.add_scopes(&mut scopes);
    if group.len() > 1 {
        for (unit, own) in group {
            let list = &units.list[*unit];
            list.losses.sections.iter().for_each(|section| imported.lost_sections.insert(*section));
            imported.names.merge(&own.exported, &mut |_, mine, theirs| nearest(list, mine, theirs));
        }
    }
    imported
}

#[derive(Clone, Default)]
struct Imported {
    names: SharedMap<NameBinding>,
    scopes: SharedMap<Arc<[SourceId]>>,
    is_open: bool,
    lost_sections: Sections,
    open_scopes: Vec<u32>,
}

impl Imported {
    /// Adds prefixes, each with a unit, which comes after the existing units for the prefix.
    fn add_scopes(&mut self, scopes: &mut Vec<(u64, SourceId)>) {
        scopes.sort_by_key(|(prefix, _)| *prefix);
        let same = scopes.chunk_by(|(prefix, _), (other, _)| prefix == other);
        let entries = same.filter_map(|same| {
            let mut units: Vec<SourceId> = Vec::with_capacity(same.len());
            for (_, unit) in same {
                if !units.contains(unit) {
                    units.push(*unit);
                }
            }
            Some((same.first()?.0, units.into()))
        });
        self.scopes.merge(&SharedMap::from_entries(entries.collect()), &mut |_, mine, theirs| union(mine, theirs));
        scopes.clear();
    }
}

/// Chooses between two imported declarations of a name. In a language with merging, the first one counts; otherwise,
/// the name is ambiguous.
fn nearest(importer: &Unit, mine: &NameBinding, theirs: &NameBinding) -> NameBinding {
    if importer.language.merging.is_some() { *mine } else { rivals(mine, theirs) }
}

fn rivals(mine: &NameBinding, theirs: &NameBinding) -> NameBinding {
    if mine.id == theirs.id {
        return NameBinding { id: mine.id, rival: mine.rival.get().or(theirs.rival.get()).into() };
    }
    NameBinding { id: mine.id, rival: mine.rival.get().or(Some(theirs.id)).into() }
}

fn union(mine: &Arc<[SourceId]>, theirs: &Arc<[SourceId]>) -> Arc<[SourceId]> {
    let mut units = mine.to_vec();
    units.extend(theirs.iter().filter(|unit| !mine.contains(unit)));
    units.into()
}

fn with_own_names(units: &Units, own: Own, imported: Imported, unit: usize) -> Namespace {
    let mut exported = imported.names.clone();
    // The unit's own name takes precedence over an imported one; conflicts are reported later.
    exported.merge(&own.exported, &mut |_, _, own| *own);
    let unit = &units.list[unit];
    let is_partial = !unit.document.is_complete() || unit.root.is_none();
    let mut space = Namespace {
        imported: imported.names,
        exported,
        scopes: imported.scopes,
        is_open: imported.is_open,
        is_partial,
        lost_sections: imported.lost_sections,
        open_scopes: imported.open_scopes.into_iter().collect(),
        local: own.local,
        found: own.found,
        tolerated: own.tolerated,
        outer: None,
        global: FxHashMap::default(),
    };
    unit.losses.sections.iter().for_each(|section| space.lost_sections.insert(*section));
    space
}

/// The names that a unit declares, independent of its imports.
#[derive(Default)]
struct Own {
    exported: SharedMap<NameBinding>,
    local: PrivateNames,
    found: FxHashMap<Symbol, SourceId>,
    tolerated: FxHashSet<u64>,
}

impl Own {
    fn of(units: &Units, reserved: &Reserved<'_>, index: usize) -> Self {
        let unit = &units.list[index];
        let tolerated = unit.declarations.iter().filter(|declaration| declaration.naming == Naming::Tolerated);
        Self {
            exported: own_names(units, reserved, index),
            local: PrivateNames::of(unit),
            found: found(units, index),
            tolerated: tolerated.map(|declaration| key(declaration.section, declaration.name)).collect(),
        }
    }
}

/// Returns the units that declare the names that a unit uses, for sections in which referring to an entity imports only
/// that entity.
fn found(units: &Units, index: usize) -> FxHashMap<Symbol, SourceId> {
    let unit = &units.list[index];
    if !unit.language.sections.iter().any(|section| section.found && !section.exported) {
        return FxHashMap::default();
    }
    let named = |link: &ResolvedImport| {
        let ImportTarget::Profile(name) = unit.imports[link.import].target.as_ref()? else { return None };
        Some((units.interner.get(name)?, units.list[link.unit].id))
    };
    units.links[index].iter().filter_map(named).collect()
}

/// Returns the lost sections whose names are exported.
fn exported(lost: Sections, unit: &Unit) -> Sections {
    let mut exported = Sections::default();
    for (number, _) in (0..).zip(unit.language.sections).filter(|(_, section)| section.exported) {
        let section = crate::entity::Section(number);
        if lost.has(section) {
            exported.insert(section);
        }
    }
    exported
}

/// The names that no other unit may declare, by the unit that reserves them.
struct Reserved<'a> {
    units: &'a Units,
    names: OnceLock<FxHashMap<usize, FxHashSet<u64>>>,
}

impl<'a> Reserved<'a> {
    fn new(units: &'a Units) -> Self {
        Self { units, names: OnceLock::new() }
    }

    /// Returns the reserved names by unit. They are computed when the first unit with declarations is processed,
    /// because most templates declare no names.
    fn names(&self) -> &FxHashMap<usize, FxHashSet<u64>> {
        self.names.get_or_init(|| {
            let units = self.units.list.iter().enumerate();
            let reserved = units.filter(|(_, unit)| unit.implicit == Some(Precedence::Reserved));
            let names = |unit: &Arc<Unit>| unit.declarations.iter().map(|own| key(own.section, own.name)).collect();
            reserved.map(|(index, unit)| (index, names(unit))).collect()
        })
    }

    /// Returns whether a name in a unit is reserved by one of its implicit units.
    fn has(&self, unit: usize, key: u64) -> bool {
        self.units.implicit[unit]
            .iter()
            .filter_map(|implicit| self.names().get(implicit))
            .any(|names| names.contains(&key))
    }
}

/// Returns the names that a unit exports, except for reserved ones, which have been reported. References to a reserved
/// name mean the built-in entity.
fn own_names(units: &Units, reserved: &Reserved<'_>, index: usize) -> SharedMap<NameBinding> {
    let unit = &units.list[index];
    let exported = unit.declarations.iter().filter(|declaration| {
        section(unit, declaration.section).exported && !reserved.has(index, key(declaration.section, declaration.name))
    });
    SharedMap::from_entries(
        exported
            .map(|own| (key(own.section, own.name), NameBinding { id: own.id.of(unit.id), rival: MaybeId::NONE }))
            .collect(),
    )
}

fn section(unit: &Unit, section: crate::entity::Section) -> &'static SectionDescription {
    &unit.language.sections[usize::from(section.0)]
}

/// Checks the declarations of a unit against its imports.
pub(super) fn check_declarations(
    units: &Units,
    spaces: &[Arc<Namespace>],
    index: usize,
    diagnostics: &mut Diagnostics,
) {
    let unit = &units.list[index];
    let is_merged = unit.language.merging.is_some();
    // Only imports in a list can have prefixes.
    let has_prefixes = unit.description().is_some_and(|root| imports(root).is_some());
    let others = &spaces[index].imported;
    for declaration in unit.declarations.iter().filter(|declaration| declaration.naming == Naming::Written) {
        let section = section(unit, declaration.section);
        let own = declaration.id.of(unit.id);
        let key = key(declaration.section, declaration.name);
        let Some(span) = units.name_span(own) else { continue };
        let name = units.text(declaration.name);
        let separator = unit.language.separator();
        if section.exported && unit.implicit.is_none() && !is_merged && has_prefixes && name.contains(separator) {
            let message = format!("`{name}` looks like a name with the prefix of an import");
            diagnostics.push(
                Diagnostic::new(&rules::SEPARATOR_IN_NAME, span, message)
                    .with_help(format!("use `{separator}` only after a prefix")),
            );
        }
        let other = others.get(key).map(|meaning| meaning.id).filter(|id| id.unit != unit.id && !is_merged);
        if let Some(other) = other {
            let (rule, message) = if section.shadows {
                (&rules::SHADOWED_NAME, format!("{} `{name}` shadows an imported one of the same name", section.title))
            } else {
                (&rules::NAME_TAKEN, format!("{} `{name}` is already imported", section.title))
            };
            diagnostics.push(
                imported_here(units, Diagnostic::new(rule, span, message), other)
                    .with_help("rename the declaration, or import the other file under a different namespace"),
            );
        }
        let hidden = units.implicit[index].iter().filter(|_| unit.implicit.is_none()).find_map(|implicit| {
            let is_shadowed = units.list[*implicit].implicit == Some(Precedence::Shadowed);
            let other = is_shadowed.then(|| spaces[*implicit].exported.get(key)).flatten()?.id;
            // Only the declared name counts; alternative names for the same entity may be hidden.
            (units.name(other) == name).then_some(other)
        });
        if let Some(other) = hidden {
            let message = format!("{} `{name}` shadows a normative one of the same name", section.title);
            let diagnostic =
                Diagnostic::new(&rules::SHADOWED_NAME, span, message).with_help("rename the declaration, or remove it");
            diagnostics.push(match units.name_span(other) {
                Some(span) => diagnostic.with_related(span, "normative definition"),
                None => diagnostic,
            });
        }
        let reserved = units.implicit[index].iter().find_map(|implicit| {
            let implicit_unit = &units.list[*implicit];
            let is_reserved = implicit_unit.implicit == Some(Precedence::Reserved);
            is_reserved.then(|| spaces[*implicit].exported.get(key)).flatten()
        });
        if reserved.is_some() && !units.quirks.has(Quirk::DECLARED_BUILT_INS) {
            let message = format!("`{name}` is the name of a built-in {}", section.title);
            diagnostics.push(
                Diagnostic::new(&rules::RESERVED_NAME, span, message)
                    .with_help("rename the declaration; the built-in one is used anyway")
                    .with_help(Quirk::DECLARED_BUILT_INS.help()),
            );
        }
    }
}

fn imported_here(units: &Units, diagnostic: Diagnostic, other: AnyId) -> Diagnostic {
    match units.name_span(other) {
        Some(span) => diagnostic.with_related(span, "imported definition"),
        None => diagnostic,
    }
}
