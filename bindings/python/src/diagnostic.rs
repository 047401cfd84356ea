//! Problems as frozen objects with the content of `--format json`.

use pyo3::prelude::*;
use tosca_parse::diagnostic::render as json;

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

/// A problem of a template.
#[pyclass(frozen, eq, get_all, hash, module = "tosca_parse", skip_from_py_object)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    code: String,
    name: String,
    severity: String,
    message: String,
    file: String,
    start: Point,
    end: Point,
    related: Vec<Related>,
    help: Vec<String>,
}

impl Diagnostic {
    /// The problems of an outcome, in their order.
    pub(crate) fn all(outcome: &tosca_parse::Outcome) -> Vec<Self> {
        let document = json::Document::new(&outcome.diagnostics, &outcome.sources);
        document.diagnostics.into_iter().map(Self::of).collect()
    }

    fn of(problem: json::Problem<'_>) -> Self {
        let related = problem.related.into_iter().map(|place| Related {
            file: place.file.into_owned(),
            start: point(place.start),
            end: point(place.end),
            message: place.message.into_owned(),
        });
        Self {
            code: problem.code.into_owned(),
            name: problem.name.into_owned(),
            severity: problem.severity.to_string(),
            message: problem.message.into_owned(),
            file: problem.file.into_owned(),
            start: point(problem.start),
            end: point(problem.end),
            related: related.collect(),
            help: problem.help.into_iter().map(std::borrow::Cow::into_owned).collect(),
        }
    }
}

fn point(point: json::Point) -> Point {
    Point { line: point.line, column: point.column, offset: point.offset }
}

#[pymethods]
impl Point {
    fn __repr__(&self) -> String {
        format!("Point(line={}, column={}, offset={})", self.line, self.column, self.offset)
    }
}

#[pymethods]
impl Related {
    fn __str__(&self) -> String {
        format!("{}:{}:{}: {}", self.file, self.start.line, self.start.column, self.message)
    }

    fn __repr__(&self) -> String {
        format!("<Related {}>", self.__str__())
    }
}

#[pymethods]
impl Diagnostic {
    #[getter]
    pub(crate) fn is_error(&self) -> bool {
        self.severity == "error"
    }

    /// The format of `--format concise`.
    pub(crate) fn __str__(&self) -> String {
        let Point { line, column, .. } = self.start;
        format!("{}:{line}:{column}: {}[{}]: {}", self.file, self.severity, self.code, self.message)
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic {}>", self.__str__())
    }
}
