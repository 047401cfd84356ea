//! Reads sources in any language for which it gets a description, reports all problems, and returns the result for
//! further use.
//!
//! A language is described by plain structs with annotated fields; see [`entity`]. The phases in [`phase`] do the rest:
//! they read sources with their imports, resolve names, find the ancestors of types, apply inheritance and render
//! templates. [`ard`] reads YAML into a flat tree with positions, [`diagnostic`] displays problems, and [`source`]
//! provides the sources.

// The derive macro generates absolute paths that begin with the public name of the crate.
extern crate self as tosca_parse;

pub mod ard;
pub mod diagnostic;
pub mod entity;
#[cfg(feature = "schema")]
pub mod json_schema;
mod loader;
mod memory;
mod parallel;
mod parser;
pub mod phase;
pub mod reference_docs;
pub mod rules;
mod session;
mod shared_map;
pub mod source;
pub mod symbol;
pub mod syntax;
pub mod text;

pub use entity::position_context;
pub use loader::Entry;
pub use parser::{BuildError, Outcome, Parser, ParserBuilder, Phase, PhaseTime, Progress, Stage};
pub use source::ImportLimits;
pub use tosca_parse_budget as budget;
pub use tosca_parse_derive::{Entity, Enumerated};

/// The examples of the derive macros, which need this crate.
#[cfg(doctest)]
mod derive_examples {
    #[doc = include_str!("../../derive/src/annotations.md")]
    mod entity {}
    #[doc = include_str!("../../derive/src/enumerated.md")]
    mod enumerated {}
}
