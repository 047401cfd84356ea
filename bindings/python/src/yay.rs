//! Yay documents: configurations with lazy values.

use std::convert::Infallible;
use std::sync::Arc;

use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use tosca_parse::source::{Address, FileProvider, HttpProvider, Provider};
use tosca_parse::yay::host::{Provided, Report};
use tosca_parse::yay::{Category, Config as YayConfig, Data, Limits, LoadedDocument, Node as YayNode, Place};

use crate::convert::{to_json, to_python};
use crate::diagnostic::Diagnostic;
use crate::error::{config_error, error, exception};
use crate::worker::Worker;

/// An error that can leave the thread of its configuration.
struct Failure {
    kind: Category,
    message: String,
    places: Vec<(String, usize, usize)>,
}

impl Failure {
    fn new(config: &YayConfig<'_>, failure: &tosca_parse::yay::Error) -> Self {
        let sources = config.sources();
        let place = |place: Place| (place.source.to_string(), place.line, place.column);
        let message: Vec<String> = failure.each().iter().map(|error| config.describe(error)).collect();
        Self {
            kind: failure.category(),
            message: message.join("\n"),
            places: failure.places().iter().map(|span| place(sources.place(*span))).collect(),
        }
    }

    fn raise(self, py: Python<'_>) -> PyErr {
        let class = match self.kind {
            Category::NoMatching => "NoMatchingError",
            Category::Type => "YayTypeError",
            _ => "YayError",
        };
        exception(py, class, (self.message, self.kind.name(), self.places))
    }
}

/// The value to return if there is none. It is optional, and can be `None`.
enum Fallback {
    Missing,
    Value(Py<PyAny>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Fallback {
    type Error = Infallible;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> Result<Self, Infallible> {
        Ok(Self::Value(object.to_owned().unbind()))
    }
}

#[derive(Clone)]
enum Step {
    Key(String),
    Item(i64),
}

/// The position of a value.
#[pyclass(frozen, eq, get_all, hash, module = "tosca_parse.yay", skip_from_py_object)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Anchor {
    source: String,
    lineno: usize,
    column: usize,
}

#[pymethods]
impl Anchor {
    #[new]
    fn new(source: String, lineno: usize, column: usize) -> Self {
        Self { source, lineno, column }
    }

    fn __getnewargs__(&self) -> (&str, usize, usize) {
        (&self.source, self.lineno, self.column)
    }

    fn long_description(&self) -> String {
        format!("'{}' at line {}, column {}", self.source, self.lineno, self.column)
    }

    fn __str__(&self) -> String {
        format!("{}:{}:{}", self.source, self.lineno, self.column)
    }

    fn __repr__(&self) -> String {
        format!("<Anchor {}>", self.__str__())
    }
}

/// A value that is evaluated on conversion.
#[pyclass(frozen, subclass, module = "tosca_parse.yay")]
pub struct Node {
    worker: Arc<Worker<YayConfig<'static>>>,
    expression: Option<String>,
    path: Vec<Step>,
}

impl Node {
    fn at(&self, step: Step) -> Self {
        let path = self.path.iter().cloned().chain([step]).collect();
        Self { worker: self.worker.clone(), expression: self.expression.clone(), path }
    }

    fn try_read<R: Send + 'static>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&YayNode<'static>) -> tosca_parse::yay::Result<R> + Send + 'static,
    ) -> PyResult<Result<R, Failure>> {
        let (expression, path) = (self.expression.clone(), self.path.clone());
        self.worker.run(py, move |config| {
            let start = expression.map_or_else(|| config.root(), |text| config.expression(&text));
            let node = path.iter().fold(start, |node, step| match step {
                Step::Key(key) => node.get(key),
                Step::Item(number) => node.index(*number),
            });
            read(&node).map_err(|failure| Failure::new(config, &failure))
        })
    }

    fn read<R: Send + 'static>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&YayNode<'static>) -> tosca_parse::yay::Result<R> + Send + 'static,
    ) -> PyResult<R> {
        self.try_read(py, read)?.map_err(|failure| failure.raise(py))
    }

    /// Returns the value, or the default if it does not exist.
    fn convert<'py, R: Send + serde::Serialize + 'static>(
        &self,
        py: Python<'py>,
        default: Fallback,
        read: impl FnOnce(&YayNode<'static>) -> tosca_parse::yay::Result<R> + Send + 'static,
    ) -> PyResult<Bound<'py, PyAny>> {
        match (self.try_read(py, read)?, default) {
            (Ok(value), _) => to_python(py, &value),
            (Err(Failure { kind: Category::NoMatching, .. }), Fallback::Value(default)) => Ok(default.into_bound(py)),
            (Err(failure), _) => Err(failure.raise(py)),
        }
    }
}

#[pymethods]
impl Node {
    fn __getattr__(&self, name: &str) -> PyResult<Self> {
        if name.starts_with("__") {
            return Err(PyAttributeError::new_err(name.to_owned()));
        }
        Ok(self.at(Step::Key(name.to_owned())))
    }

    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(key) = key.cast::<PyString>() {
            return Ok(self.at(Step::Key(key.to_str()?.to_owned())));
        }
        let number = key.extract().map_err(|_| PyTypeError::new_err("a key is a string, an index is an integer"))?;
        Ok(self.at(Step::Item(number)))
    }

    /// Returns the value of a key.
    fn get_key(&self, key: String) -> Self {
        self.at(Step::Key(key))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if self.read(py, |node| Ok(node.is_list()))? {
            let items: Vec<Self> = (0..).take(self.__len__(py)?).map(|number| self.at(Step::Item(number))).collect();
            return items.into_pyobject(py)?.call_method0("__iter__");
        }
        self.keys(py)?.into_pyobject(py)?.call_method0("__iter__")
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.read(py, |node| if node.is_list() { Ok(node.items()?.len()) } else { Ok(node.keys()?.len()) })
    }

    fn __contains__(&self, py: Python<'_>, key: &str) -> PyResult<bool> {
        Ok(self.keys(py)?.iter().any(|other| other == key))
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        self.read(py, |node| match node.resolve()? {
            Data::List(items) => Ok(!items.is_empty()),
            Data::Map(entries) => Ok(!entries.is_empty()),
            _ => node.as_bool(),
        })
    }

    fn __int__(&self, py: Python<'_>) -> PyResult<i64> {
        self.read(py, YayNode::as_int)
    }

    fn __float__(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, YayNode::as_float)
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, YayNode::as_string)
    }

    fn __repr__(&self) -> String {
        let mut text = self.expression.clone().unwrap_or_default();
        for step in &self.path {
            match step {
                Step::Key(key) if text.is_empty() => text.clone_from(key),
                Step::Key(key) => text.extend([".", key]),
                Step::Item(number) => text.extend(["[", &number.to_string(), "]"]),
            }
        }
        format!("<Node {text}>")
    }

    /// Returns the keys of a mapping, in the order of their first appearance.
    fn keys(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.read(py, YayNode::keys)
    }

    #[pyo3(signature = (default = Fallback::Missing))]
    fn as_int<'py>(&self, py: Python<'py>, default: Fallback) -> PyResult<Bound<'py, PyAny>> {
        self.convert(py, default, YayNode::as_int)
    }

    #[pyo3(signature = (default = Fallback::Missing))]
    fn as_float<'py>(&self, py: Python<'py>, default: Fallback) -> PyResult<Bound<'py, PyAny>> {
        self.convert(py, default, YayNode::as_float)
    }

    #[pyo3(signature = (default = Fallback::Missing))]
    fn as_number<'py>(&self, py: Python<'py>, default: Fallback) -> PyResult<Bound<'py, PyAny>> {
        self.convert(py, default, YayNode::as_number)
    }

    #[pyo3(signature = (default = Fallback::Missing))]
    fn as_bool<'py>(&self, py: Python<'py>, default: Fallback) -> PyResult<Bound<'py, PyAny>> {
        self.convert(py, default, YayNode::as_bool)
    }

    #[pyo3(signature = (default = Fallback::Missing))]
    fn as_string<'py>(&self, py: Python<'py>, default: Fallback) -> PyResult<Bound<'py, PyAny>> {
        self.convert(py, default, YayNode::as_string)
    }

    #[pyo3(signature = (default = Fallback::Missing))]
    fn as_safe_string<'py>(&self, py: Python<'py>, default: Fallback) -> PyResult<Bound<'py, PyAny>> {
        self.convert(py, default, YayNode::as_safe_string)
    }

    #[pyo3(signature = (default = Fallback::Missing))]
    fn as_list<'py>(&self, py: Python<'py>, default: Fallback) -> PyResult<Bound<'py, PyAny>> {
        self.convert(py, default, YayNode::as_list)
    }

    #[pyo3(signature = (default = Fallback::Missing))]
    fn as_dict<'py>(&self, py: Python<'py>, default: Fallback) -> PyResult<Bound<'py, PyAny>> {
        self.convert(py, default, |node| node.as_dict().map(Data::Map))
    }

    /// Evaluates the value completely.
    #[pyo3(signature = (*, safe = false))]
    fn resolve<'py>(&self, py: Python<'py>, safe: bool) -> PyResult<Bound<'py, PyAny>> {
        let data = self.read(py, move |node| if safe { node.resolve_safe() } else { node.resolve() })?;
        to_python(py, &data)
    }

    /// The position of the value.
    #[getter]
    fn anchor(&self, py: Python<'_>) -> PyResult<Anchor> {
        self.read(py, |node| {
            let Place { source, line, column } = node.anchor()?;
            Ok(Anchor { source: source.to_string(), lineno: line, column })
        })
    }

    /// The labels of the value, such as `secret`.
    #[getter]
    fn labels(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.read(py, YayNode::labels)
    }
}

/// Layers of documents and data. Later layers override earlier ones.
#[pyclass(frozen, extends = Node, module = "tosca_parse.yay")]
pub struct Config;

#[pymethods]
impl Config {
    #[new]
    #[pyo3(signature = (searchpath = vec![], *, offline = false, gpg = false, environment = false))]
    fn new(searchpath: Vec<String>, offline: bool, gpg: bool, environment: bool) -> PyResult<PyClassInitializer<Self>> {
        let folders = searchpath.iter().map(|folder| Ok(address(folder)?.as_directory().to_string()));
        let folders: Vec<String> = folders.collect::<PyResult<_>>()?;
        let worker = Worker::start(move || {
            let mut providers: Vec<Arc<dyn Provider>> = vec![Arc::new(FileProvider)];
            if !offline {
                providers.push(Arc::new(HttpProvider::default()));
            }
            let opener = Provided::new(providers, Limits::default().bytes as u64).with_gpg(gpg);
            let mut config = YayConfig::new(opener);
            if environment {
                config.environment(|name| std::env::var(name).ok());
            } else {
                config.refuse_environment();
            }
            for folder in &folders {
                config.search(folder);
            }
            config
        })?;
        let root = Node { worker: Arc::new(worker), expression: None, path: Vec::new() };
        Ok(PyClassInitializer::from(root).add_subclass(Self))
    }

    /// Adds the document at a path or URL.
    fn load_uri(this: PyRef<'_, Self>, uri: &str) -> PyResult<()> {
        let address = address(uri)?.to_string();
        this.as_super().worker.run(this.py(), move |config| {
            config.load_address(&address);
        })
    }

    /// Adds the document that a file object contains.
    #[pyo3(signature = (stream, name = None, labels = vec![]))]
    fn load(
        this: PyRef<'_, Self>,
        stream: &Bound<'_, PyAny>,
        name: Option<String>,
        labels: Vec<String>,
    ) -> PyResult<()> {
        let text = stream.call_method0("read")?;
        let text: String = match text.extract::<Vec<u8>>() {
            Ok(bytes) if !text.is_instance_of::<PyString>() => {
                String::from_utf8(bytes).map_err(|error| error_of(this.py(), &error))?
            }
            _ => text.extract()?,
        };
        let name = name.or_else(|| stream.getattr("name").and_then(|name| name.extract()).ok());
        Self::loads(this, text, name.unwrap_or_else(|| "<text>".to_owned()), labels)
    }

    /// Adds a document. Paths in it are relative to its name, which is a path. All values of a document with the label
    /// `secret` are secrets.
    #[pyo3(signature = (text, name = "<text>".to_owned(), labels = vec![]))]
    fn loads(this: PyRef<'_, Self>, text: String, name: String, labels: Vec<String>) -> PyResult<()> {
        let address = address(&name)?;
        let opened = LoadedDocument {
            address: address.to_string(),
            remote: address.is_remote(),
            name,
            text: text.into(),
            labels,
            hidden: false,
        };
        this.as_super().worker.run(this.py(), move |config| {
            config.load_document(&opened);
        })
    }

    /// Adds data.
    fn add(this: PyRef<'_, Self>, data: &Bound<'_, PyDict>) -> PyResult<()> {
        let text = to_json(data.as_any())?;
        let added = this.as_super().worker.run(this.py(), move |config| {
            let data = Data::read_json(&text).map_err(|error| Failure::new(config, &error))?;
            config.add_data(&data);
            Ok(())
        })?;
        added.map_err(|failure: Failure| failure.raise(this.py()))
    }

    /// Returns all problems, even in branches that are not taken.
    fn check(this: PyRef<'_, Self>) -> PyResult<Vec<Diagnostic>> {
        let report = this.as_super().worker.run(this.py(), |config| Report::of_check(config))?;
        Ok(Diagnostic::of_problems(&report.problems, &report.sources))
    }

    /// Returns one document with everything known computed. Secrets are `*****`.
    fn fold(this: PyRef<'_, Self>) -> PyResult<String> {
        let folded = this
            .as_super()
            .worker
            .run(this.py(), |config| config.fold(true).map_err(|error| Failure::new(config, &error)))?;
        folded.map_err(|failure| failure.raise(this.py()))
    }

    /// Parses an expression in the scope of the whole configuration.
    fn parse_expression(this: PyRef<'_, Self>, text: String) -> Node {
        let worker = this.as_super().worker.clone();
        Node { worker, expression: Some(text), path: Vec::new() }
    }

    #[expect(clippy::unused_self, reason = "Python passes it")]
    fn __repr__(&self) -> &'static str {
        "<Config>"
    }
}

fn error_of(py: Python<'_>, message: &impl std::fmt::Display) -> PyErr {
    error(py, "YayError", message)
}

fn address(argument: &str) -> PyResult<Address> {
    let here = std::env::current_dir().unwrap_or_default();
    Address::from_argument(argument, &here).map_err(config_error)
}
