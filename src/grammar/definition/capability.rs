//! Capability definitions (2.0, 8.2).

use super::{AttributeDefinition, PropertyDefinition};
use crate::Entity;
use crate::entity::{Located, Members, Reference, References, Text};
use crate::grammar::section::{CAPABILITY_TYPES, NODE_TYPES, RELATIONSHIP_TYPES};
use crate::grammar::types::{CapabilityType, NodeType, RelationshipType};
use crate::grammar::version::{V1_3, V2_0};
use crate::grammar::{CountRange, Metadata};

/// A capability that nodes of a type offer.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "capability definition", spec = "8.2")]
#[non_exhaustive]
pub struct CapabilityDefinition {
    /// The capability type.
    #[field(definition, short(scalar), lookup(CAPABILITY_TYPES), mandatory(inheritable), inherit = narrow)]
    pub r#type: Option<Reference<CapabilityType>>,
    /// The description of the capability.
    #[field(inherit = overwrite)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// Refinements of the properties that the capability type defines.
    #[field(inherit = refine, closed(since = V2_0))]
    pub properties: Members<PropertyDefinition>,
    /// Refinements of the attributes that the capability type defines.
    #[field(inherit = refine, closed(since = V2_0))]
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
    /// The number of relationships that may target the capability, as a range.
    #[field(until = V1_3, default = "[1, UNBOUNDED]", inherit = within)]
    pub occurrences: Option<Box<Located<CountRange>>>,
}
