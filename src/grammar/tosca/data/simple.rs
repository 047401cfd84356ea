//! The functions of versions before 2.0, and their short paths.
//!
//! `[ entity, requirement or capability, property, nested… ]`: the second step may be left out, and a requirement
//! leads to whatever is at its other end that has the property.

use super::call::{Call, Shape};
use super::expression::{self, Known};
use super::judge::Judge;
use super::path::{self, Member, Sought};
use super::place::{CapabilityHere, Here, NodeHere, RelationshipHere};
use super::walk::is_literal_name;
use super::{DataKind, Schema};
use crate::ard::{Kind, Node};
use crate::entity::AnyId;
use crate::grammar::tosca::section::{NODE_TEMPLATES, NODE_TYPES, RELATIONSHIP_TEMPLATES, RELATIONSHIP_TYPES};
use crate::grammar::tosca::template::{NodeTemplate, RelationshipTemplate};
use crate::grammar::tosca::version::V1_2;
use crate::phase::Explain;
use crate::phase::namespace::Resolution;
use crate::rules;

/// The functions: name, least and largest number of arguments, and what the arguments are.
const FUNCTIONS: &[(&str, usize, usize, &str)] = &[
    ("get_input", 1, usize::MAX, "the name of an input, and names or indexes within its value"),
    ("get_property", 2, usize::MAX, "an entity, a requirement or capability if need be, and the name of a property"),
    ("get_attribute", 2, usize::MAX, "an entity, a requirement or capability if need be, and the name of an attribute"),
    ("get_operation_output", 4, 4, "an entity, an interface, an operation and the name of an output"),
    ("get_nodes_of_type", 1, 1, "the name of a node type"),
    ("get_artifact", 2, 4, "an entity, the name of an artifact, and where it is put"),
    ("concat", 1, usize::MAX, "strings"),
    ("token", 3, 3, "a string, the characters that separate its parts, and the index of a part"),
    ("join", 1, 2, "a list of strings, and a delimiter if one is wanted"),
];

/// Checks a call, and says what is known of its result.
pub(super) fn check_call<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>) -> Known<'a> {
    let Some((name, least, most, usage)) = FUNCTIONS.iter().find(|(name, ..)| *name == call.name) else {
        return Known::Nothing;
    };
    let arguments = call.arguments();
    if arguments.len() < *least || arguments.len() > *most {
        let message = format!("`{name}` is given {}", expression::count(arguments.len()));
        judge.problem(&rules::ARGUMENT_COUNT, call.node, message).help(format!("`{name}` takes {usage}"));
        return Known::Nothing;
    }
    match *name {
        "get_input" => expression::check_input(judge, call, &arguments),
        "get_property" => check_path(judge, &arguments, Sought::Property),
        "get_attribute" => check_path(judge, &arguments, Sought::Attribute),
        "get_nodes_of_type" => check_node_type(judge, arguments[0]),
        "get_artifact" | "get_operation_output" => {
            let _ = entity(judge, arguments[0]);
            Known::Kind(DataKind::String)
        }
        _ => {
            if *name == "join" && judge.version(call.node) < V1_2 {
                judge
                    .problem(&rules::ODD_ARGUMENTS, call.name_node, "`join` exists since TOSCA 1.2")
                    .help("raise the version of the file, or use `concat`");
            }
            if let ("token", Some(index)) = (*name, arguments.get(2)) {
                check_index(judge, *index);
            }
            let anything = Schema::of_type(None);
            arguments.iter().for_each(|argument| judge.check(*argument, &anything));
            Known::Kind(DataKind::String)
        }
    }
}

/// The index of a part: a number, unless it is computed.
fn check_index<'a>(judge: &mut Judge<'_, 'a>, index: Node<'a>) {
    let is_computed = !matches!(judge.shape(index), Shape::Literal);
    if !is_computed && index.as_integer().is_none_or(|index| index < 0) {
        let message = format!("`token` needs the index of a part here, not `{}`", index.label());
        judge.problem(&rules::ARGUMENT_TYPE, index, message).help("write `0` for the first part");
    }
}

fn check_node_type<'a>(judge: &mut Judge<'_, 'a>, name: Node<'a>) -> Known<'a> {
    if name.kind() == Kind::String {
        let symbol = judge.context.intern(name.text());
        if judge.context.resolve(judge.place.at, NODE_TYPES, symbol) == Resolution::Unknown {
            let message = format!("there is no node type `{}`", name.text());
            judge.problem(&rules::UNKNOWN_NAME, name, message).help("define it, or import a file that does");
        }
    }
    Known::Kind(DataKind::List)
}

fn check_path<'a>(judge: &mut Judge<'_, 'a>, arguments: &[Node<'a>], sought: Sought) -> Known<'a> {
    match places(judge, arguments) {
        Some((places, steps)) => check_member(judge, &places, &arguments[steps..], sought),
        None => Known::Nothing,
    }
}

/// The places that a path may lead to, the first of which that has what is sought is meant; and how many steps that
/// took. Nothing if it can't be known where it leads, or if it leads nowhere.
pub(super) fn places<'a>(judge: &mut Judge<'_, 'a>, arguments: &[Node<'a>]) -> Option<(Vec<Here>, usize)> {
    let here = entity(judge, arguments[0])?;
    let name = arguments[1];
    if !is_literal_name(judge, name) {
        return None;
    }
    if arguments.len() > 2 && is_literal_name(judge, arguments[2]) {
        let within = within(judge, &here, name.text());
        if !within.is_empty() {
            return Some((within, 2));
        }
    }
    // A requirement may be there several times: `[ SELF, requirement, 0, property ]`.
    if arguments.len() > 3 && arguments[2].kind() == Kind::Integer && is_literal_name(judge, arguments[3]) {
        let within = within(judge, &here, name.text());
        if !within.is_empty() {
            return Some((within, 3));
        }
    }
    Some((vec![here], 1))
}

/// Looks for a property in one place after the other.
fn check_member<'a>(judge: &mut Judge<'_, 'a>, places: &[Here], steps: &[Node<'a>], sought: Sought) -> Known<'a> {
    let name = steps[0];
    let mut missing = None;
    for here in places {
        match path::property(judge.context, here, name.text(), sought) {
            Member::Found(schema) => return path::nested(judge, schema, &steps[1..]),
            Member::Unknowable => return Known::Nothing,
            Member::Missing { owner, names } => missing = missing.or(Some((owner, names))),
        }
    }
    if let Some((owner, names)) = missing {
        let what = if sought == Sought::Attribute { "attribute" } else { "property" };
        let message = format!("{owner} has no {what} `{}`", name.text());
        let help = judge.context.did_you_mean(name.text(), &names, "it has");
        judge.problem(&rules::UNRESOLVED_PATH, name, message).help_if(help);
    }
    Known::Nothing
}

/// The places that a capability or requirement of a node leads to.
fn within(judge: &Judge<'_, '_>, here: &Here, name: &str) -> Vec<Here> {
    let context = &judge.context;
    let Here::Node(node) = here else { return Vec::new() };
    let Some(node_type) = node.node_type.and_then(|node_type| context.get(node_type)) else {
        return vec![Here::Unknown];
    };
    let Some(symbol) = context.program.interner.get(name) else { return Vec::new() };
    let template = node.template.and_then(|template| context.get(template));
    if let Some(definition) = node_type.capabilities.get(symbol) {
        let assignment = template.and_then(|template| template.capabilities.get(symbol));
        return vec![Here::Capability(CapabilityHere {
            capability_type: None,
            definition: Some(definition),
            assignment,
        })];
    }
    let Some(definition) = node_type.requirements.get(symbol) else { return Vec::new() };
    let assigned = template.and_then(|template| template.requirements.items.iter().find(|(of, _)| *of == symbol));
    let relationship = match assigned {
        Some((_, assignment)) => RelationshipHere::of_assignment(context, *assignment, *node),
        None => RelationshipHere::of_definition(context, definition, *node),
    };
    // Without a node at the other end, nothing is certain: the requirement may be met by a node of a derived type.
    if relationship.target.template.is_none() {
        return vec![Here::Unknown];
    }
    let mut places = Vec::new();
    if relationship.capability.definition.is_some() {
        places.push(Here::Capability(relationship.capability));
    }
    places.extend([Here::Node(relationship.target), Here::Relationship(relationship)]);
    places
}

/// The entity that a path starts at. Nothing if it can't be known, or does not exist.
fn entity(judge: &mut Judge<'_, '_>, head: Node<'_>) -> Option<Here> {
    if head.kind() != Kind::String {
        if !matches!(head.kind(), Kind::Map) {
            let message = format!("the entity must be a name, not {}", crate::phase::read::with_article(head));
            judge.problem(&rules::ARGUMENT_TYPE, head, message).help("write `SELF`, or the name of a node template");
        }
        return None;
    }
    let here = judge.place.here(judge.context);
    match (head.text(), here) {
        ("SELF", here) => Some(here),
        ("SOURCE", Here::Relationship(relationship)) => Some(Here::Node(relationship.source)),
        ("TARGET", Here::Relationship(relationship)) => Some(Here::Node(relationship.target)),
        ("SOURCE" | "TARGET", Here::Node(_)) => {
            let message = format!("`{}` means something in relationships only", head.text());
            judge.problem(&rules::UNRESOLVED_PATH, head, message).help("write `SELF`, or the name of a node template");
            None
        }
        ("HOST", Here::Node(node)) => {
            check_host(judge, head, node);
            None
        }
        // Which of the hosts below each other is meant depends on which has the property.
        ("SOURCE" | "TARGET" | "HOST" | "ORCHESTRATOR", _) => None,
        (name, _) => template(judge, head, name),
    }
}

/// A node has a host only if one of its requirements is hosting. Nodes of a derived type may have one all the same.
fn check_host(judge: &mut Judge<'_, '_>, head: Node<'_>, node: NodeHere) {
    let context = &*judge.context;
    let hosted_on = context
        .program
        .interner
        .get("tosca.relationships.HostedOn")
        .and_then(|name| context.resolve(judge.place.at, RELATIONSHIP_TYPES, name).id());
    let (Some(hosted_on), Some(template)) = (hosted_on, node.template) else { return };
    let Some((of_template, of_type)) = context.get(template).zip(node.node_type.and_then(|id| context.get(id))) else {
        return;
    };
    // What is not known may be hosting.
    let may_host = |relationship: RelationshipHere| {
        relationship.relationship_type.is_none_or(|found| context.program.is_a(found.any(), hosted_on))
    };
    let is_hosted =
        of_type.requirements.iter().any(|(_, id)| may_host(RelationshipHere::of_definition(context, id, node)))
            || of_template
                .requirements
                .items
                .iter()
                .any(|(_, id)| may_host(RelationshipHere::of_assignment(context, *id, node)));
    if !is_hosted {
        let message = format!("{} has no host", context.describe(template.any()));
        judge
            .problem(&rules::UNRESOLVED_PATH, head, message)
            .help("write `SELF`, or the name of a node template; a host is what a `HostedOn` relationship leads to");
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
        let relationship_type = judge.context.get(id).and_then(|template| judge.context.target_of(template.r#type));
        return Some(Here::Relationship(RelationshipHere { relationship_type, ..RelationshipHere::default() }));
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
