//! Substitution mappings (2.0, chapter 15).

use super::{NodeTemplate, WorkflowDefinition};
use crate::Entity;
use crate::entity::{Child, Id, Members, Reference, Sequence, Text, Value, Values};
use crate::grammar::CONDITION;
use crate::grammar::Metadata;
use crate::grammar::definition::{NodeFilter, ParameterDefinition};
use crate::grammar::section::{INPUTS, NODE_TEMPLATES, NODE_TYPES, OUTPUTS, WORKFLOWS};
use crate::grammar::types::NodeType;
use crate::grammar::version::{V1_2, V1_3, V2_0};
use crate::rules::{MAPPING_XOR_VALUES, MISSING_KEYNAME};

/// How a service can substitute a node in another service.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "substitution mapping", spec = "15.1")]
#[non_exhaustive]
pub struct SubstitutionMapping {
    /// The description of the substitution.
    #[field(since = V2_0)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The type of the nodes that the service can substitute.
    #[field(mandatory, lookup(NODE_TYPES))]
    pub node_type: Option<Reference<NodeType>>,
    /// The condition that a substituted node must fulfill.
    #[field(since = V1_3, read_as(NodeFilter, until = V1_3), value(since = V2_0), argument = CONDITION)]
    pub substitution_filter: Option<Value>,
    /// The inputs that receive the properties of the node.
    #[field(since = V1_2, list_keys)]
    pub properties: Sequence<PropertyMapping>,
    /// The outputs that supply the attributes of the node.
    #[field(since = V1_3, list_keys)]
    pub attributes: Sequence<AttributeMapping>,
    /// The capabilities of node templates that represent the capabilities of the node.
    pub capabilities: Members<CapabilityMapping>,
    /// The requirements of node templates that represent the requirements of the node.
    #[field(since = V2_0, sequenced, list_keys)]
    pub requirements: Sequence<RequirementMapping>,
    // Decision B 7.
    /// The requirements of node templates that represent the requirements of the node.
    #[field(keyname("requirements", until = V1_3), list_too)]
    pub simple_requirements: Sequence<RequirementMapping>,
    /// The workflows that implement operations of the node.
    #[field(since = V1_2)]
    pub interfaces: Members<InterfaceMapping>,
}

impl SubstitutionMapping {
    /// Returns the mappings of requirements of the node, in any version.
    pub fn requirements(&self) -> impl Iterator<Item = Id<RequirementMapping>> {
        self.requirements.iter().chain(&self.simple_requirements).map(|(_, id)| *id)
    }
}

/// The mapping of a property of the node. Its key is the name of the property, or a list that leads to it: `[
/// CAPABILITY, capability, property ]` or `[ RELATIONSHIP, requirement, index, property ]`.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "property mapping", spec = "15.2")]
#[non_exhaustive]
pub struct PropertyMapping {
    /// The input that receives the value of the property.
    #[field(keyname("", since = V2_0), short(scalar), lookup(INPUTS, optional))]
    pub input: Option<Reference<ParameterDefinition>>,
    /// A list with the input that receives the value of the property.
    #[field(until = V1_3, short(list))]
    pub mapping: Option<Value>,
    // Decision B 8.
    /// The value that the property must have, in place of a mapping.
    #[field(until = V1_3, short(scalar, map), value)]
    pub value: Option<Value>,
}

/// The mapping of an attribute of the node. Its key has the same forms as that of a property mapping.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "attribute mapping", spec = "15.3")]
#[non_exhaustive]
pub struct AttributeMapping {
    /// The output that supplies the value of the attribute.
    #[field(keyname("", since = V2_0), short(scalar), lookup(OUTPUTS, optional))]
    pub output: Option<Reference<ParameterDefinition>>,
    /// A list with the output that supplies the value of the attribute.
    #[field(until = V1_3, short(list))]
    pub mapping: Option<Value>,
    /// The value of the attribute, in place of a mapping.
    #[field(until = V1_3, short(scalar, map), value)]
    pub value: Option<Value>,
}

/// The mapping of a capability of the node.
#[derive(Entity, Clone, Debug, Default)]
#[entity(
    title = "capability mapping",
    spec = "15.4",
    any_of(mapping, properties, attributes, rule = MISSING_KEYNAME, until = V1_3),
    at_most_one(mapping, properties, rule = MAPPING_XOR_VALUES, until = V1_3),
    at_most_one(mapping, attributes, rule = MAPPING_XOR_VALUES, until = V1_3)
)]
#[non_exhaustive]
pub struct CapabilityMapping {
    /// The capability of a node template.
    #[field(keyname("", since = V2_0), keyname("mapping", until = V1_3), short(list), mandatory(since = V2_0))]
    pub mapping: Child<MappedCapability>,
    /// The property values of the capability.
    #[field(until = V1_3, assigns(title = "property"), value)]
    pub properties: Values,
    /// The attribute values of the capability.
    #[field(until = V1_3, assigns(title = "attribute", also = "properties"), value)]
    pub attributes: Values,
}

/// A capability of a node template that represents a capability of the node.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "mapped capability", spec = "15.4", tuple)]
#[non_exhaustive]
pub struct MappedCapability {
    /// The node template.
    #[field(mandatory, lookup(NODE_TEMPLATES, optional))]
    pub node_template: Option<Reference<NodeTemplate>>,
    /// The name of the capability.
    #[field(mandatory)]
    pub capability: Option<Text>,
}

/// The mapping of a requirement of the node. Its key is the name of the requirement; since 2.0, a list of the name and
/// a count maps that many of its assignments.
#[derive(Entity, Clone, Debug, Default)]
#[entity(
    title = "requirement mapping",
    spec = "15.5",
    any_of(targets, properties, attributes, rule = MISSING_KEYNAME, until = V1_3),
    at_most_one(targets, properties, rule = MAPPING_XOR_VALUES, until = V1_3),
    at_most_one(targets, attributes, rule = MAPPING_XOR_VALUES, until = V1_3)
)]
#[non_exhaustive]
pub struct RequirementMapping {
    /// `[ node template, requirement ]`; since 2.0 also a node template that selects a node, or a list of either.
    #[field(keyname("", since = V2_0), keyname("mapping", until = V1_3), short(scalar, list), mandatory(since = V2_0))]
    pub targets: Option<Value>,
    /// The property values of the relationship.
    #[field(until = V1_3, assigns(title = "property"), value)]
    pub properties: Values,
    /// The attribute values of the relationship.
    #[field(until = V1_3, assigns(title = "attribute", also = "properties"), value)]
    pub attributes: Values,
}

/// How the operations of an interface of the node are mapped.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "interface mapping", spec = "15.6")]
#[non_exhaustive]
pub struct InterfaceMapping {
    /// The interface of a node template.
    #[field(keyname("", until = V1_3), short(list))]
    pub interface: Child<MappedInterface>,
    /// The workflows that implement the operations of the interface.
    #[field(keyname = "*")]
    pub operations: Members<OperationMapping>,
}

/// An interface of a node template that represents an interface of the node.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "mapped interface", tuple)]
#[non_exhaustive]
pub struct MappedInterface {
    /// The node template.
    #[field(mandatory, lookup(NODE_TEMPLATES, optional))]
    pub node_template: Option<Reference<NodeTemplate>>,
    /// The name of the interface.
    #[field(mandatory)]
    pub interface: Option<Text>,
}

/// The mapping of an operation of the node.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "operation mapping", spec = "15.6")]
#[non_exhaustive]
pub struct OperationMapping {
    /// The workflow that implements the operation.
    #[field(keyname = "", short(scalar), lookup(WORKFLOWS, optional))]
    pub workflow: Option<Reference<WorkflowDefinition>>,
}
