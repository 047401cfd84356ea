//! Groups (2.0, 16.2).

use super::allowed;
use crate::entity::{AnyId, Checked, Checks, Id};
use crate::grammar::template::{GroupDefinition, NodeTemplate};
use crate::grammar::types::GroupType;
use crate::grammar::version::V2_0;
use crate::phase::rendering::RenderedEntity;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

impl Checked for GroupDefinition {
    const CHECKS: Checks<Self> = Checks::NEW.render(render);
}

fn render(group: &GroupDefinition, context: &mut Context<'_>, id: Id<GroupDefinition>) {
    let id = id.any();
    let definition = context.definition(id);
    context.apply::<GroupDefinition>(&RenderedEntity::of(id, definition));
    let group_type = definition.and_then(AnyId::cast::<GroupType>).and_then(|id| context.get(id));
    for member in &group.members {
        let Some(target) = context.any_target(*member) else { continue };
        let at = context.reference_span(*member);
        match target.cast::<NodeTemplate>() {
            Some(template) => {
                let Some(group_type) = group_type else { continue };
                let of_type = context.get(template).and_then(|template| context.target_of(template.r#type));
                let who = format!("group `{}`", context.program.name(id));
                let name = context.text(member.name);
                allowed::check_allowed(
                    context,
                    at,
                    (&who, name),
                    &group_type.members,
                    of_type.map(crate::entity::Id::any),
                );
            }
            // Decision A 23.
            None if context.version(id) >= V2_0 => {
                let message =
                    format!("`{}` is a group; the members of a group are node templates", context.text(member.name));
                let help = format!("list the node templates of `{}` instead", context.text(member.name));
                let defined = context.program.name_span(target);
                context.problem(&rules::GROUP_IN_GROUP, at, message).related(defined, "group").help(help);
            }
            None => {}
        }
    }
}
