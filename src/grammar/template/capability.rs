//! Capability assignments (2.0, 8.3).

use super::ScopeDirectives;
use crate::Entity;
use crate::entity::{Located, Text, Values};
use crate::grammar::version::{V1_3, V2_0};
use crate::grammar::{CountRange, Metadata};

/// The assignments to a capability of a node.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "capability assignment", spec = "8.3")]
#[non_exhaustive]
pub struct CapabilityAssignment {
    /// The description of the capability.
    #[field(since = V2_0)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The property values of the capability: its desired state.
    #[field(assigns(title = "property"), value)]
    pub properties: Values,
    /// The initial attribute values of the capability.
    #[field(assigns(title = "attribute", also = "properties"), value)]
    pub attributes: Values,
    /// Whether relationships may come from this service, from others, or from both.
    #[field(since = V2_0)]
    pub directives: ScopeDirectives,
    /// The number of relationships that may target the capability, as a range.
    #[field(since = V1_3, until = V1_3)]
    pub occurrences: Option<Box<Located<CountRange>>>,
}
