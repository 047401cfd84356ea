//! What node filters and conditions looked like before TOSCA 2.0, when they were no calls of functions.
//!
//! Fields hold them as values of both kinds, and say that earlier versions read them as these entities. What they mean
//! is in `data`, which goes through the values.

use crate::Entity;
use crate::entity::{Children, Members, Sequence, Value};
use crate::grammar::version::V1_1;

/// What must be true of a node, before TOSCA 2.0.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "node filter")]
pub struct NodeFilter {
    // Example 12 of 1.3 writes the properties of a capability as a map (decision B 27).
    /// What must be true of its properties.
    #[field(sequenced, map_too(since = V1_1))]
    pub properties: Sequence<PropertyFilter>,
    /// What must be true of its capabilities, by their names or types.
    #[field(sequenced)]
    pub capabilities: Sequence<CapabilityFilter>,
}

/// What must be true of a capability of a node, before TOSCA 2.0.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "capability filter")]
pub struct CapabilityFilter {
    /// What must be true of its properties.
    #[field(sequenced, map_too(since = V1_1))]
    pub properties: Sequence<PropertyFilter>,
}

/// What must be true of a property, before TOSCA 2.0.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "property filter")]
pub struct PropertyFilter {
    /// A constraint clause, a list of them, or the value that the property must have.
    #[field(keyname = "", short(scalar, list, map), value)]
    pub constraints: Option<Value>,
}

// Decision B 9.
/// What must be true of the attributes of a node for a workflow, a step or a trigger, before TOSCA 2.0.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "condition")]
pub struct Condition {
    /// Conditions that must all be true.
    #[field(keyname = "", short(list))]
    pub all: Children<Condition>,
    /// Conditions that must all be true.
    #[field(one_too)]
    pub and: Children<Condition>,
    /// Conditions of which one must be true.
    #[field(one_too)]
    pub or: Children<Condition>,
    /// Conditions that must not be true.
    #[field(one_too)]
    pub not: Children<Condition>,
    /// Conditions that must all be true.
    #[field(one_too)]
    pub assert: Children<Condition>,
    /// What must be true of attributes, by their names.
    #[field(keyname = "*")]
    pub attributes: Members<AttributeCondition>,
}

/// What must be true of an attribute, before TOSCA 2.0.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "attribute condition")]
pub struct AttributeCondition {
    /// A constraint clause, a list of them, or the value that the attribute must have.
    #[field(keyname = "", short(scalar, list, map), value)]
    pub constraints: Option<Value>,
}
