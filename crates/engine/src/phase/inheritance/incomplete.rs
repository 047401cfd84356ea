//! Finds entities that could not be completed, and the reasons.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{CompleteUnit, TaskGraph, entity};
use crate::entity::{AnyId, EntityDescription, LocalId, Role};
use crate::parallel;
use crate::phase::hierarchy::{Derived, references};
use crate::phase::namespace::ReferenceResolver;
use crate::phase::{Program, Unit, Units};

/// The reason why an entity is incomplete.
///
/// The cause has been reported. Nothing must be reported as missing from such an entity, because it may be in the
/// unknown part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IncompleteReason {
    /// The entity inherits from something unknown, or part of the entity could not be read.
    Unknown,
    /// The entity depends on itself or inherits from an entity that does.
    Loop,
}

/// The types and templates of a unit that could not be completed.
pub(super) type Gaps = FxHashMap<LocalId, IncompleteReason>;

/// Finds the types and templates that are incomplete. Tasks are processed in the order in which they could run, so that
/// an entity comes after those that it inherits from.
pub(super) fn find(program: &Program<Derived>, tasks: &TaskGraph, known: &[Option<Arc<CompleteUnit>>]) -> Vec<Gaps> {
    let units = &program.units;
    let new: Vec<Option<&Unit>> =
        units.list.iter().zip(known).map(|(unit, known)| known.is_none().then_some(&**unit)).collect();
    let mut gaps = parallel::map(&new, |unit| unit.map_or_else(Gaps::default, |unit| own(program, unit)));
    let insert = |gaps: &mut [Gaps], id: AnyId, gap: Option<IncompleteReason>| {
        if let (Some(unit), Some(gap)) = (units.index(id.unit), gap) {
            gaps[unit].insert(id.local(), gap);
        }
    };
    for id in tasks.stuck.iter().flatten() {
        insert(&mut gaps, *id, Some(IncompleteReason::Loop));
    }
    // A type may have its own gap or inherit one.
    let is_any = gaps.iter().chain(known.iter().flatten().map(|known| &known.gaps)).any(|gaps| !gaps.is_empty());
    let is_type = |id: &AnyId| units.description(*id).is_some_and(EntityDescription::is_type);
    for id in tasks.in_order().filter(|id| is_any || !is_type(id)) {
        let mut gap = None;
        let mut take_from = |source: Option<AnyId>| {
            let of_source = source.and_then(|source| {
                let unit = units.index(source.unit)?;
                known[unit].as_ref().map_or(&gaps[unit], |known| &known.gaps).get(&source.local()).copied()
            });
            gap = worse(gap, source.map_or(Some(IncompleteReason::Unknown), |_| of_source));
        };
        match program.lineage(id) {
            // Types with unknown parents have already been found.
            Some(lineage) => lineage.parents().iter().for_each(|parent| take_from(Some(*parent))),
            None => references(units, id, Role::Copy).into_iter().for_each(|copied| take_from(program.target(copied))),
        }
        insert(&mut gaps, id, gap);
    }
    gaps
}

/// Returns the types and templates in a unit that have gaps of their own, rather than inherited ones.
fn own(program: &Program<Derived>, unit: &Unit) -> Gaps {
    let mut gaps: Gaps = unit.losses.entities.iter().map(|id| (*id, IncompleteReason::Unknown)).collect();
    for id in unit.types() {
        match program.lineage(id).map(|lineage| (lineage.cycle, lineage.is_known)) {
            Some((Some(_), _)) => gaps.insert(id.local(), IncompleteReason::Loop),
            Some((None, false)) => gaps.insert(id.local(), IncompleteReason::Unknown),
            Some((None, true)) | None => None,
        };
    }
    gaps
}

/// Returns the more severe of two gaps.
fn worse(one: Option<IncompleteReason>, other: Option<IncompleteReason>) -> Option<IncompleteReason> {
    if one == Some(IncompleteReason::Loop) { one } else { other.or(one) }
}

/// Returns the reason why an entity is incomplete: a gap in the entity itself, in its definition or in one of its
/// owners.
pub(super) fn of_entity(
    units: &Units,
    targets: &impl ReferenceResolver,
    completed: &[Arc<CompleteUnit>],
    id: AnyId,
) -> Option<IncompleteReason> {
    let stored = |id: AnyId| completed[units.index(id.unit)?].gaps.get(&id.local()).copied();
    let mut gap = None;
    for id in std::iter::once(id).chain(units.owners(id)) {
        gap = worse(gap, stored(id));
        let Some(entity) = entity(units, completed, id) else { continue };
        if let Some((index, _)) = entity.description().find(|field| field.role == Role::Definition) {
            entity.field(index).visit_references(&mut |reference| {
                gap = worse(gap, targets.target(reference).map_or(Some(IncompleteReason::Unknown), stored));
            });
        }
    }
    gap
}
