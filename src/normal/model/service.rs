//! The service as a whole.

use serde::{Deserialize, Serialize};

use super::function::Function;
use super::node::{Node, Relationship};
use super::process::{Group, Policy, Workflow};
use super::property::{DataType, Property};
use super::substitution::Substitution;
use crate::normal::parts::Parts;
use crate::normal::value::{Map, Name, Value};

/// A service, complete: whoever reads it needs neither the files it was written in nor any type.
///
/// A field without content (nothing, an empty list or map, a switch that is off) is not written down.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Service {
    /// The version of this form of a model. Fields may be added within a version; none is removed, renamed or given
    /// another meaning.
    #[cfg_attr(feature = "schema", schemars(extend("const" = crate::normal::VERSION)))]
    pub model: u32,
    /// The language and version that the entry file is written in, such as `TOSCA 2.0`.
    pub language: Name,
    /// The entry file: a path or a URL.
    pub file: Name,
    /// What the service does: the description of the service template or, without one, that of the entry file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// The metadata of the entry file, and those of the service template, which win.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// What is said when the service is deployed. The state `assigned` is that of values that were given to the
    /// parser; calls of `get_input` are calls all the same.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub inputs: Parts<Property>,
    /// What can be asked of a deployed service.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub outputs: Parts<Property>,
    /// The node templates.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub nodes: Map<Node>,
    /// The relationship templates. A requirement that uses one has all of it, so that nobody must look here.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub relationships: Parts<Relationship>,
    /// The groups.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub groups: Map<Group>,
    /// The policies.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub policies: Map<Policy>,
    /// The workflows.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub workflows: Map<Workflow>,
    /// How the service can stand for a node of another service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub substitution: Option<Substitution>,
    /// The functions that are called somewhere in the model and are not built in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<Function>,
    /// The data types that a schema names and that are not part of the language, so that values that come later can be
    /// checked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub data_types: Vec<DataType>,
}
