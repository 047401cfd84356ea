//! Requirement definitions and the relationship definitions in them (2.0, 8.4).

use super::{AttributeDefinition, InterfaceDefinition, NodeFilter, PropertyDefinition};
use crate::Entity;
use crate::entity::{Child, Clauses, Located, Members, Reference, Text};
use crate::grammar::section::{CAPABILITY_TYPES, NODE_TYPES, RELATIONSHIP_TYPES};
use crate::grammar::types::{CapabilityType, NodeType, RelationshipType};
use crate::grammar::version::{V1_3, V2_0};
use crate::grammar::{CountRange, Metadata};

/// A requirement that nodes of a type have on other nodes.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "requirement definition", spec = "8.4")]
#[non_exhaustive]
pub struct RequirementDefinition {
    /// The description of the requirement.
    #[field(since = V1_3, inherit = overwrite)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The relationship type, and refinements of it.
    #[field(inherit = refine)]
    pub relationship: Child<RelationshipDefinition>,
    /// The type of the target nodes.
    #[field(lookup(NODE_TYPES), inherit = narrow)]
    pub node: Option<Reference<NodeType>>,
    /// The type of the target capability or, if `node` is given, the name of one of its capabilities.
    #[field(short(scalar), lookup(CAPABILITY_TYPES, optional), mandatory(inheritable), inherit = narrow)]
    pub capability: Option<Reference<CapabilityType>>,
    /// The conditions that the target node must fulfill.
    #[field(inherit = accumulate, read_as(NodeFilter, until = V1_3), value(since = V2_0))]
    pub node_filter: Clauses,
    /// The possible number of relationships.
    #[field(keyname("occurrences", until = V1_3), keyname("count_range", since = V2_0), inherit = within)]
    pub count_range: Option<Located<CountRange>>,
}

/// The definition of the relationships that fulfill a requirement.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "relationship definition", spec = "8.4")]
#[non_exhaustive]
pub struct RelationshipDefinition {
    /// The relationship type.
    #[field(definition, short(scalar), lookup(RELATIONSHIP_TYPES), mandatory(inheritable), inherit = narrow)]
    pub r#type: Option<Reference<RelationshipType>>,
    /// The description of the relationship.
    #[field(since = V2_0, inherit = overwrite)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
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
