//! Types, properties and the schemas of values.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::normal::overlay_map::OverlayMap;
use crate::normal::{Map, Name, Value};

/// A type and its ancestors: the type itself first, its root last. Empty if the type is unknown.
pub type Types = Arc<[TypeName]>;

/// The identity of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TypeName {
    /// The name under which the type is defined, without prefixes of imports.
    pub name: Name,
    /// The profile that defines the type or, without one, the file. Missing for a built-in type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Name>,
    /// The version of the type, if its definition gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Name>,
}

/// A position in a file. Present only if positions are enabled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Source {
    /// The file: a path or a URL.
    pub file: Name,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
}

/// A property, an attribute, or a parameter: an input or output of a service, an operation or a workflow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Property {
    /// The value. Members of a complex value that are not given have their defaults. Missing in the state `unset`.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// In an evaluated model: the value from the source, if all or a part of it has been computed.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub expression: Option<Value>,
    /// The origin of the value.
    pub state: State,
    /// The schema of the value.
    #[serde(default)]
    pub schema: Arc<Schema>,
    /// The numbers with units in the value, in canonical units. Numbers within calls are not included.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scalars: Vec<Scalar>,
    /// In an evaluated model: what the remaining calls of `get_input`, `get_property` and `get_attribute` in the value
    /// read. A call whose path depends on the deployment has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<CallReference>,
    /// For incoming parameters: the attribute that stores the value, as a path that ends in the name of the attribute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mapping: Vec<Value>,
    /// The position of the value, or else of the definition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// The origin of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Assigned, in the template or from outside.
    Assigned,
    /// The default.
    Default,
    /// Fixed by the definition.
    Fixed,
    /// No value, or none yet.
    #[default]
    Unset,
}

/// The schema of a value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Schema {
    /// The data type; missing if it is unknown, as for undeclared values.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_name: Option<Name>,
    /// The profile that defines the data type or, without one, the file. Missing for a built-in type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub type_origin: Option<Name>,
    /// The built-in type that the data type is ultimately derived from, which determines the notation of the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ValueKind>,
    /// Whether a value is required before the entity can be created.
    #[serde(default, skip_serializing_if = "is_off")]
    pub required: bool,
    /// For inputs and outputs of the service, its workflows and operations: the description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// For inputs and outputs of the service, its workflows and operations: data that the processor ignores.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// The conditions that the value must fulfill in addition to those of its data type: calls that return a boolean,
    /// where the function `value` returns the value. Constraint clauses of TOSCA 1.x are also given as such calls:
    /// `min_length: 2` is `$greater_or_equal: [ $length: [ $value ], 2 ]`, and `pattern: ab` is `$matches: [ $value,
    /// '^(?:ab)$' ]`, because the pattern must match the whole value. Clauses without a counterpart in 2.0 (`schema`,
    /// and `in_range` of a `range`) are calls with these names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validation: Vec<Value>,
    /// The schema of the keys of a map; if missing, the schema from the data type applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_schema: Option<Arc<Schema>>,
    /// The schema of the entries of a list or map; if missing, the schema from the data type applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry_schema: Option<Arc<Schema>>,
}

/// The built-in type that a data type is ultimately derived from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ValueKind {
    /// A string.
    String,
    /// An integer.
    Integer,
    /// A float, serialized as an integer if the source has an integer.
    Float,
    /// A boolean.
    Boolean,
    /// Bytes, as a Base64 string.
    Bytes,
    /// Null.
    Nil,
    /// A timestamp, as a string.
    Timestamp,
    /// A version, as a string.
    Version,
    /// A number with a unit, as a string; see `scalars`.
    Scalar,
    /// A lower and an upper bound, as a list of two; the upper bound may be the string `UNBOUNDED`.
    Range,
    /// A list.
    List,
    /// A map.
    Map,
    /// A map whose keys the data type defines.
    Complex,
}

/// A number with a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Scalar {
    /// The position in the value: a JSON pointer (RFC 6901). Empty for the value itself.
    pub at: String,
    /// The exact number in the canonical unit, in decimal notation.
    pub number: String,
    /// The canonical unit of the data type.
    pub unit: Name,
}

/// The input, property or attribute that a call reads. `SELF`, `HOST` and all other steps of the path
/// are resolved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CallReference {
    /// The position of the call in the value: a JSON pointer (RFC 6901). Empty for the value itself.
    pub at: String,
    /// The name of the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Name>,
    /// The node template whose property or attribute is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<Name>,
    /// The capability of the node, if its property or attribute is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability: Option<Name>,
    /// The index of a requirement of the node, if a property or attribute of its relationship is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requirement: Option<usize>,
    /// The name of the property.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<Name>,
    /// The name of the attribute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<Name>,
    /// The keys and indices that lead from the value of the property or attribute to the part that is read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<Value>,
}

/// A data type that is not built in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DataType {
    /// The data type and its ancestors.
    pub types: Types,
    /// The built-in type that the data type is ultimately derived from.
    pub kind: ValueKind,
    /// The conditions that a value must fulfill, including those of the ancestors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validation: Vec<Value>,
    /// The members of a complex value, with their defaults.
    #[serde(default, skip_serializing_if = "OverlayMap::is_empty")]
    pub properties: OverlayMap<Property>,
    /// The schema of the keys of a map, unless a definition refines it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_schema: Option<Arc<Schema>>,
    /// The schema of the entries of a list or map, unless a definition refines it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry_schema: Option<Arc<Schema>>,
    /// The units of a scalar type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<Units>,
}

/// The units of a scalar type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Units {
    /// The canonical unit, used to compare values.
    pub canonical: Name,
    /// The exact multiplier that converts each unit to the canonical unit, in decimal notation. Units include their
    /// prefixes. In TOSCA 1.x, units are case-insensitive, except in bitrates.
    pub multipliers: Map<String>,
}

/// Returns whether a flag has its default, `false`, and can be omitted.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
pub(super) fn is_off(switch: &bool) -> bool {
    !switch
}

/// Deserializes a value that is present, even if it is null.
pub(super) fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    serde::Deserialize::deserialize(deserializer).map(Some)
}
