//! Policy types (2.0, 16.3).

use crate::Entity;
use crate::entity::{Given, Members, Reference, References, Text};
use crate::grammar::definition::PropertyDefinition;
use crate::grammar::section::{GROUP_TYPES, NODE_TYPES, POLICY_TYPES};
use crate::grammar::template::Trigger;
use crate::grammar::version::V1_1;
use crate::grammar::{Metadata, VersionText};

/// A kind of rule that governs parts of a service.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "policy type", spec = "16.3")]
pub struct PolicyType {
    /// The policy type that this one is derived from.
    #[field(parent, lookup(POLICY_TYPES))]
    pub derived_from: Option<Reference<PolicyType>>,
    /// The version of the type.
    pub version: Option<Box<Given<VersionText>>>,
    /// Data that is not for the processor.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// What the type is for.
    pub description: Option<Text>,
    /// What a policy says.
    #[field(inherit = refine)]
    pub properties: Members<PropertyDefinition>,
    /// The types of nodes and groups that a policy may be about; any if it is not given.
    #[field(lookup(NODE_TYPES, GROUP_TYPES), inherit = narrow)]
    pub targets: References<()>,
    /// What a policy does when something happens.
    #[field(since = V1_1, inherit = extend)]
    pub triggers: Members<Trigger>,
}
