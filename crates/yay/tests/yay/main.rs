//! Tests of the language.

#![allow(clippy::print_stdout, clippy::print_stderr)] // What passed is counted; a test that is skipped has to say so.

mod checks;
mod clauses;
mod conformance;
mod documentation;
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
