//! Operation and notification definitions (2.0, 11.4 and 11.6).

use super::{Implementation, ParameterDefinition};
use crate::Entity;
use crate::entity::{Child, Members, Text};
use crate::grammar::Metadata;
use crate::grammar::version::V2_0;

/// An operation to which an implementation can be bound.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "operation definition", spec = "11.4")]
#[non_exhaustive]
pub struct OperationDefinition {
    /// The description of the operation.
    #[field(inherit = overwrite)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0, inherit = overwrite)]
    pub metadata: Metadata,
    /// The implementation that runs when the operation is called.
    #[field(short(scalar), inherit = overwrite)]
    pub implementation: Child<Implementation>,
    /// The inputs of the implementation.
    #[field(inherit = refine)]
    pub inputs: Members<ParameterDefinition>,
    /// The outputs of the implementation.
    #[field(members_short = "mapping", inherit = refine)]
    pub outputs: Members<ParameterDefinition>,
}

/// A notification: an event from outside.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "notification definition", spec = "11.6")]
#[non_exhaustive]
pub struct NotificationDefinition {
    /// The description of the notification.
    #[field(inherit = overwrite)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0, inherit = overwrite)]
    pub metadata: Metadata,
    /// The implementation that sends the notification.
    #[field(short(scalar), inherit = overwrite)]
    pub implementation: Child<Implementation>,
    /// The inputs of the implementation.
    #[field(since = V2_0, inherit = refine)]
    pub inputs: Members<ParameterDefinition>,
    /// The outputs that come with the notification.
    #[field(members_short = "mapping", inherit = refine)]
    pub outputs: Members<ParameterDefinition>,
}
