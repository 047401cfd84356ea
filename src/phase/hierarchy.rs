//! Phase 3: types below their parents.
//!
//! Afterwards it is known of every type what it is derived from, at whatever distance, without following parents one
//! by one; and that following them ends.
//!
//! # Problems
//!
//! Types that are derived from themselves ([`DERIVATION_LOOP`](rules::DERIVATION_LOOP)), and types whose parent is not
//! sound for that reason ([`UNSOUND_PARENT`](rules::UNSOUND_PARENT)).

use std::sync::Arc;

use petgraph::Direction;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use super::namespace::{HasNames, Named, Targets};
use super::{Program, Units};
use crate::diagnostic::{Diagnostic, SourceId};
use crate::entity::{AnyId, Kind, Reference, Role};
use crate::rules;
use crate::shared_map::SharedMap;

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
    lineages: Vec<Vec<Lineage>>,
    /// The problems found.
    pub diagnostics: Vec<Diagnostic>,
}

/// Where a type comes from.
#[derive(Clone, Debug)]
pub struct Lineage {
    /// Its parents, in order.
    pub parents: Vec<AnyId>,
    /// The type at the end of the chain of first parents; itself if it has no parent.
    pub root: AnyId,
    /// Whether neither it nor any type it is derived from is derived from itself.
    pub is_sound: bool,
    /// Whether everything that it is derived from is known: no parent's name stands for nothing, and it is sound.
    pub is_known: bool,
    ancestors: SharedMap<()>,
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
        self.lineage(id).is_none_or(|lineage| lineage.is_sound)
    }

    /// Whether everything that a type is derived from is known. What it has can't be told otherwise.
    pub fn is_known(&self, id: AnyId) -> bool {
        self.lineage(id).is_none_or(|lineage| lineage.is_known)
    }

    /// Where a type comes from; nothing for an entity that is not a type.
    pub fn lineage(&self, id: AnyId) -> Option<&Lineage> {
        let unit = self.units.index(id.unit)?;
        self.stage.hierarchies().units[unit].lineages.get(usize::from(id.kind.0))?.get(id.index as usize)
    }

    /// Whether a type is another type or is derived from it.
    pub fn is_a(&self, id: AnyId, base: AnyId) -> bool {
        id == base
            || id.kind == base.kind && self.lineage(id).is_some_and(|lineage| lineage.ancestors.contains(base.key()))
    }

    /// A type and what it is derived from, nearest first, going by first parents.
    pub fn ancestry(&self, id: AnyId) -> impl Iterator<Item = AnyId> {
        let mut next = Some(id);
        std::iter::from_fn(move || {
            let id = next?;
            next = self
                .lineage(id)
                .filter(|lineage| lineage.is_sound)
                .and_then(|lineage| lineage.parents.first().copied());
            Some(id)
        })
    }
}

/// Why a type can't be used, given whether it is in a loop itself.
pub(crate) fn why_unsound(is_in_loop: bool) -> &'static str {
    if is_in_loop { "it is derived from itself" } else { "a type that it is derived from is derived from itself" }
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
    let units = &program.units;
    let mut graph: DiGraph<AnyId, ()> = DiGraph::new();
    let mut nodes: FxHashMap<AnyId, NodeIndex> = FxHashMap::default();
    for id in types(units, known) {
        nodes.insert(id, graph.add_node(id));
    }
    for node in graph.node_indices() {
        for parent in parents(units, &program, graph[node]) {
            if let Some(parent) = nodes.get(&parent) {
                graph.add_edge(node, *parent, ());
            }
        }
    }
    let mut placed: Vec<PlacedUnit> = (0..units.list.len()).map(|_| PlacedUnit::default()).collect();
    for (index, unit) in units.list.iter().enumerate().filter(|(index, _)| known[*index].is_none()) {
        let count = |kind| unit.arenas.count(Kind(kind as u8)) as usize;
        placed[index].lineages = (0..unit.language.kinds.len()).map(|kind| Vec::with_capacity(count(kind))).collect();
        for kind in unit.language.types() {
            for index_of in 0..unit.arenas.count(kind) {
                let root = AnyId { unit: unit.id, kind, index: index_of };
                let lineage = Lineage {
                    parents: Vec::new(),
                    root,
                    is_sound: false,
                    is_known: false,
                    ancestors: SharedMap::default(),
                };
                placed[index].lineages[usize::from(kind.0)].push(lineage);
            }
        }
    }
    // Strongly connected types come out parents first.
    for group in kosaraju_scc(&graph) {
        let is_loop = group.len() > 1 || graph.contains_edge(group[0], group[0]);
        for node in &group {
            let id = graph[*node];
            let lineage = lineage(&program, known, &placed, id, is_loop);
            if let Some(place) = place(units, &mut placed, id) {
                *place = lineage;
            }
        }
        if is_loop {
            report_loop(units, &graph, group, &mut placed);
        }
    }
    report_unsound(units, &graph, &mut placed);
    let placed = placed.into_iter().zip(known).map(|(placed, known)| known.clone().unwrap_or_else(|| Arc::new(placed)));
    Program { units: program.units.clone(), stage: Placed { units: placed.collect(), named: program.stage } }
}

/// The types of all units that are not known yet.
fn types<'a>(units: &'a Units, known: &'a [Option<Arc<PlacedUnit>>]) -> impl Iterator<Item = AnyId> + 'a {
    units.list.iter().zip(known).filter(|(_, known)| known.is_none()).flat_map(|(unit, _)| unit.types())
}

fn place<'a>(units: &Units, placed: &'a mut [PlacedUnit], id: AnyId) -> Option<&'a mut Lineage> {
    placed[units.index(id.unit)?].lineages.get_mut(usize::from(id.kind.0))?.get_mut(id.index as usize)
}

fn lineage(
    program: &Program<Named>,
    known: &[Option<Arc<PlacedUnit>>],
    placed: &[PlacedUnit],
    id: AnyId,
    is_loop: bool,
) -> Lineage {
    let named = references(&program.units, id, Role::Parent);
    let parents: Vec<AnyId> = named.iter().filter_map(|reference| program.target(*reference)).collect();
    let is_known = !is_loop && parents.len() == named.len();
    let mut lineage = Lineage { root: id, is_sound: !is_loop, is_known, ancestors: SharedMap::default(), parents };
    if is_loop {
        return lineage;
    }
    for (number, parent) in lineage.parents.iter().enumerate() {
        let of_parent = program.units.index(parent.unit).and_then(|unit| {
            let unit = known[unit].as_deref().unwrap_or(&placed[unit]);
            unit.lineages.get(usize::from(parent.kind.0))?.get(parent.index as usize)
        });
        let Some(of_parent) = of_parent else { continue };
        if number == 0 {
            lineage.root = of_parent.root;
            lineage.ancestors = of_parent.ancestors.clone();
        } else {
            lineage.ancestors.merge(&of_parent.ancestors, &mut |_, (), ()| ());
        }
        lineage.ancestors.insert(parent.key(), ());
        lineage.is_sound &= of_parent.is_sound;
        lineage.is_known &= of_parent.is_known;
    }
    lineage
}

/// Reports a loop once, at the type that comes first in the order of the program, with the chain that leads back.
fn report_loop(units: &Units, graph: &DiGraph<AnyId, ()>, mut group: Vec<NodeIndex>, placed: &mut [PlacedUnit]) {
    let order = |id: AnyId| (units.index(id.unit), units.header(id).map(|header| header.key));
    group.sort_by_key(|node| order(graph[*node]));
    let first = group[0];
    // The shortest way from the first type back to itself, breadth first.
    let mut came_from: FxHashMap<NodeIndex, NodeIndex> = FxHashMap::default();
    let mut queue = std::collections::VecDeque::from([first]);
    'search: while let Some(node) = queue.pop_front() {
        for parent in graph.neighbors_directed(node, Direction::Outgoing) {
            if parent == first {
                came_from.insert(first, node);
                break 'search;
            }
            if group.binary_search_by_key(&order(graph[parent]), |node| order(graph[*node])).is_ok()
                && !came_from.contains_key(&parent)
            {
                came_from.insert(parent, node);
                queue.push_back(parent);
            }
        }
    }
    let mut chain = vec![first];
    while let Some(node) = came_from.get(chain.last().unwrap_or(&first)) {
        chain.push(*node);
        if *node == first {
            break;
        }
    }
    chain.reverse();
    let names: Vec<String> = chain.iter().map(|node| format!("`{}`", units.name(graph[*node]))).collect();
    let id = graph[first];
    let mut message = format!("{} is derived from itself", units.describe(id));
    if names.len() > 2 {
        message = format!("{message}: {}", names.join(" → "));
    }
    let Some(span) = parent_span(units, id) else { return };
    let mut diagnostic = Diagnostic::new(&rules::DERIVATION_LOOP, span, message).with_help(match names.len() {
        ..=2 => "derive it from another type, or from none",
        _ => "derive one of these types from another type, or from none",
    });
    for node in chain.iter().skip(1).take(chain.len().saturating_sub(2)) {
        if let Some(span) = parent_span(units, graph[*node]) {
            diagnostic = diagnostic.with_related(span, "the loop goes on here");
        }
    }
    push(units, placed, id.unit, diagnostic);
}

fn report_unsound(units: &Units, graph: &DiGraph<AnyId, ()>, placed: &mut [PlacedUnit]) {
    for node in graph.node_indices() {
        let id = graph[node];
        let lineage =
            |placed: &mut [PlacedUnit], id| place(units, placed, id).map(|lineage| (lineage.is_sound, lineage.root));
        // The types of a loop themselves are their own roots and have been reported.
        if lineage(placed, id).is_none_or(|(is_sound, root)| is_sound || root == id) {
            continue;
        }
        let (Some(parent), Some(span)) = (
            graph.neighbors_directed(node, Direction::Outgoing).next().map(|parent| graph[parent]),
            parent_span(units, id),
        ) else {
            continue;
        };
        let is_in_loop = lineage(placed, parent).is_none_or(|(_, root)| root == parent);
        let message =
            format!("{} can't be used as a parent, since {}", units.describe(parent), why_unsound(is_in_loop));
        let mut diagnostic = Diagnostic::new(&rules::UNSOUND_PARENT, span, message);
        if is_in_loop {
            diagnostic = diagnostic.with_help(format!("correct what `{}` is derived from", units.name(parent)));
        }
        if let Some(span) = units.name_span(parent) {
            diagnostic = diagnostic.with_related(span, "it is defined here");
        }
        push(units, placed, id.unit, diagnostic);
    }
}

/// The place where a type names its parent.
fn parent_span(units: &Units, id: AnyId) -> Option<crate::diagnostic::Span> {
    units.reference_span(references(units, id, Role::Parent).first().copied()?)
}

fn push(units: &Units, placed: &mut [PlacedUnit], unit: SourceId, diagnostic: Diagnostic) {
    if let Some(unit) = units.index(unit) {
        placed[unit].diagnostics.push(diagnostic);
    }
}
