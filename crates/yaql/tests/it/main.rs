//! The tests of the crate, in one program, because linking takes longer than running them.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "tests tell what they did")]

mod conformance;
mod limits;
mod reference;
