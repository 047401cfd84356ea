//! The service as a whole, and what its values are.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Group, Node, Policy, Relationship, Substitution, Workflow, given, is_off};
use crate::normal::{Map, Name, Parts, Value};

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
    pub implementation: Option<super::Implementation>,
}
