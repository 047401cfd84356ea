//! The inputs that calls to `get_input` refer to.

use super::place::ValueContext;
use crate::data::call::Call;
use crate::data::schema::{Schema, Typed};
use crate::diagnostic::Help;
use crate::entity::{AnyId, Entity, Id, Members};
use crate::grammar::File;
use crate::grammar::definition::ParameterDefinition;
use crate::grammar::section::INPUTS;
use crate::grammar::template::ServiceTemplate;
use crate::phase::Context;
use crate::phase::namespace::LookupResult;

/// Returns the schema of an input of the workflow or of the service (decision A 24); `None` if there is no such input.
pub(crate) fn input<'a>(context: &Context<'a>, place: &ValueContext<'a>, name: &str) -> Option<Schema<'a>> {
    let symbol = context.program.interner.get(name);
    let workflow = place.workflow(context).and_then(|workflow| context.get(workflow));
    let of_workflow: Option<&'a Members<ParameterDefinition>> = workflow.map(|workflow| &workflow.inputs);
    let id: Id<ParameterDefinition> = symbol.and_then(|symbol| {
        of_workflow
            .and_then(|inputs| inputs.get(symbol))
            .or_else(|| context.resolve(place.at, INPUTS, symbol).id()?.cast())
    })?;
    Some(context.get(id)?.schema(context, id))
}

/// Returns whether there may be an input with the given name in a part that could not be read.
pub(crate) fn is_lost(context: &Context<'_>, place: &ValueContext<'_>, name: &str) -> bool {
    context.resolve(place.at, INPUTS, context.intern(name)) == LookupResult::Unreadable
}

/// Returns the names of the inputs, sorted.
pub(crate) fn names<'a>(context: &Context<'a>, place: &ValueContext<'a>) -> Vec<&'a str> {
    let workflow = place.workflow(context).and_then(|workflow| context.get(workflow));
    let of_workflow = workflow.into_iter().flat_map(|workflow| workflow.inputs.iter());
    let of_service = context.program.visible(place.at.unit, INPUTS).into_iter().map(|(name, _)| name);
    let mut names: Vec<&str> = of_service.chain(of_workflow.map(|(name, _)| context.text(name))).collect();
    names.sort_unstable();
    names
}

/// Returns the input that a `$get_input` call refers to, if the input may have no value.
pub(crate) fn optional(context: &Context<'_>, place: &ValueContext<'_>, call: Call<'_>) -> Option<AnyId> {
    let name = call.arguments().first().copied().filter(|_| call.name == "get_input")?;
    let definition = input(context, place, name.text())?.definition?;
    let parameter = context.get(definition.cast::<ParameterDefinition>()?)?;
    (!parameter.is_required() && !parameter.has_value()).then_some(definition)
}

/// Returns the help for a name that the service of an imported file declares: names within a service are not imported.
pub(crate) fn kept_elsewhere<E: Entity>(
    context: &Context<'_>,
    name: &str,
    members: impl Fn(&ServiceTemplate) -> &Members<E>,
) -> Option<Help> {
    let program = context.program;
    let symbol = program.interner.get(name)?;
    program.list.iter().skip(1).find_map(|unit| {
        let file = program.raw_as(unit.root?.cast::<File>()?)?;
        members(program.raw_as(file.service_template?)?).get(symbol)?;
        let file = unit.source.name();
        Some(format!("`{file}` declares one, but the content of its service is not imported: declare it here").into())
    })
}
