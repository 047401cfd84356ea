//! The operations that are called when a node is deployed or undeployed.
//!
//! The operations of the relationships are called between the operations of the node: `create`, `pre_configure_…`,
//! `configure`, `post_configure_…`, `start`, and then `add_…` at both ends (1.3, 5.8.5).

use std::sync::Arc;

use super::super::{Interface, Map, Name, Node, Operation, OverlayMap, Requirement, Service, Types, Value};
use super::step::{PlannedCall, Related};

/// The lifecycle interfaces of nodes.
const NODE: &[&str] = &["tosca.interfaces.node.lifecycle.Standard", "NodeLifecycle", "Standard"];
/// The lifecycle interfaces of relationships.
const RELATIONSHIP: &[&str] = &["tosca.interfaces.relationship.Configure", "RelationshipLifecycle", "Configure"];

/// Returns the requirements that target each node: the indexes of the source node and of its requirement.
pub(super) fn incoming(service: &Service) -> Vec<Vec<(usize, usize)>> {
    let mut incoming = vec![Vec::new(); service.nodes.len()];
    for (source, node) in service.nodes.values().enumerate() {
        for (number, requirement) in node.requirements.iter().enumerate() {
            let target = requirement.target.as_ref().and_then(|target| service.nodes.get_index_of(&target.node));
            if let Some(target) = target {
                incoming[target].push((source, number));
            }
        }
    }
    incoming
}

/// Returns the calls that deploy a node.
pub(super) fn deployment(service: &Service, node: usize, incoming: &[(usize, usize)]) -> Vec<PlannedCall> {
    let Some((name, template)) = service.nodes.get_index(node) else { return Vec::new() };
    let mut calls = Calls { service, list: Vec::new() };
    calls.of_node(name, template, "create");
    for phase in ["pre_configure", "post_configure"] {
        if phase == "post_configure" {
            calls.of_node(name, template, "configure");
        }
        calls.of_source(name, template, &format!("{phase}_source"));
        calls.of_target(name, incoming, &format!("{phase}_target"));
    }
    calls.of_node(name, template, "start");
    calls.of_source(name, template, "add_target");
    calls.at_targets(name, template, "add_source");
    calls.list
}

/// Returns the calls that undeploy a node.
pub(super) fn undeployment(service: &Service, node: usize) -> Vec<PlannedCall> {
    let Some((name, template)) = service.nodes.get_index(node) else { return Vec::new() };
    let mut calls = Calls { service, list: Vec::new() };
    calls.at_targets(name, template, "remove_source");
    calls.of_source(name, template, "remove_target");
    calls.of_node(name, template, "stop");
    calls.of_node(name, template, "delete");
    calls.list
}

struct Calls<'s> {
    service: &'s Service,
    list: Vec<PlannedCall>,
}

impl Calls<'_> {
    fn of_node(&mut self, name: &Name, node: &Node, operation: &str) {
        self.call(name, None, &node.interfaces, NODE, operation);
    }

    /// Adds calls to an operation of a node's outgoing relationships, on the node itself.
    fn of_source(&mut self, name: &Name, node: &Node, operation: &str) {
        for requirement in &node.requirements {
            let Some(related) = related(name, requirement) else { continue };
            self.call(name, Some(related), &requirement.relationship.interfaces, RELATIONSHIP, operation);
        }
    }

    /// Adds calls to an operation of a node's outgoing relationships, on their targets.
    fn at_targets(&mut self, name: &Name, node: &Node, operation: &str) {
        for requirement in &node.requirements {
            let Some(related) = related(name, requirement) else { continue };
            let target = related.target.clone();
            self.call(&target, Some(related), &requirement.relationship.interfaces, RELATIONSHIP, operation);
        }
    }

    /// Adds calls to an operation of a node's incoming relationships, on the node itself.
    fn of_target(&mut self, name: &Name, incoming: &[(usize, usize)], operation: &str) {
        for (source, number) in incoming {
            let Some((source, node)) = self.service.nodes.get_index(*source) else { continue };
            let requirement = &node.requirements[*number];
            let Some(related) = related(source, requirement) else { continue };
            self.call(name, Some(related), &requirement.relationship.interfaces, RELATIONSHIP, operation);
        }
    }

    fn call(
        &mut self,
        node: &Name,
        relationship: Option<Related>,
        interfaces: &OverlayMap<Interface>,
        lifecycle: &[&str],
        operation: &str,
    ) {
        let Some((name, interface)) = lifecycle_of(interfaces, lifecycle) else { return };
        let Some((operation, called)) = interface.operations.get_key_value(operation) else { return };
        let Some(implementation) = &called.implementation else { return };
        self.list.push(PlannedCall {
            node: node.clone(),
            relationship,
            interface: name.clone(),
            operation: operation.clone(),
            implementation: Arc::new(implementation.clone()),
            inputs: inputs(interface, called),
        });
    }
}

fn related(source: &Name, requirement: &Requirement) -> Option<Related> {
    let target = requirement.target.as_ref()?.node.clone();
    Some(Related { source: source.clone(), requirement: requirement.name.clone(), target })
}

/// Finds the lifecycle interface by its type, or else by its name, or else by its first operation.
fn lifecycle_of<'i>(interfaces: &'i OverlayMap<Interface>, lifecycle: &[&str]) -> Option<(&'i Name, &'i Interface)> {
    let by_type = |types: &Types| types.iter().any(|of_type| lifecycle.contains(&&*of_type.name));
    let by_name = |name: &str| lifecycle.iter().any(|known| short(known).eq_ignore_ascii_case(name));
    let first = if lifecycle == NODE { "create" } else { "pre_configure_source" };
    let by_operation = |interface: &Interface| interface.operations.contains_key(first);
    let all = || interfaces.iter().map(|(name, interface)| (name, &**interface));
    let found = all().find(|(_, interface)| by_type(&interface.types));
    let found = found.or_else(|| all().find(|(name, _)| by_name(name)));
    found.or_else(|| all().find(|(_, interface)| by_operation(interface)))
}

fn short(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Returns the inputs of an operation: those of its interface, overridden by its own.
fn inputs(interface: &Interface, operation: &Operation) -> Map<Value> {
    let all = interface.inputs.iter().chain(&operation.inputs);
    all.filter_map(|(name, input)| Some((name.clone(), input.value.clone()?))).collect()
}
