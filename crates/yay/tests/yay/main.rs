//! Tests of the language.

#![allow(clippy::print_stdout, clippy::print_stderr)] // Tests print counts, and whether they are skipped.

mod checks;
mod clauses;
mod conformance;
mod documentation;
mod fold_property;
mod folder;
mod folding;
mod host;
mod limits;
mod messages;
mod mutations;
mod pieces;
mod python;
mod secrets;
mod sections;
