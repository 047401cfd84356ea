//! Nodes, capabilities and requirements.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::interface::{Artifact, Interface};
use super::property::{Property, Source, Types, given, is_off};
use crate::normal::overlay_map::OverlayMap;
use crate::normal::{Map, Name, Value};

/// A node template: a component of the service, from which one or more nodes are created.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Node {
    /// The node type and its ancestors.
    pub types: Types,
    /// The description of the node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that the processor ignores.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// How the node is provided, in order of preference: `create`, `select`, `substitute`. Created if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directives: Vec<Name>,
    /// The number of nodes: an integer or a call. One if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Value>,
    /// The condition that a selected node must fulfill.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub node_filter: Option<Value>,
    /// The properties of the node, its desired state: all properties of its type, with their values.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub properties: OverlayMap<Property>,
    /// The attributes of the node with their initial values: all attributes of its type. A property is an attribute
    /// too, but is repeated here only if the template assigns it as one.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub attributes: OverlayMap<Property>,
    /// The capabilities of the node.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub capabilities: OverlayMap<Capability>,
    /// The interfaces of the node.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub interfaces: OverlayMap<Interface>,
    /// The artifacts of the node.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub artifacts: OverlayMap<Artifact>,
    /// The requirements of the node, in the order of the template, followed by those that the template does not
    /// assign.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<Requirement>,
    /// The position of the template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

impl Node {
    /// Returns a node without its requirements.
    pub(in crate::normal) fn frame(&self) -> Self {
        let Self {
            types,
            description,
            metadata,
            directives,
            count,
            node_filter,
            properties,
            attributes,
            capabilities,
            interfaces,
            artifacts,
            requirements: _,
            source,
        } = self;
        Self {
            types: types.clone(),
            description: description.clone(),
            metadata: metadata.clone(),
            directives: directives.clone(),
            count: count.clone(),
            node_filter: node_filter.clone(),
            properties: properties.clone(),
            attributes: attributes.clone(),
            capabilities: capabilities.clone(),
            interfaces: interfaces.clone(),
            artifacts: artifacts.clone(),
            requirements: Vec::new(),
            source: source.clone(),
        }
    }
}

/// A capability of a node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Capability {
    /// The capability type and its ancestors.
    pub types: Types,
    /// The description of the capability.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that the processor ignores.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The properties of the capability.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub properties: OverlayMap<Property>,
    /// The attributes of the capability, with their initial values.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub attributes: OverlayMap<Property>,
    /// Whether relationships come from nodes of the service or from outside, in order of preference: `internal`,
    /// `external`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directives: Vec<Name>,
    /// In TOSCA 1.3: the number of relationships that may target the capability, as written in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occurrences: Option<Value>,
    /// The node types that relationships may come from: the source node must have one of them, or a type derived from
    /// it. Any type if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub valid_source_node_types: Vec<super::TypeName>,
    /// The relationship types that are accepted, including types derived from them. Any type if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub valid_relationship_types: Vec<super::TypeName>,
    /// The position of the assignment in the template, or else of the definition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// A requirement of a node: assigned in the template, or else taken from the definition.
///
/// Exactly one of `target` and `dangling` is set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Requirement {
    /// The name of the requirement. Several requirements can have the same name.
    pub name: Name,
    /// The description of the requirement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that the processor ignores.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// Whether only the node type defines the requirement, and the template does not assign it.
    #[serde(default, skip_serializing_if = "is_off")]
    pub implicit: bool,
    /// The target node template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// Whether the template leaves the requirement open, and the target has been found among its nodes.
    #[serde(default, skip_serializing_if = "is_off")]
    pub resolved: bool,
    /// The constraints on the target node, which is still to be found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dangling: Option<Box<TargetConstraints>>,
    /// The conditions that the target node must fulfill: the filters of the assignment and of the definition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub node_filter: Vec<Value>,
    /// The relationship to the target.
    #[serde(default)]
    pub relationship: Arc<Relationship>,
    /// The number of relationships: an integer or a call. One if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Value>,
    /// In TOSCA 1.3: the possible number of relationships, as written in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occurrences: Option<Value>,
    /// Whether the relationship may be missing.
    #[serde(default, skip_serializing_if = "is_off")]
    pub optional: bool,
    /// Whether the target node is in the service or outside, in order of preference: `internal`, `external`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directives: Vec<Name>,
    /// The amounts of the target capability's properties that the relationship allocates.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub allocation: OverlayMap<Property>,
    /// The position of the assignment; for an implicit requirement, of the definition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

impl Requirement {
    /// Returns a requirement without its relationship.
    pub(in crate::normal) fn frame(&self) -> Self {
        let Self {
            name,
            description,
            metadata,
            implicit,
            target,
            resolved,
            dangling,
            node_filter,
            relationship: _,
            count,
            occurrences,
            optional,
            directives,
            allocation,
            source,
        } = self;
        Self {
            name: name.clone(),
            description: description.clone(),
            metadata: metadata.clone(),
            implicit: *implicit,
            target: target.clone(),
            resolved: *resolved,
            dangling: dangling.clone(),
            node_filter: node_filter.clone(),
            relationship: Arc::default(),
            count: count.clone(),
            occurrences: occurrences.clone(),
            optional: *optional,
            directives: directives.clone(),
            allocation: allocation.clone(),
            source: source.clone(),
        }
    }
}

/// The target of a relationship.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Target {
    /// The name of the node template.
    pub node: Name,
    /// The index among the nodes that are created from the template: an integer or a call. Any node if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<Value>,
    /// The name of the target capability; missing if no capability matches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability: Option<Name>,
}

/// The constraints of a requirement on a target node that is still to be found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TargetConstraints {
    /// The node type that the node must have or be derived from, and its ancestors. Any type if empty.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub node_types: Types,
    /// The type that one of the node's capabilities must have or be derived from, and its ancestors.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub capability_types: Types,
    /// In place of a type: the name that the capability must have.
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
    /// The name of the relationship template, if one is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<Name>,
    /// The relationship type and its ancestors.
    pub types: Types,
    /// The description of the relationship.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that the processor ignores.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The properties of the relationship.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub properties: OverlayMap<Property>,
    /// The attributes of the relationship, with their initial values.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub attributes: OverlayMap<Property>,
    /// The interfaces of the relationship.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub interfaces: OverlayMap<Interface>,
    /// The types of the target capability that are accepted, including types derived from them. Any type if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub valid_capability_types: Vec<super::TypeName>,
    /// The types of the target node that are accepted, including types derived from them. Any type if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub valid_target_node_types: Vec<super::TypeName>,
    /// The types of the source node that are accepted, including types derived from them. Any type if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub valid_source_node_types: Vec<super::TypeName>,
    /// The position of the template, the assignment, or the requirement definition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}
