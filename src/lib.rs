//! Reads TOSCA service templates, finds every problem in them, and returns a complete model.

// The derive macro writes absolute paths, also for the entities of this crate.
extern crate self as tosca_parse;

pub mod ard;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod diagnostic;
pub mod entity;
pub mod grammar;
#[cfg(feature = "graph")]
pub mod graph;
#[cfg(feature = "schema")]
mod json_schema;
pub mod normal;
mod parser;
pub mod phase;
pub mod rules;
mod session;
mod shared_map;
pub mod source;
pub mod symbol;
pub mod value;

pub use parser::{Outcome, Parser, ParserBuilder, Phase, PhaseTime, Progress, Stage};
pub use phase::read::Entry;
pub use tosca_parse_derive::Entity;

/// The program in the README must work.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
