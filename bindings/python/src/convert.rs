//! Values between Python and the model.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyAny;
use serde_json::Value;

/// A Python object as JSON.
pub(crate) fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    pythonize::depythonize(object).map_err(|error| PyValueError::new_err(format!("invalid template: {error}")))
}

/// A serializable value as dictionaries, lists and scalars.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    pythonize::pythonize(py, value).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The JSON text of a value, which is also YAML.
pub(crate) fn to_text(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string_pretty(value).map_err(|error| PyValueError::new_err(error.to_string()))
}
