//! Types.

use tosca_parse::Entity;
use tosca_parse::entity::{Members, Reference, Text};

use super::{DATA_TYPES, Interface, NODE_TYPES, PropertyDefinition, RELATIONSHIPS, V1_5};

/// A type of structured values.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "data type")]
#[non_exhaustive]
pub struct DataType {
    /// The type that it is derived from.
    #[field(parent, lookup(DATA_TYPES))]
    pub derived_from: Option<Reference<DataType>>,
    /// The fields. A field replaces the inherited one as a whole.
    #[field(inherit = replace)]
    pub properties: Members<PropertyDefinition>,
    /// A description of the type.
    pub description: Option<Text>,
    /// The version of the type.
    pub version: Option<Text>,
}

/// A type of nodes.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "node type")]
#[non_exhaustive]
pub struct NodeType {
    /// The type that it is derived from.
    #[field(parent, lookup(NODE_TYPES))]
    pub derived_from: Option<Reference<NodeType>>,
    /// The properties. A property replaces the inherited one as a whole.
    #[field(inherit = replace)]
    pub properties: Members<PropertyDefinition>,
    /// The operations, by interface.
    #[field(inherit = refine)]
    pub interfaces: Members<Interface>,
    /// The properties that nodes have at run time.
    #[field(since = V1_5, inherit = replace)]
    pub runtime_properties: Members<PropertyDefinition>,
}

/// A type of relationships.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "relationship type")]
#[non_exhaustive]
pub struct RelationshipType {
    /// The type that it is derived from.
    #[field(parent, lookup(RELATIONSHIPS))]
    pub derived_from: Option<Reference<RelationshipType>>,
    /// The properties. A property replaces the inherited one as a whole.
    #[field(inherit = replace)]
    pub properties: Members<PropertyDefinition>,
    /// The operations that run on the source, by interface.
    #[field(inherit = refine)]
    pub source_interfaces: Members<Interface>,
    /// The operations that run on the target, by interface.
    #[field(inherit = refine)]
    pub target_interfaces: Members<Interface>,
}

/// A type of group policies.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "policy type")]
#[non_exhaustive]
pub struct PolicyType {
    /// The path or URL of the implementation.
    #[field(mandatory)]
    pub source: Option<Text>,
    /// The properties.
    pub properties: Members<PropertyDefinition>,
}

/// A type of policy triggers.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "policy trigger")]
#[non_exhaustive]
pub struct PolicyTrigger {
    /// The path or URL of the implementation.
    #[field(mandatory)]
    pub source: Option<Text>,
    /// The parameters.
    pub parameters: Members<PropertyDefinition>,
}
