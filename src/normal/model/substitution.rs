//! Substitution mappings.

use serde::{Deserialize, Serialize};

use super::node::Target;
use super::property::{Source, Types};
use crate::normal::{Map, Name, Value};

/// How a service can substitute a node in another service.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Substitution {
    /// The type of the nodes that the service can substitute, and its ancestors.
    pub types: Types,
    /// The description of the substitution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that the processor ignores.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The condition that a substituted node must fulfill.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<Value>,
    /// The inputs that receive the properties of the node.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<PropertyMapping>,
    /// The outputs that supply the attributes of the node.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<PropertyMapping>,
    /// The capabilities of node templates that represent the capabilities of the node.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capabilities: Vec<CapabilityMapping>,
    /// The requirements of node templates that represent the requirements of the node.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<RequirementMapping>,
    /// The workflows that implement operations of the node, by interface and operation.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub interfaces: Map<Map<Name>>,
    /// In TOSCA 1.2 and 1.3: the interfaces of node templates that represent interfaces of the node.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub mapped_interfaces: Map<MappedInterface>,
    /// The position of the mappings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// A property or attribute of the node, and its mapping.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PropertyMapping {
    /// The property or attribute: its name, or a path that ends in its name, such as `[CAPABILITY, host, size]`.
    pub path: Vec<Value>,
    /// For a property: the input that receives its value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Name>,
    /// For an attribute: the output that supplies its value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Name>,
    /// In TOSCA 1.x: the mapping as written in the source, if it is neither an input nor an output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

/// A capability of the node, and the capability that represents it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CapabilityMapping {
    /// The name of the capability of the node.
    pub capability: Name,
    /// The node template, and the name of its capability. Missing if the source has a different form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// In TOSCA 1.x, in place of a target: the properties of the capability.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub properties: Map<Value>,
    /// In TOSCA 1.x, in place of a target: the attributes of the capability.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub attributes: Map<Value>,
}

/// A requirement of the node, and the requirements that represent it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RequirementMapping {
    /// The name of the requirement of the node.
    pub requirement: Name,
    /// The number of assignments of the requirement that are mapped: an integer or `UNBOUNDED`. One if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Value>,
    /// The requirements that represent the requirement of the node, each with its node template.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<MappedRequirement>,
    /// In TOSCA 1.x, in place of targets: the properties of the relationship.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub properties: Map<Value>,
    /// In TOSCA 1.x, in place of targets: the attributes of the relationship.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub attributes: Map<Value>,
}

/// A requirement of a node template that represents a requirement of the node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MappedRequirement {
    /// The node template.
    pub node: Name,
    /// The name of the node template's requirement. If missing, the target of the node's requirement becomes the node
    /// that the template selects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requirement: Option<Name>,
}

/// An interface of a node template that represents an interface of the node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MappedInterface {
    /// The node template.
    pub node: Name,
    /// The name of the node template's interface.
    pub interface: Name,
}
