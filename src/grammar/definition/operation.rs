//! Operation and notification definitions (2.0, 11.4 and 11.6).

use super::{Implementation, ParameterDefinition};
use crate::Entity;
use crate::entity::{Child, Members, Text};
use crate::grammar::Metadata;
use crate::grammar::version::V2_0;

/// A procedure to which an implementation can be bound.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "operation definition", spec = "11.4")]
pub struct OperationDefinition {
    /// What the operation does.
    #[field(inherit = overwrite)]
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0, inherit = overwrite)]
    pub metadata: Metadata,
    /// What is run when the operation is called.
    #[field(short(scalar), inherit = overwrite)]
    pub implementation: Child<Implementation>,
    /// What the implementation is given.
    #[field(inherit = refine)]
    pub inputs: Members<ParameterDefinition>,
    /// What the implementation gives back.
    #[field(members_short = "mapping", inherit = refine)]
    pub outputs: Members<ParameterDefinition>,
}

/// An event that comes from outside.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "notification definition", spec = "11.6")]
pub struct NotificationDefinition {
    /// What the notification is about.
    #[field(inherit = overwrite)]
    pub description: Option<Text>,
    /// Data that is not for the processor.
    #[field(since = V2_0, inherit = overwrite)]
    pub metadata: Metadata,
    /// What sends the notification.
    #[field(short(scalar), inherit = overwrite)]
    pub implementation: Child<Implementation>,
    /// What the sender is given.
    #[field(since = V2_0, inherit = refine)]
    pub inputs: Members<ParameterDefinition>,
    /// What comes with the notification.
    #[field(members_short = "mapping", inherit = refine)]
    pub outputs: Members<ParameterDefinition>,
}
