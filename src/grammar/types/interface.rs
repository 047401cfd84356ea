//! Interface types (2.0, 11.1).

use crate::Entity;
use crate::entity::{Located, Members, Reference, Text};
use crate::grammar::definition::{NotificationDefinition, OperationDefinition, ParameterDefinition};
use crate::grammar::section::INTERFACE_TYPES;
use crate::grammar::version::{V1_1, V1_2, V1_3};
use crate::grammar::{Metadata, VersionText};

/// A type of interfaces: operations that can be called, and notifications that can be received.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "interface type", spec = "11.1")]
#[non_exhaustive]
pub struct InterfaceType {
    /// The interface type that this one is derived from.
    #[field(parent, lookup(INTERFACE_TYPES))]
    pub derived_from: Option<Reference<InterfaceType>>,
    /// The version of the type.
    pub version: Option<Box<Located<VersionText>>>,
    /// Data that the processor ignores.
    #[field(since = V1_1)]
    pub metadata: Metadata,
    /// The description of the type.
    pub description: Option<Text>,
    /// The inputs of all operations.
    #[field(inherit = refine)]
    pub inputs: Members<ParameterDefinition>,
    /// The operations.
    #[field(keyname("operations", since = V1_3), keyname("*", until = V1_2, tolerated = V1_3), inherit = refine)]
    pub operations: Members<OperationDefinition>,
    /// The notifications.
    #[field(since = V1_3, inherit = refine)]
    pub notifications: Members<NotificationDefinition>,
}
