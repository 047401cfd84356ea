//! Problems as frozen objects with the content of `--format json`.

use std::borrow::Cow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tosca_parse::diagnostic::{Safety, Severity, render as json};
use tosca_parse::source::Sources;

use crate::convert::{from_python, to_python};

/// A position in a source.
#[pyclass(frozen, eq, get_all, hash, module = "tosca_parse", skip_from_py_object)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    line: u32,
    column: u32,
    offset: u32,
}

/// A related position that explains a problem.
#[pyclass(frozen, eq, get_all, hash, module = "tosca_parse", skip_from_py_object)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Related {
    file: String,
    start: Point,
    end: Point,
    message: String,
}

/// A replacement of text that fixes a problem.
#[pyclass(frozen, eq, get_all, hash, module = "tosca_parse", skip_from_py_object)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edit {
    file: String,
    start: Point,
    end: Point,
    text: String,
    safety: String,
}

/// A problem of a template.
#[pyclass(frozen, eq, get_all, hash, module = "tosca_parse", skip_from_py_object)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    code: String,
    name: String,
    url: Option<String>,
    severity: String,
    message: String,
    file: String,
    start: Point,
    end: Point,
    related: Vec<Related>,
    help: Vec<String>,
    edits: Vec<Edit>,
}

impl Diagnostic {
    /// Returns the problems of an outcome, in their order.
    pub(crate) fn all(outcome: &tosca_parse::Outcome) -> Vec<Self> {
        Self::of_problems(&outcome.diagnostics, &outcome.sources)
    }

    pub(crate) fn of_problems(problems: &[tosca_parse::diagnostic::Diagnostic], sources: &Sources) -> Vec<Self> {
        json::Document::new(problems, sources).diagnostics.into_iter().map(Self::of).collect()
    }

    pub(crate) fn of(problem: json::Problem<'_>) -> Self {
        let related = problem.related.into_iter().map(|place| Related {
            file: place.file.into_owned(),
            start: place.start.into(),
            end: place.end.into(),
            message: place.message.into_owned(),
        });
        let edits = problem.edits.into_iter().map(|edit| Edit {
            file: edit.file.into_owned(),
            start: edit.start.into(),
            end: edit.end.into(),
            text: edit.text.into_owned(),
            safety: match edit.safety {
                Safety::Safe => "safe".to_owned(),
                Safety::Unsafe => "unsafe".to_owned(),
            },
        });
        Self {
            code: problem.code.into_owned(),
            name: problem.name.into_owned(),
            url: problem.url,
            severity: problem.severity.to_string(),
            message: problem.message.into_owned(),
            file: problem.file.into_owned(),
            start: problem.start.into(),
            end: problem.end.into(),
            related: related.collect(),
            help: problem.help.into_iter().map(Cow::into_owned).collect(),
            edits: edits.collect(),
        }
    }

    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    pub(crate) fn code(&self) -> &str {
        &self.code
    }

    fn to_json(&self) -> json::Problem<'_> {
        let related = self.related.iter().map(|place| json::RelatedLocation {
            file: place.file.as_str().into(),
            start: place.start.into(),
            end: place.end.into(),
            message: place.message.as_str().into(),
        });
        let edits = self.edits.iter().map(|edit| json::Replacement {
            file: edit.file.as_str().into(),
            start: edit.start.into(),
            end: edit.end.into(),
            text: edit.text.as_str().into(),
            safety: if edit.safety == "safe" { Safety::Safe } else { Safety::Unsafe },
        });
        json::Problem {
            code: self.code.as_str().into(),
            name: self.name.as_str().into(),
            url: self.url.clone(),
            severity: if self.is_error() { Severity::Error } else { Severity::Warning },
            message: self.message.as_str().into(),
            file: self.file.as_str().into(),
            start: self.start.into(),
            end: self.end.into(),
            related: related.collect(),
            help: self.help.iter().map(|help| help.as_str().into()).collect(),
            edits: edits.collect(),
        }
    }
}

impl From<json::Point> for Point {
    fn from(point: json::Point) -> Self {
        Self { line: point.line, column: point.column, offset: point.offset }
    }
}

impl From<Point> for json::Point {
    fn from(point: Point) -> Self {
        Self { line: point.line, column: point.column, offset: point.offset }
    }
}

#[pymethods]
impl Point {
    #[new]
    fn new(line: u32, column: u32, offset: u32) -> Self {
        Self { line, column, offset }
    }

    fn __getnewargs__(&self) -> (u32, u32, u32) {
        (self.line, self.column, self.offset)
    }

    fn __repr__(&self) -> String {
        format!("Point(line={}, column={}, offset={})", self.line, self.column, self.offset)
    }
}

#[pymethods]
impl Related {
    #[new]
    fn new(file: String, start: &Point, end: &Point, message: String) -> Self {
        Self { file, start: *start, end: *end, message }
    }

    fn __getnewargs__(&self) -> (&str, Point, Point, &str) {
        (&self.file, self.start, self.end, &self.message)
    }

    fn __str__(&self) -> String {
        format!("{}:{}:{}: {}", self.file, self.start.line, self.start.column, self.message)
    }

    fn __repr__(&self) -> String {
        format!("<Related {}>", self.__str__())
    }
}

#[pymethods]
impl Edit {
    #[new]
    fn new(file: String, start: &Point, end: &Point, text: String, safety: String) -> Self {
        Self { file, start: *start, end: *end, text, safety }
    }

    fn __getnewargs__(&self) -> (&str, Point, Point, &str, &str) {
        (&self.file, self.start, self.end, &self.text, &self.safety)
    }

    /// Whether the edit keeps the meaning of the template.
    #[getter]
    fn is_safe(&self) -> bool {
        self.safety == "safe"
    }

    fn __repr__(&self) -> String {
        let Point { line, column, .. } = self.start;
        format!("<Edit {}:{line}:{column}: {:?}>", self.file, self.text)
    }
}

#[pymethods]
impl Diagnostic {
    /// Returns the problem that a dictionary of [`to_dict`](Self::to_dict) describes.
    #[staticmethod]
    fn from_dict(problem: &Bound<'_, PyDict>) -> PyResult<Self> {
        let problem: json::Problem<'static> = serde_json::from_value(from_python(problem)?)
            .map_err(|error| PyValueError::new_err(format!("invalid problem: {error}")))?;
        Ok(Self::of(problem))
    }

    /// Returns the problem as a dictionary, like an entry of `--format json`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.to_json())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        Ok((py.get_type::<Self>().getattr("from_dict")?, (self.to_dict(py)?,)))
    }

    #[getter]
    pub(crate) fn is_error(&self) -> bool {
        self.severity == "error"
    }

    /// Returns the problem in the format of `--format concise`.
    pub(crate) fn __str__(&self) -> String {
        let Point { line, column, .. } = self.start;
        format!("{}:{line}:{column}: {}[{}]: {}", self.file, self.severity, self.code, self.message)
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic {}>", self.__str__())
    }
}
