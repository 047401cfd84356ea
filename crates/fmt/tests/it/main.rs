//! Tests of the formatter through its public interface.

#![allow(clippy::print_stderr, reason = "skipped tests are reported")]
#![allow(clippy::format_push_string, clippy::option_option, reason = "short tests")]

extern crate tosca_parse_engine as tosca_parse;

mod corpus;
mod new_line;
mod order;
mod properties;
mod style;
