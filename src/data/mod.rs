//! The meaning of values: types, functions, validation (2.0, chapters 9 and 10).
//!
//! A value stays raw data until its meaning is needed. Every value definition has a [`Schema`], which describes the
//! expected values. [`Judge`] compares values with schemas. For a function call, the module `expression` determines the
//! type of the result, as far as it is known without evaluating the call.

mod call;
mod capability;
pub(crate) mod checks;
mod clause;
mod evaluation;
mod filter;
mod judge;
mod path;
mod schema;
mod simple;
mod typed;
mod v2_0;
mod value_loops;

pub use call::function::{FUNCTIONS, Function, SIMPLE as SIMPLE_FUNCTIONS};
pub(crate) use call::function::{Parameter, PathTarget, find as find_function, of_version as functions};
pub use call::{Call, Shape as CallShape};
pub(crate) use call::{leads_elsewhere, size, size_with_calls, unescape};
pub(crate) use capability::{choose_capability, fitting_capabilities};
pub(crate) use clause::constraint::{
    Argument, Clause as Constraint, Condition, OPERATORS, Operand, Subject as ConditionSubject, clause as constraint,
    clauses as constraints, lists_values,
};
pub(crate) use clause::misplaced_clause;
pub(crate) use evaluation::{Evaluator, weight};
pub use judge::Judge;
pub(super) use judge::scalar_cache::{of_clause as check_of_clause, remember_clause};
pub(crate) use path::graph::{Fault, Found, Graph, Numbered, Step, is_hosting_name, pick};
pub use path::place::{
    CapabilityContext, NodeContext, PathContext, RelationshipContext, RelationshipEnd, ValueContext,
};
pub(crate) use path::walk::lead;
pub use schema::{Schema, Typed};
pub(crate) use typed::apply::{apply, comparisons, compute};
pub(crate) use typed::arithmetic::Computed;
pub use typed::datum::{Datum, Scalar};
pub use typed::kind::DataKind;
pub(crate) use typed::pattern::{effort, effort_of_compiling};
pub use typed::scalar::{Factor, Factors, ScalarTable};
pub(crate) use typed::scalar_unit;
pub(crate) use typed::text::{boolean_1_1, decode_base64, timestamp};

pub(super) use call::literal::{key, plain};
pub(super) use evaluation::amount::{Amount, amounts, computed_integer};
pub(super) use filter::probe::{Probe, ProbeKey, probe, signature};
pub(super) use filter::{Verdict, compare as compare_with_filter};
pub(super) use path::templates::is_hosting;
pub(super) use path::to_v2_0::modern;
pub(super) use simple::condition::{Subject, check as check_assertions};
pub(super) use simple::constraint::check as check_constraints;
pub(super) use simple::filter::{check as check_filter, check_of_derived as check_filter_of_derived};
pub(super) use v2_0::expression::check_condition;
pub(super) use v2_0::path::check_mapping;
pub(super) use v2_0::scalar_type::check_scalar_type;
pub(super) use v2_0::signature::refined as refined_function;
pub(super) use value_loops::check as check_loops;

use crate::entity::{AnyId, NodeRef};
use crate::grammar::section::DATA_TYPES;
use crate::grammar::version::V2_0;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;
use call::result_type::StaticResult;

impl<'c, 'a> Judge<'c, 'a> {
    /// Creates a judge for the values at a place.
    pub fn new(context: &'c mut Context<'a>, place: ValueContext<'a>) -> Self {
        Self::with(context, place, check_call)
    }
}

/// Checks a call, according to the version in which it is written.
fn check_call<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>) -> StaticResult<'a> {
    if judge.version(call.node) < V2_0 {
        simple::check_call(judge, call)
    } else {
        v2_0::expression::check_call(judge, call)
    }
}

/// Checks the calls in a value without a schema.
pub(crate) fn check_undescribed(context: &mut Context<'_>, owner: AnyId, value: NodeRef) {
    Judge::new(context, ValueContext::of(owner)).check_at(value, &Schema::of_type(None));
}

/// Checks a number of nodes or relationships: a non-negative integer, or a call that returns an integer (decision A
/// 55).
pub(super) fn check_count(context: &mut Context<'_>, at: AnyId, count: NodeRef) {
    let Some(node) = context.node(count) else { return };
    if node.as_integer().is_some_and(|count| count < 0) {
        context
            .problem(&rules::WRONG_TYPE, Some(node.span()), "a count can't be negative")
            .help("write `0` or a larger number");
        return;
    }
    let name = context.intern("integer");
    let integer = context.resolve(at, DATA_TYPES, name).id().and_then(AnyId::cast);
    Judge::new(context, ValueContext::of(at)).check(node, &Schema::of_type(integer));
}
