//! Reads whatever language it is told of, finds every problem in it, and returns what it means.
//!
//! A language is described by plain structs with annotated fields, see [`entity`]; the phases of [`phase`] do the rest:
//! they read sources with their imports, look names up, put types below their parents, let them inherit, and render
//! templates. [`ard`] is YAML as a flat tree with positions, for any purpose; [`diagnostic`] shows problems, and
//! [`source`] says where texts come from.

// The derive macro writes absolute paths of the crate by which users know all this.
extern crate self as tosca_parse;

pub mod ard;
pub mod diagnostic;
pub mod entity;
pub mod handbook;
#[cfg(feature = "schema")]
pub mod json_schema;
mod loader;
mod parser;
pub mod phase;
pub mod rules;
mod session;
mod shared_map;
pub mod source;
pub mod symbol;
pub mod syntax;
pub mod text;
mod threads;

pub use entity::spot;
pub use loader::Entry;
pub use parser::{BuildError, Outcome, Parser, ParserBuilder, Phase, PhaseTime, Progress, Stage};
pub use source::ImportLimits;
pub use tosca_parse_budget as budget;
pub use tosca_parse_derive::{Entity, Words};
