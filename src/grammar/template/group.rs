//! Groups (2.0, 16.2).

use super::InterfaceAssignment;
use crate::Entity;
use crate::entity::{Members, Reference, References, Text, Values};
use crate::grammar::Metadata;
use crate::grammar::section::{GROUP_TYPES, GROUPS, NODE_TEMPLATES};
use crate::grammar::types::GroupType;
use crate::grammar::version::{V1_1, V1_2, V2_0};

/// Nodes to which policies apply in common.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "group", spec = "16.2")]
pub struct GroupDefinition {
    /// The group type.
    #[field(definition, mandatory, lookup(GROUP_TYPES))]
    pub r#type: Option<Reference<GroupType>>,
    /// What the group is for.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// What is wanted of the group.
    #[field(assigns(title = "property"), value)]
    pub properties: Values,
    /// What the group is like to begin with.
    #[field(since = V2_0, assigns(title = "attribute", also = "properties"), value)]
    pub attributes: Values,
    /// What can be done with the group.
    #[field(until = V1_2, assigns)]
    pub interfaces: Members<InterfaceAssignment>,
    /// The node templates from which the members are made.
    #[field(lookup(NODE_TEMPLATES, GROUPS))]
    pub members: References<()>,
}
