//! Node types (2.0, 7.1).

use crate::Entity;
use crate::entity::{Given, Members, Reference, Text};
use crate::grammar::definition::{
    ArtifactDefinition, AttributeDefinition, CapabilityDefinition, InterfaceDefinition, PropertyDefinition,
    RequirementDefinition,
};
use crate::grammar::section::NODE_TYPES;
use crate::grammar::version::V1_1;
use crate::grammar::{Metadata, VersionText};

/// A kind of component of a service.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "node type", spec = "7.1")]
pub struct NodeType {
    /// The node type that this one is derived from.
    #[field(parent, lookup(NODE_TYPES))]
    pub derived_from: Option<Reference<NodeType>>,
    /// The version of the type.
    pub version: Option<Box<Given<VersionText>>>,
    /// Data that is not for the processor.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// What the type is for.
    pub description: Option<Text>,
    /// What is wanted of a node.
    #[field(inherit = refine)]
    pub properties: Members<PropertyDefinition>,
    /// What a node is actually like.
    #[field(inherit = refine)]
    pub attributes: Members<AttributeDefinition>,
    /// What a node offers to others.
    #[field(inherit = refine)]
    pub capabilities: Members<CapabilityDefinition>,
    /// What a node needs of others.
    #[field(sequenced, inherit = refine)]
    pub requirements: Members<RequirementDefinition>,
    /// What can be called on a node.
    #[field(inherit = refine)]
    pub interfaces: Members<InterfaceDefinition>,
    /// The files that come with a node.
    #[field(inherit = replace)]
    pub artifacts: Members<ArtifactDefinition>,
}
