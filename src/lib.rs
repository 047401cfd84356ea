//! Reads TOSCA service templates, finds every problem in them, and returns a complete model.
//!
//! ```
//! use tosca_parse::{Entry, Parser, TOSCA};
//!
//! let parser = Parser::builder(&TOSCA).build()?;
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
//! [`normal::Service::of`] makes the normal model, plain data that is described in [`normal`], of a program.
//! [`resolve_entry`](resolve::resolve_entry) finds nodes for the requirements that a template leaves
//! open, and `graph` draws what there is.
//!
//! # To build something else on it
//!
//! [`ard`] is YAML as a flat tree with positions, for any purpose. [`Entity`] and [`entity`] describe a language, and
//! [`phase`] reads it; [`grammar`] is where TOSCA is described. These parts, and [`Outcome::program`], which gives access
//! to them, follow the needs of the languages and change more often than the rest.

// The derive macro writes absolute paths, also for the entities of this crate.
extern crate self as tosca_parse;

mod advice;
#[cfg(feature = "archive")]
pub mod archive;
mod check;
pub mod convention;
pub mod data;
#[cfg(feature = "form")]
pub mod form;
pub mod grammar;
#[cfg(feature = "graph")]
pub mod graph;
mod lint;
pub mod migrate;
pub mod normal;
mod normative;
mod recognize;
pub mod resolve;
pub mod rules;
mod spec;
mod tosca;
pub mod value;

pub use tosca::TOSCA;
#[cfg(feature = "schema")]
#[doc(hidden)]
pub use tosca_parse_engine::json_schema;
pub use tosca_parse_engine::{
    BuildError, Entity, Entry, ImportLimits, Outcome, Parser, ParserBuilder, Phase, PhaseTime, Progress, Stage, Words,
    explained_rules, kinds, rule_table, sections,
};
pub use tosca_parse_engine::{ard, budget, diagnostic, entity, handbook, phase, source, spot, symbol, syntax};

#[cfg(feature = "cloudify")]
pub use tosca_parse_cloudify as cloudify;
#[cfg(feature = "heat")]
pub use tosca_parse_heat as heat;
#[cfg(feature = "murano")]
pub use {tosca_parse_murano as murano, tosca_parse_yaql as yaql};

#[cfg(feature = "yay")]
pub use tosca_parse_yay as yay;

/// The program in the README must work.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// So must the one on the page about `MuranoPL`.
#[cfg(all(doctest, feature = "murano"))]
#[doc = include_str!("../docs/murano.md")]
struct MuranoPage;
