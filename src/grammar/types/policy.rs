//! Policy types (2.0, 16.3).

use crate::Entity;
use crate::entity::{Located, Members, Reference, References, Text};
use crate::grammar::definition::PropertyDefinition;
use crate::grammar::section::{GROUP_TYPES, NODE_TYPES, POLICY_TYPES};
use crate::grammar::template::Trigger;
use crate::grammar::version::V1_1;
use crate::grammar::{Metadata, VersionText};

/// A type of policies that govern parts of a service.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "policy type", spec = "16.3")]
#[non_exhaustive]
pub struct PolicyType {
    /// The policy type that this one is derived from.
    #[field(parent, lookup(POLICY_TYPES))]
    pub derived_from: Option<Reference<PolicyType>>,
    /// The version of the type.
    pub version: Option<Box<Located<VersionText>>>,
    /// Data that the processor ignores.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// The description of the type.
    pub description: Option<Text>,
    /// The properties of a policy.
    #[field(inherit = refine)]
    pub properties: Members<PropertyDefinition>,
    /// The types of nodes and groups that a policy may apply to; any type if omitted.
    #[field(lookup(NODE_TYPES, GROUP_TYPES), inherit = narrow)]
    pub targets: References<()>,
    /// The triggers of a policy.
    #[field(since = V1_1, inherit = extend)]
    pub triggers: Members<Trigger>,
}
