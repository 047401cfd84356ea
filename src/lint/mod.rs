//! Optional checks of templates: unused declarations, ignored and deprecated properties, values that look like something
//! else, secrets, and names.

mod deprecated;
mod naming;
mod substitution;
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
    &substitution::Untaken,
    &deprecated::Deprecated,
    &values::Seeming,
    &values::Secrets,
    &naming::Naming,
    &naming::Keynames,
];
