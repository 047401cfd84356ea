//! Capability assignments (2.0, 8.3).

use super::ScopeDirectives;
use crate::Entity;
use crate::entity::{Given, Text, Values};
use crate::grammar::version::{V1_3, V2_0};
use crate::grammar::{CountRange, Metadata};

/// What is wanted of a capability of a node.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "capability assignment", spec = "8.3")]
pub struct CapabilityAssignment {
    /// What the capability is for.
    #[field(since = V2_0)]
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// What is wanted of the capability.
    #[field(assigns(title = "property"), value)]
    pub properties: Values,
    /// What the capability is like to begin with.
    #[field(assigns(title = "attribute", also = "properties"), value)]
    pub attributes: Values,
    /// Whether relationships may come from this service, from others, or from both.
    #[field(since = V2_0)]
    pub directives: ScopeDirectives,
    /// How many relationships may end at the capability.
    #[field(since = V1_3, until = V1_3)]
    pub occurrences: Option<Box<Given<CountRange>>>,
}
