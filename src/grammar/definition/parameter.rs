//! Parameter definitions (2.0, 9.7).

use super::{SchemaDefinition, Status};
use crate::Entity;
use crate::entity::{Child, Clauses, Located, Reference, Text, Value};
use crate::grammar::Metadata;
use crate::grammar::section::DATA_TYPES;
use crate::grammar::types::DataType;
use crate::grammar::version::{V1_2, V1_3, V2_0};
use crate::rules::VALUE_XOR_MAPPING;

/// A value that is exchanged with the outside: an input or output of a service, an operation, a notification or a
/// workflow.
#[derive(Entity, Clone, Debug, Default)]
#[entity(
    title = "parameter definition",
    spec = "9.7",
    at_most_one(mapping, value, inherited, rule = VALUE_XOR_MAPPING, since = V2_0)
)]
#[non_exhaustive]
pub struct ParameterDefinition {
    /// The type of the value; if omitted, the type of `value` or of the mapped attribute.
    #[field(lookup(DATA_TYPES), inherit = narrow)]
    pub r#type: Option<Reference<DataType>>,
    /// The description of the parameter.
    #[field(inherit = overwrite)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V1_2, inherit = overwrite)]
    pub metadata: Metadata,
    /// Whether a value is required.
    #[field(default = "true", inherit = within)]
    pub required: Option<Located<bool>>,
    /// The value used if none is given.
    #[field(inherit = overwrite, value)]
    pub default: Option<Value>,
    /// The value of an outgoing parameter.
    #[field(short(scalar, list, map), inherit = fixed, value)]
    pub value: Option<Value>,
    /// The attribute that stores an incoming parameter.
    #[field(since = V2_0, inherit = fixed)]
    pub mapping: Option<Value>,
    /// The conditions that the value must fulfill.
    #[field(keyname("constraints", until = V1_3), keyname("validation", since = V2_0), inherit = accumulate, value)]
    pub validation: Clauses,
    /// For maps: the schema of the keys.
    #[field(since = V1_3, inherit = refine)]
    pub key_schema: Child<SchemaDefinition>,
    /// For lists and maps: the schema of the entries.
    #[field(inherit = refine)]
    pub entry_schema: Child<SchemaDefinition>,
    /// The stability of the parameter; see the status of a property.
    #[field(until = V1_3, tolerated, inherit = overwrite)]
    pub status: Option<Box<Located<Status>>>,
}

impl ParameterDefinition {
    /// Returns whether a value is required.
    pub fn is_required(&self) -> bool {
        self.required.as_ref().is_none_or(|required| required.value)
    }

    /// Returns whether there is a value if none is given.
    pub fn has_value(&self) -> bool {
        self.default.is_some() || self.value.is_some() || self.mapping.is_some()
    }
}
