//! Clauses that must be true of values: whether they are, and if not, why.

pub(super) mod constraint;
pub(super) mod explain;
