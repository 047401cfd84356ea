//! YAQL expressions.

use pyo3::prelude::*;
use pyo3::types::PyAny;
use tosca_parse::yaql::{Dialect, Error, evaluate_json};

use crate::convert::{loads, to_json};
use crate::error::exception;

/// An error that can leave its thread.
pub(crate) struct Failure {
    kind: String,
    message: String,
    span: Option<(u32, u32)>,
}

impl Failure {
    pub(crate) fn new(kind: &str, error: &Error) -> Self {
        let span = error.span().map(|span| (span.start, span.end));
        Self { kind: kind.to_owned(), message: error.to_string(), span }
    }

    pub(crate) fn raise(self, py: Python<'_>, class: &str) -> PyErr {
        exception(py, class, (self.message, self.kind, self.span))
    }
}

/// Evaluates an expression with a value for `$`.
#[pyfunction]
#[pyo3(signature = (expression, data = None, *, legacy = false))]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    expression: &str,
    data: Option<&Bound<'py, PyAny>>,
    legacy: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let dialect = if legacy { Dialect::Legacy } else { Dialect::Standard };
    let data = data.map_or_else(|| Ok("null".to_owned()), to_json)?;
    let failed = |error: Error| Failure::new(error.kind().as_str(), &error);
    let result = py.detach(|| evaluate_json(expression, dialect, &data).map_err(failed));
    loads(py, &result.map_err(|failure| failure.raise(py, "YaqlError"))?)
}
