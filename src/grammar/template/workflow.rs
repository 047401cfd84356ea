//! Workflows, their steps and activities (2.0, chapter 13).

use crate::Entity;
use crate::entity::{Child, Children, Members, Reference, Text, Texts, Value, Values};
use crate::grammar::CONDITION;
use crate::grammar::Metadata;
use crate::grammar::definition::{Condition, Implementation, ParameterDefinition};
use crate::grammar::section::{GROUPS, INPUTS, NODE_TEMPLATES};
use crate::grammar::version::{V1_3, V2_0};
use crate::rules::STEPS_XOR_IMPLEMENTATION;

/// The states of nodes that the standard names (1.3, 3.4.1); others are allowed.
pub(crate) const NODE_STATES: [&str; 10] = [
    "initial",
    "creating",
    "created",
    "configuring",
    "configured",
    "starting",
    "started",
    "stopping",
    "deleting",
    "error",
];

/// A workflow: a sequence of steps that can be run on a service.
#[derive(Entity, Clone, Debug, Default)]
#[entity(
    title = "workflow",
    spec = "13.2",
    at_most_one(implementation, steps, rule = STEPS_XOR_IMPLEMENTATION)
)]
#[non_exhaustive]
pub struct WorkflowDefinition {
    /// The description of the workflow.
    pub description: Option<Text>,
    /// Data that the processor ignores.
    pub metadata: Metadata,
    /// The inputs of the workflow.
    #[field(section = INPUTS, scoped)]
    pub inputs: Members<ParameterDefinition>,
    /// The condition that must hold before the workflow runs.
    #[field(since = V2_0, value, argument = CONDITION)]
    pub precondition: Option<Value>,
    /// The conditions that must hold before the workflow runs.
    #[field(until = V1_3, one_too)]
    pub preconditions: Children<Precondition>,
    /// The steps.
    pub steps: Members<WorkflowStep>,
    /// The implementation that runs the workflow, in place of steps.
    #[field(since = V1_3)]
    pub implementation: Child<Implementation>,
    /// The attributes that store the outputs.
    #[field(since = V1_3)]
    pub outputs: Values,
}

/// A condition that a node, or one of its relationships, must fulfill before a workflow runs.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "precondition")]
#[non_exhaustive]
pub struct Precondition {
    /// The node template or group that the condition applies to.
    #[field(mandatory, lookup(NODE_TEMPLATES, GROUPS))]
    pub target: Option<Reference<()>>,
    /// The requirement of the node; the condition applies to its relationships instead.
    pub target_relationship: Option<Text>,
    /// The condition.
    #[field(read_as(Condition))]
    pub condition: Option<Value>,
}

/// A step of a workflow.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "workflow step", spec = "13.2.2")]
#[non_exhaustive]
pub struct WorkflowStep {
    /// The description of the step.
    #[field(since = V2_0)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The node template or group that the step applies to.
    #[field(mandatory, lookup(NODE_TEMPLATES, GROUPS))]
    pub target: Option<Reference<()>>,
    /// The requirement of the node; the step applies to its relationships instead.
    pub target_relationship: Option<Text>,
    /// The host on which operations run.
    #[field(until = V1_3)]
    pub operation_host: Option<Text>,
    /// The condition that must hold for the step to run.
    #[field(read_as(Condition, until = V1_3), value(since = V2_0), argument = CONDITION)]
    pub filter: Option<Value>,
    /// The activities, in order.
    #[field(mandatory)]
    pub activities: Children<Activity>,
    // Decision A 31.
    /// The steps that follow on success.
    #[field(one_too)]
    pub on_success: Texts,
    /// The steps that follow on failure.
    #[field(one_too)]
    pub on_failure: Texts,
}

/// An activity of a step or a trigger: exactly one of its keynames is given.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "activity", spec = "13.2.3")]
#[non_exhaustive]
pub struct Activity {
    /// Runs a workflow that the processor provides.
    pub delegate: Child<WorkflowCall>,
    /// Sets the state of the node.
    pub set_state: Option<Text>,
    /// Calls an operation.
    pub call_operation: Child<OperationCall>,
    /// Runs another workflow of the service as part of this one.
    pub inline: Child<WorkflowCall>,
}

/// A call to a workflow.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "workflow call", spec = "13.2.3.4")]
#[non_exhaustive]
pub struct WorkflowCall {
    /// The description of the call.
    #[field(since = V2_0)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The name of the workflow.
    #[field(mandatory, short(scalar))]
    pub workflow: Option<Text>,
    /// The inputs of the workflow.
    #[field(since = V1_3, value)]
    pub inputs: Values,
}

/// A call to an operation.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "operation call", spec = "13.2.3.3")]
#[non_exhaustive]
pub struct OperationCall {
    /// The description of the call.
    #[field(since = V2_0)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The operation, written `interface.operation`.
    #[field(mandatory, short(scalar))]
    pub operation: Option<Text>,
    /// The inputs, which replace those of the node template.
    #[field(since = V1_3, value)]
    pub inputs: Values,
}
