//! Group types (2.0, 16.1).

use super::NodeType;
use crate::Entity;
use crate::entity::{Located, Members, Reference, References, Text};
use crate::grammar::definition::{
    AttributeDefinition, CapabilityDefinition, InterfaceDefinition, PropertyDefinition, RequirementDefinition,
};
use crate::grammar::section::{GROUP_TYPES, NODE_TYPES};
use crate::grammar::version::{V1_1, V1_2};
use crate::grammar::{Metadata, VersionText};

/// A type of groups of nodes.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "group type", spec = "16.1")]
#[non_exhaustive]
pub struct GroupType {
    /// The group type that this one is derived from.
    #[field(parent, lookup(GROUP_TYPES))]
    pub derived_from: Option<Reference<GroupType>>,
    /// The version of the type.
    pub version: Option<Box<Located<VersionText>>>,
    /// Data that the processor ignores.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// The description of the type.
    pub description: Option<Text>,
    /// The properties of a group: its desired state.
    #[field(inherit = refine)]
    pub properties: Members<PropertyDefinition>,
    /// The attributes of a group: its actual state.
    #[field(inherit = refine)]
    pub attributes: Members<AttributeDefinition>,
    /// The capabilities of a group.
    #[field(until = V1_2, inherit = refine)]
    pub capabilities: Members<CapabilityDefinition>,
    /// The requirements of a group on nodes.
    #[field(until = V1_2, sequenced, inherit = refine)]
    pub requirements: Members<RequirementDefinition>,
    /// The interfaces of a group.
    #[field(until = V1_2, inherit = refine)]
    pub interfaces: Members<InterfaceDefinition>,
    /// The node types that members may have; any type if omitted.
    #[field(lookup(NODE_TYPES), inherit = narrow)]
    pub members: References<NodeType>,
}
