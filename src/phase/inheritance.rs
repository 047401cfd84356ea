//! Phase 4: types completed with what they inherit.
//!
//! A type takes from its parents what it does not say itself; a definition within a type takes from the definition of
//! the same name in the parent type first, and from its own type next (a capability definition from its capability
//! type). Which must come before which can't be told from the text, so there is a graph of tasks, one for each type
//! (and for each template that copies another): a task may run when all that it takes from is complete, and tasks
//! that do not wait for each other run in parallel.
//!
//! What is completed lies beside what was read, in slots that are set once. After this phase nobody needs to look at a
//! parent again.
//!
//! # Problems
//!
//! Values that break the contract of what they refine (the rules with codes `T40..`), and entities that can't be
//! completed since what they take from is not ([`INCOMPLETE_DEFINITION`](crate::rules::INCOMPLETE_DEFINITION)).

mod completion;
mod tasks;

use std::sync::Arc;

pub use completion::{Completion, Inherited, Site, Source};

use super::hierarchy::{HasHierarchies, Placed};
use super::namespace::{HasNames, Named};
use super::{Program, Units};
use crate::diagnostic::Diagnostic;
use crate::entity::{AnyId, Described, Entity, Id, Slots};

/// The stage of a program whose types are complete.
#[derive(Debug)]
pub struct Complete {
    /// What was known before.
    pub placed: Placed,
    /// What is known of each unit.
    pub units: Vec<Arc<CompleteUnit>>,
    /// The order in which tasks could have run one after the other, for those who want to see it.
    pub tasks: Tasks,
}

pub use tasks::Tasks;

/// The completed entities of a unit.
#[derive(Debug, Default)]
pub struct CompleteUnit {
    pub(crate) slots: Slots,
    /// The problems found.
    pub diagnostics: Vec<Diagnostic>,
}

impl HasNames for Complete {
    fn names(&self) -> &Named {
        &self.placed.named
    }
}

impl HasHierarchies for Complete {
    fn hierarchies(&self) -> &Placed {
        &self.placed
    }
}

impl Program<Complete> {
    /// An entity, complete.
    pub fn get<E: Entity>(&self, id: Id<E>) -> Option<&E> {
        let unit = self.units.index(id.unit)?;
        self.stage.units[unit].slots.get(id.index).or_else(|| self.units.list[unit].arenas.get(id.index))
    }

    /// An entity of whatever kind, complete.
    pub fn entity(&self, id: AnyId) -> Option<&dyn Described> {
        let unit = self.units.index(id.unit)?;
        let local = id.local();
        self.stage.units[unit].slots.entity(local).or_else(|| self.units.list[unit].arenas.entity(local))
    }
}

/// Runs the phase. `known` are the results of earlier runs for units that import the same units as then.
pub fn run(program: Program<Placed>, known: &[Option<Arc<CompleteUnit>>]) -> Program<Complete> {
    let units = &program.units;
    let slots: Vec<Arc<CompleteUnit>> = units
        .list
        .iter()
        .zip(known)
        .map(|(unit, known)| {
            known.clone().unwrap_or_else(|| {
                Arc::new(CompleteUnit { slots: Slots::new(&unit.arenas, unit.language.kinds), diagnostics: Vec::new() })
            })
        })
        .collect();
    let tasks = Tasks::new(&program, known);
    let problems = tasks.run(&program, &slots);
    let mut completed: Vec<Arc<CompleteUnit>> = slots;
    for diagnostic in problems {
        let unit = units.index(diagnostic.span.source).and_then(|unit| Arc::get_mut(&mut completed[unit]));
        if let Some(unit) = unit {
            unit.diagnostics.push(diagnostic);
        }
    }
    Program { units: program.units.clone(), stage: Complete { placed: program.stage, units: completed, tasks } }
}

/// Units with their completed entities, while the phase runs.
pub(crate) struct View<'a> {
    pub(crate) program: &'a Program<Placed>,
    pub(crate) slots: &'a [Arc<CompleteUnit>],
}

impl View<'_> {
    fn units(&self) -> &Units {
        &self.program.units
    }

    fn entity(&self, id: AnyId) -> Option<&dyn Described> {
        let unit = self.units().index(id.unit)?;
        let local = id.local();
        self.slots[unit].slots.entity(local).or_else(|| self.units().list[unit].arenas.entity(local))
    }
}
