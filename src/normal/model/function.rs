//! Functions that values call.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::interface::Implementation;
use super::property::{Schema, is_off};
use crate::normal::value::Name;

/// A function that the service, its files or their imports define.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Function {
    /// The name, as calls say it.
    pub name: Name,
    /// The profile that defines the function or, without one, the file; as calls say it.
    pub origin: Name,
    /// What the function computes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// The forms in which the function can be called, of which the first that fits is meant. Implementations that the
    /// service gives to them have been put in their places.
    pub signatures: Vec<Signature>,
}

/// A form in which a function can be called.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Signature {
    /// What must be given, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<Arc<Schema>>,
    /// What may be given after that, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub optional_arguments: Vec<Arc<Schema>>,
    /// Whether the last argument may be repeated.
    #[serde(default, skip_serializing_if = "is_off")]
    pub variadic: bool,
    /// What the function gives back; anything if it is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Arc<Schema>>,
    /// What computes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub implementation: Option<Implementation>,
}
