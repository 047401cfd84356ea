//! Property definitions (2.0, 9.3).

use super::SchemaDefinition;
use crate::entity::{Child, Clauses, Located, Reference, Text, Value};
use crate::grammar::Metadata;
use crate::grammar::section::DATA_TYPES;
use crate::grammar::types::DataType;
use crate::grammar::version::{V1_2, V1_3, V2_0};
use crate::{Entity, Enumerated};

/// A value that describes the desired state of an entity.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "property definition", spec = "9.3")]
#[non_exhaustive]
pub struct PropertyDefinition {
    /// The type of the value.
    #[field(lookup(DATA_TYPES), mandatory(inheritable), inherit = narrow)]
    pub r#type: Option<Reference<DataType>>,
    /// The description of the property.
    #[field(inherit = overwrite)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V1_2, inherit = overwrite)]
    pub metadata: Metadata,
    /// Whether a value is required.
    #[field(default = "true", inherit = within)]
    pub required: Option<Located<bool>>,
    /// The fixed value, which can't be refined or assigned.
    #[field(since = V2_0, short(scalar, list, map), inherit = fixed, value)]
    pub value: Option<Value>,
    /// The value used if none is assigned.
    #[field(short(scalar, list), inherit = overwrite, value)]
    pub default: Option<Value>,
    /// The conditions that the value must fulfill.
    #[field(keyname("constraints", until = V1_3), keyname("validation", since = V2_0), inherit = accumulate, value)]
    pub validation: Clauses,
    /// For maps: the schema of the keys.
    #[field(since = V1_3, inherit = refine)]
    pub key_schema: Child<SchemaDefinition>,
    /// For lists and maps: the schema of the entries.
    #[field(inherit = refine)]
    pub entry_schema: Child<SchemaDefinition>,
    /// The stability of the property; in 2.0, `status` appears in the grammar but not in the tables (decision A 20).
    #[field(until = V1_3, tolerated, inherit = overwrite)]
    pub status: Option<Box<Located<Status>>>,
    /// A schema in a different language.
    #[field(since = V1_3, until = V1_3, inherit = overwrite)]
    pub external_schema: Option<Text>,
}

impl PropertyDefinition {
    /// Returns whether a value is required.
    pub fn is_required(&self) -> bool {
        self.required.as_ref().is_none_or(|required| required.value)
    }

    /// Returns whether there is a value if none is assigned.
    pub fn has_value(&self) -> bool {
        self.given_value().is_some()
    }

    /// Returns whether a value must be assigned.
    pub fn needs_value(&self) -> bool {
        self.is_required() && !self.has_value()
    }

    /// Returns the value if none is assigned: the fixed one, or else the default.
    pub fn given_value(&self) -> Option<Value> {
        self.value.or(self.default)
    }
}

/// The stability of a property or attribute.
#[derive(Enumerated, Clone, Copy, Debug, PartialEq, Eq)]
#[enumerated(title = "status", any_case)]
#[non_exhaustive]
pub enum Status {
    /// Can be relied on.
    Supported,
    /// Can't be relied on.
    Unsupported,
    /// May change.
    Experimental,
    /// Will be removed.
    Deprecated,
}
