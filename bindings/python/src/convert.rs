//! Values between Python and the model.

use std::fmt::Write as _;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyFrozenSet, PyList, PyMapping, PySequence, PySet, PyString, PyTuple};
use serde_json::{Map, Value};
use tosca_parse::ard::Limits;

/// Converts a Python object to JSON.
///
/// An object may contain itself or many references to others, so the limits of a source apply to its depth and size.
pub(crate) fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    let limits = Limits::default();
    let mut conversion = Conversion { depth: limits.depth as usize, left: limits.expansion, path: Vec::new() };
    conversion.value(object).map_err(|message| PyValueError::new_err(format!("invalid value: {message}")))
}

/// A conversion in progress.
struct Conversion<'py> {
    /// The maximum depth of dictionaries and lists.
    depth: usize,
    /// The number of values that may still be created.
    left: u64,
    /// The containers around the current value, each with the key or index of the value in it.
    path: Vec<(Bound<'py, PyAny>, Step)>,
}

enum Step {
    Key(String),
    Index(usize),
}

impl<'py> Conversion<'py> {
    fn value(&mut self, object: &Bound<'py, PyAny>) -> Result<Value, String> {
        self.left = self.left.checked_sub(1).ok_or_else(|| self.wrong("it has too many values"))?;
        let is_text = object.is_instance_of::<PyString>();
        if is_text {
            return self.scalar(object);
        }
        if object.is_instance_of::<PyDict>() || object.cast::<PyMapping>().is_ok() {
            self.check(object)?;
            return self.map(object);
        }
        let is_list = object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>();
        let is_set = object.is_instance_of::<PySet>() || object.is_instance_of::<PyFrozenSet>();
        if is_list || is_set || object.cast::<PySequence>().is_ok() && !is_bytes(object) {
            self.check(object)?;
            return self.list(object);
        }
        self.scalar(object)
    }

    /// # Errors
    ///
    /// Returns an error if a container contains itself, or is nested too deep.
    fn check(&self, object: &Bound<'py, PyAny>) -> Result<(), String> {
        if self.path.iter().any(|(around, _)| around.is(object)) {
            return Err(self.wrong("it contains itself"));
        }
        if self.path.len() >= self.depth {
            return Err(self.wrong(&format!("dictionaries and lists are nested more than {} levels deep", self.depth)));
        }
        Ok(())
    }

    fn map(&mut self, object: &Bound<'py, PyAny>) -> Result<Value, String> {
        let items = object.call_method0("items").and_then(|items| items.try_iter());
        let mut map = Map::new();
        for item in items.map_err(|error| self.wrong(&error.to_string()))? {
            let item = item.and_then(|item| item.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>());
            let (key, value) = item.map_err(|error| self.wrong(&error.to_string()))?;
            let key: String = key.extract().map_err(|_| self.wrong("a key is not a string"))?;
            self.path.push((object.clone(), Step::Key(key.clone())));
            let value = self.value(&value)?;
            self.path.pop();
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }

    fn list(&mut self, object: &Bound<'py, PyAny>) -> Result<Value, String> {
        let items = object.try_iter().map_err(|error| self.wrong(&error.to_string()))?;
        let mut list = Vec::new();
        for (index, item) in items.enumerate() {
            let item = item.map_err(|error| self.wrong(&error.to_string()))?;
            self.path.push((object.clone(), Step::Index(index)));
            let value = self.value(&item)?;
            self.path.pop();
            list.push(value);
        }
        Ok(Value::Array(list))
    }

    fn scalar(&self, object: &Bound<'py, PyAny>) -> Result<Value, String> {
        pythonize::depythonize(object).map_err(|error| self.wrong(&error.to_string()))
    }

    /// Returns a message with the position of the value. The middle of a long position is omitted.
    fn wrong(&self, message: &str) -> String {
        const SHOWN: usize = 8;
        if self.path.is_empty() {
            return message.to_owned();
        }
        let mut place = String::new();
        for (number, (_, step)) in self.path.iter().enumerate() {
            if (SHOWN..self.path.len().saturating_sub(SHOWN)).contains(&number) {
                if number == SHOWN {
                    place.push('…');
                }
                continue;
            }
            // Writing to a string does not fail.
            let _ = match step {
                Step::Key(key) => write!(place, "[{key:?}]"),
                Step::Index(index) => write!(place, "[{index}]"),
            };
        }
        format!("at {place}: {message}")
    }
}

fn is_bytes(object: &Bound<'_, PyAny>) -> bool {
    use pyo3::types::{PyByteArray, PyBytes};
    object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyByteArray>()
}

/// Converts a serializable value to dictionaries, lists and scalars.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    pythonize::pythonize(py, value).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Returns the JSON text of a value, which is also YAML.
pub(crate) fn to_text(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string_pretty(value).map_err(|error| PyValueError::new_err(error.to_string()))
}
