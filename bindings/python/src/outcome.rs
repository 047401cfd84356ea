//! The result of parsing a template.

use std::sync::OnceLock;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tosca_parse::diagnostic::render::{Document, Terminal};
use tosca_parse::graph::{Graph, Options as GraphOptions};
use tosca_parse::normal::{Evaluation, Map, Options, Service, Value};
use tosca_parse::resolve::Resolution;

use crate::ToscaError;
use crate::convert::{from_python, to_python, to_text};
use crate::diagnostic::Diagnostic;

/// The result of parsing a template: its problems, and the service that it describes.
#[pyclass(frozen, module = "tosca_parse")]
pub struct Outcome {
    inner: tosca_parse::Outcome,
    resolution: Option<Resolution>,
    raised: Option<PyErr>,
    diagnostics: OnceLock<Vec<Diagnostic>>,
}

impl Outcome {
    pub(crate) fn new(inner: tosca_parse::Outcome, resolution: Option<Resolution>, raised: Option<PyErr>) -> Self {
        Self { inner, resolution, raised, diagnostics: OnceLock::new() }
    }

    fn problems(&self) -> &[Diagnostic] {
        self.diagnostics.get_or_init(|| Diagnostic::all(&self.inner))
    }

    fn service(&self, py: Python<'_>, positions: bool) -> PyResult<Service> {
        let options = Options { resolution: self.resolution.as_ref(), positions, ..Options::default() };
        py.detach(|| Service::with(&self.inner.program, options))
            .ok_or_else(|| PyValueError::new_err("the template has no service; it may be a profile"))
    }

    fn evaluation(&self, py: Python<'_>, inputs: &Map<Value>) -> PyResult<Evaluation> {
        let service = self.service(py, true)?;
        Ok(py.detach(|| service.evaluate(inputs)))
    }
}

/// The values of inputs.
fn values(inputs: Option<Bound<'_, PyDict>>) -> PyResult<Map<Value>> {
    let Some(inputs) = inputs else { return Ok(Map::default()) };
    serde_json::from_value(from_python(&inputs)?)
        .map_err(|error| PyValueError::new_err(format!("invalid inputs: {error}")))
}

#[pymethods]
impl Outcome {
    /// All problems, in the order of the sources and of the positions in them.
    #[getter]
    fn diagnostics(&self) -> Vec<Diagnostic> {
        self.problems().to_vec()
    }

    /// Whether there is no error.
    #[getter]
    fn is_valid(&self) -> bool {
        self.inner.is_valid()
    }

    /// Whether the template describes a service; a profile does not.
    #[getter]
    fn has_service(&self, py: Python<'_>) -> bool {
        self.service(py, false).is_ok()
    }

    /// Raises `ToscaError` if there is an error. An exception of the loader is its cause.
    fn raise_for_errors(&self, py: Python<'_>) -> PyResult<()> {
        if self.is_valid() {
            return Ok(());
        }
        let errors: Vec<String> =
            self.problems().iter().filter(|problem| problem.is_error()).map(Diagnostic::__str__).collect();
        let error = ToscaError::new_err(errors.join("\n"));
        error.value(py).setattr("diagnostics", self.diagnostics())?;
        error.set_cause(py, self.raised.as_ref().map(|raised| raised.clone_ref(py)));
        Err(error)
    }

    /// The problems in the format of the command, with source lines.
    #[pyo3(signature = (*, color = false))]
    fn render(&self, color: bool) -> String {
        Terminal::new(&self.inner.diagnostics, &self.inner.sources).color(color).to_string()
    }

    /// The problems in the format of `--format json`.
    fn diagnostics_json(&self) -> String {
        Document::new(&self.inner.diagnostics, &self.inner.sources).to_string()
    }

    /// The normal model of the service, as dictionaries: `tosca_parse.model.Service`.
    #[pyo3(signature = (*, positions = false))]
    fn model<'py>(&self, py: Python<'py>, positions: bool) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.service(py, positions)?)
    }

    /// The normal model of the service as JSON.
    #[pyo3(signature = (*, positions = false))]
    fn model_json(&self, py: Python<'_>, positions: bool) -> PyResult<String> {
        let service = self.service(py, positions)?;
        py.detach(|| to_text(&service))
    }

    /// The model with every value computed that is known before deployment, with values for inputs; and the values
    /// that can't be computed.
    #[pyo3(signature = (inputs = None))]
    fn evaluate<'py>(&self, py: Python<'py>, inputs: Option<Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        let evaluation = self.evaluation(py, &values(inputs)?)?;
        to_python(py, &evaluation)
    }

    /// The stages of deployment and undeployment or, with an older outcome, of the change of the deployed service.
    /// Values are computed as far as they are known.
    #[pyo3(signature = (old = None, *, inputs = None))]
    fn plan<'py>(
        &self,
        py: Python<'py>,
        old: Option<&Self>,
        inputs: Option<Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let service = self.evaluation(py, &values(inputs)?)?.service;
        let plan = match old {
            Some(old) => {
                let old = old.evaluation(py, &Map::default())?.service;
                py.detach(|| service.plan_from(&old))
            }
            None => py.detach(|| service.plan()),
        };
        to_python(py, &plan)
    }

    /// The differences from an older outcome, as JSON pointers into the models.
    fn diff<'py>(&self, py: Python<'py>, old: &Self) -> PyResult<Bound<'py, PyAny>> {
        let (service, old) = (self.service(py, true)?, old.service(py, true)?);
        let differences = py.detach(|| service.diff(&old));
        to_python(py, &differences)
    }

    /// A diagram of the topology: `svg`, `dot` or `mermaid`.
    #[pyo3(signature = (format = "svg"))]
    fn graph(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let service = self.service(py, false)?;
        py.detach(|| {
            let graph = Graph::of(&service, GraphOptions::default());
            match format {
                "svg" => graph.svg().map_err(|error| PyRuntimeError::new_err(error.to_string())),
                "dot" => Ok(graph.dot()),
                "mermaid" => Ok(graph.mermaid()),
                _ => {
                    Err(PyValueError::new_err(format!("there is no format `{format}`: use `svg`, `dot` or `mermaid`")))
                }
            }
        })
    }

    fn __repr__(&self) -> String {
        let summary = self.inner.summary();
        format!("<Outcome errors={} warnings={}>", summary.errors, summary.warnings)
    }
}
