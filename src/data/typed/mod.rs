//! Typed values: representation, comparison, and computation.

pub(super) mod apply;
pub(super) mod arithmetic;
pub(super) mod datum;
mod dialect;
pub(super) mod kind;
pub(super) mod lookup;
pub(super) mod pattern;
pub(super) mod scalar;
pub(crate) mod scalar_unit;
pub(super) mod text;
