//! Relationship types (2.0, 7.3).

use super::{CapabilityType, NodeType};
use crate::Entity;
use crate::entity::{Given, Members, Reference, References, Text};
use crate::grammar::definition::{AttributeDefinition, InterfaceDefinition, PropertyDefinition};
use crate::grammar::section::{CAPABILITY_TYPES, NODE_TYPES, RELATIONSHIP_TYPES};
use crate::grammar::version::{V1_1, V1_3, V2_0};
use crate::grammar::{Metadata, VersionText};

/// A kind of relationship between nodes.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "relationship type", spec = "7.3")]
pub struct RelationshipType {
    /// The relationship type that this one is derived from.
    #[field(parent, lookup(RELATIONSHIP_TYPES))]
    pub derived_from: Option<Reference<RelationshipType>>,
    /// The version of the type.
    pub version: Option<Box<Given<VersionText>>>,
    /// Data that is not for the processor.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// What the type is for.
    pub description: Option<Text>,
    /// What is wanted of a relationship.
    #[field(inherit = refine)]
    pub properties: Members<PropertyDefinition>,
    /// What a relationship is actually like.
    #[field(inherit = refine)]
    pub attributes: Members<AttributeDefinition>,
    /// What can be called on a relationship.
    #[field(inherit = refine)]
    pub interfaces: Members<InterfaceDefinition>,
    /// The types of capabilities (by some examples also of nodes) at which a relationship may end.
    #[field(until = V1_3, lookup(CAPABILITY_TYPES, NODE_TYPES), inherit = narrow)]
    pub valid_target_types: References<()>,
    /// The types of capabilities at which a relationship may end; any if it is not given.
    #[field(since = V2_0, lookup(CAPABILITY_TYPES), inherit = narrow)]
    pub valid_capability_types: References<CapabilityType>,
    /// The types of nodes at which a relationship may end; any if it is not given.
    #[field(since = V2_0, lookup(NODE_TYPES), inherit = narrow)]
    pub valid_target_node_types: References<NodeType>,
    /// The types of nodes at which a relationship may start; any if it is not given.
    #[field(since = V2_0, lookup(NODE_TYPES), inherit = narrow)]
    pub valid_source_node_types: References<NodeType>,
}
