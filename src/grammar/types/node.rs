//! Node types (2.0, 7.1).

use crate::Entity;
use crate::entity::{Located, Members, Reference, Text};
use crate::grammar::definition::{
    ArtifactDefinition, AttributeDefinition, CapabilityDefinition, InterfaceDefinition, PropertyDefinition,
    RequirementDefinition,
};
use crate::grammar::section::NODE_TYPES;
use crate::grammar::version::V1_1;
use crate::grammar::{Metadata, VersionText};

/// A type of nodes, the components of a service.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "node type", spec = "7.1")]
#[non_exhaustive]
pub struct NodeType {
    /// The node type that this one is derived from.
    #[field(parent, lookup(NODE_TYPES))]
    pub derived_from: Option<Reference<NodeType>>,
    /// The version of the type.
    pub version: Option<Box<Located<VersionText>>>,
    /// Data that the processor ignores.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// The description of the type.
    pub description: Option<Text>,
    /// The properties of a node: its desired state.
    #[field(inherit = refine)]
    pub properties: Members<PropertyDefinition>,
    /// The attributes of a node: its actual state.
    #[field(inherit = refine)]
    pub attributes: Members<AttributeDefinition>,
    /// The capabilities of a node.
    #[field(inherit = refine)]
    pub capabilities: Members<CapabilityDefinition>,
    /// The requirements of a node on other nodes.
    #[field(sequenced, inherit = refine)]
    pub requirements: Members<RequirementDefinition>,
    /// The interfaces of a node.
    #[field(inherit = refine)]
    pub interfaces: Members<InterfaceDefinition>,
    /// The artifacts of a node.
    #[field(inherit = replace)]
    pub artifacts: Members<ArtifactDefinition>,
}
