//! Triggers of policies (2.0, 16.5): an event, a condition, and an action.

use super::{Activity, OperationAssignment};
use crate::Entity;
use crate::entity::{Child, Children, Located, Members, Reference, Text, Value};
use crate::grammar::CONDITION;
use crate::grammar::definition::Condition;
use crate::grammar::section::{NODE_TEMPLATES, NODE_TYPES};
use crate::grammar::version::{V1_2, V1_3, V2_0};
use crate::grammar::{Metadata, Positive};

/// A trigger: an action in response to an event.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "trigger", spec = "16.5")]
#[non_exhaustive]
pub struct Trigger {
    /// The description of the trigger.
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The event: a notification, written `interface.notification`, or another event.
    #[field(keyname("event", since = V1_3), keyname("event_type", until = V1_2, tolerated = V1_3), mandatory)]
    pub event: Option<Text>,
    /// The period during which the event may occur.
    #[field(until = V1_3, value)]
    pub schedule: Option<Value>,
    /// The entity on which the event occurs.
    #[field(until = V1_3)]
    pub target_filter: Child<EventFilter>,
    /// A condition that must hold for the action to run.
    #[field(since = V2_0, value, argument = CONDITION)]
    pub condition: Option<Value>,
    /// A condition that must hold for the action to run, before conditions were function calls.
    #[field(keyname("condition", until = V1_3))]
    pub assertions: Child<TriggerCondition>,
    /// The activities of the action, in order.
    #[field(since = V1_3, mandatory)]
    pub action: Children<Activity>,
    /// The action, before there were activities: an operation, or the name of a workflow.
    #[field(keyname("action", until = V1_2), mandatory, read_as(TriggerOperation, until = V1_2))]
    pub operation: Option<Value>,
}

/// The action of a trigger before 1.3: the name of a workflow, or an operation by its name (1.2, 3.6.22).
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "action of a trigger")]
#[non_exhaustive]
pub struct TriggerOperation {
    /// The name of the workflow.
    #[field(keyname = "", short(scalar))]
    pub workflow: Option<Text>,
    /// The operation.
    #[field(keyname = "*", assigns)]
    pub operations: Members<OperationAssignment>,
}

/// The entity on which a trigger expects its event: a node, one of its capabilities, or the target of a requirement
/// (1.3, 3.6.21).
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "event filter")]
#[non_exhaustive]
pub struct EventFilter {
    /// The node template, or the type of the nodes.
    #[field(mandatory, lookup(NODE_TEMPLATES, NODE_TYPES, optional))]
    pub node: Option<Reference<()>>,
    /// The requirement of the node; the event occurs on its target.
    pub requirement: Option<Text>,
    /// The capability of the node, or of the target node.
    pub capability: Option<Text>,
}

// Decision B 18.
/// The condition of a trigger before 2.0, with its duration and number of evaluations.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "trigger condition")]
#[non_exhaustive]
pub struct TriggerCondition {
    /// The condition.
    #[field(short(list, map), read_as(Condition))]
    pub constraint: Option<Value>,
    /// The time for which the condition must hold.
    #[field(value)]
    pub period: Option<Value>,
    /// The number of consecutive evaluations for which the condition must hold.
    pub evaluations: Option<Located<Positive>>,
    /// The method of aggregating measurements, for example `average`.
    pub method: Option<Text>,
}
