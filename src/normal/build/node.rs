//! Node templates.

use std::sync::Arc;

use super::super::{Capability, Node, OverlayMap, Property};
use super::builder::{Builder, Share};
use super::interface::ArtifactScope;
use crate::entity::{Id, Members, Values};
use crate::grammar::definition::{AttributeDefinition, CapabilityDefinition, PropertyDefinition};
use crate::grammar::template::{CapabilityAssignment, NodeTemplate};

impl Builder<'_> {
    /// Applies a template to the kind of its type.
    pub(super) fn node(&self, id: Id<NodeTemplate>, share: Share) -> Node {
        let Some(template) = self.template(id, share) else { return Node::default() };
        let node_type = self.get(id).and_then(|template| self.context.target_of(template.r#type));
        let with_room = node_type.filter(|_| share == Share::All);
        let kind = with_room.map(|id| self.kinds.get(id, || self.kind_of(id)));
        let of_type = with_room.and_then(|id| self.get(id));
        let mut node = match (&kind, node_type) {
            (Some(kind), _) => kind.node.clone(),
            (None, Some(node_type)) => Node { types: self.types_for(node_type.any(), share), ..Node::default() },
            (None, None) => Node::default(),
        };
        node.description = self.text(template.description);
        node.metadata = self.metadata(template.metadata);
        node.directives = self.texts(template.directives.words());
        node.count = self.given(template.count.or(template.instance_count));
        node.node_filter = self.given(template.node_filter);
        let properties = of_type.map(|of_type| &of_type.properties);
        let attributes = of_type.map(|of_type| &of_type.attributes);
        self.assign(&mut node.properties, template.properties, properties);
        self.assign_attributes(&mut node.attributes, template.attributes, attributes, properties);
        for (name, id) in template.capabilities.iter() {
            let definition = of_type.and_then(|of_type| self.get(of_type.capabilities.get(name)?));
            let capability = node.capabilities.get_or_default(self.name(name));
            self.assign_capability(Arc::make_mut(capability), id, definition);
        }
        if !template.artifacts.is_empty() {
            node.artifacts.extend(self.artifacts(&template.artifacts, share));
            // Names in implementations may refer to different artifacts now.
            if let Some(of_type) = of_type {
                node.interfaces = self.interfaces(&of_type.interfaces, ArtifactScope::of(&node.artifacts, share));
            }
        }
        let interfaces = of_type.map(|of_type| &of_type.interfaces);
        let scope = ArtifactScope::of(&node.artifacts, share);
        self.assign_interfaces(&mut node.interfaces, &template.interfaces, interfaces, scope);
        node.requirements = self.requirements(id, template, kind.as_deref(), share);
        node.source = self.source(id.any());
        node
    }

    /// Assigns attributes. Attributes may also be assigned to properties, which they reflect.
    pub(super) fn assign_attributes(
        &self,
        assigned: &mut OverlayMap<Property>,
        values: Values,
        attributes: Option<&Members<AttributeDefinition>>,
        properties: Option<&Members<PropertyDefinition>>,
    ) {
        self.assign_among(assigned, values, &|name| match attributes.and_then(|attributes| attributes.get(name)) {
            Some(id) => self.expected(id),
            None => properties.and_then(|properties| self.expected(properties.get(name)?)),
        });
    }

    fn assign_capability(
        &self,
        capability: &mut Capability,
        id: Id<CapabilityAssignment>,
        definition: Option<&CapabilityDefinition>,
    ) {
        let Some(assignment) = self.get(id) else { return };
        self.say(&mut capability.description, &mut capability.metadata, (assignment.description, assignment.metadata));
        let properties = definition.map(|definition| &definition.properties);
        let attributes = definition.map(|definition| &definition.attributes);
        self.assign(&mut capability.properties, assignment.properties, properties);
        self.assign_attributes(&mut capability.attributes, assignment.attributes, attributes, properties);
        capability.directives = self.texts(&assignment.directives.words);
        if let Some(occurrences) = assignment.occurrences.as_ref().and_then(|own| self.data(Some(own.position))) {
            capability.occurrences = Some(self.value(occurrences));
        }
        capability.source = self.source(id.any());
    }
}
