//! How much nodes get of their types: a thousand templates of a type with a thousand properties are a page of text, and a
//! model with a million members.

use super::{NodeTemplate, ServiceTemplate};
use crate::entity::Id;
use crate::grammar::tosca::types::NodeType;
use crate::phase::{Context, Explain};
use crate::rules;

/// How many members nodes get of their types, besides one for each byte of the template.
const MOST_MEMBERS: usize = 750_000;

/// The number of the first node for which there is no room: from it on, nodes have nothing of their types that is not
/// assigned to them.
pub(crate) fn first_bare(context: &Context<'_>, service: &ServiceTemplate) -> Option<usize> {
    let text = context.program.list.first().map_or(0, |unit| unit.source.text().len());
    let mut room = MOST_MEMBERS.saturating_add(text);
    service.node_templates.iter().position(|(_, id)| {
        let weight = weight(context, id);
        let fits = weight <= room;
        room = room.saturating_sub(weight);
        !fits
    })
}

/// How many members a node gets of its type, with those of the capabilities that its template changes.
fn weight(context: &Context<'_>, id: Id<NodeTemplate>) -> usize {
    let Some(template) = context.get(id) else { return 0 };
    let node_type: Option<&NodeType> = context.target_of(template.r#type).and_then(|id| context.get(id));
    let Some(node_type) = node_type else { return 0 };
    let changed = template.capabilities.iter().filter_map(|(name, _)| context.get(node_type.capabilities.get(name)?));
    let of_capabilities = changed.map(|capability| capability.properties.len() + capability.attributes.len());
    let own = [node_type.properties.len(), node_type.attributes.len(), node_type.capabilities.len()];
    let others = [node_type.artifacts.len(), node_type.interfaces.len()];
    own.into_iter().chain(others).chain(of_capabilities).sum()
}

/// Reports where a model of the service begins to leave something out.
pub(super) fn check_weight(service: &ServiceTemplate, context: &mut Context<'_>) {
    let Some((_, id)) = first_bare(context, service).and_then(|first| service.node_templates.iter().nth(first)) else {
        return;
    };
    let at = context.program.name_span(id.any());
    let message =
        "the nodes get too much of their types, and models leave out what is not assigned to nodes from here on";
    context
        .problem(&rules::LARGE_SERVICE, at, message)
        .help("define fewer properties and attributes in types of which there are so many nodes");
}
