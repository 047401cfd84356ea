//! Reads TOSCA service templates, finds every problem in them, and returns a complete model.
//!
//! ```
//! use tosca_parse::{Entry, Parser};
//!
//! let parser = Parser::builder().build()?;
//! let text = "tosca_definitions_version: tosca_2_0\nnode_types: { Server: { derived_from: Sever } }\n";
//! let outcome = parser.parse_entry(Entry::text(parser.address("types.yaml")?, text));
//! assert_eq!(outcome.diagnostics[0].message, "there is no node type `Sever`");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # To validate
//!
//! A [`Parser`] is made once, is cheap to clone, and remembers what it has read. [`Parser::parse`] takes a path or URL,
//! [`Parser::parse_entry`] whatever an [`Entry`] can be; either gives an [`Outcome`] with the problems, each a
//! [`diagnostic::Diagnostic`]. [`diagnostic::render`] shows them as the command does, and [`rules`] explains them.
//! Where sources come from is up to [`source::Provider`]s.
//!
//! # To use what is valid
//!
//! [`Outcome::service`] is the normal model, plain data that is described in [`normal`]. [`Parser::resolve_entry`] finds
//! nodes for the requirements that a template leaves open, and `graph` draws what there is.
//!
//! # To build something else on it
//!
//! [`ard`] is YAML as a flat tree with positions, for any purpose. [`Entity`] and [`entity`] describe a language, and
//! [`phase`] reads it; [`grammar`] is where TOSCA is described. These parts, and [`Outcome::program`], which gives access
//! to them, follow the needs of the languages and change more often than the rest.

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
