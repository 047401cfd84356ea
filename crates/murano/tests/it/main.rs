//! The tests of the crate, in one program, because linking takes longer than running them.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "tests tell what they did")]
#![expect(clippy::unwrap_used, reason = "tests")]

mod cases;
mod classes;
mod conformance;
mod deployment;
mod encode;
mod language;
mod limits;
mod natives;
mod schemas;
#[cfg(feature = "serve")]
mod serve;
mod versions;
#[cfg(not(feature = "archive"))]
mod without_archives;
