//! Attribute definitions (2.0, 9.5).

use super::schema::check_schema;
use super::used::{check_between, check_used};
use crate::ard::Kind;
use crate::data::{Judge, Typed, ValueContext};
use crate::entity::{Checked, Checks, Id, Members, NodeRef, Value};
use crate::grammar::definition::{AttributeDefinition, PropertyDefinition};
use crate::grammar::version::V2_0;
use crate::phase::rendering::Assignment;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

impl Checked for AttributeDefinition {
    const CHECKS: Checks<Self> = Checks::NEW.after_inheritance(check).judge(judge);
}

fn check(_: &AttributeDefinition, context: &mut Context<'_>, id: Id<AttributeDefinition>) {
    let any = id.any();
    let (Some(own), Some(complete)) = (context.program.raw_as(id), context.get(id)) else { return };
    let schema = complete.schema(context, id);
    check_schema(context, any, &schema, &own.validation);
    if let Some(Value(default)) = own.default {
        let mut judge = Judge::new(context, ValueContext::of(any));
        judge.check_at(default, &schema);
        // Invalid defaults have been reported.
        let node = judge.context.node(default).filter(|_| schema.data_type.is_some());
        let is_written = node.is_some_and(|node| !judge.has_calls(node) && judge.is_fit(node, &schema));
        // The built-in profiles define initial states as defaults, as the standard does.
        let is_ours = context.program.unit(any.unit).is_some_and(|unit| unit.source.name().starts_with("builtin:"));
        if is_written && !is_ours && context.version(any) >= V2_0 {
            let message = format!(
                "the default of attribute `{}` is a literal, which can't be its actual state",
                context.program.name(any)
            );
            let at = context.program.keyname_span(any, "default");
            context
                .problem(&rules::FIXED_ATTRIBUTE_DEFAULT, at, message)
                .help("compute the default from other attributes or outputs of operations, or turn the attribute into a property");
        }
    }
}

/// Checks a value that is assigned to the attribute (2.0, 9.6).
fn judge(
    attribute: &AttributeDefinition,
    context: &mut Context<'_>,
    id: Id<AttributeDefinition>,
    assignment: &Assignment,
) {
    if let (Some(value), Some(complete)) = (assignment.value, context.get(id)) {
        let schema = complete.schema(context, id);
        let value = if context.version(assignment.owner) < V2_0 { without_description(context, value) } else { value };
        Judge::new(context, ValueContext::of(assignment.owner)).check_at(value, &schema);
        check_between(context, Value(value), &schema, assignment);
    } else if assignment.value.is_none() {
        check_used(context, id, attribute.default, assignment);
    }
}

/// Returns the value of an assignment without its description. Before 2.0, an assignment can contain both: `{
/// description: …, value: … }` (1.3, 3.6.13).
fn without_description(context: &Context<'_>, value: NodeRef) -> NodeRef {
    let node = context.node(value).filter(|node| node.kind() == Kind::Map && node.len() == 2);
    let is_long = node.filter(|node| node.find("description").is_some());
    let inner = is_long.and_then(|node| node.find("value"));
    inner.map_or(value, |entry| NodeRef { node: entry.value.id(), ..value })
}

/// Checks that an attribute with the name of a property, which reflects the property, has a compatible type (2.0, 9.5;
/// earlier versions don't restrict the types). Only declarations in the type itself are reported.
pub(crate) fn check_reflected(
    context: &mut Context<'_>,
    (own_properties, own_attributes): (&Members<PropertyDefinition>, &Members<AttributeDefinition>),
    (properties, attributes): (&Members<PropertyDefinition>, &Members<AttributeDefinition>),
) {
    // Only own members are compared, because types with many inherited members declare few themselves.
    let own = own_properties.iter().map(|(name, _)| name);
    let own = own.chain(own_attributes.iter().map(|(name, _)| name).filter(|name| own_properties.get(*name).is_none()));
    for (name, property, attribute) in own.filter_map(|name| Some((name, properties.get(name)?, attributes.get(name)?)))
    {
        let at = match (own_attributes.get(name), own_properties.get(name)) {
            (Some(attribute), _) => attribute.any(),
            (None, Some(property)) => property.any(),
            (None, None) => continue,
        };
        if context.version(at) < V2_0 {
            return;
        }
        let (Some(of_property), Some(of_attribute)) = (context.get(property), context.get(attribute)) else { continue };
        let of_property = of_property.schema(context, property);
        let of_attribute = of_attribute.schema(context, attribute);
        if !of_attribute.may_hold(context, &of_property) {
            let name = context.text(name);
            let message = format!(
                "attribute `{name}` has type `{}`, but property `{name}` has type `{}`",
                of_attribute.type_name(context),
                of_property.type_name(context)
            );
            let other = if at == attribute.any() { property.any() } else { attribute.any() };
            let other = context.program.name_span(other);
            let at = context.program.keyname_span(at, "type");
            context
                .problem(&rules::REFLECTED_TYPE, at, message)
                .related(other, "other definition")
                .help("an attribute with the name of a property reflects the property: give both the same type, or rename the attribute");
        }
    }
}
