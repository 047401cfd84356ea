//! Data types (2.0, 9.2), including scalar types (2.0, 9.1.2.2).

use crate::Entity;
use crate::entity::{Child, Clauses, Located, Members, Reference, Text};
use crate::grammar::definition::{PropertyDefinition, SchemaDefinition};
use crate::grammar::section::DATA_TYPES;
use crate::grammar::version::{V1_1, V1_3, V2_0};
use crate::grammar::{Metadata, VersionText};

/// A type of values.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "data type", spec = "9.2")]
#[non_exhaustive]
pub struct DataType {
    /// The data type that this one is derived from.
    #[field(parent, lookup(DATA_TYPES))]
    pub derived_from: Option<Reference<DataType>>,
    /// The version of the type.
    pub version: Option<Box<Located<VersionText>>>,
    /// Data that the processor ignores.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// The description of the type.
    pub description: Option<Text>,
    /// The conditions that a value must fulfill, in addition to those of the type's ancestors.
    #[field(keyname("constraints", until = V1_3), keyname("validation", since = V2_0), inherit = accumulate, value)]
    pub validation: Clauses,
    /// The members of a complex value.
    #[field(inherit = refine)]
    pub properties: Members<PropertyDefinition>,
    /// The schema of the keys of a map.
    #[field(since = V1_3, inherit = refine)]
    pub key_schema: Child<SchemaDefinition>,
    /// The schema of the entries of a list or map.
    #[field(since = V1_3, inherit = refine)]
    pub entry_schema: Child<SchemaDefinition>,
    /// For scalar types: the type of the number.
    #[field(since = V2_0, lookup(DATA_TYPES), inherit = fixed)]
    pub data_type: Option<Reference<DataType>>,
    /// For scalar types: the units, with the multipliers that convert them to the canonical unit.
    #[field(since = V2_0, inherit = accumulate)]
    pub units: Clauses,
    /// For scalar types: the unit in which values are compared and shown.
    #[field(since = V2_0, inherit = fixed)]
    pub canonical_unit: Option<Text>,
    /// For scalar types: the prefixes of units, with their multipliers.
    #[field(since = V2_0, inherit = accumulate)]
    pub prefixes: Clauses,
}
