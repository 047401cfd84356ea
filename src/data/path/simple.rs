//! The short paths of versions before 2.0.
//!
//! `[ entity, requirement or capability, property, nested… ]`: the second step may be omitted, and a requirement leads
//! to the node or capability at its other end, whichever has the property.

use super::graph::{Fault, Found, Graph, HereIn, Step, start};
use super::place::PathContext;

/// The maximum number of nested hosts to follow, more than any real service has.
const MAX_HOSTS: usize = 64;

/// A possible target of a path.
pub(super) struct Way<H> {
    pub(super) here: H,
    /// The number of steps that lead to it.
    pub(super) taken: usize,
    /// The number of hosts on the way.
    pub(super) hosts: usize,
    /// The keywords of 2.0 before and after the name of the capability or requirement.
    pub(super) keywords: [&'static str; 2],
}

/// The possible targets of a path.
pub(super) struct Ways<'t, H> {
    /// The names of the requirements that lead from host to host.
    pub(super) hosts: Vec<&'t str>,
    /// The targets, nearest first. The first that has the member is used.
    pub(super) all: Vec<Way<H>>,
}

/// Returns the possible targets of a path; `None` if they are unknown. If `is_guess` is set, templates are assumed not
/// to add anything to their types.
pub(super) fn ways<'t, G: Graph<'t>>(
    graph: &G,
    steps: &[G::Step],
    is_guess: bool,
) -> Result<Option<Ways<'t, HereIn<'t, G>>>, G::Error> {
    let Some(head) = steps.first().copied() else { return Ok(None) };
    let is_host = matches!(graph.read(head), Step::Name("HOST"));
    let (hosts, starts) =
        if is_host { hosts(graph, head, is_guess)? } else { (Vec::new(), start(graph, head)?.into_iter().collect()) };
    let read = |number: usize| steps.get(number).map(|step| graph.read(*step));
    let Some(Step::Name(name)) = read(1) else { return Ok(None) };
    // A requirement may be assigned several times: `[ SELF, requirement, 0, property ]`.
    let way_in = match (read(2), read(3)) {
        (Some(Step::Name(_)), _) => Some((0, 2)),
        (Some(Step::Index(Some(index))), Some(Step::Name(_))) => Some((index, 3)),
        _ => None,
    };
    let mut all = Vec::new();
    for (number, here) in starts.into_iter().enumerate() {
        let hosts = if is_host { number + 1 } else { 0 };
        if let (PathContext::Node(node), Some((index, taken))) = (here, way_in) {
            let index = if is_guess { 0 } else { index };
            let within = within(graph, node, name, index).into_iter();
            all.extend(within.map(|(here, keywords)| Way { here, taken, hosts, keywords }));
        }
        all.push(Way { here, taken: 1, hosts, keywords: [""; 2] });
    }
    Ok((!all.is_empty()).then_some(Ways { hosts, all }))
}

/// Returns the places that a capability or requirement of a node leads to. If both have the same name, the capability
/// is tried first (decision B 36).
fn within<'t, G: Graph<'t>>(
    graph: &G,
    node: G::Node,
    name: &str,
    index: usize,
) -> Vec<(HereIn<'t, G>, [&'static str; 2])> {
    let unknown = (PathContext::Unknown, [""; 2]);
    let mut places = match graph.capability(node, name) {
        Found::Is(capability) => vec![(PathContext::Capability(capability), ["CAPABILITY", ""])],
        Found::Missing => Vec::new(),
        Found::Only(_) | Found::Unknown => return vec![unknown],
    };
    match graph.relationship(node, name, Some(index)) {
        Found::Missing => {}
        Found::Only(_) | Found::Unknown => places.push(unknown),
        // The target may have a derived type, unless the node is known.
        Found::Is(relationship) => match graph.target(relationship) {
            None => places.push(unknown),
            Some(target) => {
                let capability = graph.target_capability(relationship).map(PathContext::Capability);
                places.extend(capability.map(|capability| (capability, ["RELATIONSHIP", "CAPABILITY"])));
                places.push((PathContext::Node(target), ["RELATIONSHIP", "TARGET"]));
                if !graph.is_untyped(relationship) {
                    places.push((PathContext::Relationship(relationship), ["RELATIONSHIP", ""]));
                }
            }
        },
    }
    places
}

/// Returns the target node, which may have a derived type unless the node is known.
fn target<'t, G: Graph<'t>>(graph: &G, relationship: G::Relationship, is_guess: bool) -> Option<G::Node> {
    graph.target(relationship).filter(|target| is_guess || graph.is_particular(*target))
}

/// The hosts of a node, nearest first, and the names of the requirements that lead to them.
type Hosts<'t, G> = (Vec<&'t str>, Vec<HereIn<'t, G>>);

/// Returns the hosts of the node that contains a path starting with `HOST`; empty if there is no such node.
fn hosts<'t, G: Graph<'t>>(graph: &G, head: G::Step, is_guess: bool) -> Result<Hosts<'t, G>, G::Error> {
    let (mut names, mut hosts) = (Vec::new(), Vec::new());
    let PathContext::Node(mut node) = graph.here() else { return start(graph, head).map(|_| (names, hosts)) };
    loop {
        let find = || host(graph, node, is_guess);
        match if is_guess { find() } else { graph.host(node, find) } {
            Found::Is((name, host)) if hosts.len() < MAX_HOSTS => {
                names.push(name);
                hosts.push(PathContext::Node(host));
                node = host;
            }
            Found::Missing if hosts.is_empty() => return Err(graph.lost(head, Fault::NoHost(node))),
            Found::Missing => break,
            _ => {
                hosts.push(PathContext::Unknown);
                break;
            }
        }
    }
    Ok((names, hosts))
}

/// Returns the host of a node, and the name of the requirement for it.
fn host<'t, G: Graph<'t>>(graph: &G, node: G::Node, is_guess: bool) -> Found<(&'t str, G::Node)> {
    // A node of a type may have a derived type.
    let relationships = match graph.relationships(node) {
        Found::Is(relationships) if is_guess || graph.is_particular(node) => relationships,
        _ => return Found::Unknown,
    };
    let mut is_open = false;
    for (name, relationship) in relationships {
        let is_hosting = graph.is_hosting(relationship);
        match target(graph, relationship, is_guess) {
            Some(host) if is_hosting == Some(true) => return Found::Is((name, host)),
            _ => is_open |= is_hosting != Some(false),
        }
    }
    if is_open { Found::Unknown } else { Found::Missing }
}
