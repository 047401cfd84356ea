//! Requirement definitions and the relationship definitions in them (2.0, 8.4).

use super::{AttributeDefinition, InterfaceDefinition, NodeFilter, PropertyDefinition};
use crate::Entity;
use crate::entity::{Child, Clauses, Given, Members, Reference, Text};
use crate::grammar::section::{CAPABILITY_TYPES, NODE_TYPES, RELATIONSHIP_TYPES};
use crate::grammar::types::{CapabilityType, NodeType, RelationshipType};
use crate::grammar::version::{V1_3, V2_0};
use crate::grammar::{CountRange, Metadata};

/// Something that nodes of a type need of others.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "requirement definition", spec = "8.4")]
pub struct RequirementDefinition {
    /// What the requirement is for.
    #[field(since = V1_3, inherit = overwrite)]
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The type of the relationship, and what is refined of it.
    #[field(inherit = refine)]
    pub relationship: Child<RelationshipDefinition>,
    /// The type of the nodes at the other end.
    #[field(lookup(NODE_TYPES), inherit = narrow)]
    pub node: Option<Reference<NodeType>>,
    /// The type of the capability at the other end; or, where the node is given, the name of one of its capabilities.
    #[field(short(scalar), lookup(CAPABILITY_TYPES, optional), mandatory(inheritable), inherit = narrow)]
    pub capability: Option<Reference<CapabilityType>>,
    /// What must be true of the node at the other end.
    #[field(inherit = accumulate, read_as(NodeFilter, until = V1_3), value(since = V2_0))]
    pub node_filter: Clauses,
    /// How many relationships there may be.
    #[field(keyname("occurrences", until = V1_3), keyname("count_range", since = V2_0), inherit = within)]
    pub count_range: Option<Given<CountRange>>,
}

/// What a requirement definition says about its relationships.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "relationship definition", spec = "8.4")]
pub struct RelationshipDefinition {
    /// The relationship type.
    #[field(definition, short(scalar), lookup(RELATIONSHIP_TYPES), mandatory(inheritable), inherit = narrow)]
    pub r#type: Option<Reference<RelationshipType>>,
    /// What the relationship is for.
    #[field(since = V2_0, inherit = overwrite)]
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// Refinements of the properties that the relationship type defines.
    #[field(since = V2_0, inherit = refine, closed)]
    pub properties: Members<PropertyDefinition>,
    /// Refinements of the attributes that the relationship type defines.
    #[field(since = V2_0, inherit = refine, closed)]
    pub attributes: Members<AttributeDefinition>,
    /// Refinements of the interfaces that the relationship type defines.
    #[field(inherit = refine, closed(since = V2_0))]
    pub interfaces: Members<InterfaceDefinition>,
}
