//! Constraints on inputs and parameters.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::sync::Arc;

use fancy_regex::{Regex, RegexBuilder};
use foldhash::HashSet;
use tosca_parse::ard::{Kind, Node};
use tosca_parse::budget::pattern::{RecentPatterns, weight_with_backtracking};
use tosca_parse::diagnostic::Rule;
use tosca_parse::entity::{Checked, Checks, Children, Id};
use tosca_parse::phase::{Context, ExcessPatterns};
use tosca_parse::rules::UNCHECKED_USES;

use super::value::is_object;
use super::{kind, node_of, report};
use crate::function::call;
use crate::grammar::Constraint;
use crate::rules::{INVALID_LIMIT, TOLERATED_VALUE, VIOLATED_CONSTRAINT};

/// The keyname that doesn't constrain the value.
const ERROR_MESSAGE: &str = "error_message";

/// The maximum number of backtracking steps when a value is matched against a pattern.
const MAX_STEPS: usize = 10_000;

/// The maximum size of a part of a compiled pattern, in bytes.
const MAX_PATTERN: usize = 1 << 20;

/// The maximum length of the compared form of a value, in bytes.
const MAX_FORM: usize = 1_000;

/// The maximum number of items or entries that are compared.
const MAX_PARTS: usize = 100;

impl Checked for Constraint {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(arguments);
}

fn arguments(_: &Constraint, context: &mut Context<'_>, id: Id<Constraint>) {
    let Some(node) = node_of(context, id.any()) else { return };
    for entry in node.entries() {
        let (name, argument) = (entry.key.text(), entry.value);
        if name == "pattern" && is_excess(context, argument) {
            let message = format!(
                "values are not matched against `{}`, because the patterns are too large together",
                argument.text()
            );
            report(context, &UNCHECKED_USES, argument, message, "use fewer or smaller patterns");
            continue;
        }
        if let Some(expected) = misfit(name, argument) {
            let message = format!("`{name}` must be {expected}, not {}", described(argument));
            report(context, &INVALID_LIMIT, argument, message, "correct the argument");
        }
    }
}

/// Returns what the argument of a constraint must be, if it isn't.
fn misfit(name: &str, argument: Node<'_>) -> Option<&'static str> {
    if call(argument).is_some() {
        return None;
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
            let is_valid = argument.kind() == Kind::String && Compiled::of(argument.text()).is_valid;
            (is_valid, "a valid regular expression")
        }
        "filter_id" | "deployment_id" => (argument.kind() == Kind::String, "a string"),
        "name_pattern" => (argument.kind() == Kind::Map, "a map"),
        _ => return None,
    };
    (!fits).then_some(expected)
}

fn described(node: Node<'_>) -> String {
    match node.kind() {
        Kind::String => format!("`{}`", node.text()),
        _ => kind(node).to_owned(),
    }
}

/// Returns the constraints with their nodes.
fn entries<'a>(context: &Context<'a>, constraints: &Children<Constraint>) -> Vec<(Node<'a>, Node<'a>)> {
    let nodes = constraints.iter().filter_map(|id| node_of(context, id.any()));
    let entries = nodes.flat_map(Node::entries).filter(|entry| entry.key.text() != ERROR_MESSAGE);
    entries.map(|entry| (entry.key, entry.value)).collect()
}

/// A pattern in compiled form.
struct Compiled {
    is_valid: bool,
    /// The patterns that match the beginning of a value and the whole value; `None` if they can't be run.
    patterns: Option<[Regex; 2]>,
}

thread_local! {
    static RECENT: RefCell<RecentPatterns<Compiled>> = RefCell::default();
}

impl Compiled {
    fn of(pattern: &str) -> Arc<Self> {
        if let Some(recent) = RECENT.with_borrow(|recent| recent.get(pattern)) {
            return recent;
        }
        let build = |end| {
            let pattern = format!("\\A(?:{pattern}){end}");
            RegexBuilder::new(&pattern).backtrack_limit(MAX_STEPS).delegate_size_limit(MAX_PATTERN).build().ok()
        };
        let patterns = build("").zip(build("\\z")).map(<[Regex; 2]>::from);
        let is_valid = patterns.is_some() || Regex::new(pattern).is_ok();
        let compiled = Arc::new(Self { is_valid, patterns });
        RECENT.with_borrow_mut(|recent| recent.insert(pattern, weight(pattern), Arc::clone(&compiled)));
        compiled
    }
}

/// Returns the weight of a pattern, which is compiled twice.
fn weight(pattern: &str) -> u64 {
    weight_with_backtracking(pattern, MAX_PATTERN).saturating_mul(2)
}

/// Returns whether a pattern is not run, because earlier patterns in the program exhaust the limit.
fn is_excess(context: &Context<'_>, pattern: Node<'_>) -> bool {
    ExcessPatterns::in_units(context.program, &["pattern"], weight).is_some_and(|excess| excess.has(pattern))
}

/// A constraint, prepared for several values.
struct Limit<'a> {
    name: &'a str,
    argument: Node<'a>,
    pattern: Option<Arc<Compiled>>,
    /// The forms of the allowed values.
    allowed: HashSet<String>,
}

impl<'a> Limit<'a> {
    fn new(name: &'a str, argument: Node<'a>) -> Self {
        let pattern = (name == "pattern").then(|| Compiled::of(argument.text()));
        let allowed = (name == "valid_values").then(|| argument.items().map(form));
        Self { name, argument, pattern, allowed: allowed.into_iter().flatten().collect() }
    }

    fn check(&self, context: &mut Context<'_>, value: Node<'_>, violated: &'static Rule) {
        let name = self.name;
        match self.holds(value) {
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
        if name == "pattern" && self.matches(value, 0) == Some(true) && self.matches(value, 1) == Some(false) {
            let message = "only the beginning of the value matches the pattern, which the manager accepts";
            report(context, &TOLERATED_VALUE, value, message, "correct the value or the pattern");
        }
    }

    /// Returns whether a value fulfills the constraint; `None` if the constraint can't be applied to it.
    fn holds(&self, value: Node<'_>) -> Option<bool> {
        match self.name {
            "pattern" => self.matches(value, 0),
            "valid_values" => Some(self.allowed.contains(&form(value))),
            name => holds(name, self.argument, value),
        }
    }

    /// Returns whether one of the patterns matches. Matches that take too long are not reported.
    fn matches(&self, value: Node<'_>, pattern: usize) -> Option<bool> {
        if value.kind() != Kind::String {
            return None;
        }
        let patterns = self.pattern.as_ref().and_then(|pattern| pattern.patterns.as_ref());
        Some(patterns.is_none_or(|patterns| patterns[pattern].is_match(value.text()).unwrap_or(true)))
    }
}

/// Checks values against constraints.
pub(super) fn check(
    context: &mut Context<'_>,
    constraints: &Children<Constraint>,
    values: &[Node<'_>],
    violated: &'static Rule,
) {
    for (key, argument) in entries(context, constraints) {
        let is_run = key.text() != "pattern" || !is_excess(context, argument);
        if is_run && call(argument).is_none() && misfit(key.text(), argument).is_none() {
            let limit = Limit::new(key.text(), argument);
            values.iter().for_each(|value| limit.check(context, *value, violated));
        }
    }
}

/// Reports constraints for objects of the manager on other types. If there is a default, it violates the constraint;
/// otherwise, the given rule applies.
pub(super) fn check_kinds(
    context: &mut Context<'_>,
    constraints: &Children<Constraint>,
    primitive: Option<&str>,
    default: Option<Node<'_>>,
    rule: &'static Rule,
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
            let rule = if default.is_some() { &VIOLATED_CONSTRAINT } else { rule };
            let message = format!("the constraint `{}` is for identifiers of objects", key.text());
            report(context, rule, default.unwrap_or(key), message, "remove the constraint, or correct the type");
        }
    }
}

/// Returns whether a value fulfills a constraint; `None` if the constraint can't be applied to it.
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
        "length" => (length()? - number(argument)?).abs() < f64::EPSILON,
        "min_length" => length()? >= number(argument)?,
        "max_length" => length()? <= number(argument)?,
        _ => true,
    })
}

/// Returns a string that is the same for values that the manager considers equal. Very large values may share their
/// string.
fn form(value: Node<'_>) -> String {
    let mut text = String::new();
    write_form(value, &mut text);
    text
}

fn write_form(value: Node<'_>, text: &mut String) {
    // Writing to a string doesn't fail.
    let _ = match value.kind() {
        _ if text.len() > MAX_FORM => return,
        Kind::Null => write!(text, "null"),
        // Zero has two signs.
        Kind::Integer | Kind::Float => write!(text, "number {:?}", value.as_float().map(|number| number + 0.0)),
        Kind::Boolean => write!(text, "{:?}", value.as_bool()),
        Kind::String => write!(text, "{:?}", value.text()),
        Kind::List => {
            value.items().take(MAX_PARTS).for_each(|item| write_form(item, text));
            write!(text, " list of {} ", value.len())
        }
        Kind::Map => {
            let mut entries: Vec<_> = value.entries().take(MAX_PARTS + 1).collect();
            if entries.len() <= MAX_PARTS {
                entries.sort_unstable_by_key(|entry| entry.key.text());
                for entry in entries {
                    write_form(entry.key, text);
                    write_form(entry.value, text);
                }
            }
            write!(text, " map of {} ", value.len())
        }
    };
}
