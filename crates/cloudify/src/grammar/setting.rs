//! Outputs, labels and deployment settings.

use tosca_parse::Entity;
use tosca_parse::entity::{Child, Located, Members, Text, Texts, Value};

use super::Number;

/// An output or a capability of a deployment.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "output")]
#[non_exhaustive]
pub struct Output {
    /// The value.
    #[field(mandatory, value)]
    pub value: Option<Value>,
    /// A description of the output.
    pub description: Option<Text>,
}

/// A label of deployments.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "label")]
#[non_exhaustive]
pub struct Label {
    /// The values: strings and functions.
    #[field(mandatory, value)]
    pub values: Option<Value>,
}

/// A label of the blueprint.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "blueprint label")]
#[non_exhaustive]
pub struct BlueprintLabel {
    /// The values.
    #[field(mandatory)]
    pub values: Texts,
}

/// Settings for deployments.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "deployment settings")]
#[non_exhaustive]
pub struct DeploymentSettings {
    /// A template for the identifier of a deployment.
    pub id_template: Option<Text>,
    /// The name, for user interfaces.
    #[field(value)]
    pub display_name: Option<Value>,
    /// The deployment groups of new deployments.
    pub default_groups: Texts,
    /// The schedules of workflows.
    pub default_schedules: Members<Schedule>,
}

/// The times at which a workflow runs.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "schedule")]
#[non_exhaustive]
pub struct Schedule {
    /// The name of the workflow.
    #[field(mandatory)]
    pub workflow: Option<Text>,
    /// The time of the first execution: a date with a time, or a delay such as `+2 hours`.
    #[field(mandatory)]
    pub since: Option<Text>,
    /// The time after which there are no more executions.
    pub until: Option<Text>,
    /// The time between executions, such as `1 days`.
    pub recurrence: Option<Text>,
    /// The days of executions: `su`, `mo`, `tu`, `we`, `th`, `fr` and `sa`, with a prefix such as `2` or `l-`.
    pub weekdays: Texts,
    /// The number of executions.
    pub count: Option<Located<Number>>,
    /// The number of minutes that an execution may be late.
    pub slip: Option<Located<Number>>,
    /// Whether the schedule is enabled in new deployments.
    pub default_enabled: Option<Located<bool>>,
    /// Whether a failed execution is the last one.
    pub stop_after_fail: Option<Located<bool>>,
    /// The time zone.
    pub timezone: Option<Text>,
    /// The options for executions of the workflow.
    pub execution_arguments: Child<ExecutionArguments>,
    /// The parameters of the workflow.
    #[field(value)]
    pub workflow_parameters: Option<Value>,
}

/// The options for executions of a workflow.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "execution arguments")]
#[non_exhaustive]
pub struct ExecutionArguments {
    /// Whether the execution can start while a different one is running.
    pub force: Option<Located<bool>>,
    /// Whether the execution is a dry run, which performs no operations.
    pub is_dry_run: Option<Located<bool>>,
    /// Whether parameters may be given that the workflow does not declare.
    pub allow_custom_parameters: Option<Located<bool>>,
    /// The time to wait for running operations after a failure, in seconds.
    pub wait_after_fail: Option<Located<Number>>,
}
