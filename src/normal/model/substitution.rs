//! How a service stands for a node.

use serde::{Deserialize, Serialize};

use super::node::Target;
use super::property::{Source, Types};
use crate::normal::value::{Map, Name, Value};

/// How a service can stand for a node in another service.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Substitution {
    /// The type of the nodes that the service can stand for, and what it is derived from.
    pub types: Types,
    /// What the substitution is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that is not for the processor.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// What must be true of such a node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<Value>,
    /// The inputs that get the properties of the node.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<PropertyMapping>,
    /// The outputs that the attributes of the node get.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<PropertyMapping>,
    /// The capabilities of node templates that stand for those of the node.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capabilities: Vec<CapabilityMapping>,
    /// The requirements of node templates that stand for those of the node.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<RequirementMapping>,
    /// The workflows that stand for operations of the node, by interface and operation.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub interfaces: Map<Map<Name>>,
    /// Where the mappings stand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// A property or attribute of the node, and what it is mapped to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PropertyMapping {
    /// The property or attribute: its name, or a path that ends in it, such as `[CAPABILITY, host, size]`.
    pub path: Vec<Value>,
    /// For a property: the input that gets its value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Name>,
    /// For an attribute: the output whose value it gets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Name>,
    /// In TOSCA 1.x: what it is mapped to, as it is written, if that is neither an input nor an output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

/// A capability of the node, and the one that stands for it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CapabilityMapping {
    /// The name of the capability of the node.
    pub capability: Name,
    /// The node template, and the name of its capability. Nothing if it is written in another form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
}

/// A requirement of the node, and those that stand for it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RequirementMapping {
    /// The name of the requirement of the node.
    pub requirement: Name,
    /// How many assignments of the requirement are meant: an integer or `UNBOUNDED`. One if it is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Value>,
    /// The requirements that stand for it, each with its node template.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<MappedRequirement>,
}

/// A requirement of a node template that stands for one of the node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MappedRequirement {
    /// The node template.
    pub node: Name,
    /// The name of its requirement. Without it, the node at the other end becomes the node that the template selects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requirement: Option<Name>,
}
