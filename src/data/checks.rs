//! The numbers of the cached checks for TOSCA; see [`Check::number`](crate::phase::Check::number).

/// Whether a scalar is valid.
pub(crate) const SCALAR: u8 = 0;
/// Whether a clause is valid.
pub(crate) const CLAUSE: u8 = 1;
/// Whether a node of a type fulfills a requirement.
pub(crate) const FULFILLMENT: u8 = 2;
/// Whether no default of the properties and attributes of a definition depends on another value.
pub(crate) const DEFAULTS: u8 = 3;
/// Whether no default in any capability of a node type depends on another value.
pub(crate) const DEFAULTS_OF_CAPABILITIES: u8 = 4;
