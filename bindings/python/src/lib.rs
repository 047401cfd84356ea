//! `tosca-parse` for Python.
//!
//! A parser and its results as Python objects. Long operations release the interpreter's lock, so that the threads of a
//! program validate in parallel.

mod calls;
mod config;
mod convert;
mod csar;
mod diagnostic;
mod error;
mod loader;
mod murano;
mod outcome;
mod parser;
mod row;
mod text;
mod types;
mod worker;
mod yaql;
mod yay;

use mimalloc::MiMalloc;
use pyo3::prelude::*;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The Rust part of the package `tosca_parse`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::csar::pack_folder;
    #[pymodule_export]
    use super::diagnostic::{Diagnostic, Edit, Point, Related};
    #[pymodule_export]
    use super::murano::{Classes, Model, Package};
    #[pymodule_export]
    use super::outcome::Outcome;
    #[pymodule_export]
    use super::parser::{Outcomes, Parser};
    #[pymodule_export]
    use super::text::format_text;
    #[pymodule_export]
    use super::yaql::evaluate;
    #[pymodule_export]
    use super::yay::{Anchor, Config, Node};

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
