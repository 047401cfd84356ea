//! The formatter, from the outside.

#![allow(clippy::print_stderr, reason = "skipped tests are reported")]
#![allow(clippy::format_push_string, clippy::option_option, reason = "short tests")]

mod corpus;
mod properties;
mod style;
