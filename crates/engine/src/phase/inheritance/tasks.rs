//! The graph of tasks and its execution.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use petgraph::Direction;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rayon::Scope;
use rustc_hash::FxHashSet;

use super::completion::Completion;
use super::{CompleteUnit, View};
use crate::diagnostic::FirstDiagnostics;
use crate::entity::{AnyId, ByKind, FieldDescription, Kind, Language, LocalId, Reference, Role};
use crate::parallel;
use crate::phase::hierarchy::HasHierarchies;
use crate::phase::namespace::ReferenceResolver;
use crate::phase::read::ReferenceSite;
use crate::phase::{Program, Unit, Units};

/// The number of tasks that are handed to a thread together. Tasks are small, and handing them over one by one would
/// cost more than running them.
const BATCH: usize = 64;

/// The tasks of a program and their dependencies.
#[derive(Debug, Default)]
pub struct TaskGraph {
    /// The entities to complete. An edge leads from an entity to an entity that waits for it. Its weight is the index
    /// of the reference that causes the dependency, in the unit of the waiting entity.
    pub graph: DiGraph<AnyId, u32>,
    /// Groups of tasks that wait for each other and are therefore never run. Each group starts with the task that comes
    /// first in the program.
    pub stuck: Vec<Vec<AnyId>>,
    /// The groups in `stuck`, as nodes of the graph.
    pub(super) stuck_nodes: Vec<Vec<NodeIndex>>,
    /// The tasks in an order in which they can run, excluding stuck ones.
    order: Vec<NodeIndex>,
}

impl TaskGraph {
    pub(super) fn new<S: HasHierarchies + Sync>(program: &Program<S>, known: &[Option<Arc<CompleteUnit>>]) -> Self {
        let units = &program.units;
        let graph = graph(program, known);
        let mut tasks = Self::default();
        // Edges lead from a task to the tasks that wait for it, so the components come in reverse order.
        for mut group in kosaraju_scc(&graph).into_iter().rev() {
            if group.len() > 1 || graph.contains_edge(group[0], group[0]) {
                group.sort_by_key(|node| units.place(graph[*node]));
                tasks.stuck.push(group.iter().map(|node| graph[*node]).collect());
                tasks.stuck_nodes.push(group);
            } else {
                tasks.order.extend(group);
            }
        }
        Self { graph, ..tasks }
    }

    /// Returns the tasks in an order in which they can run sequentially, excluding stuck ones.
    pub fn in_order(&self) -> impl Iterator<Item = AnyId> {
        self.order.iter().map(|node| self.graph[*node])
    }

    /// Runs all tasks that are not stuck and returns the problems that they found.
    pub(super) fn run(&self, view: &View<'_>) -> FirstDiagnostics {
        let complete = |node: NodeIndex| {
            let mut completion = Completion::new(view, self.graph[node]);
            completion.run(self.graph[node]);
            completion.diagnostics
        };
        let mut found = FirstDiagnostics::up_to(view.units().most_of_a_rule);
        if self.order.len() <= BATCH || !parallel::is_parallel() {
            self.order.iter().for_each(|node| found.extend(complete(*node)));
            return found;
        }
        let found = Mutex::new(found);
        let run = |node: NodeIndex| {
            let diagnostics = complete(node);
            if let (false, Ok(mut found)) = (diagnostics.is_empty(), found.lock()) {
                found.extend(diagnostics);
            }
        };
        self.drain(&run);
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs each task as soon as all tasks that it waits for have run.
    fn drain(&self, run: &(impl Fn(NodeIndex) + Sync)) {
        let mut waits: Vec<AtomicU32> = self.graph.node_indices().map(|_| AtomicU32::new(0)).collect();
        // Tasks outside the stuck groups don't wait for stuck tasks.
        for node in &self.order {
            for waiting in self.graph.neighbors_directed(*node, Direction::Outgoing) {
                *waits[waiting.index()].get_mut() += 1;
            }
        }
        let ready: Vec<NodeIndex> =
            self.order.iter().copied().filter(|node| *waits[node.index()].get_mut() == 0).collect();
        // Stuck tasks must not become ready either.
        for node in self.stuck_nodes.iter().flatten() {
            *waits[node.index()].get_mut() = u32::MAX;
        }
        let waits = &waits;
        rayon::scope(|scope| {
            for handful in ready.chunks(BATCH) {
                let handful = handful.to_vec();
                scope.spawn(move |scope| self.drain_from(handful, waits, run, scope));
            }
        });
    }

    fn drain_from<'s>(
        &'s self,
        mut ready: Vec<NodeIndex>,
        waits: &'s [AtomicU32],
        run: &'s (impl Fn(NodeIndex) + Sync),
        scope: &Scope<'s>,
    ) {
        while let Some(node) = ready.pop() {
            run(node);
            for waiting in self.graph.neighbors_directed(node, Direction::Outgoing) {
                if waits[waiting.index()].fetch_sub(1, Ordering::AcqRel) == 1 {
                    ready.push(waiting);
                }
            }
            if ready.len() > 2 * BATCH {
                let handful = ready.split_off(ready.len() - BATCH);
                scope.spawn(move |scope| self.drain_from(handful, waits, run, scope));
            }
        }
    }
}

/// Returns the graph of the tasks in all units without known results.
fn graph<S: HasHierarchies + Sync>(program: &Program<S>, known: &[Option<Arc<CompleteUnit>>]) -> DiGraph<AnyId, u32> {
    let units = &program.units;
    let mut graph: DiGraph<AnyId, u32> = DiGraph::new();
    let kinds = Kinds::of(units);
    let unknown: Vec<Option<&Unit>> =
        units.list.iter().zip(known).map(|(unit, known)| known.is_none().then_some(&**unit)).collect();
    let tasks = parallel::map(&unknown, |unit| unit.map(|unit| UnitTasks::of(unit, kinds.tasks(program, unit))));
    let mut nodes = Nodes { units, of_units: Vec::with_capacity(tasks.len()) };
    for UnitTasks { list, numbers } in tasks.into_iter().map(Option::unwrap_or_default) {
        nodes.of_units.push((graph.node_count(), numbers));
        for id in list {
            graph.add_node(id);
        }
    }
    if graph.node_count() == 0 {
        return graph;
    }
    let waits = parallel::map(&unknown, |unit| unit.map(|unit| waits(program, unit, &nodes)));
    for Wait { needed, waiting, reference } in waits.into_iter().flatten().flatten() {
        graph.add_edge(needed, waiting, reference);
    }
    graph
}

/// The tasks of a unit and the index of the task for each entity.
#[derive(Default)]
struct UnitTasks {
    list: Vec<AnyId>,
    numbers: ByKind<Vec<u32>>,
}

impl UnitTasks {
    /// The index of an entity that is not a task.
    const NONE: u32 = u32::MAX;

    fn of(unit: &Unit, tasks: impl Iterator<Item = AnyId>) -> Self {
        let mut list: Vec<AnyId> = tasks.collect();
        let mut kinds: Vec<Kind> = list.iter().map(|id| id.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let numbers = kinds.into_iter().map(|kind| (kind, vec![Self::NONE; unit.arenas.count(kind) as usize]));
        let mut numbers: ByKind<Vec<u32>> = numbers.collect();
        let mut next = 0;
        list.retain(|id| {
            let number = numbers.get_mut(id.kind).and_then(|numbers| numbers.get_mut(id.index as usize));
            let is_new = number.is_some_and(|number| {
                let is_new = *number == Self::NONE;
                *number = if is_new { next } else { *number };
                is_new
            });
            next += u32::from(is_new);
            is_new
        });
        Self { list, numbers }
    }
}

/// The graph node of each task.
struct Nodes<'a> {
    units: &'a Units,
    /// For each unit, the index of its first node and the indexes of its nodes relative to the first.
    of_units: Vec<(usize, ByKind<Vec<u32>>)>,
}

impl Nodes<'_> {
    fn get(&self, id: AnyId) -> Option<NodeIndex> {
        let (first, numbers) = &self.of_units[self.units.index(id.unit)?];
        let number = *numbers.get(id.kind)?.get(id.index as usize)?;
        (number != UnitTasks::NONE).then(|| NodeIndex::new(first + number as usize))
    }
}

/// A dependency between two tasks and the index of the reference that causes it.
struct Wait {
    needed: NodeIndex,
    waiting: NodeIndex,
    reference: u32,
}

/// Returns the dependencies of a unit's tasks.
fn waits<S: HasHierarchies>(program: &Program<S>, unit: &Unit, nodes: &Nodes<'_>) -> Vec<Wait> {
    let mut waits = Vec::new();
    // The references of a task are consecutive, and many refer to the same few types.
    let (mut latest, mut needed_by_latest) = (None, FxHashSet::default());
    for (number, site) in unit.references.iter().enumerate() {
        if site.field.role == Role::None {
            continue;
        }
        let reference = Reference::<()>::new(unit.id, number as u32, site.name);
        let Some(needed) = program.target(reference).and_then(|target| nodes.get(target)) else { continue };
        let waiting = unit.with_owners(site.owner).find_map(|owner| nodes.get(owner.of(unit.id)));
        let Some(waiting) = waiting else { continue };
        if latest.replace(waiting) != Some(waiting) {
            needed_by_latest.clear();
        }
        if needed_by_latest.insert(needed) {
            waits.push(Wait { needed, waiting, reference: reference.number });
        }
    }
    waits
}

/// The kinds of entities that form tasks.
pub(super) struct Kinds {
    /// Cached results for each kind in each language, because a program may have units in several languages.
    known: Vec<(&'static Language, Box<[OnceLock<Traits>]>)>,
}

/// The properties of a kind that matter for tasks.
#[derive(Clone, Copy)]
struct Traits {
    is_type: bool,
    /// Whether entities of the kind inherit something from their definition.
    takes_from_definition: bool,
}

impl Kinds {
    pub(super) fn of(units: &Units) -> Self {
        let mut languages: Vec<&'static Language> = Vec::new();
        for unit in &units.list {
            if !languages.iter().any(|language| std::ptr::eq(*language, unit.language)) {
                languages.push(unit.language);
            }
        }
        let blank = |language: &'static Language| (language, language.kinds.iter().map(|_| OnceLock::new()).collect());
        Self { known: languages.into_iter().map(blank).collect() }
    }

    /// Returns whether an entity in a unit inherits something from its definition.
    pub(super) fn takes_from_definition(&self, unit: &Unit, id: LocalId) -> bool {
        self.traits(unit, id.kind).is_some_and(|traits| traits.takes_from_definition)
    }

    fn traits(&self, unit: &Unit, kind: Kind) -> Option<Traits> {
        let (language, known) = self.known.iter().find(|(language, _)| std::ptr::eq(*language, unit.language))?;
        let traits = known.get(usize::from(kind.0))?.get_or_init(|| {
            let description = language.kinds[usize::from(kind.0)].description();
            let has = |is: fn(&FieldDescription) -> bool| description.fields.iter().any(is);
            Traits {
                is_type: description.is_type(),
                takes_from_definition: has(|field| field.role == Role::Definition)
                    && has(|field| field.inherit.is_some()),
            }
        });
        Some(*traits)
    }

    /// Returns the entities in a unit that must be completed: types outside loops, templates that copy, and entities
    /// that inherit from their definition and are not inside a different task.
    fn tasks<'a, S: HasHierarchies>(
        &'a self,
        program: &'a Program<S>,
        unit: &'a Unit,
    ) -> impl Iterator<Item = AnyId> + 'a {
        let is_type = |id: LocalId| self.traits(unit, id.kind).is_some_and(|traits| traits.is_type);
        let is_task = move |site: &ReferenceSite| match site.field.role {
            Role::None | Role::Parent => false,
            Role::Copy => true,
            Role::Definition => {
                let is_held = |owner: LocalId| self.takes_from_definition(unit, owner) || is_type(owner);
                self.takes_from_definition(unit, site.owner) && !unit.with_owners(site.owner).skip(1).any(is_held)
            }
        };
        let others = unit.references.iter().filter(move |site| is_task(site)).map(|site| site.owner.of(unit.id));
        unit.types().filter(|id| program.is_acyclic(*id)).chain(others)
    }
}
