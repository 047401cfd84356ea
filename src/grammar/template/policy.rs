//! Policies (2.0, 16.4).

use super::Trigger;
use crate::Entity;
use crate::entity::{Members, Reference, References, Text, Values};
use crate::grammar::Metadata;
use crate::grammar::section::{GROUPS, NODE_TEMPLATES, POLICY_TYPES};
use crate::grammar::types::PolicyType;
use crate::grammar::version::V1_1;

/// A rule that governs nodes and groups of a service.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "policy", spec = "16.4")]
pub struct PolicyDefinition {
    /// The policy type.
    #[field(definition, mandatory, lookup(POLICY_TYPES))]
    pub r#type: Option<Reference<PolicyType>>,
    /// What the policy is for.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// What the policy says.
    #[field(assigns(title = "property"), value)]
    pub properties: Values,
    /// The node templates and groups that the policy is about.
    #[field(lookup(NODE_TEMPLATES, GROUPS))]
    pub targets: References<()>,
    /// What the policy does when something happens, besides what its type says.
    #[field(since = V1_1)]
    pub triggers: Members<Trigger>,
}
