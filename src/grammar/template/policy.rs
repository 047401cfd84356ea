//! Policies (2.0, 16.4).

use super::Trigger;
use crate::Entity;
use crate::entity::{Members, Reference, References, Text, Values};
use crate::grammar::Metadata;
use crate::grammar::section::{GROUPS, NODE_TEMPLATES, POLICY_TYPES};
use crate::grammar::types::PolicyType;
use crate::grammar::version::V1_1;

/// A policy that governs nodes and groups of a service.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "policy", spec = "16.4")]
#[non_exhaustive]
pub struct PolicyDefinition {
    /// The policy type.
    #[field(definition, mandatory, lookup(POLICY_TYPES))]
    pub r#type: Option<Reference<PolicyType>>,
    /// The description of the policy.
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// The property values of the policy.
    #[field(assigns(title = "property"), value)]
    pub properties: Values,
    /// The node templates and groups that the policy applies to.
    #[field(lookup(NODE_TEMPLATES, GROUPS))]
    pub targets: References<()>,
    /// The triggers of the policy, in addition to those of its type.
    #[field(since = V1_1)]
    pub triggers: Members<Trigger>,
}
