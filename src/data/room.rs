//! The limit on values of types that are checked again for each template.

use crate::entity::{AnyId, Entity as _};
use crate::grammar::File;
use crate::grammar::template::ServiceTemplate;
use crate::phase::{Context, Explain};
use crate::rules;

/// Returns whether the limit allows checking `nodes` more nodes of a type for a template. If not, this is reported at
/// the type that contains `part`.
pub(crate) fn has_room(context: &mut Context<'_>, nodes: usize, part: AnyId) -> bool {
    let has_room = context.has_room_for_templates(nodes);
    if !has_room {
        report_unchecked(context, part);
    }
    has_room
}

/// Reports, once, that `part` of a type is not checked for all templates.
pub(crate) fn report_unchecked(context: &mut Context<'_>, part: AnyId) {
    if !context.is_first_without_room(part) {
        return;
    }
    let is_container = |id: &AnyId| id.kind == File::KIND || id.kind == ServiceTemplate::KIND;
    let of = context.program.owners(part).filter(|id| !is_container(id)).last().unwrap_or(part);
    let (at, name) = (context.program.name_span(of), context.describe(of));
    context
        .problem(&rules::UNCHECKED_USES, at, format!("{name} is not checked for every template that uses it"))
        .help("it is too large for this many templates; assign the values in the templates that need them");
}
