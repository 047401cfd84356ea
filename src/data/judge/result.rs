//! Comparison of the results of calls with the expected values.

use super::core::Judge;
use crate::ard::Kind;
use crate::data::call::result_type::StaticResult;
use crate::data::call::{Call, Shape, function, reads_value};
use crate::data::schema::Schema;
use crate::data::typed::kind::DataKind;
use crate::grammar::version::V2_0;
use crate::phase::DiagnosticExt;
use crate::rules;

/// Compares the known type of a result with the expected schema.
pub(crate) fn check<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>, known: &StaticResult<'a>, wanted: &Schema<'a>) {
    let (Some(kind), Some(found_kind)) = (wanted.kind(judge.context), known.kind(judge.context)) else { return };
    // Before 2.0, values are converted to strings where a string is expected.
    let is_text = !matches!(found_kind, DataKind::List | DataKind::Map | DataKind::Range | DataKind::Complex);
    if judge.version(call.node) < V2_0 && kind == DataKind::String && is_text {
        return;
    }
    let fits = match known {
        StaticResult::Schema(schema) => wanted.may_hold(judge.context, schema),
        StaticResult::ListOf(schema) => {
            let entries = wanted.entries(judge.context);
            kind == DataKind::List && entries.is_none_or(|entries| entries.may_hold(judge.context, schema))
        }
        _ => kind == found_kind || kind == DataKind::Float && found_kind == DataKind::Integer,
    };
    // A condition in place of a value has been reported.
    let is_condition = || judge.place.value.is_none() && reads_value(judge.context, call.node);
    if !fits && !is_condition() {
        let found = match known {
            StaticResult::Schema(schema) => format!("a value of type `{}`", schema.type_name(judge.context)),
            StaticResult::ListOf(schema) => format!("a list of `{}`", schema.type_name(judge.context)),
            _ => found_kind.with_article().to_owned(),
        };
        let message = format!(
            "{} is of type `{}`, but `{}` returns {found}",
            wanted.title(judge.context),
            wanted.type_name(judge.context),
            call.written_name()
        );
        let program = judge.context.program;
        let defined = wanted.definition.and_then(|definition| program.name_span(definition));
        let source = match known {
            StaticResult::Schema(Schema { definition: Some(definition), .. }) => program.name_span(*definition),
            _ => None,
        };
        // Before 2.0, a string may be used where a type with a string notation is expected.
        let is_text = matches!(kind, DataKind::Version | DataKind::Timestamp | DataKind::ScalarUnit);
        let is_put_up_with = is_text && found_kind == DataKind::String && judge.version(call.node) < V2_0;
        let rule = if is_put_up_with { &rules::STRING_RESULT } else { &rules::RESULT_TYPE };
        judge
            .problem(rule, call.node, message)
            .related(defined, "defined here")
            .related(source, "result of the function")
            .help(match source {
                Some(_) => "give both the same type",
                None => "write a value of the type, or a function that returns one",
            });
    }
}

/// Checks the numbers with units in arithmetic, if the type of the result is known.
pub(crate) fn check_scalars<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>, wanted: &Schema<'a>) {
    let Some(function) = function::find(call.name).filter(|function| function.is_arithmetic()) else { return };
    let arguments = call.arguments().into_iter().enumerate();
    for (_, argument) in arguments.filter(|(index, _)| function.needed(*index).accepts(DataKind::Scalar)) {
        match judge.shape(argument) {
            Shape::Call(part) => check_scalars(judge, part, wanted),
            Shape::Literal if argument.kind() == Kind::String => {
                judge.check_bound(argument, &Schema::of_type(wanted.data_type));
            }
            Shape::Literal | Shape::Malformed(_) => {}
        }
    }
}
