//! Parameter definitions (2.0, 9.7).

use super::super::data::{Judge, Place, Typed, check_mapping};
use super::super::scalar::Metadata;
use super::super::section::DATA_TYPES;
use super::super::types::DataType;
use super::super::version::{V1_2, V1_3, V2_0};
use super::{SchemaDefinition, Status, check_schema};
use crate::Entity;
use crate::entity::{AnyId, Child, Clauses, Given, Reference, Text, Value};
use crate::phase::rendering::Assignment;
use crate::phase::{Context, Explain};
use crate::rules;

/// A value that is exchanged with the world outside: an input or output of a service, an operation, a notification or
/// a workflow.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "parameter definition", spec = "9.7", after_inheritance = check, judge = judge)]
pub struct ParameterDefinition {
    /// The type of the value; if it is not given, that of the value or of the attribute it is mapped to.
    #[field(lookup(DATA_TYPES), inherit = narrow)]
    pub r#type: Option<Reference<DataType>>,
    /// What the parameter is for.
    #[field(inherit = overwrite)]
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V1_2, inherit = overwrite)]
    pub metadata: Metadata,
    /// Whether there must be a value.
    #[field(default = "true", inherit = within)]
    pub required: Option<Given<bool>>,
    /// The value if none is given.
    #[field(inherit = overwrite)]
    pub default: Option<Value>,
    /// The value of an outgoing parameter.
    #[field(short(scalar, list, map), inherit = fixed)]
    pub value: Option<Value>,
    /// The attribute that an incoming parameter is stored in.
    #[field(since = V2_0, inherit = fixed)]
    pub mapping: Option<Value>,
    /// What must be true of the value.
    #[field(keyname("constraints", until = V1_3), keyname("validation", since = V2_0), inherit = accumulate)]
    pub validation: Clauses,
    /// For maps: what the keys must be like.
    #[field(since = V1_3, inherit = refine)]
    pub key_schema: Child<SchemaDefinition>,
    /// For lists and maps: what the entries must be like.
    #[field(inherit = refine)]
    pub entry_schema: Child<SchemaDefinition>,
    /// How settled the parameter is; see the status of a property.
    #[field(until = V1_3, tolerated, inherit = overwrite)]
    pub status: Option<Given<Status>>,
}

impl ParameterDefinition {
    /// Whether there must be a value.
    pub fn is_required(&self) -> bool {
        self.required.as_ref().is_none_or(|required| required.value)
    }

    /// Whether there is a value if none is given.
    pub fn has_value(&self) -> bool {
        self.default.is_some() || self.value.is_some() || self.mapping.is_some()
    }
}

fn check(parameter: &ParameterDefinition, context: &mut Context<'_>, any: AnyId) {
    let Some(id) = any.cast::<ParameterDefinition>() else { return };
    let (Some(own), Some(complete)) = (context.program.raw_as(id), context.get(id)) else { return };
    let schema = complete.schema(context, id);
    check_schema(context, any, &schema, &own.validation);
    if let (Some(Value(value)), Some(Value(mapping))) = (parameter.value, parameter.mapping) {
        let (at, value) = (context.span(mapping), context.span(value));
        let message =
            format!("parameter `{}` has either a `value` or a `mapping`, not both", context.program.name(any));
        context
            .problem(&rules::VALUE_XOR_MAPPING, at, message)
            .related(value, "the value is here")
            .help("remove one of them");
    }
    let mut judge = Judge::new(context, Place::of(any));
    for Value(value) in own.default.iter().chain(&own.value) {
        judge.check_at(*value, &schema);
    }
    if let Some(Value(mapping)) = own.mapping {
        check_mapping(context, any, mapping);
    }
}

/// Judges a value that is assigned to the parameter (2.0, 9.8).
fn judge(parameter: &ParameterDefinition, context: &mut Context<'_>, any: AnyId, assignment: &Assignment) {
    let Some(id) = any.cast::<ParameterDefinition>() else { return };
    let Some(value) = assignment.value else { return };
    if let Some(Value(fixed)) = parameter.value {
        let message = format!("input `{}` has a fixed value and can't be assigned", context.program.name(any));
        let at = assignment.key.and_then(|key| context.span(key));
        let fixed = context.span(fixed);
        context
            .problem(&rules::FIXED_VALUE_ASSIGNED, at, message)
            .related(fixed, "it is fixed here")
            .help("leave the assignment out");
        return;
    }
    if let Some(complete) = context.get(id) {
        let schema = complete.schema(context, id);
        Judge::new(context, Place::of(assignment.owner)).check_at(value, &schema);
    }
}
