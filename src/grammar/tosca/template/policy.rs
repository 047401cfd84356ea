//! Policies (2.0, 16.4).

use super::super::scalar::Metadata;
use super::super::section::{GROUPS, NODE_TEMPLATES, POLICY_TYPES};
use super::super::types::PolicyType;
use super::super::version::V1_1;
use super::{GroupDefinition, NodeTemplate, Trigger};
use crate::Entity;
use crate::entity::{AnyId, Id, Members, Reference, References, Text, Values};
use crate::phase::Context;
use crate::phase::rendering::Application;

/// A rule that governs nodes and groups of a service.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "policy", spec = "16.4", render = render)]
pub struct PolicyDefinition {
    /// The policy type.
    #[field(definition, mandatory, lookup(POLICY_TYPES))]
    pub r#type: Option<Reference<PolicyType>>,
    /// What the policy is for.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// What the policy says.
    #[field(assigns(title = "property"))]
    pub properties: Values,
    /// The node templates and groups that the policy is about.
    #[field(lookup(NODE_TEMPLATES, GROUPS))]
    pub targets: References<()>,
    /// What the policy does when something happens, besides what its type says.
    #[field(since = V1_1)]
    pub triggers: Members<Trigger>,
}

fn render(policy: &PolicyDefinition, context: &mut Context<'_>, id: Id<PolicyDefinition>) {
    let id = id.any();
    let definition = context.definition(id);
    context.apply::<PolicyDefinition>(&Application::of(id, definition));
    for (_, trigger) in policy.triggers.iter() {
        super::trigger::render(context, (id, policy), trigger);
    }
    let Some(policy_type) = definition.and_then(AnyId::cast::<PolicyType>).and_then(|id| context.get(id)) else {
        return;
    };
    for target in &policy.targets.items {
        let Some(found) = context.any_target(*target) else { continue };
        let at = context.reference_span(*target);
        let of_node = |id: Id<NodeTemplate>| Some(context.target_of(context.get(id)?.r#type)?.any());
        let of_group = |id: Id<GroupDefinition>| Some(context.target_of(context.get(id)?.r#type)?.any());
        let of_type = found.cast().and_then(of_node).or_else(|| found.cast().and_then(of_group));
        let is_group = found.cast::<GroupDefinition>().is_some();
        // A group stands for its members too, so it fits where node types are listed (2.0, 16.3).
        let lists_groups = policy_type.targets.items.iter().any(|reference| {
            context.any_target(*reference).and_then(AnyId::cast::<super::super::types::GroupType>).is_some()
        });
        if is_group && !lists_groups {
            continue;
        }
        let who = format!("policy `{}`", context.program.name(id));
        super::check_allowed_among(context, at, (&who, context.text(target.name)), &policy_type.targets.items, of_type);
    }
}
