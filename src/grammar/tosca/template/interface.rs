//! Interface, operation and notification assignments (2.0, 11.3, 11.5 and 11.7).

use super::super::data::check_mapping;
use super::super::definition::Implementation;
use super::super::scalar::Metadata;
use super::super::version::{V1_2, V1_3, V2_0};
use crate::Entity;
use crate::entity::{AnyId, Child, Id, Members, Position, Text, Values};
use crate::phase::Context;

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
    #[field(assigns(undeclared = allowed, title = "input"))]
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
    #[field(assigns(undeclared = allowed, title = "input"))]
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
    #[field(since = V2_0, assigns(undeclared = allowed, title = "input"))]
    pub inputs: Values,
    /// The attributes in which it is stored what comes with it.
    pub outputs: Values,
}

/// Checks that the outputs of operations and notifications are mapped to attributes that there are.
pub(super) fn check_outputs(context: &mut Context<'_>, interfaces: &Members<InterfaceAssignment>) {
    for (_, id) in interfaces.iter() {
        let Some(interface) = context.get(id) else { continue };
        for (_, id) in interface.operations.iter() {
            let outputs = context.get(id).map(|operation| operation.outputs);
            check_outputs_of(context, id.any(), outputs);
        }
        for (_, id) in interface.notifications.iter() {
            let outputs = context.get(id).map(|notification| notification.outputs);
            check_outputs_of(context, Id::any(id), outputs);
        }
    }
}

fn check_outputs_of(context: &mut Context<'_>, id: AnyId, outputs: Option<Values>) {
    if context.version(id) < V2_0 {
        return;
    }
    let Some(node) = outputs.and_then(|outputs| context.node(outputs.position?)) else { return };
    for entry in node.entries() {
        check_mapping(context, id, Position { unit: id.unit, node: entry.value.id() }, None);
    }
}
