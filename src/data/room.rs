//! The room for what types give and each template judges again.

use crate::entity::{AnyId, Entity as _};
use crate::grammar::File;
use crate::grammar::template::ServiceTemplate;
use crate::phase::{Context, Explain};
use crate::rules;

/// Whether there is room to judge `nodes` more nodes of a type for a template. Reports that there is none, at the type
/// that `part` is part of.
pub(crate) fn has_room(context: &mut Context<'_>, nodes: usize, part: AnyId) -> bool {
    let has_room = context.has_room_for_templates(nodes);
    if !has_room {
        let is_container = |id: &AnyId| id.kind == File::KIND || id.kind == ServiceTemplate::KIND;
        let of = context.program.owners(part).filter(|id| !is_container(id)).last().unwrap_or(part);
        let (at, name) = (context.program.name_span(of), context.describe(of));
        context
            .problem(&rules::UNCHECKED_USES, at, format!("{name} is not checked for all of its uses"))
            .help("too many templates use too much of it; assign the values in the templates that need them");
    }
    has_room
}
