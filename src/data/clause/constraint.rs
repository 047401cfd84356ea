//! Constraint clauses: the conditions on values before 2.0.
//!
//! [`OPERATORS`] lists the equivalent conditions of 2.0. The validator evaluates these conditions, the model contains
//! them as validation, and `migrate` writes them.
//!
//! A clause is a map with one operator and its operand, `greater_than: 5`; a bare value means `equal`. Definitions
//! have lists of clauses that must all hold.

use std::borrow::Cow;

use crate::ard::{Kind, Node};
use crate::data::call::literal::integer;
use crate::data::call::version;
use crate::data::evaluation::{self, Evaluator};
use crate::data::schema::Schema;
use crate::data::typed::apply::apply;
use crate::data::typed::datum::Datum;
use crate::data::typed::kind::DataKind;
use crate::data::typed::pattern;
use crate::diagnostic::Span;
use crate::diagnostic::suggest::or_list;
use crate::entity::LanguageVersion;
use crate::grammar::version::{V1_0, V1_2, V1_3};
use crate::phase::Context;

/// An operator of constraint clauses, with its equivalent conditions in 2.0.
#[derive(Debug)]
pub(crate) struct Operator {
    pub(crate) name: &'static str,
    pub(crate) operand: Operand,
    /// The functions of 2.0 that compare the value with the operand or with each bound. Empty if 2.0 has none.
    pub(crate) functions: &'static [&'static str],
    /// The requirement for the value, as text. `{}` is a placeholder for the operand.
    demand: &'static str,
    pub(crate) since: LanguageVersion,
}

/// The operand of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// A value of the constrained type.
    Value,
    /// A value of the constrained type, which must have an order.
    Ordered,
    /// A lower and an upper bound.
    Bounds,
    /// A list of values of the constrained type.
    Values,
    /// An integer that is compared with the length of the value.
    Length,
    /// A regular expression that matches the whole value.
    Pattern,
    /// A schema in a different language.
    Schema,
}

pub(crate) const OPERATORS: &[Operator] = &[
    operator("equal", Operand::Value, &["equal"], "be {}"),
    operator("greater_than", Operand::Ordered, &["greater_than"], "be greater than {}"),
    operator("greater_or_equal", Operand::Ordered, &["greater_or_equal"], "be {} or greater"),
    operator("less_than", Operand::Ordered, &["less_than"], "be less than {}"),
    operator("less_or_equal", Operand::Ordered, &["less_or_equal"], "be {} or less"),
    operator("in_range", Operand::Bounds, &["greater_or_equal", "less_or_equal"], "be between {}"),
    operator("valid_values", Operand::Values, &["valid_values"], "be {}"),
    operator("length", Operand::Length, &["equal"], "have a length of {}"),
    operator("min_length", Operand::Length, &["greater_or_equal"], "have a length of {} or more"),
    operator("max_length", Operand::Length, &["less_or_equal"], "have a length of {} or less"),
    operator("pattern", Operand::Pattern, &["matches"], "match `{}`"),
    Operator { since: V1_2, ..operator("schema", Operand::Schema, &[], "conform to {}") },
];

const fn operator(
    name: &'static str,
    operand: Operand,
    functions: &'static [&'static str],
    demand: &'static str,
) -> Operator {
    Operator { name, operand, functions, demand, since: V1_0 }
}

/// Returns whether the operand of a constraint clause or condition is a list of valid values.
pub(crate) fn lists_values(name: &str) -> bool {
    OPERATORS.iter().any(|operator| operator.operand == Operand::Values && operator.name == name)
}

impl Operand {
    /// Returns whether the operand suits values of the given kind.
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

/// A parsed constraint clause.
#[derive(Clone, Copy)]
pub(crate) struct Clause<'a> {
    pub(crate) operator: &'static Operator,
    /// The key with the operator.
    pub(crate) key: Node<'a>,
    pub(crate) operand: Node<'a>,
    /// The whole clause.
    pub(crate) node: Node<'a>,
}

/// A condition of 2.0: a call to a function with a subject and an argument to compare it with.
pub(crate) struct Condition<'a> {
    pub(crate) function: &'static str,
    pub(crate) subject: Subject,
    pub(crate) argument: Argument<'a>,
}

/// The first argument of a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The value.
    Value,
    /// The length of the value.
    Length,
    /// A bound of the value, which is a range: 0 for the lower bound, 1 for the upper bound.
    Bound(usize),
}

/// The second argument of a condition.
pub(crate) enum Argument<'a> {
    /// The operand, or a bound in it.
    Node(Node<'a>),
    /// A regular expression for `matches`, which also accepts strings that only contain a match.
    Pattern(Cow<'a, str>),
}

impl<'a> Clause<'a> {
    /// Returns whether functions of 2.0 can express the clause.
    pub(crate) fn has_conditions(&self) -> bool {
        !self.operator.functions.is_empty()
    }

    /// Returns the conditions of 2.0 that are equivalent to the clause if combined. If the value is a range, its bounds
    /// are compared instead.
    pub(crate) fn conditions(&self, is_range: bool) -> impl Iterator<Item = Condition<'a>> + use<'a> {
        let Operator { operand, functions, .. } = *self.operator;
        let (one, bounds) = match operand {
            Operand::Bounds => (None, Some(self.operand.items())),
            _ => (Some(self.operand), None),
        };
        let arguments = one.into_iter().chain(bounds.into_iter().flatten());
        let sides = functions.iter().zip(arguments).enumerate();
        let is_bounded =
            move |(_, (_, node)): &(usize, (_, Node<'a>))| operand != Operand::Bounds || !is_unbounded(*node);
        sides.filter(is_bounded).map(move |(index, (function, node))| Condition {
            function,
            subject: match operand {
                Operand::Length => Subject::Length,
                Operand::Bounds if is_range => Subject::Bound(index),
                _ => Subject::Value,
            },
            argument: match operand {
                Operand::Pattern => Argument::Pattern(pattern::whole(node.text())),
                _ => Argument::Node(node),
            },
        })
    }

    /// Returns the requirement that the clause imposes on a value with the given schema, as text.
    pub(crate) fn remedy(&self, evaluator: &mut Evaluator<'_, 'a>, schema: &Schema<'a>) -> String {
        let Operator { operand, demand, .. } = self.operator;
        let mut text = |node: Node<'a>| match node.kind() {
            Kind::Map | Kind::List => evaluator.understand(node, &unrestricted(schema)).to_string(),
            _ => node.text().to_owned(),
        };
        let items: Vec<String> = match operand {
            Operand::Bounds | Operand::Values => self.operand.items().map(&mut text).collect(),
            _ => Vec::new(),
        };
        let items: Vec<&str> = items.iter().map(String::as_str).collect();
        let (demand, operand) = match (operand, &items[..]) {
            (Operand::Bounds, [lower, "UNBOUNDED"]) => ("be {} or greater", (*lower).to_owned()),
            (Operand::Bounds, bounds) => (*demand, bounds.join(" and ")),
            (Operand::Values, values) => (*demand, or_list(values)),
            _ => (*demand, text(self.operand)),
        };
        format!("it must {}", demand.replace("{}", &operand))
    }
}

/// The reason why a node is not a constraint clause.
#[derive(Clone, Copy)]
pub(crate) enum ClauseError<'a> {
    /// Not a map with one entry.
    NotOneEntry(Node<'a>),
    /// An operator that is unknown in this version.
    UnknownOperator(Node<'a>),
}

/// Returns the clauses in a list, or the single clause in place of a list.
pub(crate) fn clauses<'a>(
    context: &Context<'a>,
    node: Node<'a>,
) -> impl Iterator<Item = Result<Clause<'a>, ClauseError<'a>>> {
    let (one, items) = if node.kind() == Kind::List { (None, Some(node.items())) } else { (Some(node), None) };
    one.into_iter().chain(items.into_iter().flatten()).map(|item| clause(context, item))
}

/// The name of `equal` in some examples in the standard (1.3, 7.3.5; decision B 28).
pub(crate) const SLIP: &str = "equals";

/// Parses a clause.
pub(crate) fn clause<'a>(context: &Context<'a>, node: Node<'a>) -> Result<Clause<'a>, ClauseError<'a>> {
    let mut entries = node.entries();
    let (Some(entry), None) = (entries.next(), entries.next()) else { return Err(ClauseError::NotOneEntry(node)) };
    let name = if entry.key.text() == SLIP { "equal" } else { entry.key.text() };
    let operator = operators(version(context, node)).find(|operator| operator.name == name);
    let operator = operator.ok_or(ClauseError::UnknownOperator(entry.key))?;
    Ok(Clause { operator, key: entry.key, operand: entry.value, node })
}

/// Returns the operators that exist in the given version.
pub(crate) fn operators(version: LanguageVersion) -> impl Iterator<Item = &'static Operator> + Clone {
    OPERATORS.iter().filter(move |operator| operator.since <= version)
}

/// Returns the valid clauses. Invalid ones have been reported at their definition.
fn sound<'a>(context: &Context<'a>, node: Node<'a>) -> Vec<Clause<'a>> {
    clauses(context, node).filter_map(Result::ok).collect()
}

/// Returns whether a node means that a range has no upper bound.
pub(crate) fn is_unbounded(node: Node<'_>) -> bool {
    node.kind() == Kind::String && node.text() == "UNBOUNDED"
}

/// Returns the [weight](crate::data::evaluation::weight) of clauses.
pub(crate) fn weight<'a>(evaluator: &mut Evaluator<'_, 'a>, node: Node<'a>, schema: &Schema<'a>) -> usize {
    let value = unrestricted(schema);
    let clauses = sound(evaluator.context, node).into_iter();
    let weight = |clause: Clause<'a>| match clause.operator.operand {
        Operand::Values => evaluator.weight_of_list(clause.operand, &value),
        _ => evaluation::weight(clause.operand),
    };
    clauses.map(weight).sum()
}

/// Returns the clauses that a value does not fulfill: the node of each clause, and its requirement for the value if
/// `is_explained`.
pub(crate) fn unfulfilled<'a>(
    evaluator: &mut Evaluator<'_, 'a>,
    node: Node<'a>,
    datum: &Datum,
    schema: &Schema<'a>,
    is_explained: bool,
) -> Vec<(Span, Option<String>)> {
    let mut unmet = Vec::new();
    for clause in sound(evaluator.context, node) {
        if is_fulfilled(evaluator, &clause, datum, schema) == Some(false) {
            unmet.push((clause.node.span(), is_explained.then(|| clause.remedy(evaluator, schema))));
        }
    }
    unmet
}

/// Checks a value against clauses. The error is the first clause that the value does not fulfill; `None` if it is
/// unknown whether the value fulfills all clauses.
pub(crate) fn first_unmet<'a>(
    evaluator: &mut Evaluator<'_, 'a>,
    node: Node<'a>,
    datum: &Datum,
    schema: &Schema<'a>,
) -> Result<(), Option<Clause<'a>>> {
    let mut known = true;
    for clause in sound(evaluator.context, node) {
        match is_fulfilled(evaluator, &clause, datum, schema) {
            Some(true) => {}
            Some(false) => return Err(Some(clause)),
            None => known = false,
        }
    }
    if known { Ok(()) } else { Err(None) }
}

/// Returns the schema of the values that a value with the given schema is compared with.
fn unrestricted<'a>(schema: &Schema<'a>) -> Schema<'a> {
    Schema { validation: None, ..*schema }
}

/// Returns whether a value fulfills a clause; `None` if that is unknown.
fn is_fulfilled<'a>(
    evaluator: &mut Evaluator<'_, 'a>,
    clause: &Clause<'a>,
    datum: &Datum,
    schema: &Schema<'a>,
) -> Option<bool> {
    let value = unrestricted(schema);
    let is_range = matches!(datum, Datum::Range { .. });
    let mut known = clause.has_conditions();
    for Condition { function, subject, argument } in clause.conditions(is_range) {
        if let (Argument::Node(node), Operand::Values) = (&argument, clause.operator.operand)
            && let Some(table) = evaluator.table(*node, &value)
        {
            match table.contains(datum) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => known = false,
            }
            continue;
        }
        let argument = match (argument, subject) {
            (Argument::Pattern(_), _) if pattern::is_excess(evaluator.context.program, clause.operand) => {
                Datum::Unknown
            }
            (Argument::Pattern(pattern), _) => Datum::String(pattern.into_owned()),
            (Argument::Node(node), Subject::Length | Subject::Bound(_)) => {
                integer(node).map_or(Datum::Unknown, Datum::Integer)
            }
            (Argument::Node(node), Subject::Value) if clause.operator.operand == Operand::Values => {
                Datum::List(node.items().map(|item| evaluator.understand(item, &value)).collect())
            }
            (Argument::Node(node), Subject::Value) => evaluator.understand(node, &value),
        };
        match apply(function, &[subject.of(datum), argument]) {
            Datum::Boolean(true) => {}
            Datum::Boolean(false) => return Some(false),
            _ => known = false,
        }
    }
    known.then_some(true)
}

impl Subject {
    fn of(self, value: &Datum) -> Datum {
        match (self, value) {
            (Self::Value, value) => value.clone(),
            (Self::Length, value) => apply("length", std::slice::from_ref(value)),
            (Self::Bound(0), Datum::Range { lower, .. }) => Datum::Integer(*lower),
            // A range without an upper bound is not within any range that has one.
            (Self::Bound(_), Datum::Range { upper, .. }) => upper.map_or(Datum::Float(f64::INFINITY), Datum::Integer),
            (Self::Bound(_), _) => Datum::Unknown,
        }
    }
}
