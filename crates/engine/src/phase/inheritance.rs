//! Phase 4: completes types with inherited members.
//!
//! A type inherits everything that it does not specify itself from its parents. A definition in a type inherits first
//! from the definition of the same name in the parent type, then from its own type (for example, a capability
//! definition from its capability type). The order of completion differs from the source order, so there is a graph of
//! tasks, one for each type (and for each template that copies a different one). A task can run when everything that it
//! inherits from is complete, and tasks that do not wait for each other run in parallel.
//!
//! The completed entities are stored next to those that were read, in slots that are set once. After this phase,
//! parents need not be consulted again.
//!
//! # Several parents
//!
//! A type inherits from its parents in the order in which it names them: the first value found wins. For members, such
//! as properties, a language may have a different rule; see [`MemberConflict`]. A type must not violate the contract of
//! any parent. If all types together would inherit too much from further parents, each inherits only from its first
//! parent (`phase/several_parents`).
//!
//! # Incomplete entities
//!
//! Tasks that wait for each other can't be run. Entities that inherit from the entities in such tasks, or from
//! something unknown, can't be completed either. Such an entity has an [`IncompleteReason`]: its existing members are
//! used, but nothing is reported as missing.
//!
//! # Problems
//!
//! This phase reports types whose completion depends on each other
//! ([`DEPENDENCY_LOOP`](crate::rules::DEPENDENCY_LOOP)), entities that inherit from a type that could not be completed
//! ([`INCOMPLETE_DEFINITION`](crate::rules::INCOMPLETE_DEFINITION)), values that violate the ones that they refine (the
//! other rules with codes `T40..`), and types that inherit too much from several parents
//! ([`LARGE_PARENTS`](crate::rules::LARGE_PARENTS)).

mod completion;
mod conflict;
mod incomplete;
mod report;
mod tasks;

use std::any::Any;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, RwLock};

pub(crate) use completion::FEW_SOURCES;
pub use completion::same_data;
pub use completion::{Completion, InheritanceSource, InheritedField, InheritingField};
pub use conflict::{Candidate, ConflictResolution, MemberConflict, first_parent, most_derived};
pub use incomplete::IncompleteReason;
pub use tasks::TaskGraph;

use super::cache::Caches;
use super::hierarchy::{Derived, HasHierarchies};
use super::namespace::{HasNames, Named, ReferenceResolver as _};
use super::rendering::CheckedUnit;
use super::several_parents::{self, MergeCounter};
use super::{Program, Units, hierarchy};
use crate::diagnostic::{Diagnostic, Rule, SourceId, Span};
use crate::entity::{AnyId, Described, Entity, Field, Id, LocalId, Role, Slots};
use crate::parallel;
use incomplete::Gaps;
use rustc_hash::FxHashMap;

/// The stage of a program whose types are complete.
#[derive(Debug)]
pub struct Complete {
    /// The results of the previous phase.
    pub placed: Derived,
    /// The results for each unit.
    pub units: Vec<Arc<CompleteUnit>>,
    /// Whether no entity is [incomplete](IncompleteReason), as in every service without problems, so that no lookup is
    /// necessary.
    is_whole: bool,
    /// The caches of results about the program's units.
    pub(crate) caches: Arc<Caches>,
    /// The results of checking each unit by itself; empty until the units have been checked.
    pub(crate) checked: Vec<Arc<CheckedUnit>>,
}

/// A table about an entity; see [`Program::table`].
type Table = Arc<dyn Any + Send + Sync>;

/// The completed entities of a unit.
#[derive(Debug, Default)]
pub struct CompleteUnit {
    slots: Slots,
    gaps: Gaps,
    /// The number of members that types have from further parents.
    merged: AtomicUsize,
    notes: RwLock<FxHashMap<(&'static str, LocalId), usize>>,
    tables: RwLock<FxHashMap<(&'static str, LocalId), Table>>,
    /// For each entity, the entities in the same unit that refer to it, computed on demand.
    referrers: OnceLock<FxHashMap<AnyId, Vec<AnyId>>>,
    /// See [`Program::attached`].
    attached: OnceLock<Box<dyn Any + Send + Sync>>,
    /// The problems found. Once they are reported, a unit that is not cached no longer has them.
    pub diagnostics: Vec<Diagnostic>,
}

impl HasNames for Complete {
    fn names(&self) -> &Named {
        &self.placed.named
    }
}

impl HasHierarchies for Complete {
    fn hierarchies(&self) -> &Derived {
        &self.placed
    }
}

impl Program<Complete> {
    /// Returns a completed entity.
    pub fn get<E: Entity>(&self, id: Id<E>) -> Option<&E> {
        let unit = self.units.index(id.unit)?;
        self.stage.units[unit].slots.get(id.index()).or_else(|| self.units.list[unit].arenas.get(id.index()))
    }

    /// Returns the completed entity with the given identifier.
    pub fn entity(&self, id: AnyId) -> Option<&dyn Described> {
        entity(&self.units, &self.stage.units, id)
    }

    /// Returns the entities in the given field of an entity, in order.
    pub fn children(&self, id: AnyId, ident: &str) -> Vec<AnyId> {
        let mut children = Vec::new();
        if let Some(field) = self.field(id, ident) {
            field.visit_children(&mut |child| children.push(child));
        }
        children
    }

    /// Returns the first entity with the given name in the given field of an entity.
    pub fn child(&self, id: AnyId, ident: &str, name: &str) -> Option<AnyId> {
        let (field, name) = (self.field(id, ident)?, self.interner.get(name)?);
        field.member(name).or_else(|| {
            let mut found = None;
            field.visit_children(&mut |child| {
                if found.is_none() && self.symbol(child) == Some(name) {
                    found = Some(child);
                }
            });
            found
        })
    }

    /// Returns the entity that defines the given entity: the target of the reference with the role
    /// [`Role::Definition`].
    pub fn definition(&self, id: AnyId) -> Option<AnyId> {
        let entity = self.entity(id)?;
        let (index, _) = entity.description().find(|field| field.role == Role::Definition)?;
        let mut definition = None;
        entity.field(index).visit_references(&mut |reference| definition = definition.or(self.target(reference)));
        definition
    }

    fn field(&self, id: AnyId, ident: &str) -> Option<&dyn Field> {
        let entity = self.entity(id)?;
        let (index, _) = entity.description().field(ident)?;
        Some(entity.field(index))
    }

    /// Returns the tasks that complete all types and templates, so that the order in which they can run can be
    /// inspected. The graph is computed again, because nothing else needs it after the phase.
    pub fn tasks(&self) -> TaskGraph {
        TaskGraph::new(self, &vec![None; self.units.list.len()])
    }

    /// Returns a result about an entity that [`note`](Self::note) has stored.
    pub fn noted(&self, what: &'static str, id: AnyId) -> Option<usize> {
        let notes = &self.stage.units[self.units.index(id.unit)?].notes;
        notes.read().ok()?.get(&(what, id.local())).copied()
    }

    /// Stores a result about an entity, so that it need not be computed again for every program that contains the
    /// entity. The result may depend only on the entity's unit and its imports.
    pub fn note(&self, what: &'static str, id: AnyId, number: usize) {
        if let Some(Ok(mut notes)) = self.units.index(id.unit).map(|unit| self.stage.units[unit].notes.write()) {
            notes.insert((what, id.local()), number);
        }
    }

    /// Returns a table about an entity, which is made when it is needed for the first time. Like a [note](Self::note), it
    /// may depend only on the entity's unit and its imports.
    pub fn table<T: Any + Send + Sync>(&self, what: &'static str, id: AnyId, make: impl FnOnce() -> T) -> Arc<T> {
        if let Some(known) = self.known_table(what, id) {
            return known;
        }
        let made = Arc::new(make());
        let tables = self.units.index(id.unit).map(|unit| &self.stage.units[unit].tables);
        if let Some(Ok(mut tables)) = tables.map(RwLock::write) {
            tables.insert((what, id.local()), made.clone());
        }
        made
    }

    fn known_table<T: Any + Send + Sync>(&self, what: &'static str, id: AnyId) -> Option<Arc<T>> {
        let tables = &self.stage.units[self.units.index(id.unit)?].tables;
        let known = tables.read().ok()?.get(&(what, id.local())).cloned();
        known?.downcast().ok()
    }

    /// Returns a [table](Self::table) about a type that is made from those of its parents. They are made first, so a
    /// type never has to follow all of its ancestors. A type that is derived from itself has no parents here.
    pub fn table_of_type<T: Any + Send + Sync>(
        &self,
        what: &'static str,
        id: AnyId,
        make: impl Fn(AnyId, &[Arc<T>]) -> T,
    ) -> Arc<T> {
        let (mut made, mut waiting) = (FxHashMap::default(), vec![id]);
        while let Some(next) = waiting.last().copied() {
            let lineage = self.lineage(next).filter(|lineage| lineage.cycle.is_none());
            let (mut known, before) = (Vec::new(), waiting.len());
            for parent in lineage.map_or(&[][..], |lineage| lineage.parents()) {
                match made.get(parent).cloned().or_else(|| self.known_table(what, *parent)) {
                    Some(table) => known.push(table),
                    None => waiting.push(*parent),
                }
            }
            if waiting.len() == before {
                made.insert(next, self.table(what, next, || make(next, &known)));
                waiting.pop();
            }
        }
        made.remove(&id).unwrap_or_else(|| self.table(what, id, || make(id, &[])))
    }

    /// Returns the entities that refer to the given entity in the same unit, in the order in which they were read.
    pub fn referrers(&self, id: AnyId) -> &[AnyId] {
        let Some(index) = self.units.index(id.unit) else { return &[] };
        let referrers = self.stage.units[index].referrers.get_or_init(|| {
            let mut referrers: FxHashMap<AnyId, Vec<AnyId>> = FxHashMap::default();
            for (reference, _, _, owner) in self.units.list[index].references() {
                if let Some(target) = self.target(reference).filter(|target| target.unit == id.unit) {
                    referrers.entry(target).or_default().push(owner);
                }
            }
            referrers
        });
        referrers.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Returns data that is kept with a unit, in all programs that contain it with the same imports. So it must depend
    /// only on the unit and its imports. It is empty at first; `None` if the unit has data of another type.
    pub fn attached<T: Any + Send + Sync + Default>(&self, unit: SourceId) -> Option<&T> {
        let unit = &self.stage.units[self.units.index(unit)?];
        unit.attached.get_or_init(|| Box::<T>::default()).downcast_ref()
    }

    /// Returns whether completing types has found a problem of the given rule at a span. Only the checks that run then can
    /// use this, because the problems are moved afterward.
    pub fn reports(&self, rule: &Rule, span: Span) -> bool {
        let unit = self.units.index(span.source).map(|unit| &self.stage.units[unit]);
        unit.is_some_and(|unit| unit.diagnostics.iter().any(|found| found.span == span && found.rule.code == rule.code))
    }

    /// Returns the reason why an entity is incomplete; `None` if it is complete.
    pub fn gap(&self, id: AnyId) -> Option<IncompleteReason> {
        if self.stage.is_whole {
            return None;
        }
        incomplete::of_entity(&self.units, self, &self.stage.units, id)
    }
}

/// Runs the phase. `known` contains the results of earlier runs for units that still import the same units.
pub fn run(program: Program<Derived>, known: &[Option<Arc<CompleteUnit>>]) -> Program<Complete> {
    let units = &program.units;
    let tasks = TaskGraph::new(&program, known);
    let gaps = incomplete::find(&program, &tasks, known);
    let blank: Vec<_> = units.list.iter().zip(known).zip(gaps).collect();
    let mut completed = parallel::map_owned(blank, |((unit, known), gaps)| {
        known.clone().unwrap_or_else(|| {
            let has_copies = unit.references.iter().any(|reference| reference.field.role == Role::Copy);
            let slots = Slots::new(&unit.arenas, unit.language.kinds, has_copies);
            Arc::new(CompleteUnit { slots, gaps, ..CompleteUnit::default() })
        })
    });
    let is_whole = program.knows_definitions() && completed.iter().all(|unit| unit.gaps.is_empty());
    let merged = completed.iter().map(|unit| unit.merged.load(Ordering::Relaxed)).sum();
    let merges = MergeCounter::new(units, merged);
    let mut problems = tasks.run(&View { program: &program, completed: &completed, is_whole, merges: &merges });
    if merges.is_exceeded() {
        let known = vec![None; units.list.len()];
        let named = Program { units: units.clone(), stage: program.stage.named };
        return run(hierarchy::run_with_first_parents(named), &known);
    }
    problems.extend(several_parents::problem(&program));
    problems.extend(report::loops(&program, &tasks));
    problems.extend(report::incomplete(&program, &tasks, &completed, known));
    for diagnostic in problems.into_list() {
        let unit = units.index(diagnostic.span.source).and_then(|unit| Arc::get_mut(&mut completed[unit]));
        if let Some(unit) = unit {
            unit.diagnostics.push(diagnostic);
        }
    }
    Program {
        units: program.units.clone(),
        stage: Complete {
            placed: program.stage,
            units: completed,
            is_whole,
            caches: Arc::default(),
            checked: Vec::new(),
        },
    }
}

/// A view of the units and their completed entities while the phase runs.
struct View<'a> {
    program: &'a Program<Derived>,
    completed: &'a [Arc<CompleteUnit>],
    /// Whether no entity is incomplete.
    is_whole: bool,
    merges: &'a MergeCounter,
}

impl<'a> View<'a> {
    /// Counts members that an entity takes over from further parents. Returns whether the limit allows more.
    fn count_merged(&self, id: AnyId, count: usize) -> bool {
        if let Some(unit) = self.program.units.index(id.unit) {
            self.completed[unit].merged.fetch_add(count, Ordering::Relaxed);
        }
        self.merges.add(count);
        !self.merges.is_exceeded()
    }

    fn units(&self) -> &'a Units {
        &self.program.units
    }

    fn entity(&self, id: AnyId) -> Option<&'a dyn Described> {
        entity(&self.program.units, self.completed, id)
    }

    fn gap(&self, id: AnyId) -> Option<IncompleteReason> {
        if self.is_whole {
            return None;
        }
        incomplete::of_entity(&self.program.units, self.program, self.completed, id)
    }
}

/// Returns the completed entity if there is one, otherwise the entity as it was read.
fn entity<'a>(units: &'a Units, completed: &'a [Arc<CompleteUnit>], id: AnyId) -> Option<&'a dyn Described> {
    let unit = units.index(id.unit)?;
    let local = id.local();
    completed[unit].slots.entity(local).or_else(|| units.list[unit].arenas.entity(local))
}
