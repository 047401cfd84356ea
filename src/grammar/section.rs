//! The sections of names in TOSCA.

use crate::sections;

sections! {
    pub(crate) static SECTIONS;
    /// The names of repositories.
    REPOSITORIES = "repository";
    /// The names of artifact types.
    ARTIFACT_TYPES = "artifact type", shadows;
    /// The names of data types.
    DATA_TYPES = "data type", shadows;
    /// The names of capability types.
    CAPABILITY_TYPES = "capability type", shadows;
    /// The names of interface types.
    INTERFACE_TYPES = "interface type", shadows;
    /// The names of relationship types.
    RELATIONSHIP_TYPES = "relationship type", shadows;
    /// The names of node types.
    NODE_TYPES = "node type", shadows;
    /// The names of group types.
    GROUP_TYPES = "group type", shadows;
    /// The names of policy types.
    POLICY_TYPES = "policy type", shadows;
    /// The names of functions.
    FUNCTIONS = "function", shadows;
    /// The names of functions in the service template.
    SERVICE_FUNCTIONS = "function of the service template", local, shadows;
    /// The names of inputs.
    INPUTS = "input", local, shadows;
    /// The names of outputs.
    OUTPUTS = "output", local, shadows;
    /// The names of node templates.
    NODE_TEMPLATES = "node template", local, shadows;
    /// The names of relationship templates.
    RELATIONSHIP_TEMPLATES = "relationship template", local, shadows;
    /// The names of groups.
    GROUPS = "group", local, shadows;
    /// The names of policies.
    POLICIES = "policy", local, shadows;
    /// The names of workflows.
    WORKFLOWS = "workflow", local, shadows;
}
