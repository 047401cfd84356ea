//! The functions of versions before 2.0, and their short paths.
//!
//! `[ entity, requirement or capability, property, nested… ]`: the second step may be left out, and a requirement
//! leads to whatever is at its other end that has the property.

mod arguments;
mod entity;

use arguments::check_texts;
use entity::{check_artifact, check_operation, entity, hosts};

use super::DataKind;
use super::call::Call;
use super::expression::{self, Known};
use super::judge::Judge;
use super::path::{self, Member, Sought};
use super::place::{CapabilityHere, Here, RelationshipHere};
use super::walk::is_literal_name;
use crate::ard::{Kind, Node};
use crate::grammar::tosca::section::NODE_TYPES;
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
        "get_input" => expression::check_input(judge, &arguments),
        "get_property" => check_path(judge, &arguments, Sought::Property),
        "get_attribute" => check_path(judge, &arguments, Sought::Attribute),
        "get_nodes_of_type" => check_node_type(judge, arguments[0]),
        "get_artifact" => {
            if let Some(here) = entity(judge, arguments[0]) {
                check_artifact(judge, &here, arguments[1]);
            }
            Known::Kind(DataKind::String)
        }
        "get_operation_output" => {
            if let Some(here) = entity(judge, arguments[0]) {
                check_operation(judge, &here, arguments[1], arguments[2]);
            }
            Known::Nothing
        }
        _ => {
            if *name == "join" && judge.version(call.node) < V1_2 {
                judge
                    .problem(&rules::ODD_ARGUMENTS, call.name_node, "`join` exists since TOSCA 1.2")
                    .help("raise the version of the file, or use `concat`");
            }
            match call.arguments.filter(|given| given.kind() != Kind::List && !given.is_substitute()) {
                Some(given) => {
                    let found = crate::phase::read::with_article(given);
                    let message = format!("`{name}` takes a list of arguments, not {found}");
                    judge.problem(&rules::ARGUMENT_TYPE, given, message).help("put them in brackets: `[ … ]`");
                }
                None => check_texts(judge, name, &arguments),
            }
            Known::Kind(DataKind::String)
        }
    }
}

fn check_node_type<'a>(judge: &mut Judge<'_, 'a>, name: Node<'a>) -> Known<'a> {
    if name.kind() == Kind::String {
        let symbol = judge.context.intern(name.text());
        if judge.context.resolve(judge.place.at, NODE_TYPES, symbol) == Resolution::Unknown {
            let message = format!("there is no node type `{}`", name.text());
            judge.problem(&rules::UNKNOWN_NAME, name, message).help("define it, or import a file that does");
        }
    } else {
        let message =
            format!("the name of a node type must be a string, not {}", crate::phase::read::with_article(name));
        judge.problem(&rules::ARGUMENT_TYPE, name, message).help("write for example `tosca.nodes.Compute`");
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
    if arguments[0].kind() == Kind::String && arguments[0].text() == "HOST" {
        let hosts = hosts(judge, arguments[0])?;
        let name = arguments[1];
        if !is_literal_name(judge, name) {
            return None;
        }
        // A capability or requirement of a host can be named too: the nearest host that has it is meant.
        if arguments.len() > 2 && is_literal_name(judge, arguments[2]) {
            let has_it = |here: &&Here| {
                let sought = [Sought::Property, Sought::Attribute];
                sought.iter().any(|sought| {
                    !matches!(path::property(judge.context, here, name.text(), *sought), Member::Missing { .. })
                })
            };
            let within = hosts.iter().map(|here| within(judge, here, name.text())).find(|within| !within.is_empty());
            if let Some(within) = within.filter(|_| !hosts.iter().any(|here| has_it(&here))) {
                return Some((within, 2));
            }
        }
        return Some((hosts, 1));
    }
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
        return vec![Here::Capability(CapabilityHere::of_node(context, definition, *node))];
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
