//! Node templates (2.0, 7.2).

use super::{CapabilityAssignment, InterfaceAssignment, NodeDirectives, RequirementAssignment};
use crate::Entity;
use crate::entity::{Located, Members, Reference, Sequence, Text, Value, Values};
use crate::grammar::CONDITION;
use crate::grammar::definition::{ArtifactDefinition, NodeFilter};
use crate::grammar::section::{NODE_TEMPLATES, NODE_TYPES};
use crate::grammar::types::NodeType;
use crate::grammar::version::{V1_1, V1_3, V2_0};
use crate::grammar::{CountRange, Metadata};

/// A component of a service, from which one or more nodes are created.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "node template", spec = "7.2")]
#[non_exhaustive]
pub struct NodeTemplate {
    /// The node type.
    #[field(definition, lookup(NODE_TYPES))]
    pub r#type: Option<Reference<NodeType>>,
    /// The description of the node.
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// How the node is provided: created, selected or substituted.
    pub directives: NodeDirectives,
    /// The property values of the node: its desired state.
    #[field(assigns(title = "property"), value)]
    pub properties: Values,
    /// The initial attribute values of the node.
    #[field(assigns(title = "attribute", also = "properties"), value)]
    pub attributes: Values,
    /// The requirements of the node, and the nodes that fulfill them.
    #[field(sequenced)]
    pub requirements: Sequence<RequirementAssignment>,
    /// The assignments to the node's capabilities.
    #[field(assigns)]
    pub capabilities: Members<CapabilityAssignment>,
    /// The implementations that run when operations are called on the node.
    #[field(assigns)]
    pub interfaces: Members<InterfaceAssignment>,
    /// The artifacts of the node, in addition to those of its type.
    pub artifacts: Members<ArtifactDefinition>,
    /// The number of nodes.
    #[field(since = V2_0, default = "1", value)]
    pub count: Option<Value>,
    // Examples 25 and 26 of 1.3, decision B 29.
    /// The possible number of nodes, before 2.0.
    #[field(since = V1_3, until = V1_3)]
    pub occurrences: Option<Box<Located<CountRange>>>,
    /// The initial number of nodes, before 2.0.
    #[field(since = V1_3, until = V1_3, value)]
    pub instance_count: Option<Value>,
    /// The condition that a selected node must fulfill.
    #[field(read_as(NodeFilter, until = V1_3), value(since = V2_0), argument = CONDITION)]
    pub node_filter: Option<Value>,
    /// The node template that supplies every keyname not given here; maps are merged over the copied ones (decision A
    /// 63).
    #[field(copy, lookup(NODE_TEMPLATES))]
    pub copy: Option<Reference<NodeTemplate>>,
}
