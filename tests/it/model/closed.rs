//! Checks that a model is closed: every name in it refers to something in it.

use tosca_parse::normal::{Name, Service, Target};

/// Returns the names in the model of a valid service that don't refer to anything in it.
pub(crate) fn loose_ends(service: &Service) -> Vec<String> {
    let mut ends = Ends { service, loose: Vec::new() };
    for (name, node) in &service.nodes {
        for requirement in &node.requirements {
            let place = format!("{name}.{}", requirement.name);
            if requirement.target.is_some() == requirement.dangling.is_some() {
                ends.loose.push(format!("{place}: not either a target or dangling"));
            }
            requirement.target.iter().for_each(|target| ends.target(&place, target));
            if let Some(template) = &requirement.relationship.template {
                ends.check(&place, service.relationships.contains_key(template), template);
            }
        }
        for (called, artifact) in &node.artifacts {
            ends.check(name, artifact.name.as_ref() == Some(called), called);
        }
    }
    for (name, group) in &service.groups {
        ends.nodes_and_groups(name, &group.nodes, &group.groups);
    }
    for (name, policy) in &service.policies {
        ends.nodes_and_groups(name, &policy.nodes, &policy.groups);
    }
    for (name, workflow) in &service.workflows {
        for (step_name, step) in &workflow.steps {
            let place = format!("{name}.{step_name}");
            ends.nodes_and_groups(&place, step.node.as_slice(), step.group.as_slice());
            for next in step.on_success.iter().chain(&step.on_failure) {
                ends.check(&place, workflow.steps.contains_key(next), next);
            }
        }
    }
    if let Some(substitution) = &service.substitution {
        for mapping in &substitution.capabilities {
            mapping.target.iter().for_each(|target| ends.target(&mapping.capability, target));
        }
        for target in substitution.requirements.iter().flat_map(|mapping| &mapping.targets) {
            ends.check("substitution", service.nodes.contains_key(&target.node), &target.node);
        }
        for (name, mapped) in &substitution.mapped_interfaces {
            let node = service.nodes.get(&mapped.node);
            ends.check(name, node.is_some_and(|node| node.interfaces.contains_key(&mapped.interface)), &mapped.node);
        }
    }
    ends.loose
}

struct Ends<'a> {
    service: &'a Service,
    loose: Vec<String>,
}

impl Ends<'_> {
    fn check(&mut self, place: &str, is_known: bool, name: &str) {
        if !is_known {
            self.loose.push(format!("{place}: {name}"));
        }
    }

    fn target(&mut self, place: &str, target: &Target) {
        let node = self.service.nodes.get(&target.node);
        self.check(place, node.is_some(), &target.node);
        if let (Some(node), Some(capability)) = (node, &target.capability) {
            self.check(place, node.capabilities.contains_key(capability), capability);
        }
    }

    fn nodes_and_groups(&mut self, place: &str, nodes: &[Name], groups: &[Name]) {
        for node in nodes {
            self.check(place, self.service.nodes.contains_key(node), node);
        }
        for group in groups {
            self.check(place, self.service.groups.contains_key(group), group);
        }
    }
}
