//! The state of an evaluation: the computed values, and the remaining limits.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};
use serde::Serialize;

use super::super::{DataType, Property, Schema, Service, Source, Value};
use super::owner::PropertyId;
use super::targets::LazyTargets;
use crate::budget::{Budget, Limits};
use crate::data::{Datum, effort_of_compiling};

/// A value that can't be computed or is not valid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct EvaluationProblem {
    /// The kind of problem.
    pub kind: ProblemKind,
    /// The position of the value in the model, as a JSON pointer (RFC 6901).
    pub at: String,
    /// The position in the source. Missing for a model without positions, and for inputs and attributes that don't exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The description of the problem.
    pub message: String,
    /// A suggestion for a fix.
    pub help: String,
}

/// The kind of a problem of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ProblemKind {
    /// The value can't be computed.
    NotComputable,
    /// The value does not fulfill a validation clause.
    ValidationFailed,
}

/// The bytes of results that each node and output adds to the allowance.
const BYTES_PER_TEMPLATE: u64 = 2 << 10;

/// The limits on the size of arguments, results and changed properties, in bytes. Without them, values that each
/// concatenate two others would grow exponentially.
pub(super) struct Allowance {
    pub(super) budget: Budget,
    /// The maximum for one value.
    pub(super) per_value: usize,
}

impl Allowance {
    /// Returns the allowance for a service. Results need more memory and time than other values, so they may have only
    /// three eighths of the bytes that the limits allow for a model, and one eighth for a value.
    pub(super) fn of(service: &Service, limits: Limits) -> Self {
        let templates = (service.nodes.len() + service.outputs.len()) as u64;
        Self::with(limits.bytes / 8 * 3 + BYTES_PER_TEMPLATE * templates, limits)
    }

    /// Returns an allowance of a number of bytes.
    pub(super) fn with(bytes: u64, limits: Limits) -> Self {
        let per_value = usize::try_from(limits.bytes / 8).unwrap_or(usize::MAX);
        Self { budget: Budget::new(Limits { bytes, ..limits }), per_value }
    }
}

/// The evaluator of the values of a model.
pub(super) struct Evaluator<'s> {
    pub(super) service: &'s Service,
    /// Whether the template is written in a version before 2.0.
    pub(super) is_simple: bool,
    pub(super) data_types: HashMap<(&'s str, Option<&'s str>), &'s DataType>,
    pub(super) known: HashMap<PropertyId, Progress>,
    pub(super) incoming: LazyTargets,
    /// The attributes with given values.
    pub(super) attributes: HashSet<PropertyId>,
    pub(super) budget: &'s Budget,
    /// The maximum effort for one value.
    pub(super) per_value: usize,
    /// The regular expressions whose compilation is paid for.
    pub(super) patterns: HashSet<String>,
    /// Whether an effort has exceeded the limit for the model. Smaller ones may still be within it, but preparing them
    /// takes time.
    pub(super) is_spent: bool,
    /// The remaining effort for the current value.
    pub(super) effort: usize,
    /// The nesting depth of values whose dependencies were only discovered while another value was computed.
    pub(super) depth: u8,
    /// The position of the current value.
    pub(super) at: (String, Option<Source>),
    /// The value whose validation clauses are being computed, and its schema.
    pub(super) under_validation: Option<(Arc<Value>, Arc<Schema>)>,
    pub(super) problems: Vec<EvaluationProblem>,
}

/// The progress of a value.
pub(super) enum Progress {
    /// The computation has begun but not finished, possibly because the value depends on itself.
    Begun,
    /// The value is the same as in the model.
    Unchanged,
    /// The computed value.
    Computed(Arc<Value>),
}

/// A value that another one reads.
pub(super) enum KnownValue<'s> {
    /// The value in the model.
    Unchanged(&'s Value),
    /// The computed value.
    Computed(Arc<Value>),
}

impl Deref for KnownValue<'_> {
    type Target = Value;

    fn deref(&self) -> &Value {
        match self {
            Self::Unchanged(value) => value,
            Self::Computed(value) => value,
        }
    }
}

/// The size of a changed property, which nodes of its type no longer share, in bytes.
pub(super) const CHANGED_PROPERTY: usize = size_of::<Property>();

/// The maximum number of values that a path with `ALL` leads to.
pub(super) const MAX_ITEMS: usize = 4096;

/// The maximum nesting of values through computed paths. Literal paths are followed in advance, however long they are.
pub(super) const DEPTH: u8 = 16;

/// A value, computed as far as possible, and its schema, if known.
pub(super) struct Found<'v> {
    /// The value. Literals are borrowed from the call, because they can be large.
    pub(super) value: Cow<'v, Value>,
    pub(super) schema: Option<Arc<Schema>>,
}

impl Found<'static> {
    pub(super) fn new(value: Value, schema: Option<Arc<Schema>>) -> Self {
        Self { value: Cow::Owned(value), schema }
    }
}

impl<'s> Evaluator<'s> {
    pub(super) fn new(service: &'s Service, allowance: &'s Allowance) -> Self {
        let data_types = service.data_types.iter().filter_map(|data_type| {
            let name = data_type.types.first()?;
            Some(((&*name.name, name.origin.as_deref()), data_type))
        });
        Self {
            service,
            is_simple: !service.language.contains("2.0"),
            data_types: data_types.collect(),
            known: HashMap::default(),
            incoming: LazyTargets::default(),
            attributes: HashSet::default(),
            budget: &allowance.budget,
            per_value: allowance.per_value,
            patterns: HashSet::default(),
            is_spent: false,
            effort: allowance.per_value,
            depth: 0,
            at: (String::new(), None),
            under_validation: None,
            problems: Vec::new(),
        }
    }

    /// Returns whether no effort is left for the model, and reports this for the current value.
    pub(super) fn is_spent(&mut self) -> bool {
        self.is_spent && !self.spend(0)
    }

    /// Spends effort and returns whether enough was left.
    pub(super) fn spend(&mut self, effort: usize) -> bool {
        self.is_spent |= self.budget.bytes(effort as u64).is_err();
        if !self.is_spent && effort <= self.effort {
            self.effort -= effort;
            return true;
        }
        let is_reported =
            |problem: &EvaluationProblem| problem.kind == ProblemKind::NotComputable && problem.at == self.at.0;
        if self.effort > 0 && !self.problems.last().is_some_and(is_reported) {
            let message = "the value takes too long to compute".to_owned();
            self.fail(message, "build the value from fewer parts, or raise the limit: `--limit eval-bytes=…`");
        }
        self.effort = 0;
        false
    }

    /// Spends the effort of compiling a regular expression, unless it was used before, and returns whether enough was
    /// left.
    pub(super) fn spend_compiling(&mut self, pattern: &Datum) -> bool {
        let Datum::String(text) = pattern else { return true };
        if !self.patterns.insert(text.clone()) || self.budget.bytes(effort_of_compiling(pattern)).is_ok() {
            return true;
        }
        self.patterns.remove(text);
        self.effort = 0;
        let message = "the regular expressions take too long to compile".to_owned();
        self.fail(message, "use fewer or smaller expressions, or raise the limit: `--limit eval-bytes=…`");
        false
    }

    pub(super) fn fail(&mut self, message: String, help: impl Into<String>) {
        self.report(ProblemKind::NotComputable, message, help);
    }

    pub(super) fn report(&mut self, kind: ProblemKind, message: String, help: impl Into<String>) {
        let (at, source) = self.at.clone();
        self.problems.push(EvaluationProblem { kind, at, source, message, help: help.into() });
    }
}
