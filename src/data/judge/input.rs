//! Checks of inputs in calls, and of paths into values.

use super::core::Judge;
use crate::ard::{Kind, Node};
use crate::data::call::Shape;
use crate::data::call::result_type::StaticResult;
use crate::data::path;
use crate::data::path::input::{kept_elsewhere, names};
use crate::data::path::member;
use crate::data::schema::Schema;
use crate::entity::{AnyId, Field as _};
use crate::grammar::File;
use crate::grammar::version::V2_0;
use crate::phase::DiagnosticExt;
use crate::rules;

impl<'a> Judge<'_, 'a> {
    /// Follows names, keys and indexes into a value.
    pub(crate) fn nested(&mut self, schema: Schema<'a>, steps: &[Node<'a>]) -> StaticResult<'a> {
        member::nested(self, schema, steps).unwrap_or_else(|lost| {
            self.report(lost);
            StaticResult::Nothing
        })
    }
}

/// Checks a call that refers to an input of the workflow or of the service (decision A 24).
pub(crate) fn check_input<'a>(judge: &mut Judge<'_, 'a>, arguments: &[Node<'a>]) -> StaticResult<'a> {
    let name = arguments[0];
    if !matches!(judge.shape(name), Shape::Literal) {
        if judge.version(name) < V2_0 {
            judge
                .problem(&rules::ODD_ARGUMENTS, name, "the name of an input can't be computed before TOSCA 2.0")
                .help("write the name of the input");
        }
        return StaticResult::Nothing;
    }
    if name.kind() != Kind::String {
        let message = format!("the name of an input must be a string, not {}", crate::phase::read::with_article(name));
        judge.problem(&rules::ARGUMENT_TYPE, name, message);
        return StaticResult::Nothing;
    }
    match path::input::input(judge.context, &judge.place, name.text()) {
        Some(schema) => judge.nested(schema, &arguments[1..]),
        // The input may be in a part that could not be read.
        None if path::input::is_lost(judge.context, &judge.place, name.text()) => StaticResult::Nothing,
        None => {
            let place = judge.place;
            let is_workflow = place.workflow(judge.context).is_some();
            let message = format!("there is no input `{}`", name.text());
            // Names are only collected to report a problem.
            let names = std::iter::once_with(|| names(judge.context, &place)).flatten();
            let help = kept_elsewhere(judge.context, name.text(), |service| &service.inputs);
            let help = help.or_else(|| judge.context.did_you_mean(name.text(), names, "the inputs are"));
            let help = help
                .or_else(|| Some(format!("declare the input: `inputs: {{ {}: {{ type: … }} }}`", name.text()).into()));
            let rule = if is_workflow { &rules::UNKNOWN_WORKFLOW_INPUT } else { &rules::UNKNOWN_INPUT };
            // The services that use a type are unknown, except for a service in the same file.
            if place.is_in_service(judge.context) || is_beside_service(judge, name) {
                judge.problem(rule, name, message).help_if(help);
            }
            StaticResult::Nothing
        }
    }
}

/// Returns whether a place before 2.0 is in a file with a service.
fn is_beside_service(judge: &Judge<'_, '_>, node: Node<'_>) -> bool {
    let unit = judge.context.program.unit(judge.place.at.unit);
    let file = unit.and_then(|unit| unit.root).and_then(AnyId::cast::<File>);
    let file = file.and_then(|id| judge.context.program.raw_as(id));
    judge.version(node) < V2_0 && file.is_some_and(|file| file.service_template.is_set())
}
