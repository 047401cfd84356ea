//! Interface, operation and notification assignments (2.0, 11.3, 11.5 and 11.7).

use crate::Entity;
use crate::entity::{Child, Members, Text, Values};
use crate::grammar::Metadata;
use crate::grammar::definition::Implementation;
use crate::grammar::version::{V1_2, V1_3, V2_0};

/// The implementations of the operations and notifications of an interface.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "interface assignment", spec = "11.3")]
#[non_exhaustive]
pub struct InterfaceAssignment {
    /// The description of the interface.
    #[field(since = V2_0)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The inputs of all operations.
    #[field(assigns(undeclared = allowed, title = "input"), value)]
    pub inputs: Values,
    /// The operations, with their implementations.
    #[field(keyname("operations", since = V1_3), keyname("*", until = V1_2, tolerated = V1_3), assigns)]
    pub operations: Members<OperationAssignment>,
    /// The notifications, with their implementations.
    #[field(since = V1_3, assigns)]
    pub notifications: Members<NotificationAssignment>,
}

/// The implementation of an operation.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "operation assignment", spec = "11.5")]
#[non_exhaustive]
pub struct OperationAssignment {
    /// The description of the operation.
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The implementation that runs when the operation is called.
    #[field(short(scalar))]
    pub implementation: Child<Implementation>,
    /// The inputs.
    #[field(assigns(undeclared = allowed, title = "input"), value)]
    pub inputs: Values,
    /// The attributes that store the outputs.
    #[field(since = V1_3)]
    pub outputs: Values,
}

/// The implementation of a notification.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "notification assignment", spec = "11.7")]
#[non_exhaustive]
pub struct NotificationAssignment {
    /// The description of the notification.
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The implementation that sends the notification.
    #[field(short(scalar))]
    pub implementation: Child<Implementation>,
    /// The inputs.
    #[field(since = V2_0, assigns(undeclared = allowed, title = "input"), value)]
    pub inputs: Values,
    /// The attributes that store the outputs of the notification.
    pub outputs: Values,
}
