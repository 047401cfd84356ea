//! The paths of 2.0 that lead where those of older versions do.
//!
//! What an older path leaves to be found out (whether its second step is a capability or a requirement, and which of what
//! a requirement leads to has the property) a path of 2.0 says.

use super::super::super::section::RELATIONSHIP_TYPES;
use super::super::call::is_literal_name;
use super::member::{Member, Sought, property};
use super::place::{CapabilityHere, Here, NodeHere, Place, RelationshipHere};
use super::simple::entity;
use crate::ard::{Kind, Node};
use crate::phase::Context;

/// Steps of 2.0.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Modern {
    /// The steps.
    pub(crate) steps: Vec<String>,
    /// In the place of how many older ones they stand, from the first one on.
    pub(crate) taken: usize,
}

/// More hosts than are ever below each other.
const MANY: usize = 64;

/// How a path begins in 2.0; nothing if its first step is computed.
pub(crate) fn modern<'a>(
    context: &Context<'a>,
    place: &Place<'a>,
    arguments: &[Node<'a>],
    sought: Sought,
) -> Option<Modern> {
    let head = arguments.first().copied().filter(|head| is_literal_name(context, *head))?;
    let head_text = head.text();
    let (mut steps, node) = match head_text {
        "HOST" => host_steps(context, place, arguments, sought),
        "SOURCE" | "TARGET" => {
            let here = entity(context, place, head).ok().flatten();
            (vec!["SELF".to_owned(), head_text.to_owned()], node_of(here))
        }
        name => (vec![name.to_owned()], node_of(entity(context, place, head).ok().flatten())),
    };
    let within = node.and_then(|node| within(context, node, arguments, sought));
    let taken = within.as_ref().map_or(1, |(_, taken)| *taken);
    steps.extend(within.into_iter().flat_map(|(steps, _)| steps));
    Some(Modern { steps, taken })
}

fn node_of(here: Option<Here>) -> Option<NodeHere> {
    match here {
        Some(Here::Node(node)) => Some(node),
        _ => None,
    }
}

/// The steps to the nearest host that has what is sought.
fn host_steps<'a>(
    context: &Context<'a>,
    place: &Place<'a>,
    arguments: &[Node<'a>],
    sought: Sought,
) -> (Vec<String>, Option<NodeHere>) {
    let mut steps = vec!["SELF".to_owned()];
    let mut node = match place.here(context) {
        Here::Node(node) => Some(node),
        _ => None,
    };
    for number in 0..MANY {
        let host = node.and_then(|node| host(context, place, node));
        if host.is_none() && number > 0 {
            break;
        }
        let name = host.as_ref().map_or("host", |(name, _)| *name);
        steps.extend(["RELATIONSHIP", name, "TARGET"].map(str::to_owned));
        node = host.map(|(_, node)| node);
        let Some(node) = node.filter(|node| node.template.is_some()) else { break };
        let has_it = arguments.get(1).is_some_and(|name| {
            !matches!(property(context, &Here::Node(node), name.text(), sought), Member::Missing { .. })
        });
        if has_it || within(context, node, arguments, sought).is_some() {
            break;
        }
    }
    (steps, node)
}

/// The requirement for the host of a node, and the host.
fn host<'a>(context: &Context<'a>, place: &Place<'a>, node: NodeHere) -> Option<(&'a str, NodeHere)> {
    let hosting = context.intern("tosca.relationships.HostedOn");
    let hosting = context.resolve(place.at, RELATIONSHIP_TYPES, hosting).id()?;
    let node_type = context.get(node.node_type?)?;
    node_type.requirements.iter().find_map(|(name, _)| {
        let relationship = relationship(context, node, context.text(name))?;
        let of_type = relationship.relationship_type?;
        context.program.is_a(of_type.any(), hosting).then(|| (context.text(name), relationship.target))
    })
}

/// The relationship of a requirement of a node.
fn relationship(context: &Context<'_>, node: NodeHere, name: &str) -> Option<RelationshipHere> {
    let symbol = context.program.interner.get(name)?;
    let definition = context.get(node.node_type?)?.requirements.get(symbol)?;
    let template = node.template.and_then(|template| context.get(template));
    let assigned = template.and_then(|template| template.requirements.items.iter().find(|(of, _)| *of == symbol));
    Some(match assigned {
        Some((_, assignment)) => RelationshipHere::of_assignment(context, *assignment, node),
        None => RelationshipHere::of_definition(context, definition, node),
    })
}

/// The steps into a capability or along a requirement of a node, if the second argument names one; and how many arguments
/// they stand for, the first one included.
fn within<'a>(
    context: &Context<'a>,
    node: NodeHere,
    arguments: &[Node<'a>],
    sought: Sought,
) -> Option<(Vec<String>, usize)> {
    let name = arguments.get(1).copied().filter(|name| is_literal_name(context, *name))?;
    let index = arguments.get(2).copied().filter(|index| index.kind() == Kind::Integer && arguments.len() > 3);
    let taken = if index.is_some() { 3 } else { 2 };
    let last = arguments.get(taken).copied().filter(|last| is_literal_name(context, *last))?;
    let node_type = context.get(node.node_type?)?;
    let symbol = context.program.interner.get(name.text())?;
    let requirement = relationship(context, node, name.text());
    if let Some(definition) = node_type.capabilities.get(symbol) {
        let here = Here::Capability(CapabilityHere::of_node(context, definition, node));
        let has_it = !matches!(property(context, &here, last.text(), sought), Member::Missing { .. });
        if has_it || requirement.is_none() {
            return Some((vec!["CAPABILITY".to_owned(), name.text().to_owned()], taken));
        }
    }
    let relationship = requirement?;
    let mut steps = vec!["RELATIONSHIP".to_owned(), name.text().to_owned()];
    steps.extend(index.map(|index| index.text().to_owned()));
    let has_it = |here: Here| matches!(property(context, &here, last.text(), sought), Member::Found(_));
    if has_it(Here::Capability(relationship.capability)) {
        steps.push("CAPABILITY".to_owned());
    } else if has_it(Here::Node(relationship.target)) || !has_it(Here::Relationship(relationship)) {
        steps.push("TARGET".to_owned());
    }
    Some((steps, taken))
}
