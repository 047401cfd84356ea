//! Interface definitions (2.0, 11.2).

use super::{NotificationDefinition, OperationDefinition, ParameterDefinition};
use crate::Entity;
use crate::entity::{Members, Reference, Text};
use crate::grammar::Metadata;
use crate::grammar::section::INTERFACE_TYPES;
use crate::grammar::types::InterfaceType;
use crate::grammar::version::{V1_2, V1_3, V2_0};

/// An interface that nodes or relationships of a type have.
#[derive(Entity, Clone, Debug, Default)]
#[entity(title = "interface definition", spec = "11.2")]
#[non_exhaustive]
pub struct InterfaceDefinition {
    /// The interface type.
    #[field(definition, lookup(INTERFACE_TYPES), mandatory(inheritable), inherit = narrow)]
    pub r#type: Option<Reference<InterfaceType>>,
    /// The description of the interface.
    #[field(inherit = overwrite)]
    pub description: Option<Text>,
    /// Data that the processor ignores.
    #[field(since = V2_0)]
    pub metadata: Metadata,
    /// The inputs of all operations: new ones, and refinements of those that the interface type defines.
    #[field(inherit = refine)]
    pub inputs: Members<ParameterDefinition>,
    /// Refinements of the operations that the interface type defines.
    #[field(
        keyname("operations", since = V1_3),
        keyname("*", until = V1_2, tolerated = V1_3),
        inherit = refine,
        closed(since = V2_0)
    )]
    pub operations: Members<OperationDefinition>,
    /// Refinements of the notifications that the interface type defines.
    #[field(since = V1_3, inherit = refine, closed(since = V2_0))]
    pub notifications: Members<NotificationDefinition>,
}
