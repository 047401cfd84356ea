//! Black-box tests of the library and the command.
//!
//! They are a single program: linking takes longer than running.

#![allow(clippy::unwrap_used)]
#![allow(clippy::print_stderr)] // A test that is skipped has to say so.

mod archives;
mod bad_input;
mod cloudnet;
mod conformance;
mod decisions;
mod described;
mod determinism;
mod edits;
mod examples;
mod expectations;
mod form;
mod help;
mod lints;
mod migrate;
mod mistakes;
mod model;
mod network;
mod normative;
mod patterns;
mod properties;
mod public_interface;
mod quirks;
mod readme;
mod reference;
mod regressions;
mod resolve;
mod resource_limits;
mod rules;
mod structure;
mod support;
mod threads;
mod yaml_test_suite;
mod yay;
