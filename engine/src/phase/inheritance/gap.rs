//! What could not be completed, and why.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{CompleteUnit, Tasks, entity};
use crate::entity::{AnyId, Local, Role};
use crate::phase::hierarchy::{Placed, references};
use crate::phase::namespace::Targets;
use crate::phase::{Program, Units};

/// Why an entity may lack something that it should have.
///
/// The problem itself has been reported where it is. Whoever misses something in such an entity must therefore keep
/// silent: it may be in the part that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// It takes from something unknown, or a part of it could not be read.
    Unknown,
    /// It needs itself to be complete, or takes from something that does.
    Loop,
}

/// The types and templates of a unit that could not be completed.
pub(super) type Gaps = FxHashMap<Local, Gap>;

/// Finds the types and templates with gaps. Tasks are looked at in the order in which they could run, so that what
/// they take from comes first.
pub(super) fn find(program: &Program<Placed>, tasks: &Tasks, known: &[Option<Arc<CompleteUnit>>]) -> Vec<Gaps> {
    let units = &program.units;
    let mut gaps: Vec<Gaps> = vec![Gaps::default(); units.list.len()];
    let insert = |gaps: &mut [Gaps], id: AnyId, gap: Option<Gap>| {
        if let (Some(unit), Some(gap)) = (units.index(id.unit), gap) {
            gaps[unit].insert(id.local(), gap);
        }
    };
    for (unit, _) in units.list.iter().zip(known).filter(|(_, known)| known.is_none()) {
        for id in &unit.losses.entities {
            insert(&mut gaps, id.of(unit.id), Some(Gap::Unknown));
        }
        for id in unit.types() {
            let gap = program.lineage(id).and_then(|lineage| match (lineage.unsound, lineage.is_known) {
                (Some(_), _) => Some(Gap::Loop),
                (None, false) => Some(Gap::Unknown),
                (None, true) => None,
            });
            insert(&mut gaps, id, gap);
        }
    }
    for id in tasks.stuck.iter().flatten() {
        insert(&mut gaps, *id, Some(Gap::Loop));
    }
    for id in tasks.in_order() {
        let mut gap = None;
        let mut take_from = |source: Option<AnyId>| {
            let of_source = source.and_then(|source| {
                let unit = units.index(source.unit)?;
                known[unit].as_ref().map_or(&gaps[unit], |known| &known.gaps).get(&source.local()).copied()
            });
            gap = worse(gap, source.map_or(Some(Gap::Unknown), |_| of_source));
        };
        match program.lineage(id) {
            // Parents that are unknown have been found already.
            Some(lineage) => lineage.parents().iter().for_each(|parent| take_from(Some(*parent))),
            None => references(units, id, Role::Copy).into_iter().for_each(|copied| take_from(program.target(copied))),
        }
        insert(&mut gaps, id, gap);
    }
    gaps
}

/// The gap that matters of two.
fn worse(one: Option<Gap>, other: Option<Gap>) -> Option<Gap> {
    if one == Some(Gap::Loop) { one } else { other.or(one) }
}

/// Why an entity may lack something: it has a gap itself, or what defines it has, or what holds it has.
pub(super) fn of_entity(
    units: &Units,
    targets: &impl Targets,
    completed: &[Arc<CompleteUnit>],
    id: AnyId,
) -> Option<Gap> {
    let stored = |id: AnyId| completed[units.index(id.unit)?].gaps.get(&id.local()).copied();
    let mut gap = None;
    for id in std::iter::once(id).chain(units.owners(id)) {
        gap = worse(gap, stored(id));
        let Some(entity) = entity(units, completed, id) else { continue };
        if let Some((index, _)) = entity.description().find(|field| field.role == Role::Definition) {
            entity.field(index).visit_references(&mut |reference| {
                gap = worse(gap, targets.target(reference).map_or(Some(Gap::Unknown), stored));
            });
        }
    }
    gap
}
