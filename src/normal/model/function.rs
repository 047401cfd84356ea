//! Functions that values call.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::interface::Implementation;
use super::property::{Schema, is_off};
use crate::normal::{Map, Name, Value};

/// A function that the service, its files or their imports define.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Function {
    /// The name, as in calls.
    pub name: Name,
    /// The profile that defines the function or, without one, the file; as in calls.
    pub origin: Name,
    /// The description of the function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that the processor ignores.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The signatures of the function; a call uses the first matching one. They include the implementations that the
    /// service assigns.
    pub signatures: Vec<Signature>,
}

/// A signature of a function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Signature {
    /// The description of the signature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// Data that the processor ignores.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The schemas of the required arguments, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<Arc<Schema>>,
    /// The schemas of the optional arguments that follow, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub optional_arguments: Vec<Arc<Schema>>,
    /// Whether the last argument may be repeated.
    #[serde(default, skip_serializing_if = "is_off")]
    pub variadic: bool,
    /// The schema of the result; any value if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Arc<Schema>>,
    /// The implementation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub implementation: Option<Implementation>,
}
