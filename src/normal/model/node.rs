//! Nodes, what they offer, and what they need.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::interface::{Artifact, Interface};
use super::property::{Property, Source, Types, given, is_off};
use crate::normal::parts::Parts;
use crate::normal::value::{Map, Name, Value};

/// A node template: a component of the service, from which one node or several are made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Node {
    /// The node type and what it is derived from.
    pub types: Types,
    /// What the node is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that is not for the processor.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// How the node comes about, in order of preference: `create`, `select`, `substitute`. Created if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directives: Vec<Name>,
    /// How many nodes are made: an integer or a call. One if it is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Value>,
    /// What must be true of a node that is selected.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub node_filter: Option<Value>,
    /// What is wanted of the node: all properties of its type, and their values.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub properties: Parts<Property>,
    /// What the node is like to begin with: all attributes of its type. A property is an attribute too, but is
    /// repeated here only if the template assigns it as one.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub attributes: Parts<Property>,
    /// What the node offers to others.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub capabilities: Parts<Capability>,
    /// What can be called on the node.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub interfaces: Parts<Interface>,
    /// The files that come with the node.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub artifacts: Parts<Artifact>,
    /// What the node needs of others, in the order of the template; what its type needs besides comes last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<Requirement>,
    /// Where the template stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// Something that a node offers to others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Capability {
    /// The capability type and what it is derived from.
    pub types: Types,
    /// What the capability is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that is not for the processor.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// What is wanted of the capability.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub properties: Parts<Property>,
    /// What the capability is like to begin with.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub attributes: Parts<Property>,
    /// Where relationships may come from, in order of preference: `internal`, `external`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directives: Vec<Name>,
    /// In TOSCA 1.3: how many relationships may end here, as it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occurrences: Option<Value>,
    /// The types, of which one must be that of the node at the other end, or one that it is derived from. Any if there
    /// are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub valid_source_node_types: Vec<super::TypeName>,
    /// The types, of which one must be that of a relationship, or one that it is derived from. Any if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub valid_relationship_types: Vec<super::TypeName>,
    /// Where the template mentions the capability, or else where it is defined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// Something that a node needs of another: a requirement assignment, or what stands for one.
///
/// Either `target` or `dangling` is there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Requirement {
    /// The name of the requirement. Several may have the same.
    pub name: Name,
    /// What the requirement is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that is not for the processor.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// Whether the template says nothing of the requirement, which the type demands all the same.
    #[serde(default, skip_serializing_if = "is_off")]
    pub implicit: bool,
    /// The node template at the other end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// Whether the template leaves the requirement open, and the target has been found among its nodes.
    #[serde(default, skip_serializing_if = "is_off")]
    pub resolved: bool,
    /// What kind of node has to be found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dangling: Option<Asked>,
    /// What must be true of the node at the other end: the filter of the assignment, and those of the definition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub node_filter: Vec<Value>,
    /// The relationship that is made.
    #[serde(default)]
    pub relationship: Arc<Relationship>,
    /// How many relationships are made: an integer or a call. One if it is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Value>,
    /// In TOSCA 1.3: how many relationships may be made, as it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occurrences: Option<Value>,
    /// Whether the service is all right without the relationship.
    #[serde(default, skip_serializing_if = "is_off")]
    pub optional: bool,
    /// Where the node at the other end may be, in order of preference: `internal`, `external`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directives: Vec<Name>,
    /// How much of the target capability's properties the relationship takes.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub allocation: Parts<Property>,
    /// Where the assignment stands; for an implicit one, the definition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// The node at the other end of a relationship.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Target {
    /// The name of the node template.
    pub node: Name,
    /// Which of the nodes that are made from the template: an integer or a call. Any if it is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<Value>,
    /// The name of the capability at which the relationship ends; nothing if none fits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability: Option<Name>,
}

/// What a requirement asks of a node that has to be found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Asked {
    /// The node type that the node must have or be derived from, and what that is derived from. Any if it is empty.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub node_types: Types,
    /// The capability type that one of its capabilities must have or be derived from, and what that is derived from.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub capability_types: Types,
    /// Instead of a type: the name that the capability must have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability: Option<Name>,
}

fn is_empty(types: &Types) -> bool {
    types.is_empty()
}

/// A relationship, or a template for relationships.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Relationship {
    /// The name of the relationship template that it is made from, if it is made from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<Name>,
    /// The relationship type and what it is derived from.
    pub types: Types,
    /// What the relationship is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that is not for the processor.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// What is wanted of the relationship.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub properties: Parts<Property>,
    /// What the relationship is like to begin with.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub attributes: Parts<Property>,
    /// What can be called on the relationship.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub interfaces: Parts<Interface>,
    /// The types, of which one must be that of the capability at which the relationship ends, or one that it is derived
    /// from. Any if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub valid_capability_types: Vec<super::TypeName>,
    /// The types, of which one must be that of the node at which the relationship ends, or one that it is derived from.
    /// Any if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub valid_target_node_types: Vec<super::TypeName>,
    /// The types, of which one must be that of the node at which the relationship starts, or one that it is derived
    /// from. Any if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub valid_source_node_types: Vec<super::TypeName>,
    /// Where it is written: the template, the assignment, or the definition of the requirement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}
