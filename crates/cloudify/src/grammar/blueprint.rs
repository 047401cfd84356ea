//! Blueprints and their imports.

use tosca_parse::Entity;
use tosca_parse::entity::{Child, Children, Members, Text, Value, Values};

use super::{
    BlueprintLabel, DATA_TYPES, DataType, DeploymentSettings, GROUPS, Group, INPUTS, Input, Label, NODE_TEMPLATES,
    NODE_TYPES, NodeTemplate, NodeType, Output, PLUGINS, POLICY_TRIGGERS, POLICY_TYPES, Plugin, PolicyTrigger,
    PolicyType, RELATIONSHIPS, RelationshipType, ScalingPolicy, V1_2, V1_3, V1_5, WORKFLOWS, Workflow,
};

/// A blueprint or a file that blueprints import.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "blueprint")]
#[non_exhaustive]
pub struct Blueprint {
    /// The version of the language. An imported file may omit it.
    pub tosca_definitions_version: Option<Text>,
    /// A description of the blueprint.
    #[field(since = V1_2)]
    pub description: Option<Text>,
    /// Metadata about the blueprint, which the language does not interpret.
    pub metadata: Values,
    /// Data without meaning in the language, such as values with anchors for aliases.
    #[field(since = V1_2)]
    pub dsl_definitions: Option<Value>,
    /// The imported files.
    #[field(early)]
    pub imports: Children<Import>,
    /// The values that users give when they create a deployment.
    #[field(section = INPUTS)]
    pub inputs: Members<Input>,
    /// Types of structured values.
    #[field(section = DATA_TYPES, since = V1_2)]
    pub data_types: Members<DataType>,
    /// Types of nodes.
    #[field(section = NODE_TYPES)]
    pub node_types: Members<NodeType>,
    /// Types of relationships.
    #[field(section = RELATIONSHIPS)]
    pub relationships: Members<RelationshipType>,
    /// The nodes of the service.
    #[field(section = NODE_TEMPLATES)]
    pub node_templates: Members<NodeTemplate>,
    /// The plugins that implement operations and workflows.
    #[field(section = PLUGINS)]
    pub plugins: Members<Plugin>,
    /// The workflows that a deployment can run.
    #[field(section = WORKFLOWS)]
    pub workflows: Members<Workflow>,
    /// Types of group policies.
    #[field(section = POLICY_TYPES)]
    pub policy_types: Members<PolicyType>,
    /// Types of policy triggers.
    #[field(section = POLICY_TRIGGERS)]
    pub policy_triggers: Members<PolicyTrigger>,
    /// Groups of nodes.
    #[field(section = GROUPS)]
    pub groups: Members<Group>,
    /// Scaling policies for groups.
    #[field(since = V1_3)]
    pub policies: Members<ScalingPolicy>,
    /// The values that a deployment returns.
    pub outputs: Members<Output>,
    /// The values that a deployment offers to other deployments.
    pub capabilities: Members<Output>,
    /// The labels of deployments.
    pub labels: Members<Label>,
    /// The labels of the blueprint.
    pub blueprint_labels: Members<BlueprintLabel>,
    /// The tags of the resources that a deployment creates.
    #[field(since = V1_3, value)]
    pub resource_tags: Values,
    /// Settings for deployments.
    pub deployment_settings: Child<DeploymentSettings>,
    /// Written by the importer of the manager.
    pub imported_blueprints: Option<Value>,
    /// Written by the importer of the manager.
    pub namespaces_mapping: Option<Value>,
}

/// An import: a location, or a location with values for the properties of the plugin.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "import")]
#[non_exhaustive]
pub struct Import {
    /// `[NAMESPACE--]LOCATION`: a path, a URL, `plugin:NAME` or `blueprint:ID`.
    #[field(keyname = "", short(scalar), file)]
    pub location: Option<Text>,
    /// The location, with values for the properties of the plugin.
    #[field(keyname("*", since = V1_5))]
    pub configured: Members<PluginConfiguration>,
}

/// Values for the properties of an imported plugin.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "plugin configuration")]
#[non_exhaustive]
pub struct PluginConfiguration {
    /// The values.
    #[field(keyname = "", short(map), value)]
    pub properties: Values,
}
