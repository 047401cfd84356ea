//! Checks of definitions.

pub(super) mod artifact;
pub(super) mod attribute;
pub(super) mod filter;
pub(super) mod function;
pub(super) mod interface;
pub(super) mod parameter;
pub(super) mod property;
pub(super) mod requirement;
pub(super) mod schema;
pub(super) mod used;
