//! The numbers of the checks of TOSCA that are cached, see [`Check::number`](crate::phase::Check::number).

/// Whether a scalar is valid.
pub(crate) const SCALAR: u8 = 0;
/// Whether a clause is one.
pub(crate) const CLAUSE: u8 = 1;
/// Whether a node of a type fulfills a requirement.
pub(crate) const FULFILLMENT: u8 = 2;
/// Whether no default of the properties and attributes of a definition takes the value of another one.
pub(crate) const DEFAULTS: u8 = 3;
/// The same, for all capabilities of a node type.
pub(crate) const DEFAULTS_OF_CAPABILITIES: u8 = 4;
