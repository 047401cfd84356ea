//! What can be called, and the files that are run.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::property::{Property, Source, Types};
use crate::normal::parts::Parts;
use crate::normal::value::{Map, Name, Value};

/// Operations that can be called, and notifications that can come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Interface {
    /// The interface type and what it is derived from.
    pub types: Types,
    /// What the interface is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that is not for the processor.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// What all operations and notifications are given, besides their own inputs, which win.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub inputs: Parts<Property>,
    /// The operations.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub operations: Parts<Operation>,
    /// The notifications.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub notifications: Parts<Operation>,
    /// Where the template mentions the interface, or else where it is defined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// An operation or a notification.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Operation {
    /// What it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that is not for the processor.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// What is run when the operation is called, or what sends the notification. Without it, nothing is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub implementation: Option<Implementation>,
    /// What it is given.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub inputs: Parts<Property>,
    /// What it gives back, with the attributes in which that is stored.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub outputs: Parts<Property>,
    /// Where the template mentions it, or else where it is defined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// What is run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Implementation {
    /// What it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that is not for the processor.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The artifact that is run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub primary: Option<Arc<Artifact>>,
    /// What the primary artifact needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<Arc<Artifact>>,
    /// In TOSCA 1.x: how many seconds it may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Value>,
    /// In TOSCA 1.x: where it is run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_host: Option<Name>,
}

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Artifact {
    /// Its name, if it is one of a node's artifacts; implementations can name these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Name>,
    /// The artifact type and what it is derived from. Empty where none is given, as for a file that is only named.
    pub types: Types,
    /// The address of the file: absolute, or relative to the repository or, without one, to `base`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Name>,
    /// The repository in which the file is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<Repository>,
    /// The TOSCA file that names the artifact, to which its address is relative.
    pub base: Name,
    /// What the artifact is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that is not for the processor.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The media type of the file, by its type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<Name>,
    /// What names of such files end with, by its type; without the dot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub file_ext: Vec<Name>,
    /// In TOSCA 1.x: where the file is to be put.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deploy_path: Option<Name>,
    /// The version of the artifact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact_version: Option<Name>,
    /// What the file can be checked with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<Name>,
    /// How the checksum is computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum_algorithm: Option<Name>,
    /// What the artifact says about itself besides.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub properties: Parts<Property>,
    /// Where the artifact is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// A place from which files are fetched.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Repository {
    /// Its name.
    pub name: Name,
    /// Its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<Name>,
    /// In TOSCA 1.x: what it asks of those who fetch from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential: Option<Value>,
}
