//! The specifics of versions before 2.0: functions, constraint clauses, node filters and assertions.

mod arguments;
pub(super) mod condition;
pub(super) mod constraint;
mod entity;
pub(super) mod filter;

use arguments::check_texts;
use entity::{check_artifact, check_operation, output};

use super::call::function::{SIMPLE_SIGNATURES, path_target};
use super::call::result_type::StaticResult;
use super::call::{Call, count};
use super::judge::Judge;
use super::judge::input::check_input;
use super::path::graph::start as start_of;
use super::path::member::expect_entity;
use super::path::place::PathContext;
use super::typed::kind::DataKind;
use crate::ard::{Kind, Node};
use crate::grammar::section::NODE_TYPES;
use crate::grammar::version::V1_2;
use crate::phase::DiagnosticExt;
use crate::phase::namespace::LookupResult;
use crate::rules;

/// Checks a call and returns the known type of its result.
pub(crate) fn check_call<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>) -> StaticResult<'a> {
    let Some((name, least, most, usage)) = SIMPLE_SIGNATURES.iter().find(|(name, ..)| *name == call.name) else {
        return StaticResult::Nothing;
    };
    let arguments = call.arguments();
    if arguments.len() < *least || arguments.len() > *most {
        let message = format!("`{name}` is given {}", count(arguments.len()));
        judge.problem(&rules::ARGUMENT_COUNT, call.node, message).help(format!("`{name}` takes {usage}"));
        return StaticResult::Nothing;
    }
    if let Some(sought) = path_target(name) {
        return judge.follow(call, &arguments, sought);
    }
    match *name {
        "get_input" => check_input(judge, &arguments),
        "get_nodes_of_type" => check_node_type(judge, arguments[0]),
        "get_artifact" => {
            if let Some(here) = start(judge, arguments[0]) {
                check_artifact(judge, &here, arguments[1]);
            }
            check_texts(judge, name, &arguments);
            StaticResult::Kind(DataKind::String)
        }
        "get_operation_output" => {
            let Some(here) = start(judge, arguments[0]) else { return StaticResult::Nothing };
            check_operation(judge, &here, arguments[1], arguments[2]);
            output(judge.context, &here, [arguments[1], arguments[2], arguments[3]])
        }
        _ => {
            if *name == "join" && judge.version(call.node) < V1_2 {
                judge
                    .problem(&rules::ODD_ARGUMENTS, call.name_node, "`join` requires TOSCA 1.2 or later")
                    .help("raise the version of the file, or use `concat`");
            }
            match call.arguments.filter(|given| given.kind() != Kind::List && !given.is_placeholder()) {
                Some(given) => {
                    let found = crate::phase::read::with_article(given);
                    let message = format!("`{name}` takes a list of arguments, not {found}");
                    judge.problem(&rules::ARGUMENT_TYPE, given, message).help("put the arguments in brackets: `[ … ]`");
                }
                None => check_texts(judge, name, &arguments),
            }
            StaticResult::Kind(DataKind::String)
        }
    }
}

fn check_node_type<'a>(judge: &mut Judge<'_, 'a>, name: Node<'a>) -> StaticResult<'a> {
    if name.kind() == Kind::String {
        let symbol = judge.context.intern(name.text());
        if judge.context.resolve(judge.place.at, NODE_TYPES, symbol) == LookupResult::Unknown {
            let message = format!("there is no node type `{}`", name.text());
            judge
                .problem(&rules::UNKNOWN_NAME, name, message)
                .help("define the type, or import a file that defines it");
        }
    } else {
        let message =
            format!("the name of a node type must be a string, not {}", crate::phase::read::with_article(name));
        judge.problem(&rules::ARGUMENT_TYPE, name, message).help("write `tosca.nodes.Compute`, for example");
    }
    StaticResult::Kind(DataKind::List)
}

/// Returns the place where a path starts, if it is known.
fn start<'a>(judge: &mut Judge<'_, 'a>, head: Node<'a>) -> Option<PathContext> {
    expect_entity(head).and_then(|()| start_of(judge, head)).unwrap_or_else(|lost| {
        judge.report(lost);
        None
    })
}
