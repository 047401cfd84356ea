//! Attribute definitions (2.0, 9.5).

use super::{SchemaDefinition, Status};
use crate::Entity;
use crate::entity::{Child, Clauses, Located, Reference, Text, Value};
use crate::grammar::Metadata;
use crate::grammar::section::DATA_TYPES;
use crate::grammar::types::DataType;
use crate::grammar::version::{V1_3, V2_0};

/// A value that describes the actual state of an entity.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "attribute definition", spec = "9.5")]
#[non_exhaustive]
pub struct AttributeDefinition {
    /// The type of the value.
    #[field(lookup(DATA_TYPES), mandatory(inheritable), inherit = narrow)]
    pub r#type: Option<Reference<DataType>>,
    /// The description of the attribute.
    #[field(inherit = overwrite)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V1_3, inherit = overwrite)]
    pub metadata: Metadata,
    /// The value as long as no other is known.
    #[field(inherit = overwrite, value)]
    pub default: Option<Value>,
    /// The conditions that the value must fulfill.
    #[field(since = V2_0, inherit = accumulate, value)]
    pub validation: Clauses,
    /// For maps: the schema of the keys.
    #[field(since = V1_3, inherit = refine)]
    pub key_schema: Child<SchemaDefinition>,
    /// For lists and maps: the schema of the entries.
    #[field(inherit = refine)]
    pub entry_schema: Child<SchemaDefinition>,
    /// The stability of the attribute; see the status of a property.
    #[field(until = V1_3, tolerated, inherit = overwrite)]
    pub status: Option<Box<Located<Status>>>,
}
