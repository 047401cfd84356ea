//! Capability types (2.0, 8.1).

use super::{NodeType, RelationshipType};
use crate::Entity;
use crate::entity::{Given, Members, Reference, References, Text};
use crate::grammar::definition::{AttributeDefinition, PropertyDefinition};
use crate::grammar::section::{CAPABILITY_TYPES, NODE_TYPES, RELATIONSHIP_TYPES};
use crate::grammar::version::{V1_1, V1_3, V2_0};
use crate::grammar::{Metadata, VersionText};

/// Something that nodes can offer and that requirements of other nodes can ask for.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "capability type", spec = "8.1")]
pub struct CapabilityType {
    /// The capability type that this one is derived from.
    #[field(parent, lookup(CAPABILITY_TYPES))]
    pub derived_from: Option<Reference<CapabilityType>>,
    /// The version of the type.
    pub version: Option<Box<Given<VersionText>>>,
    /// Data that is not for the processor.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// What the type is for.
    pub description: Option<Text>,
    /// What is wanted of a capability.
    #[field(inherit = refine)]
    pub properties: Members<PropertyDefinition>,
    /// What a capability is actually like.
    #[field(inherit = refine)]
    pub attributes: Members<AttributeDefinition>,
    /// The node types from which relationships may come; any if it is not given.
    #[field(
        keyname("valid_source_types", until = V1_3),
        keyname("valid_source_node_types", since = V2_0),
        lookup(NODE_TYPES),
        inherit = narrow
    )]
    pub valid_source_node_types: References<NodeType>,
    /// The types that relationships to the capability may have; any if it is not given.
    #[field(since = V2_0, lookup(RELATIONSHIP_TYPES), inherit = narrow)]
    pub valid_relationship_types: References<RelationshipType>,
}
