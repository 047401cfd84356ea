//! Nodes that host each other in a loop, so that none of them could be created first.

use std::collections::VecDeque;

use petgraph::algo::{kosaraju_scc, toposort};
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;
use rustc_hash::FxHashMap;

use crate::data::{NodeContext, RelationshipContext, is_hosting};
use crate::diagnostic::Rule;
use crate::diagnostic::suggest::and_list;
use crate::entity::{Entity as _, Id, Reference};
use crate::grammar::template::{NodeTemplate, RequirementAssignment, ServiceTemplate};
use crate::phase::{Context, DiagnosticExt};
use crate::rules;
use crate::symbol::Symbol;

/// A requirement of one node that names another.
#[derive(Clone, Copy)]
struct Requirement {
    name: Symbol,
    assignment: Id<RequirementAssignment>,
    /// The name of the target node.
    target: Reference<()>,
}

/// A hosting relationship from one node to another.
#[derive(Clone, Copy)]
struct Edge {
    /// The name of the host.
    target: Reference<()>,
    /// Whether the type of the relationship means hosting, rather than only the name of the requirement.
    is_hosting: bool,
}

/// Reports each loop of a service once: first loops of hosting relationships, then loops that also contain
/// relationships whose requirement has the usual name for a host.
pub(super) fn check_hosts(context: &mut Context<'_>, service: &ServiceTemplate) {
    let mut nodes: Vec<Id<NodeTemplate>> = service.node_templates.iter().map(|(_, id)| id).collect();
    nodes.sort_unstable_by_key(|id| place(*id));
    // Loops are rare, even of relationships of all types, so the types are not looked up at first.
    let mut ends = Vec::new();
    each_requirement(context, &nodes, |source, target, _| ends.push((source, target)));
    if is_one_way(&ends) || toposort(&DiGraph::<(), ()>::from_edges(ends), None).is_ok() {
        return;
    }
    let graph = graph(context, &nodes);
    let certain = loops(&graph, |edge| edge.is_hosting);
    for path in &certain {
        report(context, path, &rules::HOST_LOOP);
    }
    for path in loops(&graph, |_| true).iter().filter(|path| path.iter().any(|edge| !edge.is_hosting)) {
        report(context, path, &rules::LIKELY_HOST_LOOP);
    }
}

/// Returns whether all edges lead from later nodes to earlier ones, or all from earlier nodes to later ones, as in most
/// templates. Then there is no loop.
fn is_one_way(edges: &[(u32, u32)]) -> bool {
    edges.iter().all(|(source, target)| source < target) || edges.iter().all(|(source, target)| source > target)
}

/// Calls a function with the requirements that name one of the nodes. Nodes are given as indexes into `nodes`, which is
/// sorted by position.
fn each_requirement(context: &Context<'_>, nodes: &[Id<NodeTemplate>], mut call: impl FnMut(u32, u32, Requirement)) {
    for (source, number) in nodes.iter().zip(0..) {
        let requirements = context.get(*source).map_or(&[][..], |template| &template.requirements);
        for (name, assignment) in requirements {
            // With an index, the target may be another node of the same template.
            let node = context.get(*assignment).map(|assignment| assignment.node);
            let Some(target) = node.filter(|node| node.index.is_none()).and_then(|node| node.reference) else {
                continue;
            };
            let named = context.any_target(target).filter(|named| named.kind == NodeTemplate::KIND);
            let index = named.and_then(|named| nodes.binary_search_by_key(&named.key(), |id| place(*id)).ok());
            if let Some(index) = index {
                call(number, index as u32, Requirement { name: *name, assignment: *assignment, target });
            }
        }
    }
}

/// Returns the nodes with their hosting relationships.
fn graph(context: &Context<'_>, nodes: &[Id<NodeTemplate>]) -> DiGraph<(), Edge> {
    let mut graph = DiGraph::with_capacity(nodes.len(), nodes.len());
    nodes.iter().for_each(|_| _ = graph.add_node(()));
    each_requirement(context, nodes, |source, target, requirement| {
        if let Some(edge) = edge(context, nodes[source as usize], requirement) {
            graph.add_edge(source.into(), target.into(), edge);
        }
    });
    graph
}

/// Returns the hosting relationship that a requirement creates, if any.
fn edge(context: &Context<'_>, source: Id<NodeTemplate>, requirement: Requirement) -> Option<Edge> {
    let Requirement { name, assignment, target } = requirement;
    let NodeContext { node_type, .. } = NodeContext::of_template(context, source);
    let of_type = RelationshipContext::type_of_assignment(context, assignment, node_type)?;
    let is_hosting = is_hosting(context, of_type) == Some(true);
    (is_hosting || context.text(name) == "host").then_some(Edge { target, is_hosting })
}

fn place(id: Id<NodeTemplate>) -> u64 {
    id.any().key()
}

/// Returns one of the shortest loops in each group of connected nodes, starting with the first node of the group.
fn loops(graph: &DiGraph<(), Edge>, counts: impl Fn(&Edge) -> bool) -> Vec<Vec<Edge>> {
    let graph = graph.filter_map(|_, ()| Some(()), |_, edge| counts(edge).then_some(*edge));
    let mut groups = kosaraju_scc(&graph);
    groups.retain(|group| group.len() > 1 || graph.contains_edge(group[0], group[0]));
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_unstable();
    groups.iter().filter_map(|group| shortest_loop(&graph, group)).collect()
}

/// Returns one of the shortest paths from the first node of a sorted group back to itself.
fn shortest_loop(graph: &DiGraph<(), Edge>, group: &[NodeIndex]) -> Option<Vec<Edge>> {
    let start = group[0];
    let mut came_by: FxHashMap<NodeIndex, EdgeIndex> = FxHashMap::default();
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        // The graph returns the edges of a node in reverse order.
        let edges: Vec<_> = graph.edges(node).collect();
        for edge in edges.into_iter().rev() {
            // The way back never leaves the group.
            if came_by.contains_key(&edge.target()) || group.binary_search(&edge.target()).is_err() {
                continue;
            }
            came_by.insert(edge.target(), edge.id());
            if edge.target() == start {
                return Some(way_back(graph, &came_by, start));
            }
            queue.push_back(edge.target());
        }
    }
    None
}

fn way_back(graph: &DiGraph<(), Edge>, came_by: &FxHashMap<NodeIndex, EdgeIndex>, start: NodeIndex) -> Vec<Edge> {
    let mut path = Vec::new();
    let mut node = start;
    while let Some((source, _)) = came_by.get(&node).and_then(|edge| graph.edge_endpoints(*edge)) {
        path.extend(came_by.get(&node).and_then(|edge| graph.edge_weight(*edge)));
        node = source;
        if node == start {
            break;
        }
    }
    path.reverse();
    path
}

fn report(context: &mut Context<'_>, path: &[Edge], rule: &'static Rule) {
    let (Some(first), Some(last)) = (path.first(), path.last()) else { return };
    let name = |edge: &Edge| context.text(edge.target.name);
    let names: Vec<&str> = [name(last)].into_iter().chain(path[..path.len() - 1].iter().map(name)).collect();
    let is_certain = rule.code == rules::HOST_LOOP.code;
    let message = match (&names[..], is_certain) {
        ([only], true) => format!("node template `{only}` can't be hosted by itself"),
        ([only], false) => format!("node template `{only}` names itself as its host"),
        (_, true) => format!("node templates {} can't be hosted by each other", and_list(&names)),
        (_, false) => format!("node templates {} name each other as hosts", and_list(&names)),
    };
    let others: Vec<_> = path[1..].iter().take(4).map(|edge| context.reference_span(edge.target)).collect();
    let mut problem = context.problem(rule, context.reference_span(first.target), message);
    for other in others {
        problem = problem.related(other, "the loop continues here");
    }
    problem.help("name a different node, or give the requirement a relationship that does not mean hosting");
}
