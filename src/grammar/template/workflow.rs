//! Workflows, their steps and activities (2.0, chapter 13).

use crate::Entity;
use crate::entity::{Child, Children, Members, Reference, Text, Texts, Value, Values};
use crate::grammar::Metadata;
use crate::grammar::definition::{Condition, Implementation, ParameterDefinition};
use crate::grammar::section::{GROUPS, INPUTS, NODE_TEMPLATES};
use crate::grammar::version::{V1_3, V2_0};
use crate::rules::STEPS_XOR_IMPLEMENTATION;

/// A sequence of steps that can be run on a service.
#[derive(Entity, Clone, Debug, Default)]
#[entity(
    title = "workflow",
    spec = "13.2",
    at_most_one(implementation, steps, rule = STEPS_XOR_IMPLEMENTATION)
)]
pub struct WorkflowDefinition {
    /// What the workflow does.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    pub metadata: Metadata,
    /// What the workflow is given.
    #[field(section = INPUTS, scoped)]
    pub inputs: Members<ParameterDefinition>,
    /// What must be true before it is run.
    #[field(since = V2_0, value)]
    pub precondition: Option<Value>,
    /// What must be true before it is run.
    #[field(until = V1_3, one_too)]
    pub preconditions: Children<Precondition>,
    /// The steps.
    pub steps: Members<WorkflowStep>,
    /// What runs it, instead of steps.
    #[field(since = V1_3)]
    pub implementation: Child<Implementation>,
    /// The attributes in which it is stored what comes back.
    #[field(since = V1_3)]
    pub outputs: Values,
}

/// What must be true of a node, or of a relationship of it, before a workflow is run.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "precondition")]
pub struct Precondition {
    /// The node template or group that the condition is about.
    #[field(mandatory, lookup(NODE_TEMPLATES, GROUPS))]
    pub target: Option<Reference<()>>,
    /// The requirement of the node whose relationships the condition is about instead.
    pub target_relationship: Option<Text>,
    /// What must be true.
    #[field(read_as(Condition))]
    pub condition: Option<Value>,
}

/// A step of a workflow.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "workflow step", spec = "13.2.2")]
pub struct WorkflowStep {
    /// What the step does.
    #[field(since = V2_0)]
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The node template or group that the step works on.
    #[field(mandatory, lookup(NODE_TEMPLATES, GROUPS))]
    pub target: Option<Reference<()>>,
    /// The requirement of the node whose relationships the step works on instead.
    pub target_relationship: Option<Text>,
    /// Where operations are run.
    #[field(until = V1_3)]
    pub operation_host: Option<Text>,
    /// What must be true for the step to be taken.
    #[field(read_as(Condition, until = V1_3), value(since = V2_0))]
    pub filter: Option<Value>,
    /// What is done, in order.
    #[field(mandatory)]
    pub activities: Children<Activity>,
    // Decision A 31.
    /// The steps that follow when all went well.
    #[field(one_too)]
    pub on_success: Texts,
    /// The steps that follow when something went wrong.
    #[field(one_too)]
    pub on_failure: Texts,
}

/// Something that is done in a step or by a trigger: exactly one of its keynames is given.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "activity", spec = "13.2.3")]
pub struct Activity {
    /// A workflow that the processor provides is run.
    pub delegate: Child<WorkflowCall>,
    /// The state of the node is set.
    pub set_state: Option<Text>,
    /// An operation is called.
    pub call_operation: Child<OperationCall>,
    /// Another workflow of the service is run as a part of this one.
    pub inline: Child<WorkflowCall>,
}

/// A workflow being run.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "workflow call", spec = "13.2.3.4")]
pub struct WorkflowCall {
    /// What the call is for.
    #[field(since = V2_0)]
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The name of the workflow.
    #[field(mandatory, short(scalar))]
    pub workflow: Option<Text>,
    /// What it is given.
    #[field(since = V1_3, value)]
    pub inputs: Values,
}

/// An operation being called.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "operation call", spec = "13.2.3.3")]
pub struct OperationCall {
    /// What the call is for.
    #[field(since = V2_0)]
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The operation, written `interface.operation`.
    #[field(mandatory, short(scalar))]
    pub operation: Option<Text>,
    /// What it is given, instead of what the node template says.
    #[field(since = V1_3, value)]
    pub inputs: Values,
}
