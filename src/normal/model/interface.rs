//! Interfaces, operations and artifacts.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::property::{Property, Source, Types};
use crate::normal::overlay_map::OverlayMap;
use crate::normal::{Map, Name, Value};

/// An interface: operations that can be called, and notifications that can be received.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Interface {
    /// The interface type and its ancestors.
    pub types: Types,
    /// The description of the interface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that the processor ignores.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The inputs of all operations and notifications, which can override them.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub inputs: OverlayMap<Property>,
    /// The operations.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub operations: OverlayMap<Operation>,
    /// The notifications.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub notifications: OverlayMap<Operation>,
    /// The position of the assignment in the template, or else of the definition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// An operation or a notification.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Operation {
    /// The description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that the processor ignores.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The implementation that runs when the operation is called, or that sends the notification. If it is missing,
    /// nothing is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub implementation: Option<Implementation>,
    /// The inputs.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub inputs: OverlayMap<Property>,
    /// The outputs, with the attributes that store them.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub outputs: OverlayMap<Property>,
    /// The position of the assignment in the template, or else of the definition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// The implementation of an operation, notification, workflow or function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Implementation {
    /// The description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that the processor ignores.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The artifact that is run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub primary: Option<Arc<Artifact>>,
    /// The artifacts that the primary artifact depends on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<Arc<Artifact>>,
    /// In TOSCA 1.x: the timeout in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Value>,
    /// In TOSCA 1.x: the host on which the implementation runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_host: Option<Name>,
}

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Artifact {
    /// The name, if the artifact belongs to a node. Implementations can refer to such artifacts by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Name>,
    /// The artifact type and its ancestors. Empty if no type is given, as for a file that is only named.
    pub types: Types,
    /// The address of the file: absolute, or relative to the repository or, without one, to `base`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Name>,
    /// The repository that contains the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<Repository>,
    /// The TOSCA file that names the artifact; the address is relative to it.
    pub base: Name,
    /// The description of the artifact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that the processor ignores.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The media type of the file, from the artifact type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<Name>,
    /// The extensions of such files without the dot, from the artifact type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub file_ext: Vec<Name>,
    /// In TOSCA 1.x: the path on the target to which the file is deployed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deploy_path: Option<Name>,
    /// The version of the artifact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact_version: Option<Name>,
    /// The checksum of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<Name>,
    /// The algorithm of the checksum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum_algorithm: Option<Name>,
    /// The properties of the artifact.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub properties: OverlayMap<Property>,
    /// The position of the artifact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// A repository from which files are fetched.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Repository {
    /// The name.
    pub name: Name,
    /// The address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<Name>,
    /// In TOSCA 1.x: the credential for access to the repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential: Option<Value>,
}
