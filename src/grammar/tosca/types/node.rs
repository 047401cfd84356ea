//! Node types (2.0, 7.1).

use super::super::definition::{
    ArtifactDefinition, AttributeDefinition, CapabilityDefinition, InterfaceDefinition, PropertyDefinition,
    RequirementDefinition, check_reflected,
};
use super::super::scalar::{Metadata, VersionText};
use super::super::section::NODE_TYPES;
use super::super::version::V1_1;
use crate::Entity;
use crate::entity::{Given, Id, Members, Reference, Text};
use crate::phase::Context;

/// A kind of component of a service.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "node type", spec = "7.1", after_inheritance = check)]
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

fn check(complete: &NodeType, context: &mut Context<'_>, id: Id<NodeType>) {
    if let Some(own) = context.program.raw_as(id) {
        let complete = (&complete.properties, &complete.attributes);
        check_reflected(context, (&own.properties, &own.attributes), complete);
    }
}
