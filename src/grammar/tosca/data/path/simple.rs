//! The short paths of versions before 2.0.
//!
//! `[ entity, requirement or capability, property, nested… ]`: the second step may be left out, and a requirement
//! leads to whatever is at its other end that has the property.

use super::super::super::section::{NODE_TEMPLATES, RELATIONSHIP_TEMPLATES, RELATIONSHIP_TYPES};
use super::super::super::template::{NodeTemplate, RelationshipTemplate};
use super::super::call::is_literal_name;
use super::Lost;
use super::member::{Member, Sought, property};
use super::place::{CapabilityHere, Here, NodeHere, Place, RelationshipHere};
use super::walk::known_heads;
use crate::ard::{Kind, Node};
use crate::diagnostic::suggest::nearest;
use crate::entity::AnyId;
use crate::phase::Context;
use crate::phase::namespace::Resolved;

/// The places that a path may lead to, the first of which that has what is sought is meant; and how many steps that
/// took. Nothing if it can't be known where it leads.
pub(crate) fn places<'a>(
    context: &Context<'a>,
    place: &Place<'a>,
    arguments: &[Node<'a>],
) -> Result<Option<(Vec<Here>, usize)>, Lost<'a>> {
    if arguments[0].kind() == Kind::String && arguments[0].text() == "HOST" {
        let Some(hosts) = hosts(context, place, arguments[0])? else { return Ok(None) };
        let name = arguments[1];
        if !is_literal_name(context, name) {
            return Ok(None);
        }
        // A capability or requirement of a host can be named too: the nearest host that has it is meant.
        if arguments.len() > 2 && is_literal_name(context, arguments[2]) {
            let has_it = |here: &&Here| {
                let sought = [Sought::Property, Sought::Attribute];
                sought
                    .iter()
                    .any(|sought| !matches!(property(context, here, name.text(), *sought), Member::Missing { .. }))
            };
            let within = hosts.iter().map(|here| within(context, here, name.text())).find(|within| !within.is_empty());
            if let Some(within) = within.filter(|_| !hosts.iter().any(|here| has_it(&here))) {
                return Ok(Some((within, 2)));
            }
        }
        return Ok(Some((hosts, 1)));
    }
    let Some(here) = entity(context, place, arguments[0])? else { return Ok(None) };
    let name = arguments[1];
    if !is_literal_name(context, name) {
        return Ok(None);
    }
    if arguments.len() > 2 && is_literal_name(context, arguments[2]) {
        let within = within(context, &here, name.text());
        if !within.is_empty() {
            return Ok(Some((within, 2)));
        }
    }
    // A requirement may be there several times: `[ SELF, requirement, 0, property ]`.
    if arguments.len() > 3 && arguments[2].kind() == Kind::Integer && is_literal_name(context, arguments[3]) {
        let within = within(context, &here, name.text());
        if !within.is_empty() {
            return Ok(Some((within, 3)));
        }
    }
    Ok(Some((vec![here], 1)))
}

/// The places that a capability or requirement of a node leads to.
fn within(context: &Context<'_>, here: &Here, name: &str) -> Vec<Here> {
    let Here::Node(node) = here else { return Vec::new() };
    let Some(node_type) = node.node_type.and_then(|node_type| context.get(node_type)) else {
        return vec![Here::Unknown];
    };
    let Some(symbol) = context.program.interner.get(name) else { return Vec::new() };
    let template = node.template.and_then(|template| context.get(template));
    // What has a capability and a requirement of one name is searched in this order (decision B 36).
    let capability = node_type.capabilities.get(symbol);
    let of_node = |definition| Here::Capability(CapabilityHere::of_node(context, definition, *node));
    let mut places: Vec<Here> = capability.map(of_node).into_iter().collect();
    let Some(definition) = node_type.requirements.get(symbol) else { return places };
    let assigned = template.and_then(|template| template.requirements.items.iter().find(|(of, _)| *of == symbol));
    let relationship = match assigned {
        Some((_, assignment)) => RelationshipHere::of_assignment(context, *assignment, *node),
        None => RelationshipHere::of_definition(context, definition, *node),
    };
    // Without a node at the other end, nothing is certain: the requirement may be met by a node of a derived type.
    if relationship.target.template.is_none() {
        places.push(Here::Unknown);
        return places;
    }
    if relationship.capability.definition.is_some() {
        places.push(Here::Capability(relationship.capability));
    }
    places.extend([Here::Node(relationship.target), Here::Relationship(relationship)]);
    places
}

/// The entity that a path starts at. Nothing if it can't be known, or does not exist.
pub(crate) fn entity<'a>(context: &Context<'a>, place: &Place<'a>, head: Node<'a>) -> Result<Option<Here>, Lost<'a>> {
    if head.kind() == Kind::Map {
        return Ok(None);
    }
    if head.kind() != Kind::String {
        let message = format!("the entity must be a name, not {}", crate::phase::read::with_article(head));
        return Err(Lost::no_step(head, message, Some("write `SELF`, or the name of a node template")));
    }
    let here = place.here(context);
    match (head.text(), here) {
        (word @ ("SELF" | "SOURCE" | "TARGET" | "HOST"), Here::Nowhere) if place.is_in_service(context) => {
            let message = format!("`{word}` means nothing here, where there is neither a node nor a relationship");
            Err(Lost::at(head, message, Some("write the name of a node template".to_owned())))
        }
        ("SELF", here) => Ok(Some(here)),
        ("SOURCE", Here::Relationship(relationship)) => Ok(Some(Here::Node(relationship.source))),
        ("TARGET", Here::Relationship(relationship)) => Ok(Some(Here::Node(relationship.target))),
        ("SOURCE" | "TARGET", Here::Node(_)) => {
            let message = format!("`{}` means something in relationships only", head.text());
            Err(Lost::at(head, message, Some("write `SELF`, or the name of a node template".to_owned())))
        }
        // Which of the hosts below each other is meant depends on which has the property.
        ("SOURCE" | "TARGET" | "HOST" | "ORCHESTRATOR", _) => Ok(None),
        (name, _) => template(context, place, head, name),
    }
}

fn template<'a>(
    context: &Context<'a>,
    place: &Place<'a>,
    head: Node<'a>,
    name: &str,
) -> Result<Option<Here>, Lost<'a>> {
    let symbol = context.intern(name);
    let at = place.at;
    let node = context.resolve(at, NODE_TEMPLATES, symbol).id().and_then(AnyId::cast::<NodeTemplate>);
    if let Some(id) = node {
        return Ok(Some(Here::Node(NodeHere::of_template(context, id))));
    }
    let relationship =
        context.resolve(at, RELATIONSHIP_TEMPLATES, symbol).id().and_then(AnyId::cast::<RelationshipTemplate>);
    if let Some(id) = relationship {
        return Ok(Some(Here::Relationship(RelationshipHere::of_template(context, id))));
    }
    if context.resolve(at, NODE_TEMPLATES, symbol) == Resolved::Unreadable {
        return Ok(None);
    }
    // A slip in one of the words that mean something everywhere is one in a type, too.
    let is_word = name.chars().all(|char| char.is_ascii_uppercase());
    let keyword = nearest(name, ["SELF", "SOURCE", "TARGET"]).filter(|_| is_word && !place.is_in_service(context));
    if let Some(keyword) = keyword {
        let message = format!("`{name}` stands for nothing in a type");
        return Err(Lost::at(head, message, Some(format!("did you mean `{keyword}`?"))));
    }
    // A type can't know the templates of the services that use it.
    if !place.is_in_service(context) {
        return Ok(None);
    }
    let help = known_heads(context, at.unit, name, "there are");
    Err(Lost::at(head, format!("there is no node template or relationship template `{name}`"), help))
}

/// The hosts of the node that a path starting with `HOST` is in, nearest first. Nothing if they can't be known, or if
/// there is none.
fn hosts<'a>(context: &Context<'a>, place: &Place<'a>, head: Node<'a>) -> Result<Option<Vec<Here>>, Lost<'a>> {
    /// More hosts than are ever below each other.
    const MANY: usize = 64;
    let Here::Node(mut node) = place.here(context) else {
        return entity(context, place, head).map(|_| None);
    };
    // A node of a type may be of a derived one.
    if node.template.is_none() {
        return Ok(None);
    }
    let mut hosts = Vec::new();
    while hosts.len() < MANY {
        match host(context, place, node) {
            Host::Unknown => return Ok(None),
            Host::None if hosts.is_empty() => {
                let of_type = node.node_type.map_or_else(String::new, |id| context.describe(id.any()));
                let message = format!("`HOST` leads nowhere: {of_type} has no requirement for a host");
                return Err(Lost::at(head, message, Some("write `SELF`, or the name of a node template".to_owned())));
            }
            Host::None => return Ok(Some(hosts)),
            Host::Node(found) => {
                hosts.push(Here::Node(found));
                node = found;
            }
        }
    }
    Ok(None)
}

enum Host {
    Node(NodeHere),
    None,
    Unknown,
}

/// The node that hosts another.
fn host(context: &Context<'_>, place: &Place<'_>, node: NodeHere) -> Host {
    let hosting = context.intern("tosca.relationships.HostedOn");
    let Some(hosting) = context.resolve(place.at, RELATIONSHIP_TYPES, hosting).id() else { return Host::Unknown };
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
