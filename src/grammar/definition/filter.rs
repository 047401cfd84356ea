//! Node filters and conditions before TOSCA 2.0. In 2.0, they are function calls.
//!
//! Fields store both forms as values; annotations declare that earlier versions read them as these entities. The
//! module `data` implements their meaning by traversing the values.

use crate::Entity;
use crate::entity::{Children, Members, Sequence, Value};
use crate::grammar::CONDITION;
use crate::grammar::version::V1_1;

/// The conditions that a node must fulfill, before TOSCA 2.0.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "node filter")]
#[non_exhaustive]
pub struct NodeFilter {
    // Example 12 of 1.3 writes the properties of a capability as a map (decision B 27).
    /// The conditions that the properties of the node must fulfill.
    #[field(sequenced, map_too(since = V1_1))]
    pub properties: Sequence<PropertyFilter>,
    /// The conditions that the capabilities of the node must fulfill, by name or type.
    #[field(sequenced)]
    pub capabilities: Sequence<CapabilityFilter>,
}

/// The conditions that a capability of a node must fulfill, before TOSCA 2.0.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "capability filter")]
#[non_exhaustive]
pub struct CapabilityFilter {
    /// The conditions that the properties of the capability must fulfill.
    #[field(sequenced, map_too(since = V1_1))]
    pub properties: Sequence<PropertyFilter>,
}

/// The conditions that a property must fulfill, before TOSCA 2.0.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "property filter")]
#[non_exhaustive]
pub struct PropertyFilter {
    /// A constraint clause, a list of them, or the value that the property must have.
    #[field(keyname = "", short(scalar, list, map), value, argument = CONDITION)]
    pub constraints: Option<Value>,
}

// Decision B 9.
/// The conditions that the attributes of a node must fulfill for a workflow, a step or a trigger, before TOSCA 2.0.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "condition")]
#[non_exhaustive]
pub struct Condition {
    /// Conditions that must all hold.
    #[field(keyname = "", short(list))]
    pub all: Children<Condition>,
    /// Conditions that must all hold.
    #[field(one_too)]
    pub and: Children<Condition>,
    /// Conditions, at least one of which must hold.
    #[field(one_too)]
    pub or: Children<Condition>,
    /// Conditions that must not hold.
    #[field(one_too)]
    pub not: Children<Condition>,
    /// Conditions that must all hold.
    #[field(one_too)]
    pub assert: Children<Condition>,
    /// The conditions that attributes must fulfill, by name.
    #[field(keyname = "*")]
    pub attributes: Members<AttributeCondition>,
}

/// The conditions that an attribute must fulfill, before TOSCA 2.0.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "attribute condition")]
#[non_exhaustive]
pub struct AttributeCondition {
    /// A constraint clause, a list of them, or the value that the attribute must have.
    #[field(keyname = "", short(scalar, list, map), value, argument = CONDITION)]
    pub constraints: Option<Value>,
}
