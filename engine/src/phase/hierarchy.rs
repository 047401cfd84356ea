//! Phase 3: types below their parents.
//!
//! Afterwards it is known of every type what it is derived from, at whatever distance, without following parents one
//! by one; and that following them ends.
//!
//! A type may have several parents, if its language has a field for them. What the type takes from which is the matter
//! of the next phase; here it is derived from all of them.
//!
//! # Problems
//!
//! Types that are derived from themselves ([`DERIVATION_LOOP`](crate::rules::DERIVATION_LOOP)), each loop reported once
//! as the chain of types that forms it. What is derived from such a type is not sound either, of which nothing is said.

mod report;

use std::sync::Arc;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::namespace::{HasNames, Named, Targets};
use super::{Program, Unit, Units};
use crate::diagnostic::Diagnostic;
use crate::entity::{AnyId, ByKind, Reference, Role};
use crate::shared_map::SharedMap;
use crate::threads;

/// The stage of a program whose types have been put below their parents.
#[derive(Debug)]
pub struct Placed {
    /// What was known before.
    pub named: Named,
    /// What is known of each unit.
    pub units: Vec<Arc<PlacedUnit>>,
}

/// The lineages of the types of a unit.
#[derive(Debug, Default)]
pub struct PlacedUnit {
    lineages: ByKind<Vec<Lineage>>,
    /// The problems found.
    pub diagnostics: Vec<Diagnostic>,
}

/// Where a type comes from.
#[derive(Clone, Debug)]
pub struct Lineage {
    parents: SmallVec<[AnyId; 1]>,
    /// The type at the end of the chain of first parents; itself if it has no parent.
    pub root: AnyId,
    /// The type that is derived from itself and that this one is, or is derived from; the first one if there are
    /// several. Nothing if the type is sound.
    pub unsound: Option<AnyId>,
    /// Whether everything that it is derived from is known: no parent's name stands for nothing, and it is sound.
    pub is_known: bool,
    ancestors: SharedMap<()>,
}

impl Lineage {
    fn new(id: AnyId) -> Self {
        Self { parents: SmallVec::new(), root: id, unsound: None, is_known: true, ancestors: SharedMap::default() }
    }

    /// The parents of the type, in order.
    pub fn parents(&self) -> &[AnyId] {
        &self.parents
    }
}

/// A stage in which types have been put below their parents.
pub trait HasHierarchies: HasNames {
    /// The hierarchies.
    fn hierarchies(&self) -> &Placed;
}

impl HasNames for Placed {
    fn names(&self) -> &Named {
        &self.named
    }
}

impl HasHierarchies for Placed {
    fn hierarchies(&self) -> &Placed {
        self
    }
}

impl<S: HasHierarchies> Program<S> {
    /// Whether neither a type nor any type it is derived from is derived from itself.
    pub fn is_sound(&self, id: AnyId) -> bool {
        self.lineage(id).is_none_or(|lineage| lineage.unsound.is_none())
    }

    /// Whether everything that a type is derived from is known. What it has, and what it is, can't be told otherwise.
    pub fn is_known(&self, id: AnyId) -> bool {
        self.lineage(id).is_none_or(|lineage| lineage.is_known)
    }

    /// Where a type comes from; nothing for an entity that is not a type.
    pub fn lineage(&self, id: AnyId) -> Option<&Lineage> {
        let unit = self.units.index(id.unit)?;
        self.stage.hierarchies().units[unit].lineages.get(id.kind)?.get(id.index as usize)
    }

    /// Whether a type is another type or is derived from it. What the implicit units of several versions declare by one
    /// name is one type here, so that units of these versions can be used together.
    pub fn is_a(&self, id: AnyId, base: AnyId) -> bool {
        let is_one = |base: AnyId| {
            id == base
                || id.kind == base.kind
                    && self.lineage(id).is_some_and(|lineage| lineage.ancestors.contains(base.key()))
        };
        is_one(base) || self.units.counterparts(base).any(is_one)
    }

    /// Whether a type is another type or is derived from it, as far as can be told: a type that is derived from something
    /// unknown, or from itself, may be.
    pub fn may_be_a(&self, id: AnyId, base: AnyId) -> bool {
        self.is_a(id, base) || !self.is_known(id)
    }

    /// A type and what it is derived from, nearest first, going by first parents.
    pub fn ancestry(&self, id: AnyId) -> impl Iterator<Item = AnyId> {
        let mut next = Some(id);
        std::iter::from_fn(move || {
            let id = next?;
            next = self
                .lineage(id)
                .filter(|lineage| lineage.unsound.is_none())
                .and_then(|lineage| lineage.parents.first().copied());
            Some(id)
        })
    }
}

/// Why a type that is not sound can't be used, given the type in a loop that it is, or is derived from.
pub(crate) fn why_unsound(id: AnyId, unsound: AnyId) -> &'static str {
    if id == unsound { "it is derived from itself" } else { "a type that it is derived from is derived from itself" }
}

/// The parents of a type.
pub(crate) fn parents(units: &Units, targets: &impl Targets, id: AnyId) -> Vec<AnyId> {
    references(units, id, Role::Parent).into_iter().filter_map(|reference| targets.target(reference)).collect()
}

/// The references of an entity that have a role.
pub(crate) fn references(units: &Units, id: AnyId, role: Role) -> Vec<Reference<()>> {
    let Some(entity) = units.raw(id) else { return Vec::new() };
    let fields = entity.description().fields.iter().enumerate().filter(|(_, field)| field.role == role);
    let mut references = Vec::new();
    fields.for_each(|(index, _)| entity.field(index).visit_references(&mut |reference| references.push(reference)));
    references
}

/// Runs the phase. `known` are the results of earlier runs for units that import the same units as then.
pub fn run(program: Program<Named>, known: &[Option<Arc<PlacedUnit>>]) -> Program<Placed> {
    let units = program.units.clone();
    let mut hierarchies = Hierarchies::new(&program, known);
    let left = hierarchies.add_all();
    if !left.is_empty() {
        hierarchies.add_unsound(&left);
    }
    let placed = hierarchies.placed.into_iter().zip(known);
    let placed = placed.map(|(placed, known)| known.clone().unwrap_or_else(|| Arc::new(placed))).collect();
    Program { units, stage: Placed { units: placed, named: program.stage } }
}

/// Hierarchies being built.
struct Hierarchies<'a> {
    program: &'a Program<Named>,
    known: &'a [Option<Arc<PlacedUnit>>],
    placed: Vec<PlacedUnit>,
    states: Vec<ByKind<Vec<State>>>,
}

/// How far a type has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nobody has looked at it yet.
    New,
    /// Its parents are being added.
    Begun,
    /// It has been added.
    Added,
    /// It is derived from itself, or from a type that is.
    Left,
}

impl<'a> Hierarchies<'a> {
    /// Finds the parents of all types of units that are not known yet.
    fn new(program: &'a Program<Named>, known: &'a [Option<Arc<PlacedUnit>>]) -> Self {
        let units: Vec<(&Unit, bool)> =
            program.units.list.iter().zip(known).map(|(unit, known)| (&**unit, known.is_some())).collect();
        let new = threads::map(&units, |(unit, is_known)| {
            if *is_known {
                return Default::default();
            }
            let lineages = unit.types_by_kind();
            let lineages = lineages.map(|(kind, types)| (kind, types.map(|id| with_parents(program, id)).collect()));
            let states = unit.types_by_kind().map(|(kind, types)| (kind, types.map(|_| State::New).collect()));
            (PlacedUnit { lineages: lineages.collect(), diagnostics: Vec::new() }, states.collect())
        });
        let (placed, states) = new.into_iter().unzip();
        Self { program, known, placed, states }
    }

    fn units(&self) -> &'a Units {
        &self.program.units
    }

    fn lineage(&self, id: AnyId) -> Option<&Lineage> {
        let unit = self.units().index(id.unit)?;
        let unit = self.known[unit].as_deref().unwrap_or(&self.placed[unit]);
        unit.lineages.get(id.kind)?.get(id.index as usize)
    }

    fn lineage_mut(&mut self, id: AnyId) -> Option<&mut Lineage> {
        let unit = self.units().index(id.unit)?;
        self.placed[unit].lineages.get_mut(id.kind)?.get_mut(id.index as usize)
    }

    /// How far a type has got; those of units that are known have got to the end.
    fn state(&self, id: AnyId) -> State {
        let unit = self.units().index(id.unit);
        let states = unit.and_then(|unit| self.states[unit].get(id.kind));
        states.and_then(|states| states.get(id.index as usize)).copied().unwrap_or(State::Added)
    }

    fn set_state(&mut self, id: AnyId, state: State) {
        let unit = self.units().index(id.unit);
        let states = unit.and_then(|unit| self.states[unit].get_mut(id.kind));
        if let Some(place) = states.and_then(|states| states.get_mut(id.index as usize)) {
            *place = state;
        }
    }

    /// Adds all types but those that are derived from themselves, or from such, which come back.
    fn add_all(&mut self) -> Vec<AnyId> {
        let mut left = Vec::new();
        // Types with the numbers of the parents that are looked at next.
        let mut way: Vec<(AnyId, usize)> = Vec::new();
        for id in self.units().list.iter().flat_map(|unit| unit.types()) {
            if self.state(id) != State::New {
                continue;
            }
            self.set_state(id, State::Begun);
            way.push((id, 0));
            while let Some((id, next)) = way.last_mut() {
                let (id, number) = (*id, *next);
                *next += 1;
                let Some(parent) = self.lineage(id).and_then(|lineage| lineage.parents.get(number)).copied() else {
                    self.add(id);
                    self.set_state(id, State::Added);
                    way.pop();
                    continue;
                };
                match self.state(parent) {
                    State::Added => {}
                    State::New => {
                        self.set_state(parent, State::Begun);
                        way.push((parent, 0));
                    }
                    State::Begun | State::Left => {
                        for (id, _) in way.drain(..) {
                            self.set_state(id, State::Left);
                            left.push(id);
                        }
                    }
                }
            }
        }
        left
    }

    /// Adds a type whose parents have been added.
    fn add(&mut self, id: AnyId) {
        let Some(lineage) = self.lineage_mut(id) else { return };
        let mut lineage = std::mem::replace(lineage, Lineage::new(id));
        let mut is_first = true;
        for parent in &lineage.parents {
            let Some(of_parent) = self.lineage(*parent).filter(|_| parent.kind == id.kind) else {
                is_first = false;
                continue;
            };
            if std::mem::take(&mut is_first) {
                lineage.root = of_parent.root;
                lineage.ancestors = of_parent.ancestors.clone();
            } else {
                lineage.ancestors.merge(&of_parent.ancestors, &mut |_, (), ()| ());
            }
            lineage.ancestors.insert(parent.key(), ());
            lineage.unsound = lineage.unsound.or(of_parent.unsound);
            lineage.is_known &= of_parent.is_known;
        }
        if let Some(place) = self.lineage_mut(id) {
            *place = lineage;
        }
    }

    /// Adds types that are derived from themselves, and those that are derived from such.
    fn add_unsound(&mut self, left: &[AnyId]) {
        let graph = self.graph(left);
        // Strongly connected types come out parents first.
        for mut group in kosaraju_scc(&graph) {
            if group.len() > 1 || graph.contains_edge(group[0], group[0]) {
                group.sort_by_key(|node| self.units().place(graph[*node]));
                self.add_loop(&graph, &group);
            } else {
                self.add(graph[group[0]]);
            }
        }
    }

    /// A graph of types. An edge leads from a type to its parent, and has the number of the reference that says so.
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

    /// Adds types that are derived from themselves.
    fn add_loop(&mut self, graph: &DiGraph<AnyId, u32>, group: &[NodeIndex]) {
        for id in group.iter().map(|node| graph[*node]) {
            if let Some(lineage) = self.lineage_mut(id) {
                (lineage.unsound, lineage.is_known) = (Some(id), false);
            }
        }
        self.report_loops(graph, group);
    }
}

/// What a type says of where it comes from.
fn with_parents(program: &Program<Named>, id: AnyId) -> Lineage {
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
    lineage
}
