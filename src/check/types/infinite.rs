//! Data types without finite values, because each value must contain another one (decision A 58).
//!
//! Types that need each other are found together, so each type is visited only once, however long the loop.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ard::Kind;
use crate::data::DataKind;
use crate::entity::{Id, NodeRef};
use crate::grammar::definition::PropertyDefinition;
use crate::grammar::types::DataType;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

/// The maximum number of types in other files to visit, and the maximum number of types to search for the reason why a
/// type needs itself.
const MAX: usize = 10_000;

/// The maximum number of types in a loop to try when looking for one that needs itself.
const TRIES: usize = 8;

/// Reports the types in a file whose values must each contain another value of the same type. Types that need each
/// other are reported once.
pub(crate) fn check_endless(context: &mut Context<'_>, types: &[Id<DataType>]) {
    let graph = needs(context, types);
    let own: FxHashSet<Id<DataType>> = types.iter().copied().collect();
    for group in kosaraju_scc(&graph) {
        let mut group: Vec<Id<DataType>> = group.into_iter().map(|node| graph[node]).collect();
        group.retain(|id| own.contains(id) && context.program.is_known(id.any()));
        group.sort_unstable_by_key(|id| id.index());
        let direct: Vec<_> = group.iter().filter_map(|id| Some((*id, directly(context, *id)?))).collect();
        if direct.is_empty() && group.len() > 1 {
            let found = group.iter().take(TRIES).find_map(|id| Some((*id, by_others(context, *id)?)));
            report(context, found);
        }
        direct.into_iter().for_each(|found| report(context, Some(found)));
    }
}

/// Returns the graph of direct dependencies: the types of a type's own properties, and its parent.
fn needs(context: &Context<'_>, types: &[Id<DataType>]) -> DiGraph<Id<DataType>, ()> {
    let mut graph = DiGraph::new();
    let mut nodes: FxHashMap<Id<DataType>, NodeIndex> = FxHashMap::default();
    for id in types {
        nodes.insert(*id, graph.add_node(*id));
    }
    let mut next = 0;
    while next < graph.node_count() {
        let node = NodeIndex::new(next);
        next += 1;
        let id = graph[node];
        let parent = context.program.raw_as(id).and_then(|own| context.target_of(own.derived_from));
        let members = own_properties(context, id).into_iter().filter_map(|property| needed(context, property));
        for other in members.chain(parent) {
            let is_full = graph.node_count() >= types.len() + MAX;
            let other = match nodes.get(&other) {
                Some(known) => *known,
                None if is_full => continue,
                None => *nodes.entry(other).or_insert_with(|| graph.add_node(other)),
            };
            graph.add_edge(node, other, ());
        }
    }
    graph
}

fn own_properties(context: &Context<'_>, id: Id<DataType>) -> Vec<Id<PropertyDefinition>> {
    context.program.raw_as(id).map_or_else(Vec::new, |own| own.properties.iter().map(|(_, id)| id).collect())
}

/// Returns the type of the value that a property must have, if it is a type with members.
fn needed(context: &Context<'_>, property: Id<PropertyDefinition>) -> Option<Id<DataType>> {
    let definition = context.get(property).filter(|property| property.is_required())?;
    // An empty map leaves everything to the defaults of its members, so it does not end the nesting.
    let is_end =
        |value: NodeRef| context.node(value).is_some_and(|value| value.kind() != Kind::Map || !value.is_empty());
    if definition.given_value().is_some_and(|value| is_end(value.0)) {
        return None;
    }
    context.target_of(definition.r#type).filter(|member| DataKind::of(context, *member) == DataKind::Complex)
}

/// Returns the property of a type that directly needs a value of the type itself.
fn directly(context: &Context<'_>, id: Id<DataType>) -> Option<Id<PropertyDefinition>> {
    own_properties(context, id)
        .into_iter()
        .find(|property| needed(context, *property).is_some_and(|member| context.program.is_a(member.any(), id.any())))
}

/// Returns the property through which a type indirectly needs itself.
fn by_others(context: &Context<'_>, id: Id<DataType>) -> Option<Id<PropertyDefinition>> {
    let mut seen = FxHashSet::from_iter([id]);
    let mut open = own_properties(context, id);
    while let Some(property) = open.pop() {
        let Some(member) = needed(context, property) else { continue };
        if context.program.is_a(member.any(), id.any()) {
            return Some(property);
        }
        if seen.len() < MAX && seen.insert(member) {
            let complete = context.get(member);
            open.extend(complete.iter().flat_map(|complete| complete.properties.iter().map(|(_, id)| id)).take(MAX));
        }
    }
    None
}

fn report(context: &mut Context<'_>, found: Option<(Id<DataType>, Id<PropertyDefinition>)>) {
    let Some((id, property)) = found else { return };
    let name = context.program.name(id.any());
    let at = context.program.name_span(id.any());
    let property = context.program.name_span(property.any());
    context
        .problem(
            &rules::ENDLESS_DATA_TYPE,
            at,
            format!("a value of data type `{name}` must contain another one, so it can't be finite"),
        )
        .related(property, "through this property")
        .help("make the property optional, or a list or map");
}
