//! The tests of the crate, in one program since linking takes longer than they do.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "tests tell what they did")]

mod conformance;
mod limits;
mod reference;
