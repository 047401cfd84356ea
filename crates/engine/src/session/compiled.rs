//! The cache of compiled units.
//!
//! For each unit, the result of the phases up to inheritance depends on the unit's text and its direct and indirect
//! imports. Each combination of these gets a number, its *key*. The keys of imported units are part of the combination,
//! so a change in any of these units results in a different key. Units that import each other in a loop get consecutive
//! keys, in the order of the program.
//!
//! Measured 2026-11-25: parsing a template of a few lines again takes 0.07 million instructions, compared with 1.18
//! million if imported units are compiled again.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use dashmap::DashMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::diagnostic::SourceId;
use crate::phase::hierarchy::DerivedUnit;
use crate::phase::inheritance::{Complete, CompleteUnit};
use crate::phase::namespace::NamedUnit;
use crate::phase::read::Read;
use crate::phase::rendering::CheckedUnit;
use crate::phase::{Caches, Program, Units};

/// The index of the entry in the units of a program.
const ENTRY: usize = 0;

/// The results of all cached phases for a unit.
#[derive(Clone)]
pub(crate) struct Compiled {
    pub(crate) named: Arc<NamedUnit>,
    pub(crate) placed: Arc<DerivedUnit>,
    pub(crate) complete: Arc<CompleteUnit>,
    pub(crate) checked: Arc<CheckedUnit>,
}

/// The keys of a program's units and the cached results for them.
pub(crate) struct CachedUnits {
    keys: Vec<u64>,
    /// The entry and the units with which it forms an import loop.
    with_entry: FxHashSet<usize>,
    units: Vec<Option<Compiled>>,
    /// The caches of results about entities, which previous programs with the same units have filled.
    pub(crate) caches: Arc<Caches>,
}

impl CachedUnits {
    /// Discards the cached results and prevents new results from being cached.
    pub(crate) fn forgotten(&self) -> Self {
        let count = self.keys.len();
        let keys = self.keys.clone();
        Self { keys, with_entry: (0..count).collect(), units: vec![None; count], caches: Arc::default() }
    }

    /// Returns, for each unit, whether it is cached.
    pub(crate) fn are_known(&self) -> impl Iterator<Item = bool> {
        self.units.iter().map(Option::is_some)
    }

    /// Returns whether the results for a unit can't be cached, so that each program computes them.
    pub(crate) fn is_own(&self, unit: usize) -> bool {
        self.with_entry.contains(&unit)
    }

    /// Returns one part of the cached results for each unit.
    pub(crate) fn each<T>(&self, part: impl Fn(&Compiled) -> T) -> Vec<Option<T>> {
        self.units.iter().map(|unit| unit.as_ref().map(&part)).collect()
    }
}

/// The cache of a session's compiled units.
#[derive(Default)]
pub(crate) struct Cache {
    /// The key of the first unit in a group, by the content of the group.
    keys: DashMap<Vec<u64>, u64, FxBuildHasher>,
    next_key: AtomicU64,
    compiled: DashMap<u64, Compiled, FxBuildHasher>,
    /// The latest key of each unit, because only this key is likely to be used again.
    latest: DashMap<SourceId, u64, FxBuildHasher>,
    findings: Mutex<Findings>,
}

/// The caches of results about entities, and the content of the units for which they are valid. See [`crate::phase`].
#[derive(Default)]
struct Findings {
    made_of: FxHashMap<SourceId, Box<[u64]>>,
    caches: Arc<Caches>,
}

impl Findings {
    /// Returns the caches; replaces them with empty ones if the content of a unit has changed.
    fn of<'u>(&mut self, units: impl Iterator<Item = (SourceId, &'u [u64])>) -> Arc<Caches> {
        let mut is_changed = false;
        for (unit, made_of) in units {
            if self.made_of.get(&unit).is_some_and(|before| **before == *made_of) {
                continue;
            }
            is_changed |= self.made_of.insert(unit, made_of.into()).is_some();
        }
        if is_changed {
            self.caches = Arc::default();
        }
        self.caches.clone()
    }
}

impl Cache {
    pub(crate) fn known(&self, program: &Program<Read>) -> CachedUnits {
        let (keys, groups, entry) = self.keys(&program.units, &program.stage);
        let mut units = vec![None; keys.len()];
        let mut with_entry = FxHashSet::default();
        for group in groups {
            let compiled: Option<Vec<Compiled>> =
                group.iter().map(|unit| self.compiled.get(&keys[*unit]).map(|compiled| compiled.clone())).collect();
            for (unit, compiled) in group.iter().zip(compiled.into_iter().flatten()) {
                units[*unit] = Some(compiled);
            }
            if group.contains(&ENTRY) {
                with_entry = group.into_iter().collect();
            }
        }
        let made_of = |(index, key): (usize, _)| match &entry {
            Some(content) if index == ENTRY => &content[..],
            _ => std::slice::from_ref(key),
        };
        let made_of = keys.iter().enumerate().map(|unit| (program.list[unit.0].id, made_of(unit)));
        let caches = self.findings.lock().unwrap_or_else(PoisonError::into_inner).of(made_of);
        CachedUnits { keys, with_entry, units, caches }
    }

    /// Caches the compiled units, except for the entry, because only imported units are likely to be used again. Units
    /// that import each other in a loop can be used only together, so units in a loop with the entry are not cached
    /// either. Returns the number of units whose content has changed.
    pub(crate) fn remember(&self, known: &CachedUnits, program: &Program<Complete>) -> usize {
        let stage = &program.stage;
        let mut again = 0;
        let is_new = |index: &usize| known.units[*index].is_none() && !program.list[*index].is_data;
        for index in (0..known.keys.len()).filter(is_new).filter(|index| !known.with_entry.contains(index)) {
            let compiled = Compiled {
                named: stage.placed.named.units[index].clone(),
                placed: stage.placed.units[index].clone(),
                complete: stage.units[index].clone(),
                checked: stage.checked[index].clone(),
            };
            let key = known.keys[index];
            self.compiled.insert(key, compiled);
            if let Some(before) = self.latest.insert(program.list[index].id, key).filter(|before| *before != key) {
                self.compiled.remove(&before);
                again += 1;
            }
        }
        again
    }

    /// Returns the keys of all units, the groups of units that import each other, and the content of the entry if it
    /// has no stored key.
    fn keys(&self, units: &Units, read: &Read) -> (Vec<u64>, Vec<Vec<usize>>, Option<Vec<u64>>) {
        let count = units.list.len();
        let mut keys = vec![0; count];
        let given = given(units);
        let mut groups = Vec::new();
        let mut entry = None;
        // Imported units come before their importers.
        for mut group in units.groups(|_| true) {
            // The units are sorted, because the meaning of names in a group may depend on the order in the program.
            group.sort_unstable();
            let places: FxHashMap<usize, u64> = group.iter().copied().zip(0..).collect();
            let content: Vec<u64> =
                group.iter().flat_map(|unit| content((units, &given), read, &places, &keys, *unit)).collect();
            let new_keys = || self.next_key.fetch_add(group.len() as u64, Ordering::Relaxed);
            // The key of an entry that is not imported is not stored, because it changes with every change to the text.
            let first = match group[..] {
                [ENTRY] => {
                    let known = self.keys.get(&content).map(|known| *known);
                    entry = known.is_none().then_some(content);
                    known.unwrap_or_else(new_keys)
                }
                _ => *self.keys.entry(content).or_insert_with(new_keys),
            };
            for (unit, place) in group.iter().zip(0..) {
                keys[*unit] = first + place;
            }
            groups.push(group);
        }
        (keys, groups, entry)
    }
}

/// Returns the numbers that identify the content of a unit. Imported units in the same group are identified by their
/// positions in the group.
fn content(
    (units, given): (&Units, &[u64]),
    read: &Read,
    places: &FxHashMap<usize, u64>,
    keys: &[u64],
    index: usize,
) -> Vec<u64> {
    let unit = &units.list[index];
    let mut content = vec![u64::from(unit.id.0), units.links[index].len() as u64];
    for link in &units.links[index] {
        let (inside, target) = match places.get(&link.unit) {
            Some(place) => (1, *place),
            None => (0, keys[link.unit]),
        };
        content.extend([inside, target, link.import as u64]);
    }
    content.push(read.failed_imports[index].len() as u64);
    content.extend(read.failed_imports[index].iter().map(|import| *import as u64));
    if units.implicit[index].iter().any(|unit| units.given.contains(unit)) {
        content.extend(given);
    }
    content
}

/// Returns numbers that identify all units that options import, directly or indirectly. Units that can use the names in
/// these units depend on all of them.
fn given(units: &Units) -> Vec<u64> {
    let mut met: FxHashSet<usize> = units.given.iter().copied().collect();
    let mut found = units.given.clone();
    let mut next = 0;
    while let Some(unit) = found.get(next).copied() {
        next += 1;
        found.extend(units.links[unit].iter().map(|link| link.unit).filter(|unit| met.insert(*unit)));
    }
    found.into_iter().map(|unit| u64::from(units.list[unit].id.0)).collect()
}
