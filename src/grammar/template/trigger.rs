//! Triggers of policies (2.0, 16.5): an event, a condition, and what is done then.

use super::{Activity, OperationAssignment};
use crate::Entity;
use crate::entity::{Child, Children, Given, Members, Reference, Text, Value};
use crate::grammar::definition::Condition;
use crate::grammar::section::{NODE_TEMPLATES, NODE_TYPES};
use crate::grammar::version::{V1_2, V1_3, V2_0};
use crate::grammar::{Metadata, Positive};

/// What is done when something happens.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "trigger", spec = "16.5")]
pub struct Trigger {
    /// What the trigger is for.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// What happens: a notification, written `interface.notification`, or another event.
    #[field(keyname("event", since = V1_3), keyname("event_type", until = V1_2, tolerated = V1_3), mandatory)]
    pub event: Option<Text>,
    /// When it may happen.
    #[field(until = V1_3, value)]
    pub schedule: Option<Value>,
    /// Where it happens.
    #[field(until = V1_3)]
    pub target_filter: Child<EventFilter>,
    /// What must be true besides.
    #[field(since = V2_0, value)]
    pub condition: Option<Value>,
    /// What must be true besides, before conditions were calls of functions.
    #[field(keyname("condition", until = V1_3))]
    pub assertions: Child<TriggerCondition>,
    /// What is done.
    #[field(since = V1_3, mandatory)]
    pub action: Children<Activity>,
    /// What is done, before there were activities: an operation, or the name of a workflow.
    #[field(keyname("action", until = V1_2), mandatory, read_as(TriggerOperation, until = V1_2))]
    pub operation: Option<Value>,
}

/// The action of a trigger before 1.3: the name of a workflow, or an operation by its name (1.2, 3.6.22).
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "action of a trigger")]
pub struct TriggerOperation {
    /// The name of the workflow.
    #[field(keyname = "", short(scalar))]
    pub workflow: Option<Text>,
    /// The operation.
    #[field(keyname = "*", assigns)]
    pub operations: Members<OperationAssignment>,
}

/// Where a trigger waits for its event: at a node, at a capability of it, or at the other end of a requirement (1.3,
/// 3.6.21).
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "event filter")]
pub struct EventFilter {
    /// The node template, or the type of the nodes.
    #[field(mandatory, lookup(NODE_TEMPLATES, NODE_TYPES, optional))]
    pub node: Option<Reference<()>>,
    /// The requirement of the node at the other end of which the event happens.
    pub requirement: Option<Text>,
    /// The capability of the node, or of the node at the other end.
    pub capability: Option<Text>,
}

// Decision B 18.
/// What must be true for a trigger before 2.0, and how often and how long.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "trigger condition")]
pub struct TriggerCondition {
    /// What must be true.
    #[field(short(list, map), read_as(Condition))]
    pub constraint: Option<Value>,
    /// How long it must be true.
    #[field(value)]
    pub period: Option<Value>,
    /// How many times in a row it must be true.
    pub evaluations: Option<Given<Positive>>,
    /// How measurements are put together, such as `average`.
    pub method: Option<Text>,
}
