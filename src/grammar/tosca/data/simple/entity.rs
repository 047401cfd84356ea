//! What paths start at, and what is got of it that is no property.

use super::super::judge::Judge;
use super::super::place::{Here, NodeHere, RelationshipHere};
use crate::ard::{Kind, Node};
use crate::entity::{AnyId, Members};
use crate::grammar::tosca::definition::InterfaceDefinition;
use crate::grammar::tosca::normative::interface_of_type;
use crate::grammar::tosca::section::{NODE_TEMPLATES, RELATIONSHIP_TEMPLATES, RELATIONSHIP_TYPES};
use crate::grammar::tosca::template::{InterfaceAssignment, NodeTemplate, RelationshipTemplate};
use crate::phase::{Context, Explain};
use crate::rules;

/// The entity that a path starts at. Nothing if it can't be known, or does not exist.
pub(super) fn entity(judge: &mut Judge<'_, '_>, head: Node<'_>) -> Option<Here> {
    if head.kind() != Kind::String {
        if !matches!(head.kind(), Kind::Map) {
            let message = format!("the entity must be a name, not {}", crate::phase::read::with_article(head));
            judge.problem(&rules::ARGUMENT_TYPE, head, message).help("write `SELF`, or the name of a node template");
        }
        return None;
    }
    let here = judge.place.here(judge.context);
    match (head.text(), here) {
        (word @ ("SELF" | "SOURCE" | "TARGET" | "HOST"), Here::Nowhere) if judge.place.is_in_service(judge.context) => {
            let message = format!("`{word}` means nothing here, where there is neither a node nor a relationship");
            judge.problem(&rules::UNRESOLVED_PATH, head, message).help("write the name of a node template");
            None
        }
        ("SELF", here) => Some(here),
        ("SOURCE", Here::Relationship(relationship)) => Some(Here::Node(relationship.source)),
        ("TARGET", Here::Relationship(relationship)) => Some(Here::Node(relationship.target)),
        ("SOURCE" | "TARGET", Here::Node(_)) => {
            let message = format!("`{}` means something in relationships only", head.text());
            judge.problem(&rules::UNRESOLVED_PATH, head, message).help("write `SELF`, or the name of a node template");
            None
        }
        // Which of the hosts below each other is meant depends on which has the property.
        ("SOURCE" | "TARGET" | "HOST" | "ORCHESTRATOR", _) => None,
        (name, _) => template(judge, head, name),
    }
}

fn template(judge: &mut Judge<'_, '_>, head: Node<'_>, name: &str) -> Option<Here> {
    let symbol = judge.context.intern(name);
    let at = judge.place.at;
    let node = judge.context.resolve(at, NODE_TEMPLATES, symbol).id().and_then(AnyId::cast::<NodeTemplate>);
    if let Some(id) = node {
        return Some(Here::Node(NodeHere::of_template(judge.context, id)));
    }
    let relationship =
        judge.context.resolve(at, RELATIONSHIP_TEMPLATES, symbol).id().and_then(AnyId::cast::<RelationshipTemplate>);
    if let Some(id) = relationship {
        return Some(Here::Relationship(RelationshipHere::of_template(judge.context, id)));
    }
    // A type can't know the templates of the services that use it.
    if judge.place.is_in_service(judge.context) {
        let mut names: Vec<&str> = vec!["SELF"];
        for section in [NODE_TEMPLATES, RELATIONSHIP_TEMPLATES] {
            names.extend(judge.context.program.visible(at.unit, section).into_iter().map(|(name, _)| name));
        }
        let message = format!("there is no node template or relationship template `{name}`");
        let help = judge.context.did_you_mean(name, &names, "there are");
        judge.problem(&rules::UNRESOLVED_PATH, head, message).help_if(help);
    }
    None
}

/// The hosts of the node that a path starting with `HOST` is in, nearest first. Nothing if they can't be known, or if
/// there is none, which is reported.
pub(super) fn hosts(judge: &mut Judge<'_, '_>, head: Node<'_>) -> Option<Vec<Here>> {
    /// More hosts than are ever below each other.
    const MANY: usize = 64;
    let Here::Node(mut node) = judge.place.here(judge.context) else {
        entity(judge, head);
        return None;
    };
    // A node of a type may be of a derived one.
    node.template?;
    let mut hosts = Vec::new();
    while hosts.len() < MANY {
        match host(judge, node) {
            Host::Unknown => return None,
            Host::None if hosts.is_empty() => {
                let of_type = node.node_type.map_or_else(String::new, |id| judge.context.describe(id.any()));
                let message = format!("`HOST` leads nowhere: {of_type} has no requirement for a host");
                judge
                    .problem(&rules::UNRESOLVED_PATH, head, message)
                    .help("write `SELF`, or the name of a node template");
                return None;
            }
            Host::None => return Some(hosts),
            Host::Node(found) => {
                hosts.push(Here::Node(found));
                node = found;
            }
        }
    }
    None
}

enum Host {
    Node(NodeHere),
    None,
    Unknown,
}

/// The node that hosts another.
fn host(judge: &Judge<'_, '_>, node: NodeHere) -> Host {
    let context = &judge.context;
    let hosting = context.intern("tosca.relationships.HostedOn");
    let Some(hosting) = context.resolve(judge.place.at, RELATIONSHIP_TYPES, hosting).id() else { return Host::Unknown };
    let known = node
        .template
        .and_then(|id| Some((id, context.get(id)?)))
        .zip(node.node_type.filter(|id| context.program.is_known(id.any())).and_then(|id| context.get(id)));
    let Some(((_, template), node_type)) = known else { return Host::Unknown };
    let mut is_open = false;
    for (name, definition) in node_type.requirements.iter() {
        let assigned = template.requirements.items.iter().find(|(of, _)| *of == name);
        let relationship = match assigned {
            Some((_, id)) => RelationshipHere::of_assignment(context, *id, node),
            None => RelationshipHere::of_definition(context, definition, node),
        };
        match relationship.relationship_type {
            None => is_open = true,
            Some(of_type) if !context.program.is_a(of_type.any(), hosting) => {}
            Some(_) if relationship.target.template.is_some() => return Host::Node(relationship.target),
            Some(_) => is_open = true,
        }
    }
    if is_open { Host::Unknown } else { Host::None }
}

/// Checks that a node has an artifact.
pub(super) fn check_artifact<'a>(judge: &mut Judge<'_, 'a>, here: &Here, name: Node<'a>) {
    let Here::Node(node) = here else { return };
    if name.kind() != Kind::String {
        return;
    }
    let context = &judge.context;
    let of_type = node.node_type.filter(|id| context.program.is_known(id.any())).and_then(|id| context.get(id));
    let Some(of_type) = of_type else { return };
    let of_template = node.template.and_then(|id| context.get(id)).map(|template| &template.artifacts);
    // In a type, the artifact may come with the template.
    let Some(of_template) = of_template else { return };
    let names: Vec<&str> = [of_template, &of_type.artifacts]
        .into_iter()
        .flat_map(Members::iter)
        .map(|(name, _)| context.text(name))
        .collect();
    if !names.contains(&name.text()) {
        let message = format!("there is no artifact `{}`", name.text());
        let help = context.did_you_mean(name.text(), &names, "the artifacts are");
        let help = help.unwrap_or_else(|| "add it to the `artifacts` of the node template".to_owned());
        judge.problem(&rules::UNRESOLVED_PATH, name, message).help(help);
    }
}

/// Checks that a node or relationship has an operation.
pub(super) fn check_operation<'a>(judge: &mut Judge<'_, 'a>, here: &Here, interface: Node<'a>, operation: Node<'a>) {
    let context = &judge.context;
    let Some(Interfaces { owner, defined, assigned }) = interfaces(context, here) else { return };
    let find = |node: Node<'_>| {
        let name = interface_of_type(node.text()).unwrap_or(node.text());
        (node.kind() == Kind::String).then(|| context.program.interner.get(name))
    };
    let (Some(interface_name), Some(operation_name)) = (find(interface), find(operation)) else { return };
    let definition = interface_name.and_then(|name| defined.get(name)).and_then(|id| context.get(id));
    let assignment =
        interface_name.and_then(|name| assigned?.get(name)).and_then(|id| context.get::<InterfaceAssignment>(id));
    if definition.is_none() && assignment.is_none() {
        let names: Vec<&str> = defined.iter().map(|(name, _)| context.text(name)).collect();
        let help = context.did_you_mean(interface.text(), &names, "it has");
        let message = format!("{owner} has no interface `{}`", interface.text());
        judge.problem(&rules::UNRESOLVED_PATH, interface, message).help_if(help);
        return;
    }
    let of_definition =
        definition.into_iter().flat_map(|definition| definition.operations.iter().map(|(name, _)| name));
    let of_assignment = assignment.into_iter().flat_map(|assigned| assigned.operations.iter().map(|(name, _)| name));
    let names: Vec<&str> = of_definition.chain(of_assignment).map(|name| context.text(name)).collect();
    if operation_name.is_none_or(|_| !names.contains(&operation.text())) {
        let help = context.did_you_mean(operation.text(), &names, "it has");
        let message = format!("interface `{}` has no operation `{}`", interface.text(), operation.text());
        judge.problem(&rules::UNRESOLVED_PATH, operation, message).help_if(help);
    }
}

/// The interfaces of something.
struct Interfaces<'a> {
    owner: String,
    defined: &'a Members<InterfaceDefinition>,
    assigned: Option<&'a Members<InterfaceAssignment>>,
}

/// The interfaces of what is known of a node or relationship: of its type, and those that its template assigns.
fn interfaces<'a>(context: &Context<'a>, here: &Here) -> Option<Interfaces<'a>> {
    let is_known = |id: AnyId| context.program.is_known(id) && context.is_complete(id);
    match here {
        Here::Node(NodeHere { template: Some(template), node_type: Some(id) }) if is_known(id.any()) => {
            let assigned = context.get(*template).map(|template| &template.interfaces);
            Some(Interfaces { owner: context.describe(id.any()), defined: &context.get(*id)?.interfaces, assigned })
        }
        _ => None,
    }
}
