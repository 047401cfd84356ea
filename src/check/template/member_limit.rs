//! Checks of the limit on the members that templates get from their types.

use crate::entity::Id;
use crate::grammar::template::ServiceTemplate;
use crate::member_limit::{data_types, first_data_type_over_limit, first_over_limit, templates};
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

/// Reports the first template that is incomplete in a model of the service.
pub(super) fn check_weight(id: Id<ServiceTemplate>, context: &mut Context<'_>) {
    check_data_types(context);
    let first = first_over_limit(context, id).zip(context.get(id));
    let Some(id) = first.and_then(|(first, service)| templates(service).nth(first)) else { return };
    let at = context.program.name_span(id);
    let message = "templates inherit too many members; from here on, models omit members without an assignment";
    context
        .problem(&rules::LARGE_SERVICE, at, message)
        .help("define fewer properties and attributes in types with many templates");
}

/// Reports the first data type that is incomplete in the list of data types in a model.
fn check_data_types(context: &mut Context<'_>) {
    let Some(id) = first_data_type_over_limit(context) else { return };
    // The search for the first one is repeated for each file that imports the types.
    context.count_repeated(data_types(context).count());
    let at = context.program.name_span(id);
    let message =
        "data types inherit too many members; from here on, models list only the members that each type defines itself";
    context
        .problem(&rules::LARGE_SERVICE, at, message)
        .help("shorten the chains of derived data types, or define fewer properties in them");
}
