//! Property definitions (2.0, 9.3).

use super::SchemaDefinition;
use crate::entity::{Child, Clauses, Given, Reference, Text, Value};
use crate::grammar::Metadata;
use crate::grammar::section::DATA_TYPES;
use crate::grammar::types::DataType;
use crate::grammar::version::{V1_2, V1_3, V2_0};
use crate::{Entity, Words};

/// A value that says what is wanted of a thing.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "property definition", spec = "9.3")]
pub struct PropertyDefinition {
    /// The type of the value.
    #[field(lookup(DATA_TYPES), mandatory(inheritable), inherit = narrow)]
    pub r#type: Option<Reference<DataType>>,
    /// What the property is for.
    #[field(inherit = overwrite)]
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V1_2, inherit = overwrite)]
    pub metadata: Metadata,
    /// Whether there must be a value.
    #[field(default = "true", inherit = within)]
    pub required: Option<Given<bool>>,
    /// The value, which can then neither be refined nor assigned.
    #[field(since = V2_0, short(scalar, list, map), inherit = fixed, value)]
    pub value: Option<Value>,
    /// The value if none is assigned.
    #[field(short(scalar, list), inherit = overwrite, value)]
    pub default: Option<Value>,
    /// What must be true of the value.
    #[field(keyname("constraints", until = V1_3), keyname("validation", since = V2_0), inherit = accumulate, value)]
    pub validation: Clauses,
    /// For maps: what the keys must be like.
    #[field(since = V1_3, inherit = refine)]
    pub key_schema: Child<SchemaDefinition>,
    /// For lists and maps: what the entries must be like.
    #[field(inherit = refine)]
    pub entry_schema: Child<SchemaDefinition>,
    /// How settled the property is; in 2.0 it is in the grammar, but not in the tables (decision A 20).
    #[field(until = V1_3, tolerated, inherit = overwrite)]
    pub status: Option<Box<Given<Status>>>,
    /// A schema that is written in another language.
    #[field(since = V1_3, until = V1_3, inherit = overwrite)]
    pub external_schema: Option<Text>,
}

impl PropertyDefinition {
    /// Whether there must be a value.
    pub fn is_required(&self) -> bool {
        self.required.as_ref().is_none_or(|required| required.value)
    }

    /// Whether there is a value if none is assigned.
    pub fn has_value(&self) -> bool {
        self.given_value().is_some()
    }

    /// The value if none is assigned: the fixed one, or else the default.
    pub fn given_value(&self) -> Option<Value> {
        self.value.or(self.default)
    }
}

/// How settled a property or attribute is.
#[derive(Words, Clone, Copy, Debug, PartialEq, Eq)]
#[words(title = "status", any_case)]
pub enum Status {
    /// It can be relied on.
    Supported,
    /// It can't.
    Unsupported,
    /// It may change.
    Experimental,
    /// It will go.
    Deprecated,
}
