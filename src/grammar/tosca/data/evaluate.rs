//! Computing calls of functions whose arguments are known.
//!
//! Whatever is computed takes time that is bounded by the lengths of the expression and its arguments. That goes for
//! regular expressions too: they are those of the crate `regex`, which takes time that is linear in the length of the
//! text for each of them and refuses those that would need much memory; what other engines take exponential time for
//! (back-references, looking around) is no part of its grammar.

use std::cmp::Ordering;

use super::super::definition::ParameterDefinition;
use super::super::version::V2_0;
use super::arithmetic::{Computed, any, combine, compute, contains};
use super::call::{Call, Shape};
use super::judge::{Judge, plain};
use super::{DataKind, Datum, Schema, pattern, property};
use crate::ard::{Kind, Node};

/// What expressions can refer to.
pub(super) struct Environment<'e, 'a> {
    /// The value under validation, and what it is like.
    pub(super) value: Option<(&'e Datum, &'e Schema<'a>)>,
}

/// The value of an expression. `model` is what a literal should be like.
pub(super) fn evaluate<'a>(
    judge: &mut Judge<'_, 'a>,
    node: Node<'a>,
    environment: &Environment<'_, 'a>,
    model: Option<&Schema<'a>>,
) -> Datum {
    if judge.version(node) < V2_0 {
        return property::before_2_0(judge, node, environment, model);
    }
    match judge.shape(node) {
        Shape::Call(call) => evaluate_call(judge, call, environment, model),
        Shape::Malformed(_) => Datum::Unknown,
        Shape::Literal => match model {
            Some(schema) if is_bare_number(judge, node, schema) => plain(node, judge.version(node)),
            Some(schema) => judge.understand(node, &Schema::of_type(schema.data_type)),
            None => evaluate_literal(judge, node, environment),
        },
    }
}

/// Whether a number is compared with a scalar: it is then one in the canonical unit.
fn is_bare_number<'a>(judge: &Judge<'_, 'a>, node: Node<'a>, schema: &Schema<'a>) -> bool {
    matches!(node.kind(), Kind::Integer | Kind::Float) && schema.kind(judge.context) == Some(DataKind::Scalar)
}

/// A literal of unknown type, the parts of which may be calls.
fn evaluate_literal<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, environment: &Environment<'_, 'a>) -> Datum {
    match node.kind() {
        Kind::List => Datum::List(node.items().map(|item| evaluate(judge, item, environment, None)).collect()),
        _ => plain(node, judge.version(node)),
    }
}

/// The value of a call. `wanted` is what it should give.
fn evaluate_call<'a>(
    judge: &mut Judge<'_, 'a>,
    call: Call<'a>,
    environment: &Environment<'_, 'a>,
    wanted: Option<&Schema<'a>>,
) -> Datum {
    let arguments = call.arguments();
    if call.name == "value" {
        return environment.value.map_or(Datum::Unknown, |(value, _)| within(judge, value, &arguments, environment));
    }
    match call.name {
        "get_input" => return given_input(judge, &arguments, environment),
        "get_property" | "get_attribute" if judge.computes_properties() => {
            return property::get(judge, &arguments, environment);
        }
        "and" | "or" => return junction(judge, call.name == "and", &arguments, environment),
        _ if super::function::find(call.name).is_none() => return Datum::Unknown,
        // Which of the two is called depends on the arguments, and what the other one does is not known.
        _ if super::custom::extension(judge, call).is_some() => return Datum::Unknown,
        _ => {}
    }
    let evaluated = evaluate_arguments(judge, call, &arguments, environment, wanted);
    if is_arithmetic(call.name) {
        return match compute(judge.context, call.name, &evaluated) {
            Computed::Value(datum) => datum,
            Computed::Overflow => Datum::Unknown,
        };
    }
    apply(call.name, &evaluated)
}

fn evaluate_arguments<'a>(
    judge: &mut Judge<'_, 'a>,
    call: Call<'a>,
    arguments: &[Node<'a>],
    environment: &Environment<'_, 'a>,
    wanted: Option<&Schema<'a>>,
) -> Vec<Datum> {
    let model = model(judge, arguments, environment);
    // Numbers with units are understood if scalars are wanted, or if they are put together with scalars.
    let scalar = if is_arithmetic(call.name) { model.as_ref().or(wanted) } else { None };
    let scalar = scalar.filter(|schema| schema.kind(judge.context) == Some(DataKind::Scalar));
    arguments
        .iter()
        .enumerate()
        .map(|(index, argument)| match (&model, call.name, index) {
            // The list of valid values holds values of the type of what is compared with them.
            (Some(model), "valid_values", 1) if argument.kind() == Kind::List => {
                Datum::List(argument.items().map(|item| evaluate(judge, item, environment, Some(model))).collect())
            }
            (Some(model), "equal" | "valid_values", _) => evaluate(judge, *argument, environment, Some(model)),
            (Some(model), "greater_than" | "greater_or_equal" | "less_than" | "less_or_equal", _) => {
                evaluate(judge, *argument, environment, Some(model))
            }
            _ => evaluate(judge, *argument, environment, scalar),
        })
        .collect()
}

fn is_arithmetic(name: &str) -> bool {
    matches!(name, "sum" | "difference" | "product" | "quotient" | "remainder" | "round" | "floor" | "ceil")
}

/// Whether a call of a function of numbers gives an integer that is too large.
pub(super) fn overflows<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>) -> bool {
    let environment = Environment { value: None };
    let evaluated = evaluate_arguments(judge, call, &call.arguments(), &environment, None);
    matches!(compute(judge.context, call.name, &evaluated), Computed::Overflow)
}

/// The value of an input, once values have been given: what is given, or else the default.
pub(super) fn given_input<'a>(
    judge: &mut Judge<'_, 'a>,
    arguments: &[Node<'a>],
    environment: &Environment<'_, 'a>,
) -> Datum {
    let Some((name, steps)) = arguments.split_first() else { return Datum::Unknown };
    // Who renders types, or a workflow, does not know what will be given.
    let is_unsaid = judge.context.program.inputs.is_empty() && !judge.computes_properties();
    let is_open = is_unsaid || judge.place.workflow(judge.context).is_some();
    if is_open || !judge.place.is_in_service(judge.context) {
        return Datum::Unknown;
    }
    let Some(schema) = super::expression::input(judge, name.text()) else { return Datum::Unknown };
    let program = judge.context.program;
    let default = || {
        let input = schema.definition?.cast::<ParameterDefinition>()?;
        judge.context.node(judge.context.get(input)?.default?.0)
    };
    let Some(value) = program.given_input(name.text()).map(|(_, value)| value).or_else(default) else {
        return Datum::Unknown;
    };
    let datum = judge.understand(value, &schema);
    within(judge, &datum, steps, environment)
}

/// What the literals among arguments are like: as the value under validation, if that is among the arguments.
fn model<'a>(
    judge: &mut Judge<'_, 'a>,
    arguments: &[Node<'a>],
    environment: &Environment<'_, 'a>,
) -> Option<Schema<'a>> {
    let Some((_, schema)) = environment.value else {
        return if judge.computes_properties() { property::model(judge, arguments) } else { None };
    };
    arguments.iter().find_map(|argument| match judge.shape(*argument) {
        Shape::Call(call) if call.name == "value" => {
            call.arguments().iter().try_fold(*schema, |schema, step| match step.kind() {
                Kind::Integer => schema.entries(judge.context),
                _ => schema.member(judge.context, step.text()).or_else(|| schema.entries(judge.context)),
            })
        }
        _ => None,
    })
}

/// A part of a value.
pub(super) fn within<'a>(
    judge: &mut Judge<'_, 'a>,
    value: &Datum,
    steps: &[Node<'a>],
    environment: &Environment<'_, 'a>,
) -> Datum {
    let mut value = value.clone();
    for step in steps {
        let step = evaluate(judge, *step, environment, None);
        value = match (value, step) {
            (Datum::Map(entries), Datum::String(name)) => {
                entries.into_iter().find(|(key, _)| *key == name).map_or(Datum::Unknown, |(_, value)| value)
            }
            (Datum::List(items), Datum::Integer(index)) => {
                usize::try_from(index).ok().and_then(|index| items.into_iter().nth(index)).unwrap_or(Datum::Unknown)
            }
            _ => Datum::Unknown,
        };
    }
    value
}

/// A conjunction or disjunction stops at the first argument that decides it.
fn junction<'a>(
    judge: &mut Judge<'_, 'a>,
    is_and: bool,
    arguments: &[Node<'a>],
    environment: &Environment<'_, 'a>,
) -> Datum {
    let mut result = Datum::Boolean(is_and);
    for argument in arguments {
        match evaluate(judge, *argument, environment, None) {
            Datum::Boolean(value) if value != is_and => return Datum::Boolean(value),
            Datum::Boolean(_) => {}
            _ => result = Datum::Unknown,
        }
    }
    result
}

/// The result of a function, given its arguments.
fn apply(name: &str, arguments: &[Datum]) -> Datum {
    let truth = |condition: Option<bool>| condition.map_or(Datum::Unknown, Datum::Boolean);
    let order = |fits: fn(Ordering) -> bool| match arguments {
        // What has no value is neither more nor less than anything.
        [Datum::Nil, b] | [b, Datum::Nil] if *b != Datum::Unknown => Datum::Boolean(false),
        [a, b] => truth(a.compare(b).map(fits)),
        _ => Datum::Unknown,
    };
    match (name, arguments) {
        ("not", [Datum::Boolean(value)]) => Datum::Boolean(!value),
        ("xor", [Datum::Boolean(a), Datum::Boolean(b)]) => Datum::Boolean(a != b),
        ("equal", [a, b]) => truth(a.equals(b)),
        ("greater_than", _) => order(Ordering::is_gt),
        ("greater_or_equal", _) => order(Ordering::is_ge),
        ("less_than", _) => order(Ordering::is_lt),
        ("less_or_equal", _) => order(Ordering::is_le),
        ("valid_values", [value, Datum::List(list)]) => truth(contains(list, value)),
        ("has_entry", [Datum::List(list), value]) => truth(contains(list, value)),
        ("has_entry", [Datum::Map(map), value]) => truth(contains(&values(map), value)),
        ("has_all_entries", [Datum::List(list), Datum::List(wanted)]) => truth(contains_all(list, wanted)),
        ("has_all_entries", [Datum::Map(map), Datum::List(wanted)]) => truth(contains_all(&values(map), wanted)),
        ("has_any_entry", [Datum::List(list), Datum::List(wanted)]) => truth(contains_any(list, wanted)),
        ("has_any_entry", [Datum::Map(map), Datum::List(wanted)]) => truth(contains_any(&values(map), wanted)),
        ("has_key", [Datum::Map(map), key]) => truth(contains(&keys(map), key)),
        ("has_all_keys", [Datum::Map(map), Datum::List(wanted)]) => truth(contains_all(&keys(map), wanted)),
        ("has_any_key", [Datum::Map(map), Datum::List(wanted)]) => truth(contains_any(&keys(map), wanted)),
        ("has_prefix", [Datum::String(text), Datum::String(part)]) => Datum::Boolean(text.starts_with(part)),
        ("has_suffix", [Datum::String(text), Datum::String(part)]) => Datum::Boolean(text.ends_with(part)),
        ("contains", [Datum::String(text), Datum::String(part)]) => Datum::Boolean(text.contains(part)),
        ("has_prefix", [Datum::List(list), Datum::List(part)]) => truth(starts_with(list, part)),
        ("has_suffix", [Datum::List(list), Datum::List(part)]) => {
            truth(list.len().checked_sub(part.len()).map_or(Some(false), |start| starts_with(&list[start..], part)))
        }
        ("contains", [Datum::List(list), Datum::List(part)]) => {
            truth(any((0..=list.len()).map(|start| starts_with(&list[start..], part))))
        }
        ("matches", [Datum::String(text), Datum::String(pattern)]) => truth(pattern::is_match(pattern, text)),
        ("length", [value]) => length(value),
        ("concat", parts) => concat(parts),
        ("union" | "intersection", lists) => combine(name, lists),
        ("join", [Datum::List(parts)]) => join(parts, ""),
        ("join", [Datum::List(parts), Datum::String(delimiter)]) => join(parts, delimiter),
        ("token", [Datum::String(text), Datum::String(separators), Datum::Integer(index)]) => {
            let parts = text.split(|letter| separators.contains(letter));
            let part = usize::try_from(*index).ok().and_then(|index| parts.into_iter().nth(index));
            part.map_or(Datum::Unknown, |part| Datum::String(part.to_owned()))
        }
        _ => Datum::Unknown,
    }
}

fn values(map: &[(String, Datum)]) -> Vec<Datum> {
    map.iter().map(|(_, value)| value.clone()).collect()
}

fn keys(map: &[(String, Datum)]) -> Vec<Datum> {
    map.iter().map(|(key, _)| Datum::String(key.clone())).collect()
}

fn contains_all(list: &[Datum], wanted: &[Datum]) -> Option<bool> {
    any(wanted.iter().map(|value| contains(list, value).map(|found| !found))).map(|lacks| !lacks)
}

fn contains_any(list: &[Datum], wanted: &[Datum]) -> Option<bool> {
    any(wanted.iter().map(|value| contains(list, value)))
}

fn starts_with(list: &[Datum], part: &[Datum]) -> Option<bool> {
    if list.len() < part.len() {
        return Some(false);
    }
    any(list.iter().zip(part).map(|(item, wanted)| item.equals(wanted).map(|equal| !equal))).map(|differs| !differs)
}

fn length(value: &Datum) -> Datum {
    let length = match value {
        Datum::String(text) => text.chars().count(),
        Datum::Bytes(bytes) => bytes.len(),
        Datum::List(items) => items.len(),
        Datum::Map(entries) => entries.len(),
        _ => return Datum::Unknown,
    };
    i64::try_from(length).map_or(Datum::Unknown, Datum::Integer)
}

fn concat(parts: &[Datum]) -> Datum {
    if parts.iter().all(|part| matches!(part, Datum::String(_))) {
        return join(parts, "");
    }
    let lists: Option<Vec<&[Datum]>> = parts
        .iter()
        .map(|part| match part {
            Datum::List(list) => Some(&list[..]),
            _ => None,
        })
        .collect();
    lists.map_or(Datum::Unknown, |lists| Datum::List(lists.concat()))
}

fn join(parts: &[Datum], delimiter: &str) -> Datum {
    let parts: Option<Vec<&str>> = parts
        .iter()
        .map(|part| match part {
            Datum::String(text) => Some(&text[..]),
            _ => None,
        })
        .collect();
    parts.map_or(Datum::Unknown, |parts| Datum::String(parts.join(delimiter)))
}

/// What of a clause does not hold, with its computed sides: of a conjunction, the first part that does not.
pub(super) fn explain<'a>(
    judge: &mut Judge<'_, 'a>,
    clause: Node<'a>,
    environment: &Environment<'_, 'a>,
) -> Option<String> {
    let Shape::Call(call) = judge.shape(clause) else { return None };
    if call.name == "and" {
        let mut parts = call.arguments().into_iter();
        let failing = parts.find(|part| evaluate(judge, *part, environment, None) == Datum::Boolean(false));
        return failing.and_then(|part| explain(judge, part, environment));
    }
    Some(format!("`{}` is not true", with_sides(judge, call, environment)))
}

/// A call with its arguments computed, but for those that are comparisons themselves.
fn with_sides<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>, environment: &Environment<'_, 'a>) -> String {
    let arguments = call.arguments();
    let is_logic = matches!(call.name, "and" | "or" | "not" | "xor");
    let model = model(judge, &arguments, environment);
    let sides: Vec<String> = arguments
        .iter()
        .map(|argument| match judge.shape(*argument) {
            Shape::Call(part) if is_logic && part.name != "value" => with_sides(judge, part, environment),
            _ => match evaluate(judge, *argument, environment, None) {
                Datum::Unknown => "…".to_owned(),
                _ if model.is_some() && argument.kind() != Kind::List => {
                    evaluate(judge, *argument, environment, model.as_ref()).to_string()
                }
                datum => datum.to_string(),
            },
        })
        .collect();
    format!("${}: [ {} ]", call.name, sides.join(", "))
}
