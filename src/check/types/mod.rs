//! Checks of types.

pub(super) mod capability;
pub(super) mod data;
pub(super) mod default_size;
pub(super) mod group;
pub(super) mod infinite;
pub(super) mod interface;
pub(super) mod node;
pub(super) mod relationship;
