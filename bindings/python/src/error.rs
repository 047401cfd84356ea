//! Exceptions, which are classes of `tosca_parse.errors`.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Creates an exception of a class in `tosca_parse.errors`.
pub(crate) fn exception<'py>(
    py: Python<'py>,
    class: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error: Into<PyErr>>,
) -> PyErr {
    let made = arguments.into_pyobject(py).map_err(Into::into).and_then(|arguments| {
        let class = py.import("tosca_parse.errors")?.getattr(class)?;
        class.call1(arguments)
    });
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Creates an exception with a message.
pub(crate) fn error(py: Python<'_>, class: &str, message: impl std::fmt::Display) -> PyErr {
    exception(py, class, (message.to_string(),))
}

/// Creates an exception for an invalid option.
pub(crate) fn config_error(message: impl std::fmt::Display) -> PyErr {
    Python::attach(|py| error(py, "ConfigError", message))
}
