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
