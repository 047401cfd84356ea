//! Constraint clauses: how versions before 2.0 say what must be true of a value.
//!
//! A clause is a map with one operator and its operand, `greater_than: 5`; a bare value means `equal`. Definitions hold
//! lists of clauses that must all be true.

use super::judge::Judge;
use super::{DataKind, Datum, Schema, pattern};
use crate::ard::{Kind, Node};
use crate::diagnostic::Span;
use crate::diagnostic::suggest::nearest;
use crate::entity::LanguageVersion;
use crate::grammar::tosca::version::{V1_0, V1_2, V1_3};
use crate::phase::Explain;
use crate::rules;

/// An operator of constraint clauses.
#[derive(Debug)]
struct Operator {
    name: &'static str,
    operand: Operand,
    since: LanguageVersion,
}

/// What an operator is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operand {
    /// A value of the type that is constrained.
    Value,
    /// A value of the type that is constrained, which must be in an order.
    Ordered,
    /// A lower and an upper bound.
    Bounds,
    /// A list of values of the type that is constrained.
    Values,
    /// How long something is.
    Length,
    /// A regular expression.
    Pattern,
    /// A schema in another language.
    Schema,
}

const OPERATORS: &[Operator] = &[
    Operator { name: "equal", operand: Operand::Value, since: V1_0 },
    Operator { name: "greater_than", operand: Operand::Ordered, since: V1_0 },
    Operator { name: "greater_or_equal", operand: Operand::Ordered, since: V1_0 },
    Operator { name: "less_than", operand: Operand::Ordered, since: V1_0 },
    Operator { name: "less_or_equal", operand: Operand::Ordered, since: V1_0 },
    Operator { name: "in_range", operand: Operand::Bounds, since: V1_0 },
    Operator { name: "valid_values", operand: Operand::Values, since: V1_0 },
    Operator { name: "length", operand: Operand::Length, since: V1_0 },
    Operator { name: "min_length", operand: Operand::Length, since: V1_0 },
    Operator { name: "max_length", operand: Operand::Length, since: V1_0 },
    Operator { name: "pattern", operand: Operand::Pattern, since: V1_0 },
    Operator { name: "schema", operand: Operand::Schema, since: V1_2 },
];

impl Operand {
    /// Whether it makes sense for values of a kind.
    fn accepts(self, kind: DataKind, version: LanguageVersion) -> bool {
        use DataKind::{Complex, Float, Integer, List, Map, Range, ScalarUnit, String, Timestamp, Version};
        match self {
            Self::Value | Self::Values => true,
            Self::Ordered => match kind {
                String => version >= V1_3,
                kind => matches!(kind, Integer | Float | Timestamp | Version | ScalarUnit),
            },
            Self::Bounds => matches!(kind, Integer | Float | String | Timestamp | Version | ScalarUnit | Range),
            Self::Length => matches!(kind, String | List | Map | Complex),
            Self::Pattern | Self::Schema => kind == String,
        }
    }
}

/// A constraint clause, taken apart.
#[derive(Clone, Copy)]
struct Clause<'a> {
    operator: &'static Operator,
    operand: Node<'a>,
    /// The whole clause.
    node: Node<'a>,
}

/// The clauses of a list, or the one clause that is not in a list; what is not a clause is reported.
fn clauses<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>) -> Vec<Clause<'a>> {
    let items: Vec<Node<'a>> = if node.kind() == Kind::List { node.items().collect() } else { vec![node] };
    items.into_iter().filter_map(|item| clause(judge, item)).collect()
}

fn clause<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>) -> Option<Clause<'a>> {
    let mut entries = node.entries();
    let (Some(entry), None) = (entries.next(), entries.next()) else {
        let message = if node.kind() == Kind::Map {
            format!("a constraint clause must be a map with one entry, but has {}", node.len())
        } else {
            format!("a constraint clause must be a map with one entry, not {}", crate::phase::read::with_article(node))
        };
        judge.problem(&rules::INVALID_CONSTRAINT, node, message).help("write for example `- greater_than: 5`");
        return None;
    };
    let name = entry.key.text();
    let version = judge.version(node);
    let Some(operator) = OPERATORS.iter().find(|operator| operator.name == name && operator.since <= version) else {
        let names = OPERATORS.iter().filter(|operator| operator.since <= version).map(|operator| operator.name);
        let help = match nearest(name, names.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the operators are {}", crate::diagnostic::suggest::and_list(&names.collect::<Vec<_>>())),
        };
        let message = format!("`{name}` is not an operator of constraint clauses");
        judge.problem(&rules::INVALID_CONSTRAINT, entry.key, message).help(help);
        return None;
    };
    Some(Clause { operator, operand: entry.value, node })
}

/// Checks that clauses make sense for the values that a schema describes.
pub(crate) fn check<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, schema: &Schema<'a>) {
    if node.kind() != Kind::List {
        let message = format!("constraints must be a list, not {}", crate::phase::read::with_article(node));
        judge.problem(&rules::WRONG_KIND, node, message).help("start each clause with `- `");
        return;
    }
    for clause in clauses(judge, node) {
        check_clause(judge, &clause, schema);
    }
}

/// Checks a single clause.
pub(super) fn check_one<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, schema: &Schema<'a>) {
    if let Some(clause) = clause(judge, node) {
        check_clause(judge, &clause, schema);
    }
}

fn check_clause<'a>(judge: &mut Judge<'_, 'a>, clause: &Clause<'a>, schema: &Schema<'a>) {
    // Of what type the value is may be unknown: then only what every operand of the operator must be can be checked.
    let kind = schema.data_type.map(|data_type| DataKind::of(judge.context, data_type));
    let Operator { name, operand, .. } = *clause.operator;
    if kind.is_some_and(|kind| !operand.accepts(kind, judge.version(clause.node))) {
        let message = format!("`{name}` makes no sense for a value of type `{}`", schema.type_name(judge.context));
        let help = format!("leave it out, or give `{name}` to a value that it is for");
        judge.problem(&rules::INVALID_CONSTRAINT, clause.node, message).help(help);
        return;
    }
    // An operand is a value of the type as such: what must be true of the value need not be true of it.
    let value = Schema { validation: None, ..*schema };
    let node = clause.operand;
    match operand {
        Operand::Value | Operand::Ordered => judge.check_bound(node, &value),
        Operand::Values => {
            if expect_list(judge, node, name, "a list of values") {
                node.items().for_each(|item| judge.check_bound(item, &value));
            }
        }
        Operand::Bounds => check_bounds(judge, node, kind, &value),
        Operand::Length => {
            if node.as_integer().is_none_or(|length| length < 0) {
                let message = format!("`{name}` needs a non-negative integer");
                judge.problem(&rules::INVALID_CONSTRAINT, node, message).help("write `0` or a larger whole number");
            }
        }
        Operand::Pattern => check_pattern(judge, node),
        Operand::Schema => {
            if node.kind() != Kind::String {
                judge
                    .problem(&rules::INVALID_CONSTRAINT, node, "`schema` needs a string")
                    .help("write the schema as a block of text: `schema: |`");
            }
        }
    }
}

fn expect_list(judge: &mut Judge<'_, '_>, node: Node<'_>, name: &str, what: &str) -> bool {
    let is_list = node.kind() == Kind::List;
    if !is_list {
        let message = format!("`{name}` needs {what}, not {}", crate::phase::read::with_article(node));
        judge.problem(&rules::INVALID_CONSTRAINT, node, message).help("put it in brackets: `[ … ]`");
    }
    is_list
}

fn check_bounds<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, kind: Option<DataKind>, value: &Schema<'a>) {
    if !expect_list(judge, node, "in_range", "a list of two bounds") {
        return;
    }
    if node.len() != 2 {
        let message = format!("`in_range` needs two bounds, but is given {}", node.len());
        judge.problem(&rules::INVALID_CONSTRAINT, node, message).help("write for example `[ 1, UNBOUNDED ]`");
        return;
    }
    check_order(judge, node, value);
    for (index, bound) in node.items().enumerate() {
        if index == 1 && is_unbounded(bound) {
            continue;
        }
        if kind == Some(DataKind::Range) {
            // The bounds of a range are integers.
            if bound.as_integer().is_none() {
                judge
                    .problem(&rules::INVALID_CONSTRAINT, bound, "the bounds of a range are integers")
                    .help("write a whole number");
            }
        } else {
            judge.check_bound(bound, value);
        }
    }
}

/// Between bounds the wrong way round there is no value.
fn check_order<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, value: &Schema<'a>) {
    let mut bounds = node.items();
    let (Some(lower), Some(upper)) = (bounds.next(), bounds.next()) else { return };
    let is_range = value.kind(judge.context) == Some(DataKind::Range);
    let is_reversed = if is_range {
        lower.as_integer().zip(upper.as_integer()).is_some_and(|(lower, upper)| lower > upper)
    } else {
        let (lower, upper) = (judge.understand(lower, value), judge.understand(upper, value));
        lower.compare(&upper).is_some_and(std::cmp::Ordering::is_gt)
    };
    if is_reversed {
        let message = format!("nothing lies between {} and {}", lower.text(), upper.text());
        judge.problem(&rules::INVALID_CONSTRAINT, node, message).help("write the lower bound first");
    }
}

fn check_pattern(judge: &mut Judge<'_, '_>, node: Node<'_>) {
    if node.kind() != Kind::String {
        judge
            .problem(&rules::INVALID_CONSTRAINT, node, "`pattern` needs a regular expression")
            .help("put it in quotes");
    } else if let Err(reason) = check_expression(node.text()) {
        let message = format!("`{}` is not a regular expression that can be used: {reason}", node.text());
        judge
            .problem(&rules::INVALID_CONSTRAINT, node, message)
            .help("correct it, or escape what is meant as it is by `\\`");
    }
}

fn is_unbounded(node: Node<'_>) -> bool {
    node.kind() == Kind::String && node.text() == "UNBOUNDED"
}

/// A pattern is an expression as it stands, before it is made to match the whole of a text.
fn check_expression(text: &str) -> Result<(), String> {
    let reason = |error: regex::Error| {
        let reason = error.to_string();
        reason.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
    };
    pattern::compile(text).map(|_| ()).map_err(reason)
}

/// The clauses that a value does not fulfil: where they stand, and what the value must be to do so.
pub(super) fn unfulfilled<'a>(
    judge: &mut Judge<'_, 'a>,
    node: Node<'a>,
    datum: &Datum,
    schema: &Schema<'a>,
) -> Vec<(Span, Option<String>)> {
    // What is wrong with the clauses themselves has been reported where they stand.
    judge.silently(|judge| {
        let mut clauses = clauses(judge, node);
        clauses.retain(|clause| is_fulfilled(judge, clause, datum, schema) == Some(false));
        clauses.iter().map(|clause| (clause.node.span(), remedy(clause.operator.name, clause.operand))).collect()
    })
}

/// The first clause that a value does not fulfil: its operator and operand. Nothing where it can't be known whether it
/// fulfils all.
pub(super) fn first_unmet<'a>(
    judge: &mut Judge<'_, 'a>,
    node: Node<'a>,
    datum: &Datum,
    schema: &Schema<'a>,
) -> Result<(), Option<(&'static str, Node<'a>)>> {
    let mut known = true;
    for clause in judge.silently(|judge| clauses(judge, node)) {
        match is_fulfilled(judge, &clause, datum, schema) {
            Some(true) => {}
            Some(false) => return Err(Some((clause.operator.name, clause.operand))),
            None => known = false,
        }
    }
    if known { Ok(()) } else { Err(None) }
}

/// Whether a value fulfils a clause; nothing if that can't be known.
fn is_fulfilled<'a>(
    judge: &mut Judge<'_, 'a>,
    clause: &Clause<'a>,
    datum: &Datum,
    schema: &Schema<'a>,
) -> Option<bool> {
    let value = Schema { validation: None, ..*schema };
    let Clause { operator, operand, .. } = *clause;
    match operator.name {
        "equal" => datum.equals(&judge.understand(operand, &value)),
        "greater_than" => Some(datum.compare(&judge.understand(operand, &value))?.is_gt()),
        "greater_or_equal" => Some(datum.compare(&judge.understand(operand, &value))?.is_ge()),
        "less_than" => Some(datum.compare(&judge.understand(operand, &value))?.is_lt()),
        "less_or_equal" => Some(datum.compare(&judge.understand(operand, &value))?.is_le()),
        "in_range" => in_range(judge, operand, datum, &value),
        "valid_values" => {
            let mut known = true;
            for item in operand.items() {
                match datum.equals(&judge.understand(item, &value)) {
                    Some(true) => return Some(true),
                    Some(false) => {}
                    None => known = false,
                }
            }
            known.then_some(false)
        }
        "length" | "min_length" | "max_length" => {
            let length = length(datum)?;
            let wanted = usize::try_from(operand.as_integer()?).ok()?;
            Some(match operator.name {
                "length" => length == wanted,
                "min_length" => length >= wanted,
                _ => length <= wanted,
            })
        }
        "pattern" => match datum {
            Datum::String(text) => pattern::is_match(&pattern::whole(operand.text()), text),
            _ => None,
        },
        _ => None,
    }
}

fn in_range<'a>(judge: &mut Judge<'_, 'a>, operand: Node<'a>, datum: &Datum, value: &Schema<'a>) -> Option<bool> {
    let mut bounds = operand.items();
    let (lower, upper) = (bounds.next()?, bounds.next()?);
    if let Datum::Range { lower: own_lower, upper: own_upper } = datum {
        let lower = i64::try_from(lower.as_integer()?).ok()?;
        let upper = upper.as_integer().and_then(|upper| i64::try_from(upper).ok());
        let below = match (own_upper, upper) {
            (_, None) => true,
            (Some(own), Some(upper)) => *own <= upper,
            (None, Some(_)) => false,
        };
        return Some(*own_lower >= lower && below);
    }
    let above = datum.compare(&judge.understand(lower, value))?.is_ge();
    let below = is_unbounded(upper) || datum.compare(&judge.understand(upper, value))?.is_le();
    Some(above && below)
}

fn length(datum: &Datum) -> Option<usize> {
    Some(match datum {
        Datum::String(text) => text.chars().count(),
        Datum::List(items) => items.len(),
        Datum::Map(entries) => entries.len(),
        _ => return None,
    })
}

/// What a value must be to fulfil a clause, in words.
pub(super) fn remedy(operator: &str, operand: Node<'_>) -> Option<String> {
    let list = |node: Node<'_>| node.items().map(|item| item.text().to_owned()).collect::<Vec<_>>();
    let text = operand.text();
    Some(match operator {
        "equal" => format!("it must be {text}"),
        "greater_than" => format!("it must be greater than {text}"),
        "greater_or_equal" => format!("it must be {text} or greater"),
        "less_than" => format!("it must be less than {text}"),
        "less_or_equal" => format!("it must be {text} or less"),
        "in_range" => match &list(operand)[..] {
            [lower, upper] if upper == "UNBOUNDED" => format!("it must be {lower} or greater"),
            [lower, upper] => format!("it must lie between {lower} and {upper}"),
            _ => return None,
        },
        "valid_values" => {
            let values = list(operand);
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            format!("it must be {}", crate::diagnostic::suggest::or_list(&values))
        }
        "length" => format!("it must have a length of {text}"),
        "min_length" => format!("it must have a length of {text} or more"),
        "max_length" => format!("it must have a length of {text} or less"),
        "pattern" => format!("it must match `{text}`"),
        _ => return None,
    })
}
