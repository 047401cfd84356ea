//! Dependencies between nodes, and the resulting stages.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::super::{Interface, OverlayMap, Property, Service, Value};

/// The dependencies of each node.
pub(super) struct Dependencies {
    /// The targets of the node's requirements.
    pub(super) hard: Vec<Vec<usize>>,
    /// The nodes whose attributes the node's values read. If these dependencies contradict relationships, the
    /// relationships win.
    pub(super) soft: Vec<Vec<usize>>,
}

/// Returns the dependencies of each node of a service.
pub(super) fn dependencies(service: &Service) -> Dependencies {
    let nodes = service.nodes.values();
    let hard = nodes.clone().map(|node| {
        let targets = node.requirements.iter().filter_map(|requirement| requirement.target.as_ref());
        distinct(targets.filter_map(|target| service.nodes.get_index_of(&target.node)).collect())
    });
    let hard = hard.collect();
    let soft = nodes.map(|node| {
        let mut needed = Vec::new();
        in_properties(service, &node.properties, &mut needed);
        node.capabilities.values().for_each(|own| in_properties(service, &own.properties, &mut needed));
        in_interfaces(service, &node.interfaces, &mut needed);
        for requirement in &node.requirements {
            in_properties(service, &requirement.relationship.properties, &mut needed);
            in_interfaces(service, &requirement.relationship.interfaces, &mut needed);
        }
        distinct(needed)
    });
    Dependencies { soft: soft.collect(), hard }
}

fn distinct(mut nodes: Vec<usize>) -> Vec<usize> {
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

fn in_interfaces(service: &Service, interfaces: &OverlayMap<Interface>, needed: &mut Vec<usize>) {
    for interface in interfaces.values() {
        in_properties(service, &interface.inputs, needed);
        interface.operations.values().for_each(|operation| in_properties(service, &operation.inputs, needed));
    }
}

fn in_properties(service: &Service, properties: &OverlayMap<Property>, needed: &mut Vec<usize>) {
    properties
        .values()
        .filter_map(|property| property.value.as_ref())
        .for_each(|value| in_value(service, value, needed));
}

/// Collects the nodes that are named in the calls of a value.
fn in_value(service: &Service, value: &Value, needed: &mut Vec<usize>) {
    match value {
        Value::List(items) => items.iter().for_each(|item| in_value(service, item, needed)),
        Value::Map(entries) => entries.values().for_each(|value| in_value(service, value, needed)),
        Value::Call(call) => {
            if matches!(&*call.name, "get_attribute" | "get_property" | "get_artifact" | "get_operation_output") {
                let head = call.arguments.first().and_then(Value::as_str);
                needed.extend(head.and_then(|name| service.nodes.get_index_of(name)));
            }
            call.arguments.iter().for_each(|argument| in_value(service, argument, needed));
        }
        _ => {}
    }
}

impl Dependencies {
    /// Creates dependencies without those that values cause.
    pub(super) fn of(needed: Vec<Vec<usize>>) -> Self {
        Self { soft: vec![Vec::new(); needed.len()], hard: needed.into_iter().map(distinct).collect() }
    }
}

/// The order of nodes.
pub(super) struct Order {
    /// The nodes of each stage, in the order of the template.
    pub(super) stages: Vec<Vec<usize>>,
    /// For each node, the nodes that must be deployed before it, in the order of the template.
    pub(super) after: Vec<Vec<usize>>,
    /// Nodes that depend on each other.
    pub(super) loops: Vec<Vec<usize>>,
}

impl Order {
    pub(super) fn of(dependencies: &Dependencies) -> Self {
        let count = dependencies.hard.len();
        let hard = edges(&dependencies.hard);
        // Dependencies that values cause are dropped if they would make nodes depend on each other.
        let soft: Vec<(usize, usize)> = edges(&dependencies.soft).collect();
        let component = components(count, hard.clone().chain(soft.iter().copied())).1;
        let soft = soft.into_iter().filter(|(node, needed)| component[*node] != component[*needed]);
        let all: Vec<(usize, usize)> = hard.chain(soft).collect();
        let (members, component) = components(count, all.iter().copied());
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (node, needed) in all {
            if component[node] != component[needed] {
                after[node].push(needed);
            }
        }
        after.iter_mut().for_each(|needed| *needed = distinct(std::mem::take(needed)));
        // Components are sorted with dependencies first.
        let mut level = vec![0; members.len()];
        for (number, nodes) in members.iter().enumerate() {
            let needed = nodes.iter().flat_map(|node| &after[*node]);
            level[number] = needed.map(|needed| level[component[*needed]] + 1).max().unwrap_or(0);
        }
        let mut stages = vec![Vec::new(); level.iter().max().map_or(0, |last| last + 1)];
        (0..count).for_each(|node| stages[level[component[node]]].push(node));
        let mut loops: Vec<Vec<usize>> = members.into_iter().filter(|nodes| nodes.len() > 1).collect();
        loops.sort_unstable();
        Self { stages, after, loops }
    }
}

impl Order {
    /// Returns the order of removal, which also has each node in the earliest possible stage.
    pub(super) fn reversed(&self) -> Self {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.after.len()];
        for (node, after) in self.after.iter().enumerate() {
            after.iter().for_each(|needed| before[*needed].push(node));
        }
        Self::of(&Dependencies::of(before))
    }
}

fn edges(needed: &[Vec<usize>]) -> impl Iterator<Item = (usize, usize)> + Clone {
    let numbered = needed.iter().enumerate();
    numbered.flat_map(|(node, needed)| needed.iter().map(move |needed| (node, *needed))).filter(|(a, b)| a != b)
}

/// Returns the strongly connected components, dependencies first, and the component of each node.
fn components(count: usize, edges: impl Iterator<Item = (usize, usize)>) -> (Vec<Vec<usize>>, Vec<usize>) {
    let mut graph = DiGraph::<(), (), usize>::default();
    for _ in 0..count {
        graph.add_node(());
    }
    for (node, needed) in edges {
        graph.add_edge(NodeIndex::new(node), NodeIndex::new(needed), ());
    }
    let mut component = vec![0; count];
    let mut members = Vec::new();
    for nodes in kosaraju_scc(&graph) {
        let nodes = distinct(nodes.into_iter().map(NodeIndex::index).collect());
        nodes.iter().for_each(|node| component[*node] = members.len());
        members.push(nodes);
    }
    (members, component)
}
