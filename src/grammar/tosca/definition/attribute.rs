//! Attribute definitions (2.0, 9.5).

use super::super::data::{Judge, Place, Typed};
use super::super::scalar::Metadata;
use super::super::section::DATA_TYPES;
use super::super::types::DataType;
use super::super::version::{V1_3, V2_0};
use super::{SchemaDefinition, Status, check_schema};
use crate::Entity;
use crate::entity::{AnyId, Child, Clauses, Given, Reference, Text, Value};
use crate::phase::Context;
use crate::phase::rendering::Assignment;

/// A value that says what a thing is actually like.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "attribute definition", spec = "9.5", after_inheritance = check, judge = judge)]
pub struct AttributeDefinition {
    /// The type of the value.
    #[field(lookup(DATA_TYPES), mandatory(inheritable), inherit = narrow)]
    pub r#type: Option<Reference<DataType>>,
    /// What the attribute is for.
    #[field(inherit = overwrite)]
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V1_3, inherit = overwrite)]
    pub metadata: Metadata,
    /// The value until another is known.
    #[field(inherit = overwrite)]
    pub default: Option<Value>,
    /// What must be true of the value.
    #[field(since = V2_0, inherit = accumulate)]
    pub validation: Clauses,
    /// For maps: what the keys must be like.
    #[field(since = V1_3, inherit = refine)]
    pub key_schema: Child<SchemaDefinition>,
    /// For lists and maps: what the entries must be like.
    #[field(inherit = refine)]
    pub entry_schema: Child<SchemaDefinition>,
    /// How settled the attribute is; see the status of a property.
    #[field(until = V1_3, tolerated, inherit = overwrite)]
    pub status: Option<Given<Status>>,
}

fn check(_: &AttributeDefinition, context: &mut Context<'_>, any: AnyId) {
    let Some(id) = any.cast::<AttributeDefinition>() else { return };
    let (Some(own), Some(complete)) = (context.program.raw_as(id), context.get(id)) else { return };
    let schema = complete.schema(context, id);
    check_schema(context, any, &schema, &own.validation);
    if let Some(Value(default)) = own.default {
        Judge::new(context, Place::of(any)).check_at(default, &schema);
    }
}

/// Judges a value that is assigned to the attribute (2.0, 9.6).
fn judge(_: &AttributeDefinition, context: &mut Context<'_>, any: AnyId, assignment: &Assignment) {
    let Some(id) = any.cast::<AttributeDefinition>() else { return };
    if let (Some(value), Some(complete)) = (assignment.value, context.get(id)) {
        let schema = complete.schema(context, id);
        Judge::new(context, Place::of(assignment.owner)).check_at(value, &schema);
    }
}
