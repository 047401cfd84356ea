//! Groups (2.0, 16.2).

use super::InterfaceAssignment;
use crate::Entity;
use crate::entity::{Members, Reference, References, Text, Values};
use crate::grammar::Metadata;
use crate::grammar::section::{GROUP_TYPES, GROUPS, NODE_TEMPLATES};
use crate::grammar::types::GroupType;
use crate::grammar::version::{V1_1, V1_2, V2_0};

/// A group of nodes. Policies can apply to all of them.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "group", spec = "16.2")]
#[non_exhaustive]
pub struct GroupDefinition {
    /// The group type.
    #[field(definition, mandatory, lookup(GROUP_TYPES))]
    pub r#type: Option<Reference<GroupType>>,
    /// The description of the group.
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// The property values of the group: its desired state.
    #[field(assigns(title = "property"), value)]
    pub properties: Values,
    /// The initial attribute values of the group.
    #[field(since = V2_0, assigns(title = "attribute", also = "properties"), value)]
    pub attributes: Values,
    /// The interfaces of the group.
    #[field(until = V1_2, assigns)]
    pub interfaces: Members<InterfaceAssignment>,
    /// The node templates whose nodes are members.
    #[field(lookup(NODE_TEMPLATES, GROUPS))]
    pub members: References<()>,
}
