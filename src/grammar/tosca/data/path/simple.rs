//! The short paths of versions before 2.0.
//!
//! `[ entity, requirement or capability, property, nested… ]`: the second step may be left out, and a requirement
//! leads to whatever is at its other end that has the property.

use super::graph::{Fault, Found, Graph, HereIn, Step, start};
use super::place::Here;

/// More hosts than are ever below each other.
pub(super) const MOST_HOSTS: usize = 64;

/// The places that a path may lead to, and how many steps lead to each.
type Places<'t, G> = Vec<(HereIn<'t, G>, usize)>;

/// The places that a path may lead to, the first of which that has what is sought is meant. Nothing if it can't be
/// known where it leads.
pub(super) fn simple<'t, G: Graph<'t>>(graph: &G, steps: &[G::Step]) -> Result<Option<Places<'t, G>>, G::Lost> {
    let Some(head) = steps.first().copied() else { return Ok(None) };
    let starts = match graph.read(head) {
        Step::Name("HOST") => hosts(graph, head)?,
        _ => start(graph, head)?.map(|here| vec![here]),
    };
    let read = |number: usize| steps.get(number).map(|step| graph.read(*step));
    let (Some(starts), Some(Step::Name(name))) = (starts, read(1)) else { return Ok(None) };
    // A requirement may be there several times: `[ SELF, requirement, 0, property ]`.
    let way_in = match (read(2), read(3)) {
        (Some(Step::Name(_)), _) => Some((0, 2)),
        (Some(Step::Index(Some(index))), Some(Step::Name(_))) => Some((index, 3)),
        _ => None,
    };
    let mut places = Vec::new();
    for here in starts {
        if let (Here::Node(node), Some((index, steps))) = (here, way_in) {
            places.extend(within(graph, node, name, index).into_iter().map(|here| (here, steps)));
        }
        places.push((here, 1));
    }
    Ok(Some(places))
}

/// The places that a capability or requirement of a node leads to: what has a capability and a requirement of one name
/// is searched in this order (decision B 36).
fn within<'t, G: Graph<'t>>(graph: &G, node: G::Node, name: &str, index: usize) -> Vec<HereIn<'t, G>> {
    let mut places = match graph.capability(node, name) {
        Found::Is(capability) => vec![Here::Capability(capability)],
        Found::Missing => Vec::new(),
        Found::Only(_) | Found::Unknown => return vec![Here::Unknown],
    };
    let relationship = match graph.relationship(node, name, Some(index)) {
        Found::Is(relationship) => relationship,
        Found::Missing => return places,
        Found::Only(_) | Found::Unknown => {
            places.push(Here::Unknown);
            return places;
        }
    };
    // The node at the other end may be of a derived type, unless it is known which one it is.
    match graph.target(relationship).filter(|target| graph.is_particular(*target)) {
        None => places.push(Here::Unknown),
        Some(target) => {
            places.extend(graph.target_capability(relationship).map(Here::Capability));
            places.extend([Here::Node(target), Here::Relationship(relationship)]);
        }
    }
    places
}

/// The hosts of the node that a path starting with `HOST` is in, nearest first. Nothing if there is no such node.
fn hosts<'t, G: Graph<'t>>(graph: &G, head: G::Step) -> Result<Option<Vec<HereIn<'t, G>>>, G::Lost> {
    let Here::Node(mut node) = graph.here() else { return start(graph, head).map(|_| None) };
    let mut hosts = Vec::new();
    loop {
        match host(graph, node) {
            Found::Is(host) if hosts.len() < MOST_HOSTS => {
                hosts.push(Here::Node(host));
                node = host;
            }
            Found::Missing if hosts.is_empty() => return Err(graph.lost(head, Fault::NoHost(node))),
            Found::Missing => return Ok(Some(hosts)),
            _ => {
                hosts.push(Here::Unknown);
                return Ok(Some(hosts));
            }
        }
    }
}

/// The node that hosts another.
fn host<'t, G: Graph<'t>>(graph: &G, node: G::Node) -> Found<G::Node> {
    // A node of a type may be of a derived one.
    let relationships = match graph.relationships(node) {
        Found::Is(relationships) if graph.is_particular(node) => relationships,
        _ => return Found::Unknown,
    };
    let mut is_open = false;
    for (_, relationship) in relationships {
        let is_hosting = graph.is_hosting(relationship);
        match graph.target(relationship).filter(|target| graph.is_particular(*target)) {
            Some(host) if is_hosting == Some(true) => return Found::Is(host),
            _ => is_open |= is_hosting != Some(false),
        }
    }
    if is_open { Found::Unknown } else { Found::Missing }
}
