//! Schema definitions (2.0, 9.3).

use crate::Entity;
use crate::entity::{Child, Clauses, Reference, Text};
use crate::grammar::Metadata;
use crate::grammar::section::DATA_TYPES;
use crate::grammar::types::DataType;
use crate::grammar::version::{V1_3, V2_0};

/// What keys, entries, arguments or results must be like.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "schema definition", spec = "9.3")]
pub struct SchemaDefinition {
    /// The type.
    #[field(short(scalar), lookup(DATA_TYPES), mandatory(inheritable), inherit = narrow)]
    pub r#type: Option<Reference<DataType>>,
    /// What the values are for.
    #[field(inherit = overwrite)]
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0, inherit = overwrite)]
    pub metadata: Metadata,
    /// What must be true of each value.
    #[field(since = V2_0, inherit = accumulate, value)]
    pub validation: Clauses,
    /// What must be true of each value. Before 2.0 nothing says that a schema which is given again refines the one
    /// before it, and the types of the field count on that it replaces it.
    #[field(until = V1_3, value)]
    pub constraints: Clauses,
    /// For maps: what the keys must be like.
    #[field(since = V1_3, inherit = refine)]
    pub key_schema: Child<SchemaDefinition>,
    /// For lists and maps: what the entries must be like.
    #[field(inherit = refine)]
    pub entry_schema: Child<SchemaDefinition>,
}
