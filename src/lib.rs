//! Reads TOSCA service templates, reports all their problems, and returns a complete model.
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
//! # Validation
//!
//! A [`Parser`] is created once, is cheap to clone, and caches sources. [`Parser::parse`] accepts a path or
//! URL, [`Parser::parse_entry`] accepts any [`Entry`]; both return an [`Outcome`] with the problems, each a
//! [`diagnostic::Diagnostic`]. [`diagnostic::render`] formats them like the command, and [`rules`] explains them.
//! [`source::Provider`]s provide the sources.
//!
//! # Using valid templates
//!
//! [`normal::Service::of`] converts a program to the normal model, plain data that is described in [`normal`].
//! [`resolve_entry`](resolve::resolve_entry) finds nodes for the requirements that a template leaves open, and `graph`
//! draws diagrams.
//!
//! # Building on the library
//!
//! [`ard`] is YAML as a flat tree with positions, for any purpose. [`Entity`] and [`entity`] describe a language, and
//! [`phase`] reads it; [`grammar`] is the description of TOSCA. These modules, and [`Outcome::program`], which gives
//! access to them, follow the needs of the languages and change more often than the rest.

// The derive macro generates absolute paths, even for the entities of this crate.
extern crate self as tosca_parse;

#[cfg(feature = "archive")]
pub mod archive;
// Nothing depends on the checks: the continuous integration also compiles without them.
#[cfg(not(without_checks))]
mod check;
mod completion;
pub mod custom_rule;
pub mod data;
#[cfg(feature = "form")]
pub mod form;
pub mod grammar;
#[cfg(feature = "graph")]
pub mod graph;
mod lint;
mod member_limit;
pub mod migrate;
mod named_file;
pub mod normal;
mod normative;
mod recognize;
mod relationships;
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
    BuildError, Entity, Entry, Enumerated, ImportLimits, Outcome, Parser, ParserBuilder, Phase, PhaseTime, Progress,
    Stage, explained_rules, field_key, kinds, rule_table, sections,
};
pub use tosca_parse_engine::{
    ard, budget, diagnostic, entity, phase, position_context, reference_docs, source, symbol, syntax,
};

/// The languages that the features of the library enable. An entry that none of them recognizes is read as the first.
pub static LANGUAGES: &[&entity::Language] = &[
    &TOSCA,
    #[cfg(feature = "murano")]
    &murano::language::MURANO,
    #[cfg(feature = "heat")]
    &heat::HEAT,
    #[cfg(feature = "cloudify")]
    &cloudify::CLOUDIFY,
];

/// Returns a builder of parsers for all [`LANGUAGES`].
pub fn builder() -> ParserBuilder {
    LANGUAGES[1..].iter().copied().fold(Parser::builder(LANGUAGES[0]), ParserBuilder::language)
}

/// Returns the quirk with the given name, or the quirks of a set, in any of the [`LANGUAGES`].
pub fn quirks_of(name: &str) -> Option<Vec<entity::Quirk>> {
    LANGUAGES.iter().find_map(|language| language.quirks_of(name))
}

#[cfg(feature = "cloudify")]
pub use tosca_parse_cloudify as cloudify;
#[cfg(feature = "heat")]
pub use tosca_parse_heat as heat;
#[cfg(feature = "murano")]
pub use {tosca_parse_murano as murano, tosca_parse_yaql as yaql};

#[cfg(feature = "yay")]
pub use tosca_parse_yay as yay;

/// Tests the program in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Tests the program on the page about embedding.
#[cfg(doctest)]
#[doc = include_str!("../docs/embedding.md")]
struct EmbeddingPage;

/// Tests the program on the page about `MuranoPL`.
#[cfg(all(doctest, feature = "murano"))]
#[doc = include_str!("../docs/murano.md")]
struct MuranoPage;
