//! Positions and names of entities.

use super::LocalId;
use crate::ard::NodeId;
use crate::symbol::Symbol;

/// The position and the name of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The name; [`Symbol::EMPTY`] if the entity has none.
    pub name: Symbol,
    /// The node that contains the name. If the entity has no name, the node of the keyname whose value it is; if there
    /// is no keyname either, the node of the value.
    pub key: NodeId,
    /// The node that contains the value.
    pub node: NodeId,
    /// The entity that contains this one; `None` for the root of a unit.
    pub owner: Option<LocalId>,
}
