//! Groups (2.0, 16.2).

use super::super::scalar::Metadata;
use super::super::section::{GROUP_TYPES, GROUPS, NODE_TEMPLATES};
use super::super::types::GroupType;
use super::super::version::{V1_1, V1_2, V2_0};
use super::{InterfaceAssignment, NodeTemplate};
use crate::Entity;
use crate::entity::{AnyId, Id, Members, Reference, References, Text, Values};
use crate::phase::rendering::Application;
use crate::phase::{Context, Explain};
use crate::rules;

/// Nodes to which policies apply in common.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "group", spec = "16.2", render = render)]
pub struct GroupDefinition {
    /// The group type.
    #[field(definition, mandatory, lookup(GROUP_TYPES))]
    pub r#type: Option<Reference<GroupType>>,
    /// What the group is for.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// What is wanted of the group.
    #[field(assigns(title = "property"))]
    pub properties: Values,
    /// What the group is like to begin with.
    #[field(since = V2_0, assigns(title = "attribute", also = "properties"))]
    pub attributes: Values,
    /// What can be done with the group.
    #[field(until = V1_2, assigns)]
    pub interfaces: Members<InterfaceAssignment>,
    /// The node templates from which the members are made.
    #[field(lookup(NODE_TEMPLATES, GROUPS))]
    pub members: References<()>,
}

fn render(group: &GroupDefinition, context: &mut Context<'_>, id: Id<GroupDefinition>) {
    let id = id.any();
    let definition = context.definition(id);
    context.apply::<GroupDefinition>(&Application::of(id, definition));
    let group_type = definition.and_then(AnyId::cast::<GroupType>).and_then(|id| context.get(id));
    for member in &group.members.items {
        let Some(target) = context.any_target(*member) else { continue };
        let at = context.reference_span(*member);
        match target.cast::<NodeTemplate>() {
            Some(template) => {
                let Some(group_type) = group_type else { continue };
                let of_type = context.get(template).and_then(|template| context.target_of(template.r#type));
                let who = format!("group `{}`", context.program.name(id));
                let name = context.text(member.name);
                super::check_allowed(
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
                context.problem(&rules::GROUP_IN_GROUP, at, message).related(defined, "this is the group").help(help);
            }
            None => {}
        }
    }
}
