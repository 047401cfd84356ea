//! Substitution mappings (2.0, chapter 15).

use super::super::scalar::Metadata;
use super::super::section::NODE_TYPES;
use super::super::types::NodeType;
use super::super::version::{V1_2, V1_3, V2_0};
use crate::Entity;
use crate::entity::{Reference, Text, Value};

/// How a service can stand for a node in another service.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "substitution mapping", spec = "15.1", render = super::mapping::render)]
pub struct SubstitutionMapping {
    /// What the service stands for.
    #[field(since = V2_0)]
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The type of the nodes that the service can stand for.
    #[field(mandatory, lookup(NODE_TYPES))]
    pub node_type: Option<Reference<NodeType>>,
    /// What must be true of such a node.
    #[field(since = V1_3)]
    pub substitution_filter: Option<Value>,
    /// The inputs that get the properties of the node.
    #[field(since = V1_2)]
    pub properties: Option<Value>,
    /// The outputs that the attributes of the node get.
    #[field(since = V1_3)]
    pub attributes: Option<Value>,
    /// The capabilities of templates that stand for those of the node.
    pub capabilities: Option<Value>,
    /// The requirements of templates that stand for those of the node.
    pub requirements: Option<Value>,
    /// The workflows that stand for operations of the node.
    #[field(since = V1_2)]
    pub interfaces: Option<Value>,
}
