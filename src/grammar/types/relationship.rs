//! Relationship types (2.0, 7.3).

use super::{CapabilityType, NodeType};
use crate::Entity;
use crate::entity::{Located, Members, Reference, References, Text};
use crate::grammar::definition::{AttributeDefinition, InterfaceDefinition, PropertyDefinition};
use crate::grammar::section::{CAPABILITY_TYPES, NODE_TYPES, RELATIONSHIP_TYPES};
use crate::grammar::version::{V1_1, V1_3, V2_0};
use crate::grammar::{Metadata, VersionText};

/// A type of relationships between nodes.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "relationship type", spec = "7.3")]
#[non_exhaustive]
pub struct RelationshipType {
    /// The relationship type that this one is derived from.
    #[field(parent, lookup(RELATIONSHIP_TYPES))]
    pub derived_from: Option<Reference<RelationshipType>>,
    /// The version of the type.
    pub version: Option<Box<Located<VersionText>>>,
    /// Data that the processor ignores.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// The description of the type.
    pub description: Option<Text>,
    /// The properties of a relationship: its desired state.
    #[field(inherit = refine)]
    pub properties: Members<PropertyDefinition>,
    /// The attributes of a relationship: its actual state.
    #[field(inherit = refine)]
    pub attributes: Members<AttributeDefinition>,
    /// The interfaces of a relationship.
    #[field(inherit = refine)]
    pub interfaces: Members<InterfaceDefinition>,
    /// The types of the target capability or, in some examples, of the target node.
    #[field(until = V1_3, lookup(CAPABILITY_TYPES, NODE_TYPES), inherit = narrow)]
    pub valid_target_types: References<()>,
    /// The accepted types of the target capability; any type if omitted.
    #[field(since = V2_0, lookup(CAPABILITY_TYPES), inherit = narrow)]
    pub valid_capability_types: References<CapabilityType>,
    /// The accepted types of the target node; any type if omitted.
    #[field(since = V2_0, lookup(NODE_TYPES), inherit = narrow)]
    pub valid_target_node_types: References<NodeType>,
    /// The accepted types of the source node; any type if omitted.
    #[field(since = V2_0, lookup(NODE_TYPES), inherit = narrow)]
    pub valid_source_node_types: References<NodeType>,
}
