//! Checks of values that a template inherits from its type unchanged.
//!
//! The template determines `SELF`, the ends of relationships and the targets of requirements. In the type, these are
//! mostly unknown, so a path may be valid there and invalid in a template.

use crate::data::{
    CapabilityContext, Judge, NodeContext, PathContext, RelationshipContext, Schema, Typed, ValueContext,
    leads_elsewhere, size, size_with_calls,
};
use crate::diagnostic::Span;
use crate::entity::{AnyId, Entity as _, Id, NodeRef, Value};
use crate::grammar::template::{NodeTemplate, RelationshipTemplate, RequirementAssignment};
use crate::grammar::types::CapabilityType;
use crate::grammar::version::V2_0;
use crate::phase::rendering::Assignment;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

/// Checks the value of a definition for a template that does not override it. In templates of other files, only paths
/// that may lead to other entities and conditions on the value can have problems that the type does not have. Such
/// paths are not checked if the file has many templates.
pub(super) fn check_used<D: Typed>(
    context: &mut Context<'_>,
    id: Id<D>,
    value: Option<Value>,
    assignment: &Assignment,
) {
    let Some(Value(value)) = value else { return };
    // There may be very many templates, so as little as possible is done for the rest.
    if context.is_left_unchecked(id.any()) {
        return context.depends_on_template();
    }
    let Some(schema) = context.get(id).map(|definition| definition.schema(context, id)) else { return };
    let is_of_file = value.unit == assignment.template.unit;
    let has_path = is_of_file
        || has_few_templates(context, assignment.template)
            && context.node(value).is_some_and(|node| leads_elsewhere(context, node));
    if !has_path && !schema.reads_others(context) || !has_room_for(context, value, &schema, id.any()) {
        return;
    }
    let Some(here) = here(context, id.any(), assignment.template) else { return };
    let place = ValueContext { is_filter: false, ..ValueContext::about(id.any(), here) };
    let user = context.program.name_span(assignment.owner);
    let mut judge = Judge::new(context, place).used_by(user);
    if has_path { judge.check_call_at(value, &schema) } else { judge.validate_at(value, &schema) }
}

/// Returns whether the file of a template has so few templates of its kind that following the paths of imported types
/// for each of them takes little time.
fn has_few_templates(context: &Context<'_>, template: AnyId) -> bool {
    /// The maximum number of templates of a kind in such a file. It counts whole files, so that the result does not
    /// depend on the order of the templates.
    const MAX_TEMPLATES: u32 = 100;
    context.program.unit(template.unit).is_some_and(|unit| unit.arenas.count(template.kind) <= MAX_TEMPLATES)
}

/// Reports a value for a parameter or property whose definition has a fixed value.
pub(in crate::check) fn report_fixed(context: &mut Context<'_>, what: &str, at: Option<Span>, fixed: NodeRef) {
    let fixed = context.span(fixed);
    context
        .problem(&rules::FIXED_VALUE_ASSIGNED, at, format!("{what} has a fixed value and can't be assigned"))
        .related(fixed, "fixed here")
        .help("remove the assignment");
}

/// Checks a value of a relationship template for a requirement that names the template, because only the requirement
/// determines the ends of the relationship.
pub(super) fn check_between<'a>(context: &mut Context<'a>, value: Value, schema: &Schema<'a>, assignment: &Assignment) {
    if let Some(requirement) = assignment.template.cast::<RequirementAssignment>()
        && let Some(relationship) = relationship(context, requirement)
        && relationship.template.is_some_and(|template| is_within(context, assignment.owner, template.any()))
        && has_room_for(context, value.0, schema, assignment.owner)
    {
        let here = PathContext::Relationship(relationship);
        let place = ValueContext { is_filter: false, ..ValueContext::about(assignment.owner, here) };
        Judge::new(context, place).check_call_at(value.0, schema);
    }
}

/// Returns whether a value or its validation depends on the template and the limit allows another check of the value.
fn has_room_for<'a>(context: &mut Context<'a>, value: NodeRef, schema: &Schema<'a>, of: AnyId) -> bool {
    let Some(node) = context.node(value) else { return false };
    let size = match size_with_calls(context, node) {
        None if schema.reads_others(context) => size(node),
        Some(size) => size,
        None => return false,
    };
    context.depends_on_template();
    context.has_room_for_uses(size, of)
}

fn is_within(context: &Context<'_>, id: AnyId, owner: AnyId) -> bool {
    id == owner || context.program.owners(id).any(|id| id == owner)
}

/// Returns the meaning of `SELF` in a value of a definition, for a template.
fn here(context: &Context<'_>, definition: AnyId, template: AnyId) -> Option<PathContext> {
    let node = template.cast::<NodeTemplate>().map(|id| NodeContext::of_template(context, id));
    match ValueContext::of(definition).here(context) {
        PathContext::Node(_) => node.map(PathContext::Node),
        PathContext::Capability(capability) => {
            Some(PathContext::Capability(CapabilityContext { node: node?, ..capability }))
        }
        PathContext::Relationship(_) => match template.cast::<RelationshipTemplate>() {
            Some(template) => Some(PathContext::Relationship(RelationshipContext::of_template(context, template))),
            None => relationship(context, template.cast()?).map(PathContext::Relationship),
        },
        // In a capability type, `SELF` is the node that has the capability.
        PathContext::Unknown if context.version(definition) >= V2_0 => {
            let mut owners = context.program.owners(definition);
            owners.find(|owner| owner.kind == CapabilityType::KIND).and(node).map(PathContext::Node)
        }
        PathContext::Unknown | PathContext::Nowhere => None,
    }
}

fn relationship(context: &Context<'_>, id: Id<RequirementAssignment>) -> Option<RelationshipContext> {
    let source = context.program.owners(id.any()).find_map(AnyId::cast::<NodeTemplate>)?;
    Some(RelationshipContext::of_assignment(context, id, NodeContext::of_template(context, source)))
}
