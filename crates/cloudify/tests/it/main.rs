//! The tests of the crate, in one program, because linking takes longer than running them.

#![expect(clippy::print_stdout, reason = "tests print results")]
#![expect(clippy::unwrap_used, reason = "tests")]

mod conformance;
mod language;
mod page;
mod reference;
