//! Interface, operation and notification assignments (2.0, 11.3, 11.5 and 11.7).

use crate::Entity;
use crate::entity::{Child, Members, Text, Values};
use crate::grammar::Metadata;
use crate::grammar::definition::Implementation;
use crate::grammar::version::{V1_2, V1_3, V2_0};

/// What is run when operations of an interface are called.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "interface assignment", spec = "11.3")]
pub struct InterfaceAssignment {
    /// What the interface is for.
    #[field(since = V2_0)]
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// What all operations are given.
    #[field(assigns(undeclared = allowed, title = "input"), value)]
    pub inputs: Values,
    /// What is run when the operations are called.
    #[field(keyname("operations", since = V1_3), keyname("*", until = V1_2, tolerated = V1_3), assigns)]
    pub operations: Members<OperationAssignment>,
    /// What sends the notifications.
    #[field(since = V1_3, assigns)]
    pub notifications: Members<NotificationAssignment>,
}

/// What is run when an operation is called.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "operation assignment", spec = "11.5")]
pub struct OperationAssignment {
    /// What the operation does.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// What is run.
    #[field(short(scalar))]
    pub implementation: Child<Implementation>,
    /// What it is given.
    #[field(assigns(undeclared = allowed, title = "input"), value)]
    pub inputs: Values,
    /// The attributes in which it is stored what comes back.
    #[field(since = V1_3)]
    pub outputs: Values,
}

/// What sends a notification.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "notification assignment", spec = "11.7")]
pub struct NotificationAssignment {
    /// What the notification is about.
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// What sends it.
    #[field(short(scalar))]
    pub implementation: Child<Implementation>,
    /// What the sender is given.
    #[field(since = V2_0, assigns(undeclared = allowed, title = "input"), value)]
    pub inputs: Values,
    /// The attributes in which it is stored what comes with it.
    pub outputs: Values,
}
