//! Reports problems with entities that can't be completed.

use std::sync::Arc;

use petgraph::Direction;
use rustc_hash::FxHashSet;

use super::tasks::Kinds;
use super::{CompleteUnit, IncompleteReason, TaskGraph};
use crate::diagnostic::Diagnostic;
use crate::entity::{AnyId, Reference, Role};
use crate::phase::hierarchy::{Derived, why_cyclic};
use crate::phase::namespace::ReferenceResolver;
use crate::phase::{Program, cycle};
use crate::rules;

/// Reports tasks that wait for each other. Each problem is at the loop's first entity and shows the whole loop.
pub(super) fn loops(program: &Program<Derived>, tasks: &TaskGraph) -> Vec<Diagnostic> {
    let units = &program.units;
    let graph = &tasks.graph;
    let cycles = tasks.stuck_nodes.iter().flat_map(|group| cycle::loops(graph, Direction::Incoming, group));
    let problems = cycles.filter_map(|cycle| {
        let id = graph[cycle[0]];
        let is_short = cycle.len() == 1;
        let mut message = format!("{} can't be completed, because it depends on itself", units.describe(id));
        if !is_short {
            let names = cycle::describe(cycle.len(), |index| units.name(graph[cycle[index]]));
            message = format!("{message}: {names}");
        }
        let places =
            cycle::places(graph, Direction::Incoming, &cycle, |number, id: AnyId| units.site_span(id.unit, number));
        let problem = cycle::problem(&rules::DEPENDENCY_LOOP, message, places)?;
        Some(problem.with_help(if is_short {
            "name a different entity here, or remove the name"
        } else {
            "remove one of the names in the chain; each inherits from the next one"
        }))
    });
    problems.collect()
}

/// Reports entities that inherit from a type or template that could not be completed because of a loop. Entities in a
/// loop have already been reported, as have parents in a derivation loop. An entity that is only compared with such a
/// type is not reported, because only the type must be corrected.
pub(super) fn incomplete(
    program: &Program<Derived>,
    tasks: &TaskGraph,
    completed: &[Arc<CompleteUnit>],
    known: &[Option<Arc<CompleteUnit>>],
) -> Vec<Diagnostic> {
    let units = &program.units;
    if completed.iter().all(|unit| unit.gaps.is_empty()) {
        return Vec::new();
    }
    let stuck: FxHashSet<AnyId> = tasks.stuck.iter().flatten().copied().collect();
    let gap = |id: AnyId| completed[units.index(id.unit)?].gaps.get(&id.local()).copied();
    let mut diagnostics = Vec::new();
    let kinds = Kinds::of(units);
    for (unit, _) in units.list.iter().zip(known).filter(|(_, known)| known.is_none()) {
        for (number, site) in unit.references.iter().enumerate().filter(|(_, site)| site.field.role != Role::None) {
            let reference = Reference::<()>::new(unit.id, number as u32, site.name);
            let Some(target) = program.target(reference).filter(|target| gap(*target) == Some(IncompleteReason::Loop))
            else {
                continue;
            };
            let was_reported = site.field.role == Role::Parent && !program.is_acyclic(target);
            let takes = site.field.role != Role::Definition || kinds.takes_from_definition(unit, site.owner);
            if !takes || was_reported || unit.with_owners(site.owner).any(|owner| stuck.contains(&owner.of(unit.id))) {
                continue;
            }
            let what = match site.field.role {
                Role::Parent => "used as a parent",
                Role::Copy => "copied",
                Role::Definition | Role::None => "used here",
            };
            let cycle = program.lineage(target).and_then(|lineage| lineage.cycle);
            let why = cycle.map_or("it could not be completed", |cycle| why_cyclic(target, cycle));
            let message = format!("{} can't be {what}, because {why}", units.describe(target));
            let help = match cycle {
                Some(cycle) => format!("correct the parent of `{}`", units.name(cycle)),
                None => format!("correct `{}` first", units.name(target)),
            };
            let Some(span) = units.reference_span(reference) else { continue };
            let diagnostic = Diagnostic::new(&rules::INCOMPLETE_DEFINITION, span, message).with_help(help);
            diagnostics.push(match units.name_span(target) {
                Some(span) => diagnostic.with_related(span, "defined here"),
                None => diagnostic,
            });
        }
    }
    diagnostics
}
