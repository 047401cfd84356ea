//! Node templates (2.0, 7.2).

use super::{CapabilityAssignment, InterfaceAssignment, NodeDirectives, RequirementAssignment};
use crate::Entity;
use crate::entity::{Given, Members, Reference, Sequence, Text, Value, Values};
use crate::grammar::definition::{ArtifactDefinition, NodeFilter};
use crate::grammar::section::{NODE_TEMPLATES, NODE_TYPES};
use crate::grammar::types::NodeType;
use crate::grammar::version::{V1_1, V1_3, V2_0};
use crate::grammar::{CountRange, Metadata};

/// A component of a service, from which one node or several are made.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "node template", spec = "7.2")]
pub struct NodeTemplate {
    /// The node type.
    #[field(definition, lookup(NODE_TYPES))]
    pub r#type: Option<Reference<NodeType>>,
    /// What the node is for.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// How the node comes about: made, selected or substituted.
    pub directives: NodeDirectives,
    /// What is wanted of the node.
    #[field(assigns(title = "property"), value)]
    pub properties: Values,
    /// What the node is like to begin with.
    #[field(assigns(title = "attribute", also = "properties"), value)]
    pub attributes: Values,
    /// What the node needs of others, and which others.
    #[field(sequenced)]
    pub requirements: Sequence<RequirementAssignment>,
    /// What is wanted of the node's capabilities.
    #[field(assigns)]
    pub capabilities: Members<CapabilityAssignment>,
    /// What is run when operations are called on the node.
    #[field(assigns)]
    pub interfaces: Members<InterfaceAssignment>,
    /// The files that come with the node, besides those of its type.
    pub artifacts: Members<ArtifactDefinition>,
    /// How many nodes are made.
    #[field(since = V2_0, default = "1", value)]
    pub count: Option<Value>,
    // Examples 25 and 26 of 1.3, decision B 29.
    /// How many nodes may be made; before 2.0.
    #[field(since = V1_3, until = V1_3)]
    pub occurrences: Option<Box<Given<CountRange>>>,
    /// How many nodes are made to begin with; before 2.0.
    #[field(since = V1_3, until = V1_3, value)]
    pub instance_count: Option<Value>,
    /// What must be true of a node that is selected.
    #[field(read_as(NodeFilter, until = V1_3), value(since = V2_0))]
    pub node_filter: Option<Value>,
    /// The node template from which everything is taken that is not given here; maps are laid over (decision A 63).
    #[field(copy, lookup(NODE_TEMPLATES))]
    pub copy: Option<Reference<NodeTemplate>>,
}
