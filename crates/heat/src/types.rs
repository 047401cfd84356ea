//! The entities of resource types, which are data: those of `OpenStack` are in `normative/types.yaml`.

use tosca_parse::entity::{Child, Given, Members, Text, Texts, Value};
use tosca_parse::{Entity, Words};

use crate::TYPES;

/// A library of resource types.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "library of resource types")]
pub struct TypeLibrary {
    /// The resource types.
    #[field(section = TYPES)]
    pub resource_types: Members<ResourceType>,
}

/// A resource type.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "resource type")]
pub struct ResourceType {
    /// The properties.
    pub properties: Members<PropertyDefinition>,
    /// The attributes.
    pub attributes: Members<AttributeDefinition>,
    /// Update policies.
    pub update_policy: Members<PropertyDefinition>,
    /// Whether the resource has attributes that the type doesn't declare.
    pub any_attribute: Option<Given<bool>>,
    /// Whether the resource accepts properties that the type doesn't declare.
    pub any_property: Option<Given<bool>>,
    /// Whether a snapshot can be made when the resource is deleted.
    pub snapshot: Option<Given<bool>>,
    /// Older names of properties: pairs of an older name and its replacement.
    pub renamed: Members<Renamed>,
}

/// An older name of a property.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "older property name")]
pub struct Renamed {
    /// The name that replaces it.
    #[field(short(scalar))]
    pub to: Option<Text>,
}

/// A property of a resource type.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "property definition")]
pub struct PropertyDefinition {
    /// The type of the value.
    #[field(short(scalar))]
    pub r#type: Option<Given<PropertyType>>,
    /// Whether a value must be given.
    pub required: Option<Given<bool>>,
    /// The definition of the items of a list.
    pub items: Child<PropertyDefinition>,
    /// The definitions of the keys of a map.
    pub keys: Members<PropertyDefinition>,
    /// The minimum, or the minimum length.
    pub min: Option<Value>,
    /// The maximum, or the maximum length.
    pub max: Option<Value>,
    /// All values that are allowed.
    pub allowed: Option<Value>,
    /// A regular expression that matches the value.
    pub pattern: Option<Text>,
    /// The names of constraints that the service implements.
    pub custom: Texts,
    /// Whether the property is known but refused.
    pub refused: Option<Given<bool>>,
    /// The release in which the property was deprecated.
    pub deprecated: Option<Text>,
}

/// The type of a property.
#[derive(Words, Clone, Copy, Debug, PartialEq, Eq)]
#[words(title = "property type")]
pub enum PropertyType {
    /// A string.
    String,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// A boolean.
    Boolean,
    /// A list.
    List,
    /// A map.
    Map,
    /// Any value.
    Any,
}

/// An attribute of a resource type.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "attribute definition")]
pub struct AttributeDefinition {
    /// The type of the value.
    #[field(short(scalar))]
    pub r#type: Option<Given<PropertyType>>,
}
