//! Where entities stand and what they are called.

use super::Local;
use crate::ard::NodeId;
use crate::symbol::Symbol;

/// Where an entity stands and what it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Its name; [`Symbol::EMPTY`] if it has none.
    pub name: Symbol,
    /// The node of its name; if it has none, of the keyname that it is the value of; or else of its value.
    pub key: NodeId,
    /// The node of its value.
    pub node: NodeId,
    /// The entity that holds it; none for the root of a unit.
    pub owner: Option<Local>,
}
