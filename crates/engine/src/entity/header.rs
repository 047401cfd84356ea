//! Positions and names of entities.

use super::LocalId;
use crate::ard::NodeId;
use crate::symbol::Symbol;

/// The position and the name of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The name; [`Symbol::EMPTY`] if it has none.
    pub name: Symbol,
    /// The node of its name. If it has none: the node of the keyname whose value it is, or else of its value.
    pub key: NodeId,
    /// The node of its value.
    pub node: NodeId,
    /// The entity that contains it; `None` for the root of a unit.
    pub owner: Option<LocalId>,
}
