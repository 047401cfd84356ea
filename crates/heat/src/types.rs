//! The entities of resource types, which are data. The format is the output of
//! `openstack orchestration resource type show`; the types of `OpenStack` are in `normative/types.yaml`.

use tosca_parse::entity::{Children, Located, Members, Text, Value};
use tosca_parse::{Entity, Enumerated};

use crate::TYPES;
use crate::grammar::Constraint;

/// A library of resource types.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "library of resource types")]
#[non_exhaustive]
pub struct TypeLibrary {
    /// The resource types.
    #[field(mandatory, section = TYPES)]
    pub resource_types: Members<ResourceType>,
}

/// A resource type.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "resource type")]
#[non_exhaustive]
pub struct ResourceType {
    /// The name, if the type is a whole file.
    pub resource_type: Option<Text>,
    /// A description of the type.
    pub description: Option<Text>,
    /// Whether the service still supports the type.
    pub support_status: Option<Value>,
    /// The properties.
    pub properties: Members<PropertyDefinition>,
    /// The attributes.
    pub attributes: Members<AttributeDefinition>,
    /// Update policies.
    pub update_policy: Members<PropertyDefinition>,
    /// Whether the resource has attributes that the type doesn't declare.
    pub any_attribute: Option<Located<bool>>,
    /// Whether the resource accepts properties that the type doesn't declare.
    pub any_property: Option<Located<bool>>,
    /// Whether a snapshot can be made when the resource is deleted.
    pub snapshot: Option<Located<bool>>,
    /// Older names of properties: pairs of an older name and its replacement.
    pub renamed: Members<Renamed>,
}

/// An older name of a property.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "older property name")]
#[non_exhaustive]
pub struct Renamed {
    /// The name that replaces the older name.
    #[field(short(scalar))]
    pub to: Option<Text>,
}

/// A property of a resource type.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "property definition")]
#[non_exhaustive]
pub struct PropertyDefinition {
    /// The type of the value.
    #[field(short(scalar))]
    pub r#type: Option<Located<PropertyType>>,
    /// A description of the property.
    pub description: Option<Text>,
    /// Whether a value must be given.
    pub required: Option<Located<bool>>,
    /// The value if none is given.
    pub default: Option<Value>,
    /// Whether updates of the stack can change the value in place.
    pub update_allowed: Option<Located<bool>>,
    /// Whether updates of the stack can't change the value.
    pub immutable: Option<Located<bool>>,
    /// Constraints on the value.
    pub constraints: Children<Constraint>,
    /// The definitions of the keys of a map; for a list, that of its items under the key `*`.
    pub schema: Members<PropertyDefinition>,
    /// Whether the property is known but refused.
    pub refused: Option<Located<bool>>,
    /// The release in which the property was deprecated.
    pub deprecated: Option<Text>,
}

/// The type of a property.
#[derive(Enumerated, Clone, Copy, Debug, PartialEq, Eq)]
#[enumerated(title = "property type")]
#[non_exhaustive]
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
#[non_exhaustive]
pub struct AttributeDefinition {
    /// The type of the value.
    #[field(short(scalar))]
    pub r#type: Option<Located<PropertyType>>,
    /// A description of the attribute.
    pub description: Option<Text>,
}
