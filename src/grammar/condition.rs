//! Values that are conditions: filters, preconditions, and the conditions of triggers.

use crate::entity::Parameter;

/// A condition. Its form is checked when its subject is known.
pub(crate) const CONDITION: Parameter = Parameter::Other { functions: |_| None, name: None };
