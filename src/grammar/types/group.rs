//! Group types (2.0, 16.1).

use super::NodeType;
use crate::Entity;
use crate::entity::{Given, Members, Reference, References, Text};
use crate::grammar::definition::{
    AttributeDefinition, CapabilityDefinition, InterfaceDefinition, PropertyDefinition, RequirementDefinition,
};
use crate::grammar::section::{GROUP_TYPES, NODE_TYPES};
use crate::grammar::version::{V1_1, V1_2};
use crate::grammar::{Metadata, VersionText};

/// A kind of group of nodes.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "group type", spec = "16.1")]
pub struct GroupType {
    /// The group type that this one is derived from.
    #[field(parent, lookup(GROUP_TYPES))]
    pub derived_from: Option<Reference<GroupType>>,
    /// The version of the type.
    pub version: Option<Box<Given<VersionText>>>,
    /// Data that is not for the processor.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// What the type is for.
    pub description: Option<Text>,
    /// What is wanted of a group.
    #[field(inherit = refine)]
    pub properties: Members<PropertyDefinition>,
    /// What a group is actually like.
    #[field(inherit = refine)]
    pub attributes: Members<AttributeDefinition>,
    /// What a group offers to others.
    #[field(until = V1_2, inherit = refine)]
    pub capabilities: Members<CapabilityDefinition>,
    /// What a group needs of others.
    #[field(until = V1_2, sequenced, inherit = refine)]
    pub requirements: Members<RequirementDefinition>,
    /// What can be called on a group.
    #[field(until = V1_2, inherit = refine)]
    pub interfaces: Members<InterfaceDefinition>,
    /// The node types that members may have; any if it is not given.
    #[field(lookup(NODE_TYPES), inherit = narrow)]
    pub members: References<NodeType>,
}
