//! Evaluation of expressions, as far as their values can be known.
//!
//! An [`Evaluator`] is an environment: a program, the place of an expression, and optional context. It neither changes
//! nor reports anything. The result is a value, parts of which may be unknown; [failures](Failure) are collected for
//! callers that report them.
//!
//! The time of an evaluation is bounded by the lengths of the expression and its arguments. This includes regular
//! expressions: the crate `regex` takes time that is linear in the length of the text and rejects expressions that
//! would need much memory. It does not support the constructs for which other engines take exponential time
//! (backreferences, lookaround).

pub(super) mod amount;
mod assigned;
mod calls;
mod failure;
mod listed;

pub(crate) use failure::{Failure, Reason};
pub(crate) use listed::{LIGHT, weight};

use foldhash::HashSet;

use super::call::literal;
use super::call::literal::{integer, key, plain};
use super::call::{Call, Shape, shape, unescape, version};
use super::path::StepEvaluator;
use super::path::place::{PathContext, ValueContext};
use super::schema::{Schema, Typed};
use super::typed::datum::Datum;
use super::typed::kind::DataKind;
use super::typed::text::{boolean_1_1, decode_base64, timestamp};
use super::typed::{scalar, scalar_unit};
use crate::ard::{Kind, Node};
use crate::entity::{Id, Quirk};
use crate::grammar::definition::PropertyDefinition;
use crate::grammar::version::V2_0;
use crate::phase::Context;
use crate::value::Version;
use assigned::Assigned;

/// The environment for expressions at one place.
pub(crate) struct Evaluator<'e, 'a> {
    pub(crate) context: &'e Context<'a>,
    place: ValueContext<'a>,
    /// The value under validation, with its schema.
    value: Option<(&'e Datum, &'e Schema<'a>)>,
    /// The definitions whose defaults are currently added.
    filling: Vec<Id<PropertyDefinition>>,
    /// The remaining number of members to add from defaults. Without this limit, types whose defaults contain values of
    /// each other would turn a short source into an endless value.
    to_fill: usize,
    /// The number of properties that led to the current value; `None` unless the values of properties are computed, as
    /// in comparisons of nodes with filters.
    depth: Option<u8>,
    /// Whether inputs without a given value get their default.
    has_defaults: bool,
    /// The remaining effort. Without this limit, values that each concatenate two others would grow exponentially.
    effort: usize,
    failures: Vec<Failure<'a>>,
}

/// The maximum number of members that defaults add to a value.
const MAX_FILLED: usize = 1000;

/// The maximum length of a chain of properties; a longer chain is considered a loop.
const DEPTH: u8 = 32;

/// The functions before 2.0 that can be computed; the results of the others depend on the deployment.
const COMPUTED_1_X: [&str; 5] = ["get_input", "get_property", "concat", "join", "token"];

/// The maximum effort for one value: expressions, and bytes of their results.
const MAX_EFFORT: usize = 1 << 22;

impl<'e, 'a> Evaluator<'e, 'a> {
    /// Creates an evaluator for expressions at a place, which does not compute the values of properties.
    pub(crate) fn new(context: &'e Context<'a>, place: ValueContext<'a>) -> Self {
        Self {
            context,
            place,
            value: None,
            filling: Vec::new(),
            to_fill: MAX_FILLED,
            depth: None,
            has_defaults: false,
            effort: MAX_EFFORT,
            failures: Vec::new(),
        }
    }

    /// Creates an evaluator that also computes properties; inputs without a given value get their default.
    pub(crate) fn of_values(context: &'e Context<'a>, place: ValueContext<'a>) -> Self {
        Self { depth: Some(0), has_defaults: true, ..Self::new(context, place) }
    }

    /// Creates an evaluator with limited effort that also computes properties, except those that depend on inputs
    /// without a given value.
    pub(crate) fn of_assigned(context: &'e Context<'a>, place: ValueContext<'a>, effort: usize) -> Self {
        Self { depth: Some(0), effort, ..Self::new(context, place) }
    }

    /// Returns the remaining effort.
    pub(crate) fn effort(&self) -> usize {
        self.effort
    }

    /// Sets the value under validation, for the evaluation of clauses.
    pub(crate) fn about(self, value: &'e Datum, schema: &'e Schema<'a>) -> Self {
        Self { value: Some((value, schema)), ..self }
    }

    /// Returns the failures so far.
    pub(crate) fn failures(&self) -> &[Failure<'a>] {
        &self.failures
    }

    /// Evaluates an expression. `model` is the schema for literals.
    pub(crate) fn evaluate(&mut self, node: Node<'a>, model: Option<&Schema<'a>>) -> Datum {
        let version = version(self.context, node);
        if !self.spend(node, 1) {
            return Datum::Unknown;
        }
        match (shape(self.context, node), model) {
            (Shape::Call(call), _) if version < V2_0 && !COMPUTED_1_X.contains(&call.name) => Datum::Unknown,
            (Shape::Call(call), model) => self.call(call, model),
            (Shape::Malformed(_), _) => Datum::Unknown,
            // A number that is compared with a scalar is in the canonical unit.
            (Shape::Literal, Some(schema)) if version >= V2_0 && self.is_bare_number(node, schema) => {
                plain(node, version)
            }
            (Shape::Literal, Some(schema)) => self.understand(node, &Schema { validation: None, ..*schema }),
            (Shape::Literal, None) if node.kind() == Kind::List => {
                Datum::List(node.items().map(|item| self.evaluate(item, None)).collect())
            }
            (Shape::Literal, None) if node.kind() == Kind::Map => {
                let entries =
                    node.entries().map(|entry| Some((key(entry.key, version)?, self.evaluate(entry.value, None))));
                entries.collect::<Option<_>>().map_or(Datum::Unknown, Datum::Map)
            }
            (Shape::Literal, None) => plain(node, version),
        }
    }

    fn is_bare_number(&self, node: Node<'a>, schema: &Schema<'a>) -> bool {
        matches!(node.kind(), Kind::Integer | Kind::Float) && schema.kind(self.context) == Some(DataKind::Scalar)
    }

    /// Converts a value to its type; parts that can't be computed or have a wrong type are unknown.
    pub(crate) fn understand(&mut self, node: Node<'a>, schema: &Schema<'a>) -> Datum {
        if self.filling.is_empty() {
            self.to_fill = MAX_FILLED;
        }
        // The value does not depend on the value under validation.
        let value = self.value.take();
        let datum = self.typed(node, schema);
        self.value = value;
        datum
    }

    fn typed(&mut self, node: Node<'a>, schema: &Schema<'a>) -> Datum {
        let context = self.context;
        if !matches!(shape(context, node), Shape::Literal) {
            return self.evaluate(node, Some(schema));
        }
        let version = version(context, node);
        let known = |datum: Option<Datum>| datum.unwrap_or(Datum::Unknown);
        let Some(data_type) = schema.data_type else { return plain(node, version) };
        match DataKind::of(context, data_type) {
            DataKind::String => {
                let is_string = node.kind() == Kind::String || is_written_as_string(context, node);
                known(is_string.then(|| Datum::String(unescape(node.text(), version).to_owned())))
            }
            DataKind::Integer => known(integer(node).map(Datum::Integer)),
            DataKind::Float => known(node.as_float().map(Datum::Float)),
            DataKind::Boolean => known(node.as_bool().or_else(|| boolean_1_1(node, version)).map(Datum::Boolean)),
            DataKind::Bytes => known(decode_base64(node.text()).map(Datum::Bytes)),
            DataKind::Nil => known((node.kind() == Kind::Null).then_some(Datum::Nil)),
            DataKind::Timestamp => known(timestamp(node.text(), version).map(Datum::Timestamp)),
            DataKind::Version => known(Version::parse(node.text()).map(|version| Datum::Version(Box::new(version)))),
            DataKind::Scalar => scalar::understand(context, node, data_type),
            DataKind::ScalarUnit => scalar_unit::read(context, node, data_type).unwrap_or(Datum::Unknown),
            DataKind::Range => literal::range(context, node).unwrap_or(Datum::Unknown),
            DataKind::List => {
                let entries = schema.entries(context).unwrap_or(Schema::of_type(None));
                let is_list = node.kind() == Kind::List;
                known(is_list.then(|| Datum::List(node.items().map(|item| self.typed(item, &entries)).collect())))
            }
            DataKind::Map => {
                let entries = schema.entries(context).unwrap_or(Schema::of_type(None));
                self.entries(node, |_| entries)
            }
            DataKind::Complex => {
                let given = self.entries(node, |name| schema.member(context, name).unwrap_or(Schema::of_type(None)));
                match given {
                    Datum::Map(entries) => self.filled(entries, schema),
                    given => given,
                }
            }
        }
    }

    fn entries(&mut self, node: Node<'a>, schema: impl Fn(&str) -> Schema<'a>) -> Datum {
        if node.kind() != Kind::Map {
            return Datum::Unknown;
        }
        let version = version(self.context, node);
        let entries = node.entries().map(|entry| {
            let schema = schema(entry.key.text());
            Some((key(entry.key, version)?, self.typed(entry.value, &schema)))
        });
        entries.collect::<Option<_>>().map_or(Datum::Unknown, Datum::Map)
    }

    /// Adds missing members with defaults to a value of a complex type.
    fn filled(&mut self, mut entries: Vec<(String, Datum)>, schema: &Schema<'a>) -> Datum {
        let context = self.context;
        let Some(definition) = schema.data_type.and_then(|id| context.get(id)) else { return Datum::Map(entries) };
        let given: HashSet<&str> = entries.iter().map(|(name, _)| &**name).collect();
        let mut missing = Vec::new();
        for (name, id) in definition.properties.iter() {
            let name = context.text(name);
            let Some(property) = context.get(id).filter(|_| !given.contains(name)) else { continue };
            let default = property.given_value().and_then(|default| context.node(default.0));
            let Some(default) = default else { continue };
            missing.push((name.to_owned(), self.default(id, default, &property.schema(context, id))));
        }
        entries.extend(missing);
        Datum::Map(entries)
    }

    fn default(&mut self, id: Id<PropertyDefinition>, default: Node<'a>, schema: &Schema<'a>) -> Datum {
        if self.filling.contains(&id) || self.to_fill == 0 {
            return Datum::Unknown;
        }
        self.to_fill -= 1;
        self.filling.push(id);
        let place = std::mem::replace(&mut self.place, ValueContext::of(id.any()));
        let datum = self.typed(default, schema);
        self.place = place;
        self.filling.pop();
        datum
    }

    /// Returns the value and schema of a property; `None` if there is no such property. The value is null if the
    /// property has none.
    pub(crate) fn property(&mut self, here: &PathContext, name: &str) -> Option<(Datum, Schema<'a>)> {
        let (assigned, schema) = assigned::find(self.context, here, name)?;
        let datum = match assigned {
            Assigned::At(node, place) => self.elsewhere(node, &schema, *place),
            Assigned::Nothing => Datum::Nil,
            Assigned::Unknown => Datum::Unknown,
        };
        Some((datum, schema))
    }

    /// Converts a value at a different place, reached through a property. The result is unknown if the chain of
    /// properties is too long.
    fn elsewhere(&mut self, node: Node<'a>, schema: &Schema<'a>, place: ValueContext<'a>) -> Datum {
        let Some(depth) = self.depth.filter(|depth| *depth < DEPTH) else { return Datum::Unknown };
        let before = (self.depth, self.place);
        (self.depth, self.place) = (Some(depth + 1), place);
        let datum = self.understand(node, schema);
        (self.depth, self.place) = before;
        datum
    }

    /// Spends effort and returns whether enough was left.
    fn spend(&mut self, node: Node<'a>, effort: usize) -> bool {
        match self.effort.checked_sub(effort) {
            Some(left) => self.effort = left,
            None if self.effort == 0 => return false,
            None => {
                self.effort = 0;
                self.fail(node, Reason::TooMuch);
            }
        }
        self.effort > 0
    }

    fn fail(&mut self, node: Node<'a>, reason: Reason) {
        self.failures.push(Failure { node, reason });
    }
}

/// Returns whether a number or boolean is accepted as a string.
pub(crate) fn is_written_as_string(context: &Context<'_>, node: Node<'_>) -> bool {
    let is_scalar = matches!(node.kind(), Kind::Integer | Kind::Float | Kind::Boolean);
    is_scalar && context.program.quirks.has(Quirk::NUMBERS_AS_STRINGS)
}

impl<'a> StepEvaluator<'a> for Evaluator<'_, 'a> {
    fn context(&self) -> &Context<'a> {
        self.context
    }

    fn place(&self) -> ValueContext<'a> {
        self.place
    }

    fn kind_of(&mut self, call: Call<'a>) -> Option<DataKind> {
        let datum = self.evaluate(call.node, None);
        datum.kind().or_else(|| self.kind_of_unknown(call))
    }
}
