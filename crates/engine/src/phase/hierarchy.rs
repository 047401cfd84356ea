//! Phase 3: the hierarchies of types.
//!
//! After this phase, all ancestors of a type are known without following parents one by one, and it is known that
//! following parents ends.
//!
//! A type may have several parents, if its language has a field for them. The next phase decides from which parent each
//! member is inherited; in this phase, all parents count equally.
//!
//! Threads process the types of different units in parallel, each after its ancestors. If two threads process the same
//! type, both compute the same result.
//!
//! # Problems
//!
//! This phase reports types that are derived from themselves ([`DERIVATION_LOOP`](crate::rules::DERIVATION_LOOP)). Each
//! loop is reported once, as the chain of types that forms it. Types that are derived from such a type depend on the
//! loop too but are not reported.

mod report;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::namespace::{HasNames, Named, ReferenceResolver};
use super::several_parents::MergeCounter;
use super::{Program, Unit, Units};
use crate::diagnostic::Diagnostic;
use crate::entity::{AnyId, ByKind, Kind, Reference, Role};
use crate::parallel;
use crate::shared_map::SharedMap;

/// The stage of a program whose type hierarchies are known.
#[derive(Debug)]
pub struct Derived {
    /// The results of the previous phase.
    pub named: Named,
    /// The results for each unit.
    pub units: Vec<Arc<DerivedUnit>>,
    /// Whether types are derived only from their first parents, because they would
    /// [inherit too much](crate::rules::LARGE_PARENTS) from others.
    pub(crate) has_only_first_parents: bool,
}

/// The lineages of the types in a unit.
#[derive(Debug, Default)]
pub struct DerivedUnit {
    lineages: ByKind<Vec<OnceLock<Lineage>>>,
    /// The number of ancestors that types have from further parents.
    merged: AtomicUsize,
    /// The problems that were found.
    pub diagnostics: Vec<Diagnostic>,
}

/// The ancestry of a type.
#[derive(Clone, Debug)]
pub struct Lineage {
    parents: SmallVec<[AnyId; 1]>,
    /// The type at the end of the chain of first parents; the type itself if it has no parent.
    pub root: AnyId,
    /// The type itself if it is in a derivation loop; otherwise, the first type in a loop that it is derived from;
    /// `None` if there is no loop.
    pub cycle: Option<AnyId>,
    /// Whether all ancestors are known: all parents that are named exist, and there is no loop.
    pub is_known: bool,
    ancestors: SharedMap<()>,
}

impl DerivedUnit {
    fn lineage(&self, kind: Kind, index: u32) -> Option<&OnceLock<Lineage>> {
        self.lineages.get(kind)?.get(index as usize)
    }
}

impl Lineage {
    fn new(id: AnyId) -> Self {
        Self { parents: SmallVec::new(), root: id, cycle: None, is_known: true, ancestors: SharedMap::default() }
    }

    /// Returns the parents of the type, in order.
    pub fn parents(&self) -> &[AnyId] {
        &self.parents
    }

    /// Returns the number of ancestors.
    pub fn ancestor_count(&self) -> usize {
        self.ancestors.len()
    }
}

/// A stage in which type hierarchies are known.
pub trait HasHierarchies: HasNames {
    /// Returns the hierarchies.
    fn hierarchies(&self) -> &Derived;
}

impl HasNames for Derived {
    fn names(&self) -> &Named {
        &self.named
    }
}

impl HasHierarchies for Derived {
    fn hierarchies(&self) -> &Derived {
        self
    }
}

impl<S: HasHierarchies> Program<S> {
    /// Returns whether neither the type nor any of its ancestors is derived from itself.
    pub fn is_acyclic(&self, id: AnyId) -> bool {
        self.lineage(id).is_none_or(|lineage| lineage.cycle.is_none())
    }

    /// Returns whether all ancestors of a type are known. If not, its members and the types that it is derived from are
    /// not fully known.
    pub fn is_known(&self, id: AnyId) -> bool {
        self.lineage(id).is_none_or(|lineage| lineage.is_known)
    }

    /// Returns the ancestry of a type; `None` for an entity that is not a type.
    pub fn lineage(&self, id: AnyId) -> Option<&Lineage> {
        let unit = self.units.index(id.unit)?;
        self.stage.hierarchies().units[unit].lineage(id.kind, id.index)?.get()
    }

    /// Returns whether a type is the type `base` or derived from it. Types with the same name in the implicit units of
    /// several versions count as the same type here, so that units in these versions can be used together.
    pub fn is_a(&self, id: AnyId, base: AnyId) -> bool {
        let is_one = |base: AnyId| {
            id == base
                || id.kind == base.kind
                    && self.lineage(id).is_some_and(|lineage| lineage.ancestors.contains(base.key()))
        };
        is_one(base) || self.units.counterparts(base).any(is_one)
    }

    /// Returns whether a type may be the type `base` or derived from it: also true for a type that is derived from an
    /// unknown type or from itself.
    pub fn may_be_a(&self, id: AnyId, base: AnyId) -> bool {
        self.is_a(id, base) || !self.is_known(id)
    }

    /// Returns a type and its ancestors, nearest first, following only the first parent of each type.
    pub fn ancestry(&self, id: AnyId) -> impl Iterator<Item = AnyId> {
        let mut next = Some(id);
        std::iter::from_fn(move || {
            let id = next?;
            next = self
                .lineage(id)
                .filter(|lineage| lineage.cycle.is_none())
                .and_then(|lineage| lineage.parents.first().copied());
            Some(id)
        })
    }
}

/// Explains why the type `id` can't be used, given the type `cycle` in its [lineage](Lineage::cycle).
pub(crate) fn why_cyclic(id: AnyId, cycle: AnyId) -> &'static str {
    if id == cycle { "it is derived from itself" } else { "one of its ancestors is derived from itself" }
}

/// Returns the parents of a type.
pub(crate) fn parents(units: &Units, targets: &impl ReferenceResolver, id: AnyId) -> Vec<AnyId> {
    references(units, id, Role::Parent).into_iter().filter_map(|reference| targets.target(reference)).collect()
}

/// Returns the references in an entity that have the given role.
pub(crate) fn references(units: &Units, id: AnyId, role: Role) -> Vec<Reference<()>> {
    let Some(entity) = units.raw(id) else { return Vec::new() };
    let fields = entity.description().fields.iter().enumerate().filter(|(_, field)| field.role == role);
    let mut references = Vec::new();
    fields.for_each(|(index, _)| entity.field(index).visit_references(&mut |reference| references.push(reference)));
    references
}

/// Runs the phase. `known` contains the results of earlier runs for units that still import the same units.
pub fn run(program: Program<Named>, known: &[Option<Arc<DerivedUnit>>]) -> Program<Derived> {
    match derive(&program, known, false) {
        Some(units) => {
            let stage = Derived { units, named: program.stage, has_only_first_parents: false };
            Program { units: program.units, stage }
        }
        None => run_with_first_parents(program),
    }
}

/// Runs the phase as if each type had only its first parent.
pub(super) fn run_with_first_parents(program: Program<Named>) -> Program<Derived> {
    let known = vec![None; program.list.len()];
    let units = derive(&program, &known, true).unwrap_or_default();
    Program { units: program.units, stage: Derived { units, named: program.stage, has_only_first_parents: true } }
}

/// Returns the lineages of the types in each unit; `None` if too many ancestors of further parents are merged.
fn derive(
    program: &Program<Named>,
    known: &[Option<Arc<DerivedUnit>>],
    has_only_first_parents: bool,
) -> Option<Vec<Arc<DerivedUnit>>> {
    let mut hierarchies = Hierarchies::new(program, known, has_only_first_parents);
    hierarchies.add_acyclic();
    if hierarchies.is_any_cyclic.load(Ordering::Relaxed) {
        hierarchies.add_cyclic();
    }
    if hierarchies.merges.is_exceeded() {
        return None;
    }
    let placed = hierarchies.placed.into_iter().zip(known);
    Some(placed.map(|(placed, known)| known.clone().unwrap_or_else(|| Arc::new(placed))).collect())
}

/// Hierarchies that are being built.
struct Hierarchies<'a> {
    program: &'a Program<Named>,
    known: &'a [Option<Arc<DerivedUnit>>],
    placed: Vec<DerivedUnit>,
    has_only_first_parents: bool,
    merges: MergeCounter,
    /// Whether a type that is derived from itself has been found.
    is_any_cyclic: AtomicBool,
}

/// A type whose parents are being added.
struct Step {
    id: AnyId,
    lineage: Lineage,
    /// The index of the parent to process next.
    next: usize,
}

impl<'a> Hierarchies<'a> {
    fn new(program: &'a Program<Named>, known: &'a [Option<Arc<DerivedUnit>>], has_only_first_parents: bool) -> Self {
        let places = |types: &mut dyn Iterator<Item = AnyId>| types.map(|_| OnceLock::new()).collect();
        let units: Vec<_> = program.units.list.iter().zip(known).collect();
        let placed = parallel::map(&units, |(unit, known)| match known {
            Some(_) => DerivedUnit::default(),
            None => {
                let lineages = unit.types_by_kind().map(|(kind, mut types)| (kind, places(&mut types)));
                DerivedUnit { lineages: lineages.collect(), ..DerivedUnit::default() }
            }
        });
        let merged = known.iter().flatten().map(|known| known.merged.load(Ordering::Relaxed)).sum();
        let merges = MergeCounter::new(&program.units, merged);
        Self { program, known, placed, has_only_first_parents, merges, is_any_cyclic: AtomicBool::new(false) }
    }

    fn units(&self) -> &'a Units {
        &self.program.units
    }

    /// Returns the cell that stores the lineage of a type once it is known.
    fn place(&self, id: AnyId) -> Option<&OnceLock<Lineage>> {
        let unit = self.units().index(id.unit)?;
        self.known[unit].as_deref().unwrap_or(&self.placed[unit]).lineage(id.kind, id.index)
    }

    fn lineage(&self, id: AnyId) -> Option<&Lineage> {
        self.place(id)?.get()
    }

    /// Returns the types in units without known results.
    fn types(&self) -> impl Iterator<Item = AnyId> {
        let new = self.units().list.iter().zip(self.known).filter(|(_, known)| known.is_none());
        new.flat_map(|(unit, _)| unit.types())
    }

    /// Adds all types outside loops. Types that are derived from themselves, and the descendants of such types, are only
    /// marked.
    fn add_acyclic(&self) {
        let new = self.units().list.iter().zip(self.known).filter(|(_, known)| known.is_none());
        let new: Vec<&Unit> = new.map(|(unit, _)| &**unit).collect();
        parallel::map(&new, |unit| unit.types().for_each(|id| self.add_below_parents(id)));
    }

    /// Adds a type after all its ancestors.
    fn add_below_parents(&self, id: AnyId) {
        if self.lineage(id).is_some() {
            return;
        }
        let step = |id: AnyId| Step { id, lineage: self.with_parents(id), next: 0 };
        let mut way = vec![step(id)];
        // The types on the path except the first one, because most paths consist of one type.
        let mut on_way: FxHashSet<AnyId> = FxHashSet::default();
        while let Some(last) = way.last_mut() {
            let Some(parent) = last.lineage.parents.get(last.next).copied() else {
                if let Some(Step { id, lineage, .. }) = way.pop() {
                    on_way.remove(&id);
                    let (lineage, merged) = self.below_parents(id, lineage);
                    self.set(id, lineage, merged);
                }
                continue;
            };
            last.next += 1;
            let Some(place) = self.place(parent) else { continue };
            match place.get() {
                Some(lineage) if lineage.cycle.is_none() => {}
                None if parent != id && on_way.insert(parent) => way.push(step(parent)),
                _ => {
                    self.is_any_cyclic.store(true, Ordering::Relaxed);
                    for Step { id, .. } in way.drain(..) {
                        self.set(id, Lineage { cycle: Some(id), ..Lineage::new(id) }, 0);
                    }
                }
            }
        }
    }

    /// Sets the lineage of a type, unless another thread has set it, and counts the merged ancestors.
    fn set(&self, id: AnyId, lineage: Lineage, merged: usize) {
        if let Some(place) = self.place(id)
            && place.set(lineage).is_ok()
        {
            self.count(id, merged);
        }
    }

    fn count(&self, id: AnyId, merged: usize) {
        if let Some(unit) = self.units().index(id.unit).filter(|_| merged > 0) {
            self.placed[unit].merged.fetch_add(merged, Ordering::Relaxed);
            self.merges.add(merged);
        }
    }

    /// Returns the lineage of a type, with only its parents so far.
    fn with_parents(&self, id: AnyId) -> Lineage {
        let program = self.program;
        let mut lineage = Lineage::new(id);
        let references = references(&program.units, id, Role::Parent);
        lineage.parents.reserve_exact(references.len());
        for reference in references {
            match program.target(reference) {
                Some(parent) => lineage.parents.push(parent),
                None => lineage.is_known &= program.means_no_parent(reference),
            }
        }
        lineage.is_known &= program.units.was_read(id);
        if self.has_only_first_parents && lineage.parents.len() > 1 {
            lineage.parents.truncate(1);
            lineage.is_known = false;
        }
        lineage
    }

    /// Returns the complete lineage of a type whose parents have been added, and the number of ancestors that have been
    /// merged for it.
    fn below_parents(&self, id: AnyId, mut lineage: Lineage) -> (Lineage, usize) {
        let (mut is_first, mut merged) = (true, 0);
        for parent in &lineage.parents {
            let Some(of_parent) = self.lineage(*parent).filter(|_| parent.kind == id.kind) else {
                is_first = false;
                continue;
            };
            if std::mem::take(&mut is_first) {
                lineage.root = of_parent.root;
                lineage.ancestors = of_parent.ancestors.clone();
            } else if !self.merges.is_exceeded() {
                merged += lineage.ancestors.len().min(of_parent.ancestors.len());
                lineage.ancestors.merge(&of_parent.ancestors, &mut |_, (), ()| ());
            }
            lineage.ancestors.insert(parent.key(), ());
            lineage.cycle = lineage.cycle.or(of_parent.cycle);
            lineage.is_known &= of_parent.is_known;
        }
        (lineage, merged)
    }

    /// Adds types that are derived from themselves, and the descendants of such types.
    fn add_cyclic(&mut self) {
        let is_cyclic = |id: &AnyId| self.lineage(*id).is_some_and(|lineage| lineage.cycle.is_some());
        let cyclic: Vec<AnyId> = self.types().filter(is_cyclic).collect();
        let graph = self.graph(&cyclic);
        // In the strongly connected components, parents come before their children.
        for mut group in kosaraju_scc(&graph) {
            if group.len() > 1 || graph.contains_edge(group[0], group[0]) {
                group.sort_by_key(|node| self.units().place(graph[*node]));
                self.add_loop(&graph, &group);
            } else {
                let id = graph[group[0]];
                let (lineage, merged) = self.below_parents(id, self.with_parents(id));
                self.count(id, merged);
                self.replace(id, lineage);
            }
        }
    }

    fn replace(&mut self, id: AnyId, lineage: Lineage) {
        let Some(unit) = self.units().index(id.unit) else { return };
        let places = self.placed[unit].lineages.get_mut(id.kind);
        if let Some(place) = places.and_then(|places| places.get_mut(id.index as usize)) {
            *place = OnceLock::from(lineage);
        }
    }

    /// Returns a graph of types. An edge leads from a type to its parent; its weight is the index of the reference to
    /// the parent.
    fn graph(&self, types: &[AnyId]) -> DiGraph<AnyId, u32> {
        let mut graph = DiGraph::new();
        let nodes: FxHashMap<AnyId, NodeIndex> = types.iter().map(|id| (*id, graph.add_node(*id))).collect();
        for node in graph.node_indices() {
            for reference in references(self.units(), graph[node], Role::Parent) {
                if let Some(parent) = self.program.target(reference).and_then(|parent| nodes.get(&parent)) {
                    graph.add_edge(node, *parent, reference.number);
                }
            }
        }
        graph
    }

    /// Adds the types in a group that are derived from themselves.
    fn add_loop(&mut self, graph: &DiGraph<AnyId, u32>, group: &[NodeIndex]) {
        for id in group.iter().map(|node| graph[*node]) {
            let lineage = self.with_parents(id);
            self.replace(id, Lineage { cycle: Some(id), is_known: false, ..lineage });
        }
        self.report_loops(graph, group);
    }
}
