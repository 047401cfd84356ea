//! The graph of tasks, and its draining.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use petgraph::Direction;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use super::completion::Completion;
use super::{CompleteUnit, View};
use crate::diagnostic::Diagnostic;
use crate::entity::{AnyId, Reference, Role};
use crate::phase::hierarchy::Placed;
use crate::phase::namespace::Targets;
use crate::phase::{Program, Unit};
use std::sync::Arc;

/// The tasks of a program: what is completed, and what waits for what.
#[derive(Debug, Default)]
pub struct Tasks {
    /// The entities to complete; an edge leads from an entity to one that waits for it.
    pub graph: DiGraph<AnyId, ()>,
    /// Groups of tasks that wait for each other and are therefore never run.
    pub stuck: Vec<Vec<AnyId>>,
    /// The tasks in an order in which they can run, those of loops left out.
    order: Vec<NodeIndex>,
}

impl Tasks {
    pub(super) fn new(program: &Program<Placed>, known: &[Option<Arc<CompleteUnit>>]) -> Self {
        let units = &program.units;
        let mut graph: DiGraph<AnyId, ()> = DiGraph::new();
        let mut nodes: FxHashMap<AnyId, NodeIndex> = FxHashMap::default();
        let unknown = || units.list.iter().zip(known).filter(|(_, known)| known.is_none()).map(|(unit, _)| &**unit);
        for unit in unknown() {
            for id in tasks_of(program, unit) {
                nodes.insert(id, graph.add_node(id));
            }
        }
        for unit in unknown() {
            for (number, site) in unit.references.iter().enumerate() {
                if site.field.role == Role::None {
                    continue;
                }
                let reference = Reference::<()>::new(unit.id, number as u32, site.name);
                let Some(target) = program.target(reference) else { continue };
                let waiting = std::iter::successors(Some(site.owner), |owner| unit.arenas.header(*owner)?.owner)
                    .find_map(|owner| nodes.get(&owner.of(unit.id)));
                if let (Some(waiting), Some(needed)) = (waiting, nodes.get(&target)) {
                    graph.update_edge(*needed, *waiting, ());
                }
            }
        }
        // Edges lead from what is needed to what waits for it, so what is needed comes last.
        let mut order = Vec::with_capacity(graph.node_count());
        let mut stuck = Vec::new();
        for group in kosaraju_scc(&graph).into_iter().rev() {
            if group.len() > 1 || graph.contains_edge(group[0], group[0]) {
                stuck.push(group.into_iter().map(|node| graph[node]).collect());
            } else {
                order.extend(group);
            }
        }
        Self { graph, stuck, order }
    }

    /// The tasks in an order in which they can run one after the other.
    pub fn in_order(&self) -> impl Iterator<Item = AnyId> {
        self.order.iter().map(|node| self.graph[*node])
    }

    /// Runs all tasks and returns the problems that they found.
    pub(super) fn run(&self, program: &Program<Placed>, slots: &[Arc<CompleteUnit>]) -> Vec<Diagnostic> {
        let view = View { program, slots };
        let complete = |node: NodeIndex| {
            let mut completion = Completion::new(&view);
            completion.run(self.graph[node]);
            completion.diagnostics
        };
        if rayon::current_num_threads() == 1 {
            return self.order.iter().flat_map(|node| complete(*node)).collect();
        }
        let found = Mutex::new(Vec::new());
        let run = |node: NodeIndex| {
            let diagnostics = complete(node);
            if let (false, Ok(mut found)) = (diagnostics.is_empty(), found.lock()) {
                found.extend(diagnostics);
            }
        };
        self.drain(&run);
        found.into_inner().unwrap_or_default()
    }

    /// Runs each task as soon as all that it waits for have run. Those of loops are never run.
    fn drain(&self, run: &(impl Fn(NodeIndex) + Sync)) {
        let waits: Vec<AtomicU32> = self
            .graph
            .node_indices()
            .map(|node| AtomicU32::new(self.graph.edges_directed(node, Direction::Incoming).count() as u32))
            .collect();
        rayon::scope(|scope| {
            let ready: Vec<NodeIndex> =
                self.graph.node_indices().filter(|node| waits[node.index()].load(Ordering::Relaxed) == 0).collect();
            // Small tasks are handed out in handfuls; handing out each would cost more than running it.
            for handful in ready.chunks(64) {
                let (handful, waits) = (handful.to_vec(), &waits);
                scope.spawn(move |_| self.drain_from(handful, waits, run));
            }
        });
    }

    fn drain_from(&self, mut ready: Vec<NodeIndex>, waits: &[AtomicU32], run: &(impl Fn(NodeIndex) + Sync)) {
        while let Some(node) = ready.pop() {
            run(node);
            for waiting in self.graph.neighbors_directed(node, Direction::Outgoing) {
                if waits[waiting.index()].fetch_sub(1, Ordering::AcqRel) == 1 {
                    ready.push(waiting);
                }
            }
            if ready.len() > 128 {
                let half = ready.split_off(ready.len() / 2);
                rayon::join(
                    || self.drain_from(std::mem::take(&mut ready), waits, run),
                    || self.drain_from(half, waits, run),
                );
            }
        }
    }
}

/// The entities of a unit that must be completed: sound types, and templates that copy.
fn tasks_of<'a>(program: &'a Program<Placed>, unit: &'a Unit) -> impl Iterator<Item = AnyId> + 'a {
    let types = unit.types().filter(|id| program.is_sound(*id));
    let copies = unit.references.iter().filter(|site| site.field.role == Role::Copy).map(|site| site.owner.of(unit.id));
    types.chain(copies)
}
