//! The result of parsing a template.

use std::sync::OnceLock;

use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use serde::{Deserialize, Serialize};
use tosca_parse::diagnostic::Secrets;
use tosca_parse::diagnostic::render::{Document, Terminal};
use tosca_parse::entity::{Language, Topology};
use tosca_parse::form::{self, Form};
use tosca_parse::graph::{Format, Graph, Options as GraphOptions, UnknownFormat};
use tosca_parse::normal::{Evaluation, Map, Options, Plan, Service, Value, differences};
use tosca_parse::resolve::Resolution;
use tosca_parse::{Entry, TOSCA};
use tosca_parse_clout::Clout;

use crate::config::Reader;
use crate::convert::{from_python, to_python, to_text};
use crate::diagnostic::Diagnostic;
use crate::error::{config_error, error, exception};
use crate::types::Types;

/// The result of parsing a template: its problems, and the service that it describes.
#[pyclass(frozen, module = "tosca_parse")]
pub struct Outcome {
    state: State,
    /// The exception of the loader that a problem reports.
    raised: Option<PyErr>,
    origin: Option<Origin>,
    diagnostics: OnceLock<Vec<Diagnostic>>,
    types: OnceLock<Types>,
}

/// The parser and the entry of an outcome, to validate inputs.
pub(crate) struct Origin {
    pub(crate) reader: Reader,
    pub(crate) entry: Entry,
}

enum State {
    Parsed(Box<tosca_parse::Outcome>, Option<Resolution>),
    Restored(Box<Record>),
}

/// A function that restores an outcome, and its arguments.
type Reduced<'py> = (Bound<'py, PyAny>, (Bound<'py, PyAny>, Option<PyErr>));

/// The parts of an outcome that other processes receive.
#[derive(Serialize, Deserialize)]
struct Record {
    problems: Document<'static>,
    rendered: String,
    rendered_in_color: String,
    service: Option<Service>,
    service_with_positions: Option<Service>,
    /// The service without its secrets, if it has any.
    masked_service: Option<Service>,
    secrets: Vec<String>,
    types: Types,
    content: Option<Content>,
}

/// The content of a template in a language other than TOSCA.
#[derive(Clone, Serialize, Deserialize)]
struct Content {
    language: String,
    file: String,
    model: Option<serde_json::Value>,
    topology: Option<Topology>,
    /// The JSON Schema of the form, and the page.
    form: Option<(serde_json::Value, String)>,
}

impl Content {
    fn of(outcome: &tosca_parse::Outcome) -> Option<Self> {
        let language = other_language(outcome)?;
        Some(Self {
            language: language.name.to_owned(),
            file: file(outcome),
            model: model(language, outcome),
            topology: topology(language, outcome),
            form: form(outcome).map(|form| (form.schema.clone(), form.page())),
        })
    }
}

/// Returns the language of the entry, unless it is TOSCA.
fn other_language(outcome: &tosca_parse::Outcome) -> Option<&'static Language> {
    outcome.program.language().filter(|language| language.name != TOSCA.name)
}

fn file(outcome: &tosca_parse::Outcome) -> String {
    outcome.program.list.first().map_or_else(String::new, |unit| unit.source.name().to_owned())
}

fn model(language: &Language, outcome: &tosca_parse::Outcome) -> Option<serde_json::Value> {
    let model = (language.model)(&outcome.program).and_then(Result::ok).filter(|_| outcome.is_valid())?;
    serde_json::to_value(model).ok()
}

fn topology(language: &Language, outcome: &tosca_parse::Outcome) -> Option<Topology> {
    Some((language.topology)(&outcome.program)?.masked(&outcome.program.secrets()))
}

fn form(outcome: &tosca_parse::Outcome) -> Option<Form> {
    form::of_language(&outcome.program).filter(|_| outcome.is_valid())
}

impl Outcome {
    pub(crate) fn new(
        inner: tosca_parse::Outcome,
        resolution: Option<Resolution>,
        raised: Option<PyErr>,
        origin: Origin,
    ) -> Self {
        let state = State::Parsed(Box::new(inner), resolution);
        Self { state, raised, origin: Some(origin), diagnostics: OnceLock::new(), types: OnceLock::new() }
    }

    /// Checks inputs in the same way as `parse`.
    fn check_inputs(&self, py: Python<'_>, inputs: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        const NAME: &str = "inputs";
        let (Some(origin), Some(inputs)) = (&self.origin, inputs.filter(|inputs| !inputs.is_empty())) else {
            return Ok(());
        };
        let text = to_text(&from_python(inputs)?)?;
        let problems = py.detach(|| {
            let entry = origin.entry.clone().inputs(NAME, text);
            let outcome = origin.reader.run(|parser| parser.parse_entry(entry));
            Diagnostic::all(&outcome)
        });
        let wrong: Vec<Diagnostic> =
            problems.into_iter().filter(|problem| problem.is_error() && problem.file() == NAME).collect();
        if wrong.is_empty() {
            return Ok(());
        }
        let messages: Vec<String> = wrong.iter().map(Diagnostic::__str__).collect();
        Err(exception(py, "InvalidInputError", (messages.join("\n"), wrong)))
    }

    fn problems(&self) -> &[Diagnostic] {
        self.diagnostics.get_or_init(|| match &self.state {
            State::Parsed(inner, _) => Diagnostic::all(inner),
            State::Restored(record) => record.problems.diagnostics.iter().cloned().map(Diagnostic::of).collect(),
        })
    }

    fn all_types(&self) -> &Types {
        match &self.state {
            State::Parsed(inner, _) => self.types.get_or_init(|| Types::of(&inner.program)),
            State::Restored(record) => &record.types,
        }
    }

    fn find_service(&self, positions: bool) -> Option<Service> {
        match &self.state {
            State::Parsed(inner, resolution) => {
                let options = Options { resolution: resolution.as_ref(), positions, ..Options::default() };
                Service::with(&inner.program, options)
            }
            State::Restored(record) if positions => record.service_with_positions.clone(),
            State::Restored(record) => record.service.clone(),
        }
    }

    fn service(&self, py: Python<'_>, positions: bool) -> PyResult<Service> {
        let service = py.detach(|| self.find_service(positions));
        service.ok_or_else(|| error(py, "NoServiceError", "the template has no service; it may be a profile"))
    }

    /// Returns the service without its secrets, if it has any.
    fn masked_service(&self) -> Option<Service> {
        match &self.state {
            State::Parsed(inner, _) => {
                let secrets = inner.program.secrets();
                let service = self.find_service(false).filter(|_| !secrets.is_empty())?;
                Some(service.without_secret_defaults(&secrets).masked(&secrets))
            }
            State::Restored(record) => record.masked_service.clone(),
        }
    }

    /// Returns the secrets in the sources, which may also be names.
    fn secrets(&self) -> Vec<String> {
        match &self.state {
            State::Parsed(inner, _) => {
                let secrets = inner.program.list.iter().flat_map(|unit| unit.document.secrets());
                secrets.map(str::to_owned).collect()
            }
            State::Restored(record) => record.secrets.clone(),
        }
    }

    /// Returns the service as it may be shown.
    fn shown_service(&self, py: Python<'_>) -> PyResult<Service> {
        match py.detach(|| self.masked_service()) {
            Some(service) => Ok(service),
            None => self.service(py, false),
        }
    }

    /// Returns a part of the content of a template in a language other than TOSCA.
    ///
    /// # Errors
    ///
    /// Returns an error if the template has no such part.
    fn other<T: Send>(
        &self,
        py: Python<'_>,
        title: &str,
        computed: impl Fn(&'static Language, &tosca_parse::Outcome) -> Option<T> + Send + Sync,
        restored: impl Fn(&Content) -> Option<T>,
    ) -> PyResult<Option<T>> {
        let (part, language) = match &self.state {
            State::Parsed(inner, _) => match other_language(inner) {
                Some(language) => (py.detach(|| computed(language, inner)), language.name),
                None => return Ok(None),
            },
            State::Restored(record) => match &record.content {
                Some(content) => (restored(content), content.language.as_str()),
                None => return Ok(None),
            },
        };
        let missing = || error(py, "NoServiceError", format!("there is no {title} of this {language} file"));
        part.map(Some).ok_or_else(missing)
    }

    fn other_model(&self, py: Python<'_>) -> PyResult<Option<serde_json::Value>> {
        self.other(py, "model", model, |content| content.model.clone())
    }

    fn topology(&self, py: Python<'_>) -> PyResult<Option<(String, Topology)>> {
        self.other(
            py,
            "topology",
            |language, outcome| Some((file(outcome), topology(language, outcome)?)),
            |content| Some((content.file.clone(), content.topology.clone()?)),
        )
    }

    fn evaluation(&self, py: Python<'_>, inputs: &Map<Value>, attributes: &Map<Map<Value>>) -> PyResult<Evaluation> {
        let service = self.service(py, true)?;
        let limits = match &self.state {
            State::Parsed(inner, _) => inner.program.model_limits.evaluation,
            State::Restored(_) => tosca_parse::budget::Limits::default(),
        };
        Ok(py.detach(|| service.evaluate_within(limits, inputs, attributes)))
    }

    fn json(&self) -> String {
        match &self.state {
            State::Parsed(inner, _) => Document::new(&inner.diagnostics, &inner.sources).to_string(),
            State::Restored(record) => record.problems.to_string(),
        }
    }

    fn terminal(&self, color: bool) -> String {
        match &self.state {
            State::Parsed(inner, _) => Terminal::new(&inner.diagnostics, &inner.sources).color(color).to_string(),
            State::Restored(record) if color => record.rendered_in_color.clone(),
            State::Restored(record) => record.rendered.clone(),
        }
    }

    /// Returns the class of the exception for its errors.
    fn error_class(&self) -> &'static str {
        let codes = || self.problems().iter().filter(|problem| problem.is_error()).map(Diagnostic::code);
        let begins = |starts: &[&str]| codes().any(|code| starts.iter().any(|start| code.starts_with(start)));
        match () {
            () if begins(&["T10", "T14", "T15"]) => "SourceError",
            () if begins(&["T11"]) => "YamlError",
            () => "InvalidTemplateError",
        }
    }
}

/// Converts the values of inputs, or of the attributes of nodes.
fn values<T: serde::de::DeserializeOwned + Default>(values: Option<Bound<'_, PyDict>>, kind: &str) -> PyResult<T> {
    let Some(values) = values else { return Ok(T::default()) };
    serde_json::from_value(from_python(&values)?)
        .map_err(|error| PyValueError::new_err(format!("invalid {kind}: {error}")))
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
        match &self.state {
            State::Parsed(inner, _) => inner.is_valid(),
            State::Restored(record) => record.problems.summary.errors == 0,
        }
    }

    /// Whether the template describes a service; a profile does not.
    #[getter]
    fn has_service(&self, py: Python<'_>) -> bool {
        matches!(self.topology(py), Ok(Some(_))) || self.service(py, false).is_ok()
    }

    /// The name of the language in which the template is written.
    #[getter]
    fn language(&self) -> &str {
        let other = match &self.state {
            State::Parsed(inner, _) => other_language(inner).map(|language| language.name),
            State::Restored(record) => record.content.as_ref().map(|content| content.language.as_str()),
        };
        other.unwrap_or(TOSCA.name)
    }

    /// Raises an `InvalidTemplateError` if there is an error. An exception of the loader is its cause.
    pub(crate) fn raise_for_errors(&self, py: Python<'_>) -> PyResult<()> {
        if self.is_valid() {
            return Ok(());
        }
        let errors: Vec<String> =
            self.problems().iter().filter(|problem| problem.is_error()).map(Diagnostic::__str__).collect();
        let error = exception(py, self.error_class(), (errors.join("\n"), self.diagnostics()));
        error.set_cause(py, self.raised.as_ref().map(|raised| raised.clone_ref(py)));
        Err(error)
    }

    /// Returns the problems in the format of the command, with source lines.
    #[pyo3(signature = (*, color = false))]
    fn render(&self, color: bool) -> String {
        self.terminal(color)
    }

    /// Returns the problems in the format of `--format json`.
    fn diagnostics_json(&self) -> String {
        self.json()
    }

    /// Returns the content of `--format json` as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.state {
            State::Parsed(inner, _) => to_python(py, &Document::new(&inner.diagnostics, &inner.sources)),
            State::Restored(record) => to_python(py, &record.problems),
        }
    }

    /// Returns the problems and the diagram, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> String {
        let problems = self.terminal(false);
        let escaped = problems.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let diagram = self.graph(py, "svg").unwrap_or_default();
        let list = if escaped.is_empty() { String::new() } else { format!("<pre>{escaped}</pre>") };
        format!("<div>{list}{diagram}</div>")
    }

    /// Returns all types that the template or profile declares and imports, with inherited members.
    fn types<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &py.detach(|| &self.all_types().list))
    }

    /// Returns whether a type is derived from another one.
    fn is_derived_from(&self, name: &str, ancestor: &str) -> bool {
        self.all_types().is_derived_from(name, ancestor)
    }

    /// Returns the names of the types that are derived from a type, in order of their declaration.
    fn types_derived_from(&self, ancestor: &str) -> Vec<&str> {
        self.all_types().derived_from(ancestor)
    }

    /// Returns the node templates that a policy applies to, including the members of its groups.
    fn policy_targets(&self, py: Python<'_>, policy: &str) -> PyResult<Vec<String>> {
        let service = self.service(py, false)?;
        let targets = service.policy_targets(policy);
        let targets = targets.ok_or_else(|| PyKeyError::new_err(format!("there is no policy `{policy}`")))?;
        Ok(targets.into_iter().map(ToString::to_string).collect())
    }

    /// Returns a form for the inputs: an HTML page, or a JSON Schema as a dictionary.
    #[pyo3(signature = (format = "html"))]
    fn form<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyAny>> {
        let computed = |_: &'static Language, outcome: &tosca_parse::Outcome| {
            form(outcome).map(|form| (form.schema.clone(), form.page()))
        };
        let other = self.other(py, "form", computed, |content| content.form.clone())?;
        let (schema, page) = if let Some(form) = other {
            form
        } else {
            let form = Form::of(&self.shown_service(py)?);
            let page = form.page();
            (form.schema, page)
        };
        match format {
            "html" => Ok(PyString::new(py, &page).into_any()),
            "json" => to_python(py, &schema),
            _ => Err(config_error(format!("there is no format `{format}`: use `html` or `json`"))),
        }
    }

    fn __copy__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __deepcopy__(this: Py<Self>, _memo: Py<PyAny>) -> Py<Self> {
        this
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let text = py.detach(|| {
            let record = Record {
                problems: serde_json::from_str(&self.json())?,
                rendered: self.terminal(false),
                rendered_in_color: self.terminal(true),
                service: self.find_service(false),
                service_with_positions: self.find_service(true),
                masked_service: self.masked_service(),
                secrets: self.secrets(),
                types: self.all_types().clone(),
                content: match &self.state {
                    State::Parsed(inner, _) => Content::of(inner),
                    State::Restored(record) => record.content.clone(),
                },
            };
            serde_json::to_string(&record)
        });
        let text = text.map_err(|error: serde_json::Error| PyValueError::new_err(error.to_string()))?;
        let restore = py.get_type::<Self>().getattr("_restore")?;
        let raised = self.raised.as_ref().map(|raised| raised.clone_ref(py));
        Ok((restore, (PyString::new(py, &text).into_any(), raised)))
    }

    #[staticmethod]
    fn _restore(record: &str, raised: Option<Bound<'_, PyAny>>) -> PyResult<Self> {
        let record = serde_json::from_str(record).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self {
            state: State::Restored(Box::new(record)),
            raised: raised.map(PyErr::from_value),
            origin: None,
            diagnostics: OnceLock::new(),
            types: OnceLock::new(),
        })
    }

    /// Returns the normal model of the service, as dictionaries: `tosca_parse.model.Service`.
    #[pyo3(signature = (*, positions = false))]
    fn model<'py>(&self, py: Python<'py>, positions: bool) -> PyResult<Bound<'py, PyAny>> {
        match self.other_model(py)? {
            Some(model) => to_python(py, &model),
            None => to_python(py, &self.service(py, positions)?),
        }
    }

    /// Returns the normal model of the service as JSON.
    #[pyo3(signature = (*, positions = false))]
    fn model_json(&self, py: Python<'_>, positions: bool) -> PyResult<String> {
        if let Some(model) = self.other_model(py)? {
            return to_text(&model);
        }
        let service = self.service(py, positions)?;
        py.detach(|| to_text(&service))
    }

    /// Returns the service in Clout 1.0, the format of Puccini, as dictionaries.
    #[pyo3(signature = (*, positions = false))]
    fn clout<'py>(&self, py: Python<'py>, positions: bool) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &Clout::of(&self.service(py, positions)?))
    }

    /// Returns the model in which every known value is computed, with values for inputs and, after deployment, for
    /// attributes; and the values that can't be computed.
    #[pyo3(signature = (inputs = None, *, attributes = None))]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        inputs: Option<Bound<'py, PyDict>>,
        attributes: Option<Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.check_inputs(py, inputs.as_ref())?;
        let evaluation = self.evaluation(py, &values(inputs, "inputs")?, &values(attributes, "attributes")?)?;
        to_python(py, &evaluation)
    }

    /// Returns the services that substitute nodes, by the name of the node: for each node with the directive
    /// `substitute`, the first of the outcomes that can substitute it.
    #[pyo3(signature = (outcomes, inputs = None, *, attributes = None))]
    fn nested<'py>(
        &self,
        py: Python<'py>,
        outcomes: &Bound<'py, PyAny>,
        inputs: Option<Bound<'_, PyDict>>,
        attributes: Option<Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.check_inputs(py, inputs.as_ref())?;
        let mut services = Vec::new();
        for outcome in outcomes.try_iter()? {
            let outcome = outcome?.cast_into::<Self>()?;
            let outcome = outcome.get();
            if !std::ptr::eq(self, outcome) {
                services.extend(py.detach(|| outcome.find_service(true)));
            }
        }
        let outer = self.evaluation(py, &values(inputs, "inputs")?, &values(attributes, "attributes")?)?.service;
        match py.detach(|| outer.nested(&services)) {
            Ok(nested) => to_python(py, &nested),
            Err(limit) => Err(error(py, "ToscaError", limit)),
        }
    }

    /// Returns the stages of deployment and undeployment or, with an older outcome, of the change of the deployed
    /// service. Values are computed as far as they are known, with values for attributes if the service is deployed.
    #[pyo3(signature = (old = None, *, inputs = None, attributes = None))]
    fn plan<'py>(
        &self,
        py: Python<'py>,
        old: Option<&Self>,
        inputs: Option<Bound<'py, PyDict>>,
        attributes: Option<Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.check_inputs(py, inputs.as_ref())?;
        if let Some((file, topology)) = self.topology(py)? {
            return match old {
                None => to_python(py, &Plan::of_topology(&file, &topology)),
                Some(_) => Err(error(py, "NoServiceError", "changes are only planned between service templates")),
            };
        }
        let attributes = values(attributes, "attributes")?;
        let service = self.evaluation(py, &values(inputs, "inputs")?, &attributes)?.service;
        let plan = match old {
            Some(old) => {
                let old = old.evaluation(py, &Map::default(), &attributes)?.service;
                py.detach(|| service.plan_from(&old))
            }
            None => py.detach(|| service.plan()),
        };
        to_python(py, &plan)
    }

    /// Returns the differences from an older outcome, as JSON pointers into the models.
    fn diff<'py>(&self, py: Python<'py>, old: &Self) -> PyResult<Bound<'py, PyAny>> {
        if let (Some(model), Some(old)) = (self.other_model(py)?, old.other_model(py)?) {
            return to_python(py, &differences(&old.into(), &model.into()));
        }
        let (service, old) = (self.service(py, true)?, old.service(py, true)?);
        let differences = py.detach(|| service.diff(&old));
        to_python(py, &differences)
    }

    /// Returns a diagram of the topology.
    #[pyo3(signature = (format = "svg"))]
    fn graph(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let format: Format = format.parse().map_err(|error: UnknownFormat| PyValueError::new_err(error.to_string()))?;
        let topology = self.topology(py)?.map(|(_, topology)| topology);
        let service = if topology.is_none() { Some(self.shown_service(py)?) } else { None };
        py.detach(|| {
            let options = GraphOptions::default();
            let of_topology = topology.map(|topology| Graph::of(&topology, options));
            let graph = of_topology.or_else(|| Some(Graph::of(service.as_ref()?, options))).unwrap_or_default();
            let secrets = self.secrets();
            let graph = graph.masked(&Secrets::of(secrets.iter().map(String::as_str)));
            graph.written(format).map_err(|error| PyRuntimeError::new_err(error.to_string()))
        })
    }

    fn __repr__(&self) -> String {
        let errors = self.problems().iter().filter(|problem| problem.is_error()).count();
        format!("<Outcome errors={errors} warnings={}>", self.problems().len() - errors)
    }
}
