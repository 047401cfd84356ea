//! Typed values: what they are, how they compare, and what can be computed with them.

pub(super) mod apply;
pub(super) mod arithmetic;
pub(super) mod datum;
mod dialect;
pub(super) mod kind;
mod lookup;
pub(super) mod pattern;
pub(super) mod scalar;
pub(crate) mod scalar_unit;
pub(super) mod text;
