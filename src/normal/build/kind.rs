//! Node kinds: the model of a node type, without a template.

use std::sync::Arc;

use super::super::{Capability, Node};
use super::builder::{Builder, NodeKind, Share};
use super::interface::ArtifactScope;
use crate::entity::Id;
use crate::grammar::definition::CapabilityDefinition;
use crate::grammar::types::NodeType;
use crate::relationships::mandatory;

impl Builder<'_> {
    /// Builds a node from a type alone.
    pub(super) fn kind(&self, id: Id<NodeType>) -> NodeKind {
        let types = self.types(id.any());
        let Some(of_type) = self.get(id) else {
            return NodeKind { node: Node { types, ..Node::default() }, ..NodeKind::default() };
        };
        let artifacts = self.artifacts(&of_type.artifacts, Share::All);
        NodeKind {
            node: Node {
                types,
                properties: self.definitions(&of_type.properties),
                attributes: self.definitions(&of_type.attributes),
                capabilities: self.named(&of_type.capabilities, |id| Arc::new(self.capability(id))),
                interfaces: self.interfaces(&of_type.interfaces, ArtifactScope::of(&artifacts, Share::All)),
                artifacts,
                ..Node::default()
            },
            requirements: mandatory(&self.context, &of_type.requirements).map(|(name, _)| name).collect(),
            needs: of_type.requirements.iter().map(|(name, id)| (name, self.need(name, id))).collect(),
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
