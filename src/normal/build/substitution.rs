//! Substitution mappings.

use super::super::{
    CapabilityMapping, Map, MappedInterface, MappedRequirement, Name, PropertyMapping, RequirementMapping,
    Substitution, Target, Value,
};
use super::builder::Builder;
use crate::ard::{Kind, Node};
use crate::entity::{AnyId, Id, NodeRef, Section, Text, Value as Located};
use crate::grammar::section::{INPUTS, OUTPUTS};
use crate::grammar::template::{self as of_template, SubstitutionMapping};
use crate::relationships::requirement_targets;
use crate::symbol::Symbol;

impl Builder<'_> {
    pub(super) fn substitution(&self, id: Id<SubstitutionMapping>) -> Option<Substitution> {
        let mapping = self.get(id)?;
        Some(Substitution {
            types: self.types_of(mapping.node_type),
            description: self.text(mapping.description),
            metadata: self.metadata(mapping.metadata),
            filter: self.given(mapping.substitution_filter),
            properties: self.property_mappings(id, mapping),
            attributes: self.attribute_mappings(id, mapping),
            capabilities: mapping.capabilities.iter().map(|(name, id)| self.capability_mapping(name, id)).collect(),
            requirements: mapping.requirements().map(|of| self.requirement_mapping(id, of)).collect(),
            interfaces: self.named(&mapping.interfaces, |id| self.workflows(id)),
            mapped_interfaces: self.mapped_interfaces(mapping),
            source: self.source(id.any()),
        })
    }

    /// Returns whether the service declares a name.
    fn is_known(&self, id: Id<SubstitutionMapping>, section: Section, name: &str) -> bool {
        let symbol = self.context.program.interner.get(name);
        symbol.is_some_and(|symbol| self.context.resolve(id.any(), section, symbol).id().is_some())
    }

    fn property_mappings(&self, id: Id<SubstitutionMapping>, of: &SubstitutionMapping) -> Vec<PropertyMapping> {
        let mappings = of.properties.iter().filter_map(|(_, property)| {
            let mapping = self.get(*property)?;
            let input = mapping.input.map(|input| self.name(input.name));
            let (path, input, value) = self.mapped(id, property.any(), (input, mapping.mapping), INPUTS)?;
            Some(PropertyMapping { path, input, value, ..PropertyMapping::default() })
        });
        mappings.collect()
    }

    fn attribute_mappings(&self, id: Id<SubstitutionMapping>, of: &SubstitutionMapping) -> Vec<PropertyMapping> {
        let mappings = of.attributes.iter().filter_map(|(_, attribute)| {
            let mapping = self.get(*attribute)?;
            let output = mapping.output.map(|output| self.name(output.name));
            let (path, output, value) = self.mapped(id, attribute.any(), (output, mapping.mapping), OUTPUTS)?;
            Some(PropertyMapping { path, output, value, ..PropertyMapping::default() })
        });
        mappings.collect()
    }

    /// Returns the path to a property or attribute, and its mapping: the name of a parameter, or else a value. Before
    /// 2.0, the name is the only item of a list.
    fn mapped(
        &self,
        id: Id<SubstitutionMapping>,
        mapping: AnyId,
        (name, list): (Option<Name>, Option<Located>),
        section: Section,
    ) -> Option<(Vec<Value>, Option<Name>, Option<Value>)> {
        let header = self.context.header(mapping)?;
        let node = |node| self.data(Some(NodeRef { unit: mapping.unit, node }));
        let list = list.and_then(|list| self.data(Some(list.0))).filter(|list| list.len() == 1);
        let only = list.and_then(|list| list.items().next()).filter(|item| item.kind() == Kind::String);
        let name = name.or_else(|| only.map(|only| only.text().into()));
        let name = name.filter(|name| self.is_known(id, section, name));
        let value = name.is_none().then(|| node(header.node)).flatten().map(|node| self.value(node));
        Some((self.path(node(header.key)?), name, value))
    }

    fn capability_mapping(&self, name: Symbol, id: Id<of_template::CapabilityMapping>) -> CapabilityMapping {
        let mapping = self.get(id);
        let target = mapping.and_then(|mapping| self.get(mapping.mapping?)).and_then(|mapped| {
            let capability = self.data(mapped.capability.map(|Text(name)| name))?;
            let node = self.name(mapped.node_template?.name);
            Some(Target { node, index: None, capability: Some(capability.text().into()) })
        });
        CapabilityMapping {
            capability: self.name(name),
            target,
            properties: mapping.map_or_else(Map::new, |mapping| self.values(mapping.properties)),
            attributes: mapping.map_or_else(Map::new, |mapping| self.values(mapping.attributes)),
        }
    }

    fn mapped_interfaces(&self, of: &SubstitutionMapping) -> Map<MappedInterface> {
        let mapped = of.interfaces.iter().filter_map(|(name, id)| {
            let mapped = self.get(self.get(id)?.interface?)?;
            let node = self.name(mapped.node_template?.name);
            Some((self.name(name), MappedInterface { node, interface: self.text(mapped.interface)? }))
        });
        mapped.collect()
    }

    /// Returns the workflows that implement the operations of an interface.
    fn workflows(&self, id: Id<of_template::InterfaceMapping>) -> Map<Name> {
        let operations = self.get(id).into_iter().flat_map(|mapping| mapping.operations.iter());
        let workflows = operations.filter_map(|(name, id)| {
            let workflow = self.get(id)?.workflow?;
            Some((self.name(name), self.name(workflow.name)))
        });
        workflows.collect()
    }

    fn requirement_mapping(
        &self,
        id: Id<SubstitutionMapping>,
        of: Id<of_template::RequirementMapping>,
    ) -> RequirementMapping {
        let mut mapping = RequirementMapping::default();
        let key = self.context.header(of.any()).map(|header| NodeRef { unit: of.unit, node: header.key });
        if let Some(key) = self.data(key) {
            let mut items = key.items();
            match (key.kind(), items.next(), items.next()) {
                (Kind::List, Some(name), count) => {
                    mapping.requirement = name.text().into();
                    mapping.count = count.map(|count| self.value(count));
                }
                _ => mapping.requirement = key.label().into(),
            }
        }
        let Some(of) = self.get(of) else { return mapping };
        let targets = requirement_targets(of, &self.context, id.any());
        mapping.targets = targets.into_iter().filter_map(mapped_requirement).collect();
        (mapping.properties, mapping.attributes) = (self.values(of.properties), self.values(of.attributes));
        mapping
    }
}

/// Returns a requirement of a node template, or a node template that selects a node.
fn mapped_requirement(node: Node<'_>) -> Option<MappedRequirement> {
    match node.kind() {
        Kind::String => Some(MappedRequirement { node: node.text().into(), requirement: None }),
        _ => pair(node).map(|(node, requirement)| MappedRequirement { node, requirement: Some(requirement) }),
    }
}

/// Returns the two names in a list.
fn pair(node: Node<'_>) -> Option<(Name, Name)> {
    let mut items = node.items().filter(|item| item.kind() == Kind::String);
    match (items.next(), items.next(), node.len()) {
        (Some(first), Some(second), 2) => Some((first.text().into(), second.text().into())),
        _ => None,
    }
}
