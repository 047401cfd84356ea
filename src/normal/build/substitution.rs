//! Substitution mappings.

use super::super::{
    CapabilityMapping, MappedRequirement, Name, PropertyMapping, RequirementMapping, Substitution, Target,
};
use super::Builder;
use crate::ard::{Entry, Kind, Node};
use crate::entity::{Id, Value as Given};
use crate::grammar::tosca::section::{INPUTS, NODE_TEMPLATES, OUTPUTS};
use crate::grammar::tosca::template::SubstitutionMapping;

impl<'a> Builder<'a> {
    pub(super) fn substitution(&self, id: Id<SubstitutionMapping>) -> Option<Substitution> {
        let mapping = self.get(id)?;
        Some(Substitution {
            types: self.types_of(mapping.node_type),
            description: self.text(mapping.description),
            metadata: self.metadata(mapping.metadata),
            filter: self.given(mapping.substitution_filter),
            properties: self.entries(mapping.properties).map(|entry| self.property_mapping(id, &entry, true)).collect(),
            attributes: self
                .entries(mapping.attributes)
                .map(|entry| self.property_mapping(id, &entry, false))
                .collect(),
            capabilities: self
                .entries(mapping.capabilities)
                .map(|entry| CapabilityMapping {
                    capability: entry.key.label().into(),
                    target: pair(entry.value).map(|(node, capability)| Target {
                        node,
                        index: None,
                        capability: Some(capability),
                    }),
                })
                .collect(),
            requirements: self.requirement_mappings(id, mapping.requirements),
            interfaces: self
                .entries(mapping.interfaces)
                .map(|entry| {
                    let operations = entry.value.entries().filter(|operation| !operation.duplicate);
                    let workflows =
                        operations.map(|operation| (operation.key.label().into(), operation.value.label().into()));
                    (entry.key.label().into(), workflows.collect())
                })
                .collect(),
            source: self.source(id.any()),
        })
    }

    fn entries(&self, section: Option<Given>) -> impl Iterator<Item = Entry<'a>> {
        let node = section.and_then(|section| self.data(Some(section.0)));
        node.into_iter().flat_map(Node::entries).filter(|entry| !entry.duplicate)
    }

    /// Whether a name stands for something of the service.
    fn is_known(&self, id: Id<SubstitutionMapping>, section: crate::entity::Section, name: &str) -> bool {
        let symbol = self.context.program.interner.get(name);
        symbol.is_some_and(|symbol| self.context.resolve(id.any(), section, symbol).id().is_some())
    }

    fn property_mapping(&self, id: Id<SubstitutionMapping>, entry: &Entry<'a>, is_property: bool) -> PropertyMapping {
        let mut mapping = PropertyMapping { path: self.path(entry.key), ..PropertyMapping::default() };
        // Before 2.0, the name may be the one item of a list.
        let mut items = entry.value.items();
        let name = match (entry.value.kind(), items.next(), items.next()) {
            (Kind::List, Some(only), None) => only,
            _ => entry.value,
        };
        let section = if is_property { INPUTS } else { OUTPUTS };
        if name.kind() == Kind::String && self.is_known(id, section, name.text()) {
            let name: Name = name.text().into();
            *(if is_property { &mut mapping.input } else { &mut mapping.output }) = Some(name);
        } else {
            mapping.value = Some(self.value(entry.value));
        }
        mapping
    }

    /// A list of maps with one entry each; before 2.0 also a map.
    fn requirement_mappings(&self, id: Id<SubstitutionMapping>, section: Option<Given>) -> Vec<RequirementMapping> {
        let Some(node) = section.and_then(|section| self.data(Some(section.0))) else { return Vec::new() };
        let entries: Vec<Entry<'a>> = match node.kind() {
            Kind::List => node.items().flat_map(Node::entries).collect(),
            _ => node.entries().collect(),
        };
        entries.into_iter().map(|entry| self.requirement_mapping(id, &entry)).collect()
    }

    fn requirement_mapping(&self, id: Id<SubstitutionMapping>, entry: &Entry<'a>) -> RequirementMapping {
        let mut mapping = RequirementMapping::default();
        let mut key = entry.key.items();
        match (entry.key.kind(), key.next(), key.next()) {
            (Kind::List, Some(name), count) => {
                mapping.requirement = name.text().into();
                mapping.count = count.map(|count| self.value(count));
            }
            _ => mapping.requirement = entry.key.label().into(),
        }
        // A pair is a node template and its requirement, unless the second name is a node template as well.
        let is_pair = pair(entry.value).is_some_and(|(_, second)| !self.is_known(id, NODE_TEMPLATES, &second));
        let targets = if entry.value.kind() == Kind::List && !is_pair {
            entry.value.items().filter_map(mapped_requirement).collect()
        } else {
            mapped_requirement(entry.value).into_iter().collect()
        };
        mapping.targets = targets;
        mapping
    }
}

/// A requirement of a node template, or a node template that is selected.
fn mapped_requirement(node: Node<'_>) -> Option<MappedRequirement> {
    match node.kind() {
        Kind::String => Some(MappedRequirement { node: node.text().into(), requirement: None }),
        _ => pair(node).map(|(node, requirement)| MappedRequirement { node, requirement: Some(requirement) }),
    }
}

/// Two names in a list.
fn pair(node: Node<'_>) -> Option<(Name, Name)> {
    let mut items = node.items().filter(|item| item.kind() == Kind::String);
    match (items.next(), items.next(), node.len()) {
        (Some(first), Some(second), 2) => Some((first.text().into(), second.text().into())),
        _ => None,
    }
}
