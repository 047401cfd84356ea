//! Types, properties and the schemas of values.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::normal::parts::Parts;
use crate::normal::value::{Map, Name, Value};

/// A type and what it is derived from: the type itself first, its root last. Empty if the type is not known.
pub type Types = Arc<[TypeName]>;

/// What identifies a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TypeName {
    /// The name by which the type is defined; prefixes by which files call it are not part of it.
    pub name: Name,
    /// The profile that defines the type or, without one, the file. Nothing for a type that is part of the language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Name>,
    /// The version of the type, if its definition gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Name>,
}

/// A place in a file. Only there if positions are asked for.
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
    /// The value. A member of a complex value that is not given but has a default, has that. Nothing in the state
    /// `unset`.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// In an evaluated model: the value as it is written, if it, or a part of it, has been computed.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub expression: Option<Value>,
    /// Where the value comes from.
    pub state: State,
    /// What the value must be like.
    #[serde(default)]
    pub schema: Arc<Schema>,
    /// The numbers with units in the value, computed. Those in calls are not among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scalars: Vec<Scalar>,
    /// For parameters that come in: the attribute in which the value is stored, as a path that ends in its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mapping: Vec<Value>,
    /// Where the value is given, or else where the thing is defined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It has been assigned, in the template or from outside.
    Assigned,
    /// It is the default.
    Default,
    /// The definition says it once and for all.
    Fixed,
    /// There is none, or none yet.
    #[default]
    Unset,
}

/// What a value must be like.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Schema {
    /// The data type; nothing if it is not known, as for values that no definition declares.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_name: Option<Name>,
    /// The profile that defines the data type or, without one, the file. Nothing for a type that is part of the
    /// language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub type_origin: Option<Name>,
    /// What the data type is derived from in the end, which says how the value is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ValueKind>,
    /// Whether there must be a value before the thing can be made.
    #[serde(default, skip_serializing_if = "is_off")]
    pub required: bool,
    /// For inputs and outputs of the service and its workflows, and what can be called: what the value is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Name>,
    /// For the same: data that is not for the processor.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<Value>,
    /// What must be true of the value, besides what its data type demands: calls that give a boolean, in which the
    /// function `value` stands for the value. The constraint clauses of TOSCA 1.x are such calls, too: `min_length: 2` is
    /// `$greater_or_equal: [ $length: [ $value ], 2 ]`, and `pattern: ab` is `$matches: [ $value, '^(?:ab)$' ]`, because
    /// it must match the whole value. What 2.0 does not have (`schema`, and `in_range` of a `range`) are calls of these
    /// names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validation: Vec<Value>,
    /// What the keys of a map must be like; if it is not there, the data type may say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_schema: Option<Arc<Schema>>,
    /// What the entries of a list or map must be like; if it is not there, the data type may say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry_schema: Option<Arc<Schema>>,
}

/// What a data type is derived from in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ValueKind {
    /// A string.
    String,
    /// An integer.
    Integer,
    /// A float. Written as an integer if the author did so.
    Float,
    /// A boolean.
    Boolean,
    /// Bytes, as a string in Base64.
    Bytes,
    /// Null.
    Nil,
    /// An instant, as a string.
    Timestamp,
    /// A version, as a string.
    Version,
    /// A number with a unit, as a string; see `scalars`.
    Scalar,
    /// A lower and an upper bound, as a list of two; the upper one may be the string `UNBOUNDED`.
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
    /// Where it is in the value: a JSON pointer (RFC 6901). Empty for the value itself.
    pub at: String,
    /// The number in the canonical unit, exactly, in decimal notation.
    pub number: String,
    /// The canonical unit of the data type.
    pub unit: Name,
}

/// A data type that is not part of the language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DataType {
    /// The data type and what it is derived from.
    pub types: Types,
    /// What it is derived from in the end.
    pub kind: ValueKind,
    /// What must be true of a value, also by what the type is derived from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validation: Vec<Value>,
    /// The members of a complex value, with their defaults.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub properties: Parts<Property>,
    /// What the keys of a map must be like, unless a definition says more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_schema: Option<Arc<Schema>>,
    /// What the entries of a list or map must be like, unless a definition says more.
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
    /// The unit in which values are compared.
    pub canonical: Name,
    /// What a number of each unit is multiplied by to get to the canonical one: exactly, in decimal notation.
    /// Prefixes have been put before their units. In TOSCA 1.x the case of units does not matter, except in bitrates.
    pub multipliers: Map<String>,
}

/// Whether a switch that is off by default is off, so that it need not be written down.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
pub(super) fn is_off(switch: &bool) -> bool {
    !switch
}

/// A value that is there, even if it is null.
pub(super) fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    serde::Deserialize::deserialize(deserializer).map(Some)
}
