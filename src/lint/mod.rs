//! What is looked for in templates if somebody asks: what is declared and never used, what is deprecated, values that
//! are not what they seem, secrets, and names.

mod deprecated;
mod naming;
mod unused;
mod values;
mod walk;

use crate::phase::Lint;

/// The lints of TOSCA.
pub(super) static LINTS: &[&dyn Lint] = &[
    &unused::Inputs,
    &unused::Types,
    &unused::Imports,
    &unused::Repositories,
    &deprecated::Deprecated,
    &values::Seeming,
    &values::Secrets,
    &naming::Naming,
    &naming::Keynames,
];
