//! Values between Python and the model.

use std::cell::RefCell;
use std::fmt::Write as _;

use num_bigint::BigInt;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{
    PyAny, PyCFunction, PyDict, PyFrozenSet, PyInt, PyList, PyMapping, PySequence, PySet, PyString, PyTuple,
};
use serde::ser::{Error as SerializeError, Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;
use tosca_parse::ard::Limits;

/// Converts a Python object to JSON.
///
/// An object may contain itself or many references to others, so the limits of a source apply to its depth and size.
pub(crate) fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    converted(object, false, |item| serde_json::to_value(item))
}

/// The maximum depth of data for evaluators.
const EVALUATED_DEPTH: usize = 500;

/// Converts a Python object to JSON text for an evaluator. Integers can have any size.
pub(crate) fn to_json(object: &Bound<'_, PyAny>) -> PyResult<String> {
    converted(object, true, |item| serde_json::to_string(item))
}

fn converted<T>(
    object: &Bound<'_, PyAny>,
    is_text: bool,
    write: impl FnOnce(&Item<'_, '_>) -> serde_json::Result<T>,
) -> PyResult<T> {
    let limits = Limits::default();
    let (depth, left) = (if is_text { EVALUATED_DEPTH } else { limits.depth as usize }, limits.expansion);
    let conversion = RefCell::new(Conversion { depth, left, is_text, path: Vec::new(), raised: None });
    let written = write(&Item { object, conversion: &conversion });
    written.map_err(|message| {
        let error = PyValueError::new_err(format!("invalid value: {message}"));
        match conversion.into_inner().raised {
            Some(raised) if !raised.is_instance_of::<PyException>(object.py()) => raised,
            raised => {
                error.set_cause(object.py(), raised);
                error
            }
        }
    })
}

/// A conversion in progress.
struct Conversion<'py> {
    /// The maximum depth of dictionaries and lists.
    depth: usize,
    /// The number of values that may still be created.
    left: u64,
    /// Whether the result is text, so that integers can have any size.
    is_text: bool,
    /// The containers around the current value, each with the key or index of the value in it.
    path: Vec<(Bound<'py, PyAny>, Step)>,
    /// The exception that a method of a container raised.
    raised: Option<PyErr>,
}

enum Step {
    Key(String),
    Index(usize),
}

/// An object to be converted.
struct Item<'c, 'py> {
    object: &'c Bound<'py, PyAny>,
    conversion: &'c RefCell<Conversion<'py>>,
}

impl Serialize for Item<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let object = self.object;
        let length = if object.is_instance_of::<PyString>() { object.len().unwrap_or(0) } else { 0 };
        self.conversion.borrow_mut().take(length).map_err(S::Error::custom)?;
        if object.is_instance_of::<PyString>() {
            return self.scalar(serializer);
        }
        if object.is_instance_of::<PyDict>() || object.cast::<PyMapping>().is_ok() {
            return self.map(serializer);
        }
        let is_list = object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>();
        let is_set = object.is_instance_of::<PySet>() || object.is_instance_of::<PyFrozenSet>();
        if is_list || is_set || object.cast::<PySequence>().is_ok() && !is_bytes(object) {
            return self.list(serializer);
        }
        self.scalar(serializer)
    }
}

impl<'py> Item<'_, 'py> {
    fn map<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.conversion.borrow().check(self.object).map_err(S::Error::custom)?;
        let items = self.object.call_method0("items").and_then(|items| items.try_iter());
        let mut map = serializer.serialize_map(None)?;
        for item in items.map_err(|error| self.raised(error))? {
            let item = item.and_then(|item| item.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>());
            let (key, value) = item.map_err(|error| self.raised(error))?;
            let key: String = key.extract().map_err(|_| self.wrong("a key is not a string"))?;
            map.serialize_key(&key)?;
            self.inside(Step::Key(key), &value, |item| map.serialize_value(item))?;
        }
        map.end()
    }

    fn list<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.conversion.borrow().check(self.object).map_err(S::Error::custom)?;
        let items = self.object.try_iter().map_err(|error| self.raised(error))?;
        let mut list = serializer.serialize_seq(None)?;
        for (index, item) in items.enumerate() {
            let item = item.map_err(|error| self.raised(error))?;
            self.inside(Step::Index(index), &item, |item| list.serialize_element(item))?;
        }
        list.end()
    }

    /// Converts a value in this container.
    fn inside<E>(
        &self,
        step: Step,
        object: &Bound<'py, PyAny>,
        write: impl FnOnce(&Item<'_, 'py>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.conversion.borrow_mut().path.push((self.object.clone(), step));
        write(&Item { object, conversion: self.conversion })?;
        self.conversion.borrow_mut().path.pop();
        Ok(())
    }

    fn scalar<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_text = self.conversion.borrow().is_text;
        if is_text && self.object.is_instance_of::<PyInt>() && self.object.extract::<i64>().is_err() {
            let number: BigInt = self.object.extract().map_err(|error| self.wrong(&error))?;
            return RawValue::from_string(number.to_string()).map_err(S::Error::custom)?.serialize(serializer);
        }
        let value: Value = pythonize::depythonize(self.object).map_err(|error| self.wrong(&error))?;
        value.serialize(serializer)
    }

    /// Keeps an exception, and returns an error with its message and place.
    fn raised<E: SerializeError>(&self, error: PyErr) -> E {
        let wrong = self.wrong(&error);
        self.conversion.borrow_mut().raised = Some(error);
        wrong
    }

    fn wrong<E: SerializeError>(&self, message: impl std::fmt::Display) -> E {
        E::custom(self.conversion.borrow().wrong(&message.to_string()))
    }
}

impl<'py> Conversion<'py> {
    /// Counts a value. A string counts as one more for every 1000 characters, because an object may refer to the same
    /// string many times.
    ///
    /// # Errors
    ///
    /// Returns an error if there are too many values.
    fn take(&mut self, length: usize) -> Result<(), String> {
        let values = 1 + length as u64 / 1000;
        self.left = self.left.checked_sub(values).ok_or_else(|| self.wrong("it has too many values"))?;
        Ok(())
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

/// Returns the value of JSON text. Integers can have any size.
pub(crate) fn loads<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    /// The number of digits that Python always converts. Programs can set a higher limit.
    const DIGITS: usize = 640;
    let json = py.import("json")?;
    let mut runs = text.as_bytes().chunk_by(|a, b| a.is_ascii_digit() && b.is_ascii_digit());
    if !runs.any(|run| run.len() > DIGITS) {
        return json.call_method1("loads", (text,));
    }
    let parse = |arguments: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| -> PyResult<BigInt> {
        let digits: String = arguments.get_item(0)?.extract()?;
        digits.parse().map_err(|_| PyValueError::new_err("invalid integer"))
    };
    let options = PyDict::new(py);
    options.set_item("parse_int", PyCFunction::new_closure(py, None, None, parse)?)?;
    json.call_method("loads", (text,), Some(&options))
}

/// Converts a serializable value to dictionaries, lists and scalars.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    pythonize::pythonize(py, value).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Returns the JSON text of a value, which is also YAML.
pub(crate) fn to_text(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string_pretty(value).map_err(|error| PyValueError::new_err(error.to_string()))
}
