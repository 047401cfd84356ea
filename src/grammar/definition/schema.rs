//! Schema definitions (2.0, 9.3).

use crate::Entity;
use crate::entity::{Child, Clauses, Reference, Text};
use crate::grammar::Metadata;
use crate::grammar::section::DATA_TYPES;
use crate::grammar::types::DataType;
use crate::grammar::version::{V1_3, V2_0};

/// A schema of keys, entries, arguments or results.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "schema definition", spec = "9.3")]
#[non_exhaustive]
pub struct SchemaDefinition {
    /// The type.
    #[field(short(scalar), lookup(DATA_TYPES), mandatory(inheritable), inherit = narrow)]
    pub r#type: Option<Reference<DataType>>,
    /// The description of the values.
    #[field(inherit = overwrite)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0, inherit = overwrite)]
    pub metadata: Metadata,
    /// The conditions that each value must fulfill.
    #[field(since = V2_0, inherit = accumulate, value)]
    pub validation: Clauses,
    /// The conditions that each value must fulfill. A repeated schema replaces the inherited one: no version before 2.0
    /// specifies that it refines the inherited one, and existing types rely on replacement.
    #[field(until = V1_3, value)]
    pub constraints: Clauses,
    /// For maps: the schema of the keys.
    #[field(since = V1_3, inherit = refine)]
    pub key_schema: Child<SchemaDefinition>,
    /// For lists and maps: the schema of the entries.
    #[field(inherit = refine)]
    pub entry_schema: Child<SchemaDefinition>,
}
