//! Constraint clauses: how versions before 2.0 say what must be true of a value.
//!
//! A clause is a map with one operator and its operand, `greater_than: 5`; a bare value means `equal`. Definitions hold
//! lists of clauses that must all be true.

use super::super::super::version::{V1_0, V1_2, V1_3};
use super::super::call::version;
use super::super::evaluation::Evaluator;
use super::super::schema::Schema;
use super::super::typed::datum::Datum;
use super::super::typed::kind::DataKind;
use super::super::typed::pattern;
use crate::ard::{Kind, Node};
use crate::diagnostic::Span;
use crate::diagnostic::suggest::or_list;
use crate::entity::LanguageVersion;
use crate::phase::Context;

/// An operator of constraint clauses.
#[derive(Debug)]
pub(crate) struct Operator {
    pub(crate) name: &'static str,
    pub(crate) operand: Operand,
    pub(crate) since: LanguageVersion,
}

/// What an operator is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
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

pub(crate) const OPERATORS: &[Operator] = &[
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
    pub(crate) fn accepts(self, kind: DataKind, version: LanguageVersion) -> bool {
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
pub(crate) struct Clause<'a> {
    pub(crate) operator: &'static Operator,
    pub(crate) operand: Node<'a>,
    /// The whole clause.
    pub(crate) node: Node<'a>,
}

/// Why something is not a constraint clause.
#[derive(Clone, Copy)]
pub(crate) enum NoClause<'a> {
    /// It is not a map with one entry.
    NotOneEntry(Node<'a>),
    /// There is no such operator in the version.
    UnknownOperator(Node<'a>),
}

/// The clauses of a list, or the one clause that is not in a list.
pub(crate) fn clauses<'a>(
    context: &Context<'a>,
    node: Node<'a>,
) -> impl Iterator<Item = Result<Clause<'a>, NoClause<'a>>> {
    let (one, items) = if node.kind() == Kind::List { (None, Some(node.items())) } else { (Some(node), None) };
    one.into_iter().chain(items.into_iter().flatten()).map(|item| clause(context, item))
}

/// What examples of the text call `equal` (1.3, 7.3.5; decision B 28).
pub(crate) const SLIP: &str = "equals";

/// Takes a clause apart.
pub(crate) fn clause<'a>(context: &Context<'a>, node: Node<'a>) -> Result<Clause<'a>, NoClause<'a>> {
    let mut entries = node.entries();
    let (Some(entry), None) = (entries.next(), entries.next()) else { return Err(NoClause::NotOneEntry(node)) };
    let name = if entry.key.text() == SLIP { "equal" } else { entry.key.text() };
    let operator = operators(version(context, node)).find(|operator| operator.name == name);
    let operator = operator.ok_or(NoClause::UnknownOperator(entry.key))?;
    Ok(Clause { operator, operand: entry.value, node })
}

/// The operators that there are in a version.
pub(crate) fn operators(version: LanguageVersion) -> impl Iterator<Item = &'static Operator> + Clone {
    OPERATORS.iter().filter(move |operator| operator.since <= version)
}

/// The clauses that are clauses. What is wrong with others has been reported where they stand.
fn sound<'a>(context: &Context<'a>, node: Node<'a>) -> Vec<Clause<'a>> {
    clauses(context, node).filter_map(Result::ok).collect()
}

/// Whether something says that a range has no upper bound.
pub(crate) fn is_unbounded(node: Node<'_>) -> bool {
    node.kind() == Kind::String && node.text() == "UNBOUNDED"
}

/// The clauses that a value does not fulfil: where they stand, and what the value must be to do so.
pub(crate) fn unfulfilled<'a>(
    evaluator: &mut Evaluator<'_, 'a>,
    node: Node<'a>,
    datum: &Datum,
    schema: &Schema<'a>,
) -> Vec<(Span, Option<String>)> {
    let unmet = sound(evaluator.context, node)
        .into_iter()
        .filter(|clause| is_fulfilled(evaluator, clause, datum, schema) == Some(false));
    unmet.map(|clause| (clause.node.span(), remedy(clause.operator.name, clause.operand))).collect()
}

/// The first clause that a value does not fulfil: its operator and operand. Nothing where it can't be known whether it
/// fulfils all.
pub(crate) fn first_unmet<'a>(
    evaluator: &mut Evaluator<'_, 'a>,
    node: Node<'a>,
    datum: &Datum,
    schema: &Schema<'a>,
) -> Result<(), Option<(&'static str, Node<'a>)>> {
    let mut known = true;
    for clause in sound(evaluator.context, node) {
        match is_fulfilled(evaluator, &clause, datum, schema) {
            Some(true) => {}
            Some(false) => return Err(Some((clause.operator.name, clause.operand))),
            None => known = false,
        }
    }
    if known { Ok(()) } else { Err(None) }
}

/// Whether a value fulfils a clause; nothing if that can't be known.
fn is_fulfilled<'a>(
    evaluator: &mut Evaluator<'_, 'a>,
    clause: &Clause<'a>,
    datum: &Datum,
    schema: &Schema<'a>,
) -> Option<bool> {
    let value = Schema { validation: None, ..*schema };
    let Clause { operator, operand, .. } = *clause;
    match operator.name {
        "equal" => datum.equals(&evaluator.understand(operand, &value)),
        "greater_than" => Some(datum.compare(&evaluator.understand(operand, &value))?.is_gt()),
        "greater_or_equal" => Some(datum.compare(&evaluator.understand(operand, &value))?.is_ge()),
        "less_than" => Some(datum.compare(&evaluator.understand(operand, &value))?.is_lt()),
        "less_or_equal" => Some(datum.compare(&evaluator.understand(operand, &value))?.is_le()),
        "in_range" => in_range(evaluator, operand, datum, &value),
        "valid_values" => {
            let mut known = true;
            for item in operand.items() {
                match datum.equals(&evaluator.understand(item, &value)) {
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

fn in_range<'a>(
    evaluator: &mut Evaluator<'_, 'a>,
    operand: Node<'a>,
    datum: &Datum,
    value: &Schema<'a>,
) -> Option<bool> {
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
    let above = datum.compare(&evaluator.understand(lower, value))?.is_ge();
    let below = is_unbounded(upper) || datum.compare(&evaluator.understand(upper, value))?.is_le();
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
pub(crate) fn remedy(operator: &str, operand: Node<'_>) -> Option<String> {
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
            format!("it must be {}", or_list(&values))
        }
        "length" => format!("it must have a length of {text}"),
        "min_length" => format!("it must have a length of {text} or more"),
        "max_length" => format!("it must have a length of {text} or less"),
        "pattern" => format!("it must match `{text}`"),
        _ => return None,
    })
}
