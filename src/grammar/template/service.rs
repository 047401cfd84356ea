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

/// A service: its nodes, their relationships, and what is done with them.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "service template", spec = "6.9")]
pub struct ServiceTemplate {
    /// What the service does.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// What must be said when the service is deployed.
    #[field(section = INPUTS, members_short = "mapping")]
    pub inputs: Members<ParameterDefinition>,
    /// What can be asked of a deployed service.
    #[field(section = OUTPUTS)]
    pub outputs: Members<ParameterDefinition>,
    /// The nodes.
    #[field(mandatory(since = V2_0), section = NODE_TEMPLATES)]
    pub node_templates: Members<NodeTemplate>,
    /// Relationships that requirements can name.
    #[field(section = RELATIONSHIP_TEMPLATES)]
    pub relationship_templates: Members<RelationshipTemplate>,
    /// Groups of nodes.
    #[field(section = GROUPS)]
    pub groups: Members<GroupDefinition>,
    /// Rules that govern nodes and groups.
    #[field(sequenced, map_too(until = V1_3), section = POLICIES)]
    pub policies: Members<PolicyDefinition>,
    /// The node type that the service can stand for in other services.
    pub substitution_mappings: Child<SubstitutionMapping>,
    /// Sequences of steps that can be run on the service.
    #[field(since = V1_1, section = WORKFLOWS)]
    pub workflows: Members<WorkflowDefinition>,
    /// Functions of this service, and implementations for functions that are defined elsewhere.
    #[field(since = V2_0, section = SERVICE_FUNCTIONS)]
    pub functions: Members<FunctionDefinition>,
}
