//! Node types as nodes without a template.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::super::{Asked, Capability, Node, Requirement};
use super::{Builder, Share};
use crate::entity::Id;
use crate::grammar::tosca::definition::{CapabilityDefinition, RequirementDefinition};
use crate::grammar::tosca::template::needed;
use crate::grammar::tosca::types::NodeType;
use crate::symbol::Symbol;

/// What all nodes of a type have in common.
pub(in crate::normal) struct NodeKind {
    /// The type.
    pub(super) id: Id<NodeType>,
    /// How many nodes are of the type.
    pub(in crate::normal) count: usize,
    /// A node about which no template says anything. It has no requirements.
    pub(in crate::normal) node: Node,
    /// What the type needs even if no template says so, in order.
    pub(super) requirements: Vec<Symbol>,
    /// A requirement about which no template says anything, by its name.
    pub(in crate::normal) needs: FxHashMap<Symbol, Need>,
}

/// What a requirement definition asks.
pub(in crate::normal) struct Need {
    /// The definition.
    pub(super) definition: Id<RequirementDefinition>,
    /// The requirement, implicit. It does not say what it asks.
    pub(in crate::normal) requirement: Requirement,
    /// What it asks of a node as long as none is named.
    pub(in crate::normal) asked: Option<Asked>,
}

impl Builder<'_> {
    /// Makes a node of a type alone.
    pub(super) fn kind(&self, id: Id<NodeType>, share: Share) -> NodeKind {
        let mut node = Node { types: self.types(id.any()), ..Node::default() };
        let Some(of_type) = self.get(id) else {
            return NodeKind { id, count: 0, node, requirements: Vec::new(), needs: FxHashMap::default() };
        };
        if share == Share::All {
            node.properties = self.definitions(&of_type.properties);
            node.attributes = self.definitions(&of_type.attributes);
            node.capabilities = self.named(&of_type.capabilities, |id| Arc::new(self.capability(id)));
            node.artifacts = self.artifacts(&of_type.artifacts);
            node.interfaces = self.interfaces(&of_type.interfaces, Some(&node.artifacts));
        }
        NodeKind {
            id,
            count: 0,
            node,
            requirements: needed(&self.context, &of_type.requirements).map(|(name, _)| name).collect(),
            needs: of_type.requirements.iter().map(|(name, id)| (name, self.need(name, id, share))).collect(),
        }
    }

    fn capability(&self, id: Id<CapabilityDefinition>) -> Capability {
        let Some(capability) = self.get(id) else { return Capability::default() };
        let occurrences = capability.occurrences.as_ref().and_then(|occurrences| self.data(Some(occurrences.position)));
        Capability {
            types: self.types_of(capability.r#type),
            description: self.text(capability.description),
            metadata: self.metadata(capability.metadata),
            properties: self.definitions(&capability.properties),
            attributes: self.definitions(&capability.attributes),
            directives: Vec::new(),
            occurrences: occurrences.map(|node| self.value(node)),
            valid_source_node_types: self.listed(&capability.valid_source_node_types),
            valid_relationship_types: self.listed(&capability.valid_relationship_types),
            source: self.source(id.any()),
        }
    }
}
