//! The entities of blueprints: annotations and nothing else.

mod blueprint;
mod definition;
mod setting;
mod template;
mod types;
mod word;

pub use blueprint::{Blueprint, Import, PluginConfiguration};
pub use definition::{
    AvailabilityRules, Constraint, Display, Input, Interface, OperationDefinition, Parameter, Plugin, PluginProperty,
    PropertyDefinition, Workflow,
};
pub use setting::{BlueprintLabel, DeploymentSettings, ExecutionArguments, Label, Output, Schedule};
pub use template::{
    Group, GroupPolicy, GroupTrigger, Instances, NodeCapabilities, NodeTemplate, Operation, Relationship, Scalable,
    ScalingPolicy, ScalingProperties, TemplateInterface,
};
pub use types::{DataType, NodeType, PolicyTrigger, PolicyType, RelationshipType};
pub use word::{Delay, Executor, NodeInstancesActive, Number, Retries};

use tosca_parse::entity::LanguageVersion;

/// Version 1.0.
pub const V1_0: LanguageVersion = LanguageVersion(0);
/// Version 1.1.
pub const V1_1: LanguageVersion = LanguageVersion(1);
/// Version 1.2.
pub const V1_2: LanguageVersion = LanguageVersion(2);
/// Version 1.3.
pub const V1_3: LanguageVersion = LanguageVersion(3);
/// Version 1.4.
pub const V1_4: LanguageVersion = LanguageVersion(4);
/// Version 1.5.
pub const V1_5: LanguageVersion = LanguageVersion(5);

tosca_parse::sections! {
    pub(crate) static SECTIONS;
    /// The names of inputs.
    INPUTS = "input";
    /// The names of data types, including the primitive ones.
    DATA_TYPES = "data type";
    /// The names of node types.
    NODE_TYPES = "node type";
    /// The names of relationship types.
    RELATIONSHIPS = "relationship type";
    /// The names of node templates.
    NODE_TEMPLATES = "node template";
    /// The names of plugins.
    PLUGINS = "plugin";
    /// The names of workflows.
    WORKFLOWS = "workflow";
    /// The names of policy types.
    POLICY_TYPES = "policy type";
    /// The names of policy triggers.
    POLICY_TRIGGERS = "policy trigger";
    /// The names of groups.
    GROUPS = "group";
}

tosca_parse::kinds! {
    pub(crate) static KINDS = [
        Blueprint, Import, PluginConfiguration, Input, Parameter, Display, Constraint, DataType, NodeType,
        RelationshipType, PropertyDefinition, Interface, OperationDefinition, NodeTemplate, Relationship,
        TemplateInterface, Operation, Instances, NodeCapabilities, Scalable, ScalingProperties, Plugin, PluginProperty,
        Workflow, AvailabilityRules, PolicyType, PolicyTrigger, Group, GroupPolicy, GroupTrigger, ScalingPolicy, Output,
        Label, BlueprintLabel, DeploymentSettings, Schedule, ExecutionArguments,
    ];
}
