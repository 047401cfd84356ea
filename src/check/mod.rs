//! Checks of entities that go beyond their annotations.
//!
//! A module here implements [`Checked`](crate::entity::Checked) for the struct of the same name in `grammar`. Since
//! this module is private, the compiler reports a check that no implementation uses.

mod definition;
mod file;
mod import;
mod repository;
mod template;
mod types;

pub(crate) use template::requirement_check::missing_relationships;
pub(crate) use template::size_limit::{first_data_type_over_limit, first_over_limit, is_bare_data_type, needed};
pub(crate) use template::substitution::requirement_targets;
pub(crate) use template::workflow::STATES as NODE_STATES;
pub(crate) use types::default_size::MAX_DEFAULT_MEMBERS;
