//! Checks of function calls, and the known types of their results.

use super::arguments::check_arguments;
use super::custom::{check_clause, check_custom, check_extension};
use super::path;
use crate::ard::{Kind, Node};
use crate::data::call::function;
use crate::data::call::function::{Function, ReturnType};
use crate::data::call::result_type::StaticResult;
use crate::data::call::{Call, Shape, count};
use crate::data::judge::Judge;
use crate::data::judge::input::check_input;
use crate::data::schema::Schema;
use crate::data::typed::kind::DataKind;
use crate::phase::DiagnosticExt;
use crate::rules;

/// Checks a call and returns the known type of its result.
pub(crate) fn check_call<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>) -> StaticResult<'a> {
    match function::find(call.name) {
        Some(function) => check_extension(judge, call).unwrap_or_else(|| check_built_in(judge, call, function)),
        None => check_custom(judge, call),
    }
}

fn check_built_in<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>, function: &'static Function) -> StaticResult<'a> {
    let arguments = call.arguments();
    let least = function.parameters.len();
    let most = least + function.optional.len();
    if arguments.len() < least || function.rest.is_none() && arguments.len() > most {
        let message = format!("`${}` is given {}", call.name, count(arguments.len()));
        judge
            .problem(&rules::ARGUMENT_COUNT, call.node, message)
            .help(format!("`${}` takes {}", call.name, function.usage));
        return result_kind(function);
    }
    match function.result {
        ReturnType::Looked => return check_look_up(judge, call, &arguments),
        ReturnType::Value => return check_value(judge, call, &arguments),
        _ => {}
    }
    match function.name {
        "get_artifact" => {
            path::check_artifact(judge, call, &arguments);
            return StaticResult::Kind(DataKind::String);
        }
        "node_index" | "relationship_index" => check_index(judge, call),
        _ => {}
    }
    let before = judge.context.problems();
    let known = check_arguments(judge, call, function, &arguments);
    match function.result {
        ReturnType::Kind(kind) => StaticResult::Kind(kind),
        // Nothing is known about the result of wrong arguments.
        ReturnType::Arithmetic if judge.context.problems() > before => StaticResult::Nothing,
        ReturnType::First => known.first().copied().unwrap_or(StaticResult::Nothing),
        ReturnType::Arithmetic => arithmetic(judge, &known),
        ReturnType::Quotient => match known.first().and_then(|first| first.kind(judge.context)) {
            Some(DataKind::Scalar) => known[0],
            // If an argument is wrong, the result is unknown.
            Some(_) if known.iter().all(|known| known.kind(judge.context).is_some()) => {
                StaticResult::Kind(DataKind::Float)
            }
            _ => StaticResult::Nothing,
        },
        ReturnType::Looked | ReturnType::Value => StaticResult::Nothing,
    }
}

/// Reports an index function outside of a node or relationship (2.0, 10.2.1.6 and 10.2.1.7).
fn check_index<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>) {
    let (has_meaning, where_else) = match call.name {
        "node_index" => (judge.place.is_in_node(judge.context), "in node types and node templates"),
        _ => (
            judge.place.is_in_relationship(judge.context),
            "in relationship types, relationship templates, and requirements",
        ),
    };
    if !has_meaning {
        let message = format!("`${}` has no meaning here", call.name);
        judge.problem(&rules::NO_SUCH_INDEX, call.node, message).help(format!("it can be used {where_else}"));
    }
}

fn result_kind<'a>(function: &Function) -> StaticResult<'a> {
    match function.result {
        ReturnType::Kind(kind) => StaticResult::Kind(kind),
        _ => StaticResult::Nothing,
    }
}

fn arithmetic<'a>(judge: &Judge<'_, 'a>, known: &[StaticResult<'a>]) -> StaticResult<'a> {
    let kinds: Option<Vec<DataKind>> = known.iter().map(|known| known.kind(judge.context)).collect();
    match kinds {
        Some(kinds) if kinds.contains(&DataKind::Scalar) => known[0],
        Some(kinds) if kinds.iter().all(|kind| *kind == DataKind::Integer) => StaticResult::Kind(DataKind::Integer),
        Some(_) => StaticResult::Kind(DataKind::Float),
        None => StaticResult::Nothing,
    }
}

fn check_look_up<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>, arguments: &[Node<'a>]) -> StaticResult<'a> {
    match function::path_target(call.name) {
        Some(sought) => judge.follow(call, arguments, sought),
        None => check_input(judge, arguments),
    }
}

fn check_value<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>, arguments: &[Node<'a>]) -> StaticResult<'a> {
    match judge.place.value {
        Some(schema) => judge.nested(schema, arguments),
        None => {
            judge
                .problem(
                    &rules::VALUE_OUTSIDE_VALIDATION,
                    call.node,
                    "`$value` has no meaning outside validation clauses",
                )
                .help("use `$get_property` or `$get_attribute`; conditions on a value belong to `validation` in its definition");
            StaticResult::Nothing
        }
    }
}

/// Checks a condition: an expression whose result is a boolean.
pub(crate) fn check_condition<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>) {
    match judge.shape(node) {
        Shape::Call(call) => {
            let clause = check_clause(judge, call);
            let known = match (&clause, function::find(call.name)) {
                (Some(_), Some(function)) => result_kind(function),
                _ => judge.check_call(call),
            };
            if let Some(kind) = known.kind(judge.context).filter(|kind| *kind != DataKind::Boolean) {
                let message =
                    format!("a condition must be true or false, but `${}` returns {}", call.name, kind.with_article());
                judge
                    .problem(&rules::NOT_A_CONDITION, node, message)
                    .help(clause.unwrap_or_else(|| "compare the result, for example with `$equal`".to_owned()));
            }
        }
        Shape::Malformed(_) => judge.check(node, &Schema::of_type(None)),
        Shape::Literal if node.kind() == Kind::Boolean => {}
        Shape::Literal => {
            let message =
                format!("a condition must be a function call, not {}", crate::phase::read::with_article(node));
            judge
                .problem(&rules::NOT_A_CONDITION, node, message)
                .help("write `{ $greater_or_equal: [ $value, 1 ] }`, for example");
        }
    }
}
