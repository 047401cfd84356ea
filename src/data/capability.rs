//! The capability of a node type that a name or a type refers to (2.0, 8.5).

use crate::entity::{AnyId, Id, Reference};
use crate::grammar::definition::CapabilityDefinition;
use crate::grammar::template::RequirementAssignment;
use crate::grammar::types::NodeType;
use crate::phase::Context;

/// Returns the capability of a node type that a reference refers to, by its name or as the first one of a capability
/// type.
pub(crate) fn choose_capability(
    context: &Context<'_>,
    reference: Reference<()>,
    target_type: Id<NodeType>,
) -> Option<Id<CapabilityDefinition>> {
    match context.any_target(reference) {
        Some(capability_type) => fitting_capabilities(context, target_type, capability_type).next(),
        None => context.get(target_type)?.capabilities.get(reference.name),
    }
}

/// Returns the capabilities of a node type that have the given capability type or a type derived from it.
pub(crate) fn fitting_capabilities(
    context: &Context<'_>,
    target_type: Id<NodeType>,
    capability_type: AnyId,
) -> impl Iterator<Item = Id<CapabilityDefinition>> {
    let all = context.get(target_type).into_iter().flat_map(|node_type| node_type.capabilities.iter());
    all.map(|(_, id)| id).filter(move |id| {
        let of_type = context.get(*id).and_then(|capability| context.target_of(capability.r#type));
        of_type.is_none_or(|of_type| context.program.is_a(of_type.any(), capability_type))
    })
}

/// Returns the target capability of a requirement assignment, if the node types of the source and the target are known.
pub(crate) fn target_capability(
    context: &Context<'_>,
    id: Id<RequirementAssignment>,
    (source, target): (Option<Id<NodeType>>, Option<Id<NodeType>>),
) -> Option<Id<CapabilityDefinition>> {
    let name = context.header(id.any())?.name;
    let definition = context.get(source?)?.requirements.get(name)?;
    let wanted = context.get(definition)?.capability?.erased();
    choose_capability(context, context.get(id)?.capability.unwrap_or(wanted), target?)
}
