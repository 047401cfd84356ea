//! The specifics of TOSCA 2.0.

pub(super) mod arguments;
pub(super) mod custom;
pub(super) mod expression;
pub(super) mod path;
pub(super) mod scalar_type;
pub(super) mod signature;
