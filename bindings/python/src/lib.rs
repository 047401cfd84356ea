//! `tosca-parse` for Python.
//!
//! A parser and its results as Python objects. Long operations release the interpreter's lock, so that the threads of a
//! program validate in parallel.

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
    "Raised for a template with errors; `diagnostics` are all of its problems."
);

/// The Rust part of the package `tosca_parse`.
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
