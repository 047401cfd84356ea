//! Relationship templates (2.0, 7.4), and relationship assignments in requirements (2.0, 8.5).

use super::interface::check_interfaces;
use super::node;
use crate::entity::{AnyId, Checked, Checks, Id, LocalId};
use crate::grammar::template::{RelationshipTemplate, ServiceTemplate};
use crate::grammar::types::RelationshipType;
use crate::phase::Context;
use crate::phase::read::Reader;
use crate::phase::rendering::RenderedEntity;
use rustc_hash::FxHashSet;

impl Checked for RelationshipTemplate {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(check_type).render(render);
}

fn check_type(template: &RelationshipTemplate, reader: &mut Reader<'_>, id: LocalId) {
    let is_given = template.r#type.is_some() || template.copy.is_some();
    node::missing_type(reader, id, "relationship template", is_given);
}

fn render(template: &RelationshipTemplate, context: &mut Context<'_>, id: Id<RelationshipTemplate>) {
    node::check_copy(context, id, |template| template.copy);
    let id = id.any();
    let definition = context.definition(id);
    // The requirement definitions that name the template may supply missing values.
    context.apply::<RelationshipTemplate>(&RenderedEntity { is_checked: false, ..RenderedEntity::of(id, definition) });
    let defined = definition.and_then(AnyId::cast::<RelationshipType>).and_then(|id| context.get(id));
    check_interfaces(context, &template.interfaces, defined.map(|defined| &defined.interfaces).as_slice());
}

/// Reports missing values of relationship templates that no requirement names and no other template copies.
pub(super) fn check_unused(context: &mut Context<'_>, service: &ServiceTemplate) {
    if service.relationship_templates.is_empty() {
        return;
    }
    let assignments = service.node_templates.iter().filter_map(|(_, id)| context.get(id));
    let assignments = assignments.flat_map(|node| &node.requirements);
    let named = assignments.filter_map(|(_, id)| context.get(context.get(*id)?.relationship?)?.r#type);
    let templates = || service.relationship_templates.iter().map(|(_, id)| id);
    let copied = templates().filter_map(|id| context.any_target(context.program.raw_as(id)?.copy?));
    let used: FxHashSet<AnyId> = named.filter_map(|named| context.any_target(named)).chain(copied).collect();
    for id in templates().map(Id::any).filter(|id| !used.contains(id)) {
        let definition = context.definition(id);
        context.apply::<RelationshipTemplate>(&RenderedEntity::of(id, definition));
    }
}
