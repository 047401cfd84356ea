//! `tosca-parse` for Python.
//!
//! A parser, and what it finds, as Python objects. Everything that takes time is done without the interpreter's lock,
//! so that threads of a program validate at the same time.

mod convert;
mod diagnostic;
mod loader;
mod outcome;
mod parser;

use mimalloc::MiMalloc;
use pyo3::prelude::*;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

pyo3::create_exception!(
    tosca_parse,
    ToscaError,
    pyo3::exceptions::PyException,
    "A template has errors; `diagnostics` are all of its problems."
);

/// The part of the package `tosca_parse` that is written in Rust.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::ToscaError;
    #[pymodule_export]
    use super::diagnostic::{Diagnostic, Point, Related};
    #[pymodule_export]
    use super::outcome::Outcome;
    #[pymodule_export]
    use super::parser::Parser;
}
