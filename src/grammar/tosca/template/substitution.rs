//! Substitution mappings (2.0, chapter 15).

use super::super::definition::{NodeFilter, ParameterDefinition};
use super::super::scalar::Metadata;
use super::super::section::{INPUTS, NODE_TEMPLATES, NODE_TYPES, OUTPUTS, WORKFLOWS};
use super::super::types::NodeType;
use super::super::version::{V1_2, V1_3, V2_0};
use super::{NodeTemplate, WorkflowDefinition};
use crate::Entity;
use crate::ard::{Kind, Node};
use crate::entity::{AnyId, Child, Id, Members, Reference, Sequence, Text, Value, Values};
use crate::phase::Context;

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
    #[field(since = V1_3, read_as(NodeFilter, until = V1_3))]
    pub substitution_filter: Option<Value>,
    /// The inputs that get the properties of the node.
    #[field(since = V1_2, list_keys)]
    pub properties: Sequence<PropertyMapping>,
    /// The outputs that the attributes of the node get.
    #[field(since = V1_3, list_keys)]
    pub attributes: Sequence<AttributeMapping>,
    /// The capabilities of templates that stand for those of the node.
    pub capabilities: Members<CapabilityMapping>,
    /// The requirements of templates that stand for those of the node.
    #[field(since = V2_0, sequenced, list_keys)]
    pub requirements: Sequence<RequirementMapping>,
    // Decision B 7.
    /// The requirements of templates that stand for those of the node.
    #[field(keyname("requirements", until = V1_3), list_too)]
    pub simple_requirements: Sequence<RequirementMapping>,
    /// The workflows that stand for operations of the node.
    #[field(since = V1_2)]
    pub interfaces: Members<InterfaceMapping>,
}

impl SubstitutionMapping {
    /// What requirements of the node are mapped to, in whatever version.
    pub fn requirements(&self) -> impl Iterator<Item = Id<RequirementMapping>> {
        self.requirements.items.iter().chain(&self.simple_requirements.items).map(|(_, id)| *id)
    }
}

/// What a property of the node is mapped to. It is named, or told by a list that leads to it: `[ CAPABILITY,
/// capability, property ]` or `[ RELATIONSHIP, requirement, index, property ]`.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "property mapping", spec = "15.2")]
pub struct PropertyMapping {
    /// The input that gets the value of the property.
    #[field(keyname("", since = V2_0), short(scalar), lookup(INPUTS, optional))]
    pub input: Option<Reference<ParameterDefinition>>,
    /// The input that gets the value of the property, in a list of one.
    #[field(until = V1_3, short(list))]
    pub mapping: Option<Value>,
    // Decision B 8.
    /// The value that the property must have instead.
    #[field(until = V1_3, short(scalar, map))]
    pub value: Option<Value>,
}

/// What an attribute of the node is mapped to. It is told like a property.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "attribute mapping", spec = "15.3")]
pub struct AttributeMapping {
    /// The output that gives the value of the attribute.
    #[field(keyname("", since = V2_0), short(scalar), lookup(OUTPUTS, optional))]
    pub output: Option<Reference<ParameterDefinition>>,
    /// The output that gives the value of the attribute, in a list of one.
    #[field(until = V1_3, short(list))]
    pub mapping: Option<Value>,
    /// The value that the attribute has instead.
    #[field(until = V1_3, short(scalar, map))]
    pub value: Option<Value>,
}

/// What a capability of the node is mapped to.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "capability mapping", spec = "15.4")]
pub struct CapabilityMapping {
    /// The capability of a node template.
    #[field(keyname("", since = V2_0), keyname("mapping", until = V1_3), short(list), mandatory)]
    pub mapping: Child<MappedCapability>,
    /// Values of the capability's properties.
    #[field(until = V1_3)]
    pub properties: Values,
    /// Values of the capability's attributes.
    #[field(until = V1_3)]
    pub attributes: Values,
}

/// A capability of a node template that stands for one of the node.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "mapped capability", spec = "15.4", tuple)]
pub struct MappedCapability {
    /// The node template.
    #[field(mandatory, lookup(NODE_TEMPLATES, optional))]
    pub node_template: Option<Reference<NodeTemplate>>,
    /// The name of the capability.
    #[field(mandatory)]
    pub capability: Option<Text>,
}

/// What a requirement of the node is mapped to. It is named; since 2.0, a list of its name and a count says
/// how many of its assignments are meant.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "requirement mapping", spec = "15.5")]
pub struct RequirementMapping {
    /// `[ node template, requirement ]`; since 2.0 also a node template that is selected, or a list of either.
    #[field(keyname("", since = V2_0), keyname("mapping", until = V1_3), short(scalar, list), mandatory)]
    pub targets: Option<Value>,
    /// Values of properties of the relationship.
    #[field(until = V1_3)]
    pub properties: Values,
    /// Values of attributes of the relationship.
    #[field(until = V1_3)]
    pub attributes: Values,
}

impl RequirementMapping {
    /// What is mapped to. What two names in a list mean depends on what they stand for, so no annotation can tell: they
    /// are a node template and its requirement, unless the second is a node template as well (2.0, 15.5).
    pub(crate) fn targets<'a>(&self, context: &Context<'a>, at: AnyId) -> Vec<Node<'a>> {
        let Some(node) = self.targets.and_then(|Value(targets)| context.node(targets)) else { return Vec::new() };
        let is_template = |node: Node<'_>| {
            let symbol = context.program.interner.get(node.text());
            symbol.is_some_and(|symbol| context.resolve(at, NODE_TEMPLATES, symbol).id().is_some())
        };
        let is_pair = node.len() == 2
            && node.items().all(|item| item.kind() == Kind::String)
            && node.items().nth(1).is_some_and(|second| !is_template(second));
        if node.kind() == Kind::List && !is_pair && context.version(at) >= V2_0 {
            node.items().collect()
        } else {
            vec![node]
        }
    }
}

/// What the operations of an interface of the node are mapped to.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "interface mapping", spec = "15.6")]
pub struct InterfaceMapping {
    /// The interface of a node template.
    #[field(keyname("", until = V1_3), short(list))]
    pub interface: Child<MappedInterface>,
    /// The workflows that stand for its operations.
    #[field(keyname = "*")]
    pub operations: Members<OperationMapping>,
}

/// An interface of a node template that stands for one of the node.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "mapped interface", tuple)]
pub struct MappedInterface {
    /// The node template.
    #[field(mandatory, lookup(NODE_TEMPLATES, optional))]
    pub node_template: Option<Reference<NodeTemplate>>,
    /// The name of the interface.
    #[field(mandatory)]
    pub interface: Option<Text>,
}

/// What an operation of the node is mapped to.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "operation mapping", spec = "15.6")]
pub struct OperationMapping {
    /// The workflow that stands for it.
    #[field(keyname = "", short(scalar), lookup(WORKFLOWS, optional))]
    pub workflow: Option<Reference<WorkflowDefinition>>,
}
