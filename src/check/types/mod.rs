//! Checks of types.

pub(super) mod capability;
pub(super) mod data;
pub(super) mod endless;
pub(super) mod group;
pub(super) mod interface;
pub(super) mod large;
pub(super) mod node;
pub(super) mod relationship;
