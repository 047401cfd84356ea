//! The sections of names of TOSCA.

use crate::sections;

sections! {
    pub(crate) static SECTIONS;
    /// The names of each repository.
    REPOSITORIES = "repository";
    /// The names of each artifact type.
    ARTIFACT_TYPES = "artifact type", shadows;
    /// The names of each data type.
    DATA_TYPES = "data type", shadows;
    /// The names of each capability type.
    CAPABILITY_TYPES = "capability type", shadows;
    /// The names of each interface type.
    INTERFACE_TYPES = "interface type", shadows;
    /// The names of each relationship type.
    RELATIONSHIP_TYPES = "relationship type", shadows;
    /// The names of each node type.
    NODE_TYPES = "node type", shadows;
    /// The names of each group type.
    GROUP_TYPES = "group type", shadows;
    /// The names of each policy type.
    POLICY_TYPES = "policy type", shadows;
    /// The names of each function.
    FUNCTIONS = "function", shadows;
    /// The names of each function of the service template.
    SERVICE_FUNCTIONS = "function of the service template", local, shadows;
    /// The names of each input.
    INPUTS = "input", local, shadows;
    /// The names of each output.
    OUTPUTS = "output", local, shadows;
    /// The names of each node template.
    NODE_TEMPLATES = "node template", local, shadows;
    /// The names of each relationship template.
    RELATIONSHIP_TEMPLATES = "relationship template", local, shadows;
    /// The names of each group.
    GROUPS = "group", local, shadows;
    /// The names of each policy.
    POLICIES = "policy", local, shadows;
    /// The names of each workflow.
    WORKFLOWS = "workflow", local, shadows;
}
