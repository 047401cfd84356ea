//! The parts of inputs, types, plugins and workflows.

use tosca_parse::Entity;
use tosca_parse::entity::{Child, Children, Located, Members, Reference, Text, Texts, Value};

use super::{
    DATA_TYPES, DataType, Delay, Executor, NodeInstancesActive, Number, Retries, V1_1, V1_2, V1_3, V1_4, V1_5,
};
use crate::rules::ONE_CONSTRAINT;

/// An input of a blueprint or an operation.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "input")]
#[non_exhaustive]
pub struct Input {
    /// The type of the value: a primitive type or a data type. Without a type, all values are allowed.
    #[field(lookup(DATA_TYPES))]
    pub r#type: Option<Reference<DataType>>,
    /// The value if users give none.
    #[field(value)]
    pub default: Option<Value>,
    /// A description of the input.
    pub description: Option<Text>,
    /// Whether a value must be given.
    #[field(since = V1_2, default = "true")]
    pub required: Option<Located<bool>>,
    /// Constraints on the value.
    pub constraints: Children<Constraint>,
    /// The label, for user interfaces.
    #[field(since = V1_3)]
    pub display_label: Option<Text>,
    /// Whether user interfaces hide the input.
    #[field(since = V1_3, default = "false")]
    pub hidden: Option<Located<bool>>,
    /// The size of the text area.
    pub display: Child<Display>,
    /// The type of the items of a list.
    #[field(since = V1_4, lookup(DATA_TYPES, optional))]
    pub item_type: Option<Reference<DataType>>,
}

/// A parameter of a workflow.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "parameter")]
#[non_exhaustive]
pub struct Parameter {
    /// The type of the value: a primitive type or a data type. Without a type, all values are allowed.
    #[field(lookup(DATA_TYPES))]
    pub r#type: Option<Reference<DataType>>,
    /// The value if users give none.
    #[field(value)]
    pub default: Option<Value>,
    /// A description of the parameter.
    pub description: Option<Text>,
    /// Whether a value must be given.
    #[field(since = V1_2, default = "true")]
    pub required: Option<Located<bool>>,
    /// Constraints on the value.
    pub constraints: Children<Constraint>,
    /// The type of the items of a list.
    #[field(since = V1_4, lookup(DATA_TYPES, optional))]
    pub item_type: Option<Reference<DataType>>,
}

/// The size of a text area.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "display")]
#[non_exhaustive]
pub struct Display {
    /// The number of rows.
    pub rows: Option<Located<Number>>,
}

/// A constraint on an input or a parameter.
#[derive(Entity, Clone, Debug, Default)]
#[entity(
    title = "constraint",
    one_of(
        equal,
        greater_than,
        greater_or_equal,
        less_than,
        less_or_equal,
        in_range,
        valid_values,
        length,
        min_length,
        max_length,
        pattern,
        filter_id,
        labels,
        tenants,
        name_pattern,
        deployment_id,
        rule = ONE_CONSTRAINT
    )
)]
#[non_exhaustive]
pub struct Constraint {
    /// The number that the value equals.
    pub equal: Option<Value>,
    /// An exclusive minimum.
    pub greater_than: Option<Value>,
    /// An inclusive minimum.
    pub greater_or_equal: Option<Value>,
    /// An exclusive maximum.
    pub less_than: Option<Value>,
    /// An inclusive maximum.
    pub less_or_equal: Option<Value>,
    /// The minimum and the maximum, both inclusive.
    pub in_range: Option<Value>,
    /// All values that are allowed.
    pub valid_values: Option<Value>,
    /// The length of a string, list or map.
    pub length: Option<Value>,
    /// The minimum length.
    pub min_length: Option<Value>,
    /// The maximum length.
    pub max_length: Option<Value>,
    /// A regular expression that matches the value.
    pub pattern: Option<Value>,
    /// The identifier of a filter of blueprints or deployments.
    pub filter_id: Option<Value>,
    /// The labels of blueprints or deployments.
    pub labels: Option<Value>,
    /// The tenants of blueprints or deployments.
    pub tenants: Option<Value>,
    /// A pattern for the names of objects.
    pub name_pattern: Option<Value>,
    /// The deployment to search for the object.
    pub deployment_id: Option<Value>,
    /// The text of the error if a value violates the constraint.
    #[field(since = V1_5)]
    pub error_message: Option<Text>,
}

/// A property of a type or a field of a data type.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "property definition")]
#[non_exhaustive]
pub struct PropertyDefinition {
    /// The type of the value: a primitive type or a data type. Without a type, all values are allowed.
    #[field(lookup(DATA_TYPES))]
    pub r#type: Option<Reference<DataType>>,
    /// The value if a template gives none.
    #[field(value)]
    pub default: Option<Value>,
    /// A description of the property.
    pub description: Option<Text>,
    /// Whether a value must be given.
    #[field(since = V1_2, default = "true")]
    pub required: Option<Located<bool>>,
}

/// An interface of a type.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "interface")]
#[non_exhaustive]
pub struct Interface {
    /// The operations. An operation replaces the inherited one as a whole.
    #[field(keyname = "*", inherit = replace)]
    pub operations: Members<OperationDefinition>,
}

/// An operation of a type.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "operation")]
#[non_exhaustive]
pub struct OperationDefinition {
    /// The implementation: `PLUGIN.TASK`, or the path, URL or text of a script.
    #[field(file, short(scalar))]
    pub implementation: Option<Text>,
    /// The inputs, whose values templates give.
    pub inputs: Members<Input>,
    /// The place where the operation runs.
    pub executor: Option<Located<Executor>>,
    /// The number of times that a failed operation is repeated; -1 means without limit.
    #[field(since = V1_1)]
    pub max_retries: Option<Located<Retries>>,
    /// The time between attempts, in seconds.
    #[field(since = V1_1)]
    pub retry_interval: Option<Located<Delay>>,
    /// The maximum duration, in seconds.
    pub timeout: Option<Located<Delay>>,
    /// Whether the operation is repeated after a timeout.
    pub timeout_recoverable: Option<Located<bool>>,
}

/// A plugin, which implements operations and workflows.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "plugin")]
#[non_exhaustive]
pub struct Plugin {
    /// The place where the operations of the plugin run.
    #[field(mandatory)]
    pub executor: Option<Located<Executor>>,
    /// Whether the plugin is installed when a deployment is created.
    #[field(default = "true")]
    pub install: Option<Located<bool>>,
    /// The path or URL of the source.
    pub source: Option<Text>,
    /// Arguments for the installation.
    #[field(since = V1_1)]
    pub install_arguments: Option<Text>,
    /// The name of the package.
    #[field(since = V1_2)]
    pub package_name: Option<Text>,
    /// The version of the package.
    #[field(since = V1_2)]
    pub package_version: Option<Text>,
    /// The platform of the package.
    #[field(since = V1_2)]
    pub supported_platform: Option<Text>,
    /// The distribution of the system.
    #[field(since = V1_2)]
    pub distribution: Option<Text>,
    /// The version of the distribution.
    #[field(since = V1_2)]
    pub distribution_version: Option<Text>,
    /// The release of the distribution.
    #[field(since = V1_2)]
    pub distribution_release: Option<Text>,
    /// A description of the properties.
    #[field(since = V1_5)]
    pub properties_description: Option<Text>,
    /// The properties that imports can set.
    #[field(since = V1_5)]
    pub properties: Members<PluginProperty>,
}

/// A property of a plugin.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "plugin property")]
#[non_exhaustive]
pub struct PluginProperty {
    /// The type of the value.
    #[field(lookup(DATA_TYPES))]
    pub r#type: Option<Reference<DataType>>,
    /// A description of the property.
    pub description: Option<Text>,
    /// The label, for user interfaces.
    pub display_label: Option<Text>,
    /// The value.
    #[field(value)]
    pub value: Option<Value>,
}

/// A workflow.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "workflow")]
#[non_exhaustive]
pub struct Workflow {
    /// The implementation: `PLUGIN.TASK`, or the path, URL or text of a script.
    #[field(file, mandatory, short(scalar))]
    pub mapping: Option<Text>,
    /// The parameters of an execution.
    pub parameters: Members<Parameter>,
    /// Whether the workflow also runs in the deployments of the services that the deployment is composed of.
    #[field(default = "false")]
    pub is_cascading: Option<Located<bool>>,
    /// The conditions under which users can start the workflow.
    #[field(since = V1_4)]
    pub availability_rules: Child<AvailabilityRules>,
}

/// The conditions under which users can start a workflow.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "availability rules")]
#[non_exhaustive]
pub struct AvailabilityRules {
    /// Whether the workflow can be started at all.
    pub available: Option<Located<bool>>,
    /// The states of the node instances in which it can be started: a list of `all`, `partial` and `none`.
    pub node_instances_active: Option<Located<NodeInstancesActive>>,
    /// The node types that the deployment must have.
    pub node_types_required: Texts,
}
