//! Constraints of inputs and parameters.

use fancy_regex::Regex;
use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::Rule;
use tosca_parse::entity::{Checked, Checks, Children, Id};
use tosca_parse::phase::Context;

use super::value::is_object;
use super::{kind, node_of, report};
use crate::function::call;
use crate::grammar::Constraint;
use crate::rules::{INVALID_LIMIT, TOLERATED_VALUE, VIOLATED_CONSTRAINT};

/// The keyname that doesn't constrain the value.
const ERROR_MESSAGE: &str = "error_message";

impl Checked for Constraint {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(arguments);
}

fn arguments(_: &Constraint, context: &mut Context<'_>, id: Id<Constraint>) {
    let Some(node) = node_of(context, id.any()) else { return };
    for entry in node.entries() {
        let (name, argument) = (entry.key.text(), entry.value);
        if call(argument).is_some() {
            continue;
        }
        let is_number = |node: Node<'_>| matches!(node.kind(), Kind::Integer | Kind::Float);
        let (fits, expected) = match name {
            "equal" | "greater_than" | "greater_or_equal" | "less_than" | "less_or_equal" | "length" | "min_length"
            | "max_length" => (is_number(argument), "a number"),
            "in_range" => {
                let has_numbers = argument.kind() == Kind::List && argument.items().all(is_number);
                (has_numbers && argument.len() == 2, "a list of two numbers")
            }
            "valid_values" | "labels" | "tenants" => (argument.kind() == Kind::List, "a list"),
            "pattern" => {
                let is_valid = argument.kind() == Kind::String && Regex::new(argument.text()).is_ok();
                (is_valid, "a valid regular expression")
            }
            "filter_id" | "deployment_id" => (argument.kind() == Kind::String, "a string"),
            "name_pattern" => (argument.kind() == Kind::Map, "a map"),
            _ => continue,
        };
        if !fits {
            let message = format!("`{name}` must be {expected}, not {}", described(argument));
            report(context, &INVALID_LIMIT, argument, message, "correct the argument");
        }
    }
}

fn described(node: Node<'_>) -> String {
    match node.kind() {
        Kind::String => format!("`{}`", node.text()),
        _ => kind(node).to_owned(),
    }
}

/// The constraints with their nodes.
fn entries<'a>(context: &Context<'a>, constraints: &Children<Constraint>) -> Vec<(Node<'a>, Node<'a>)> {
    let nodes = constraints.items.iter().filter_map(|id| node_of(context, id.any()));
    let entries = nodes.flat_map(Node::entries).filter(|entry| entry.key.text() != ERROR_MESSAGE);
    entries.map(|entry| (entry.key, entry.value)).collect()
}

/// Checks a value against constraints.
pub(super) fn check(
    context: &mut Context<'_>,
    constraints: &Children<Constraint>,
    value: Node<'_>,
    violated: &'static Rule,
) {
    for (key, argument) in entries(context, constraints) {
        let name = key.text();
        if call(argument).is_some() {
            continue;
        }
        match holds(name, argument, value) {
            Some(true) => {}
            Some(false) => {
                let message = format!("the value violates the constraint `{name}`");
                report(context, violated, value, message, "correct the value or the constraint");
            }
            None => {
                let message = format!("the constraint `{name}` can't be applied to {}", kind(value));
                report(context, violated, value, message, "correct the value, or remove the constraint");
            }
        }
        if name == "pattern" && holds(name, argument, value) == Some(true) && !matches_all(argument, value) {
            let message = "only the beginning of the value matches the pattern, which the manager accepts";
            report(context, &TOLERATED_VALUE, value, message, "correct the value or the pattern");
        }
    }
}

/// Reports constraints of objects of the manager on other types.
pub(super) fn check_kinds(
    context: &mut Context<'_>,
    constraints: &Children<Constraint>,
    primitive: Option<&str>,
    default: Option<Node<'_>>,
) {
    for (key, _) in entries(context, constraints) {
        let allowed: &[&str] = match key.text() {
            "filter_id" | "labels" | "tenants" => &["blueprint_id", "deployment_id"],
            "deployment_id" => {
                &["capability_value", "scaling_group", "node_id", "node_type", "node_instance", "operation_name"]
            }
            "name_pattern" => &[],
            _ => continue,
        };
        let fits = match primitive {
            Some(primitive) if allowed.is_empty() => is_object(primitive),
            Some(primitive) => allowed.contains(&primitive),
            None => false,
        };
        if !fits {
            let rule = if default.is_some() { &VIOLATED_CONSTRAINT } else { &TOLERATED_VALUE };
            let message = format!("the constraint `{}` is for identifiers of objects", key.text());
            report(context, rule, default.unwrap_or(key), message, "remove the constraint, or correct the type");
        }
    }
}

/// Whether a value fulfills a constraint; `None` if the constraint can't be applied to it.
fn holds(name: &str, argument: Node<'_>, value: Node<'_>) -> Option<bool> {
    let number = |node: Node<'_>| node.as_float();
    let length = || match value.kind() {
        Kind::String => Some(value.text().chars().count()),
        Kind::List | Kind::Map => Some(value.len()),
        _ => None,
    };
    #[expect(clippy::cast_precision_loss, reason = "lengths are small")]
    let length = || length().map(|length| length as f64);
    Some(match name {
        "equal" => number(argument) == number(value),
        "greater_than" => number(value)? > number(argument)?,
        "greater_or_equal" => number(value)? >= number(argument)?,
        "less_than" => number(value)? < number(argument)?,
        "less_or_equal" => number(value)? <= number(argument)?,
        "in_range" => {
            let mut bounds = argument.items().map(number);
            let (Some(min), Some(max)) = (bounds.next()?, bounds.next()?) else { return Some(true) };
            let value = number(value)?;
            min <= value && value <= max
        }
        "valid_values" => argument.items().any(|allowed| same(allowed, value)),
        "length" => (length()? - number(argument)?).abs() < f64::EPSILON,
        "min_length" => length()? >= number(argument)?,
        "max_length" => length()? <= number(argument)?,
        "pattern" if value.kind() == Kind::String => matches(argument, value, ""),
        "pattern" => return None,
        _ => true,
    })
}

/// Whether a pattern matches the beginning of a value, up to `end`. What takes too long is not reported.
fn matches(pattern: Node<'_>, value: Node<'_>, end: &str) -> bool {
    let Ok(pattern) = Regex::new(&format!("\\A(?:{}){end}", pattern.text())) else { return true };
    pattern.is_match(value.text()).unwrap_or(true)
}

fn matches_all(pattern: Node<'_>, value: Node<'_>) -> bool {
    matches(pattern, value, "\\z")
}

/// Whether two values are equal, as the manager compares them.
pub(super) fn same(one: Node<'_>, other: Node<'_>) -> bool {
    match (one.kind(), other.kind()) {
        (Kind::List, Kind::List) => one.len() == other.len() && one.items().zip(other.items()).all(|(a, b)| same(a, b)),
        (Kind::Map, Kind::Map) => {
            one.len() == other.len()
                && one
                    .entries()
                    .all(|entry| other.find(entry.key.text()).is_some_and(|found| same(entry.value, found.value)))
        }
        (Kind::Integer | Kind::Float, Kind::Integer | Kind::Float) => one.as_float() == other.as_float(),
        (Kind::Boolean, Kind::Boolean) => one.as_bool() == other.as_bool(),
        (one_kind, other_kind) => one_kind == other_kind && one.text() == other.text(),
    }
}
