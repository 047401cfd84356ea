//! Capability types (2.0, 8.1).

use super::{NodeType, RelationshipType};
use crate::Entity;
use crate::entity::{Located, Members, Reference, References, Text};
use crate::grammar::definition::{AttributeDefinition, PropertyDefinition};
use crate::grammar::section::{CAPABILITY_TYPES, NODE_TYPES, RELATIONSHIP_TYPES};
use crate::grammar::version::{V1_1, V1_3, V2_0};
use crate::grammar::{Metadata, VersionText};

/// A type of capabilities, which nodes offer to fulfill the requirements of other nodes.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "capability type", spec = "8.1")]
#[non_exhaustive]
pub struct CapabilityType {
    /// The capability type that this one is derived from.
    #[field(parent, lookup(CAPABILITY_TYPES))]
    pub derived_from: Option<Reference<CapabilityType>>,
    /// The version of the type.
    pub version: Option<Box<Located<VersionText>>>,
    /// Data that the processor ignores.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// The description of the type.
    pub description: Option<Text>,
    /// The properties of a capability: its desired state.
    #[field(inherit = refine)]
    pub properties: Members<PropertyDefinition>,
    /// The attributes of a capability: its actual state.
    #[field(inherit = refine)]
    pub attributes: Members<AttributeDefinition>,
    /// The node types that relationships may come from; any type if omitted.
    #[field(
        keyname("valid_source_types", until = V1_3),
        keyname("valid_source_node_types", since = V2_0),
        lookup(NODE_TYPES),
        inherit = narrow
    )]
    pub valid_source_node_types: References<NodeType>,
    /// The types that relationships to the capability may have; any type if omitted.
    #[field(since = V2_0, lookup(RELATIONSHIP_TYPES), inherit = narrow)]
    pub valid_relationship_types: References<RelationshipType>,
}
