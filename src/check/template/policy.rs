//! Policies (2.0, 16.4).

use super::{allowed, trigger};
use crate::data::size;
use crate::entity::{AnyId, Checked, Checks, Entity as _, Id, NodeRef};
use crate::grammar::section::GROUPS;
use crate::grammar::template::{GroupDefinition, NodeTemplate, PolicyDefinition};
use crate::grammar::types::{GroupType, PolicyType};
use crate::phase::Context;
use crate::phase::rendering::RenderedEntity;

impl Checked for PolicyDefinition {
    const CHECKS: Checks<Self> = Checks::NEW.render(render);
}

fn render(policy: &PolicyDefinition, context: &mut Context<'_>, id: Id<PolicyDefinition>) {
    let id = id.any();
    let definition = context.definition(id);
    context.apply::<PolicyDefinition>(&RenderedEntity::of(id, definition));
    for (_, trigger) in policy.triggers.iter() {
        trigger::render(context, (id, policy), trigger);
    }
    let Some(policy_type) = definition.and_then(AnyId::cast::<PolicyType>).and_then(|id| context.get(id)) else {
        return;
    };
    for (_, trigger) in policy_type.triggers.iter().filter(|(name, _)| policy.triggers.get(*name).is_none()) {
        let written = context
            .header(trigger.any())
            .and_then(|header| context.node(NodeRef { unit: trigger.any().unit, node: header.node }));
        let nodes = written.map_or(0, size);
        if context.has_room_for_uses(nodes, trigger.any()) {
            trigger::render(context, (id, policy), trigger);
        }
    }
    // A group also represents its members, so it is allowed where node types are listed (2.0, 16.3).
    let listed = &policy_type.targets;
    let kinds = context.listed_kinds(listed);
    let lists_groups = kinds.contains(&GroupType::KIND);
    let lists_groups_only = kinds == [GroupType::KIND];
    for target in &policy.targets {
        let Some(found) = context.any_target(*target) else { continue };
        // If a node template and a group have the same name, the target is the one that the policy type allows.
        let group = context.resolve(id, GROUPS, target.name).id().filter(|_| lists_groups_only);
        let found = group.unwrap_or(found);
        let at = context.reference_span(*target);
        let of_node = |id: Id<NodeTemplate>| Some(context.target_of(context.get(id)?.r#type)?.any());
        let of_group = |id: Id<GroupDefinition>| Some(context.target_of(context.get(id)?.r#type)?.any());
        let of_type = found.cast().and_then(of_node).or_else(|| found.cast().and_then(of_group));
        let is_group = found.cast::<GroupDefinition>().is_some();
        if is_group && !lists_groups {
            continue;
        }
        let who = format!("policy `{}`", context.program.name(id));
        allowed::check_allowed(context, at, (&who, context.text(target.name)), &policy_type.targets, of_type);
    }
}
