//! Service templates (2.0, 6.9).

use super::{
    GroupDefinition, NodeTemplate, PolicyDefinition, RelationshipTemplate, SubstitutionMapping, WorkflowDefinition,
};
use crate::Entity;
use crate::entity::{Child, Members, Text};
use crate::grammar::Metadata;
use crate::grammar::definition::{FunctionDefinition, ParameterDefinition};
use crate::grammar::section::{
    GROUPS, INPUTS, NODE_TEMPLATES, OUTPUTS, POLICIES, RELATIONSHIP_TEMPLATES, SERVICE_FUNCTIONS, WORKFLOWS,
};
use crate::grammar::version::{V1_1, V1_3, V2_0};

/// A service: its nodes and relationships, with groups, policies and workflows.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "service template", spec = "6.9")]
#[non_exhaustive]
pub struct ServiceTemplate {
    /// The description of the service.
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The inputs that are given when the service is deployed.
    #[field(section = INPUTS, members_short = "mapping")]
    pub inputs: Members<ParameterDefinition>,
    /// The outputs of a deployed service.
    #[field(section = OUTPUTS)]
    pub outputs: Members<ParameterDefinition>,
    /// The node templates.
    #[field(mandatory(since = V2_0), section = NODE_TEMPLATES)]
    pub node_templates: Members<NodeTemplate>,
    /// The relationship templates, which requirements can name.
    #[field(section = RELATIONSHIP_TEMPLATES)]
    pub relationship_templates: Members<RelationshipTemplate>,
    /// The groups of nodes.
    #[field(section = GROUPS)]
    pub groups: Members<GroupDefinition>,
    /// The policies that govern nodes and groups.
    #[field(sequenced, map_too(until = V1_3), section = POLICIES)]
    pub policies: Members<PolicyDefinition>,
    /// The node type that the service can substitute in other services.
    pub substitution_mappings: Child<SubstitutionMapping>,
    /// The workflows: sequences of steps that can be run on the service.
    #[field(since = V1_1, section = WORKFLOWS)]
    pub workflows: Members<WorkflowDefinition>,
    /// The functions of this service, and implementations for functions that are defined elsewhere.
    #[field(since = V2_0, section = SERVICE_FUNCTIONS)]
    pub functions: Members<FunctionDefinition>,
}
