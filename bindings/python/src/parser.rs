//! The parser, which is created once and caches sources.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use tosca_parse::diagnostic::{Levels, Override};
use tosca_parse::resolve::resolve_entry;
use tosca_parse::source::Address;
use tosca_parse::{Entry, TOSCA, ard, rules};

use crate::convert::{from_python, to_text};
use crate::loader::Loader;
use crate::outcome::Outcome;

/// Parses service templates. Any number of threads can use it.
#[pyclass(frozen, module = "tosca_parse")]
pub struct Parser {
    inner: tosca_parse::Parser,
    loader: Option<Arc<Loader>>,
}

#[pymethods]
impl Parser {
    #[new]
    #[pyo3(signature = (
        *, directory = None, profile_paths = vec![], import_paths = vec![], quirks = vec![], functions = vec![],
        allow = vec![], warn = vec![], deny = vec![], strict = false, offline = false, sandbox = false, threads = None,
        remembered_bytes = None, limits = None, loader = None,
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are named")]
    fn new(
        directory: Option<PathBuf>,
        profile_paths: Vec<PathBuf>,
        import_paths: Vec<PathBuf>,
        quirks: Vec<String>,
        functions: Vec<String>,
        allow: Vec<String>,
        warn: Vec<String>,
        deny: Vec<String>,
        strict: bool,
        offline: bool,
        sandbox: bool,
        threads: Option<usize>,
        remembered_bytes: Option<u64>,
        limits: Option<Bound<'_, PyDict>>,
        loader: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let mut builder = tosca_parse::Parser::builder(&TOSCA)
            .syntax(Arc::new(tosca_parse::yay::host::Yay::default()))
            .offline(offline)
            .sandbox(sandbox)
            .levels(levels(strict, [(allow, Override::Allow), (warn, Override::Warn), (deny, Override::Deny)])?)
            .limits(text_limits(limits)?);
        if let Some(directory) = directory {
            builder = builder.directory(directory);
        }
        for path in profile_paths {
            builder = builder.profile_path(path);
        }
        for path in import_paths {
            builder = builder.import_path(path);
        }
        for name in quirks {
            let found = TOSCA.quirks_of(&name);
            let found = found.ok_or_else(|| PyValueError::new_err(format!("there is no quirk `{name}`")))?;
            builder = found.into_iter().fold(builder, tosca_parse::ParserBuilder::quirk);
        }
        for name in functions {
            builder = builder.function(name);
        }
        if let Some(threads) = threads {
            builder = builder.threads(threads);
        }
        if let Some(bytes) = remembered_bytes {
            builder = builder.remembered_bytes(bytes);
        }
        let loader = loader.map(|callable| Arc::new(Loader::new(callable)));
        if let Some(loader) = &loader {
            builder = builder.provider(loader.clone());
        }
        let inner = builder.build().map_err(|error| PyOSError::new_err(error.to_string()))?;
        Ok(Self { inner, loader })
    }

    /// Parses the template at a path or URL.
    #[pyo3(signature = (path, *, inputs = None))]
    fn parse(&self, py: Python<'_>, path: PathBuf, inputs: Option<Bound<'_, PyDict>>) -> PyResult<Outcome> {
        let entry = with_inputs(Entry::at(self.address(&path)?), inputs)?;
        let outcome = py.detach(|| self.parse_entry(entry));
        self.unless_ended(outcome)
    }

    /// Parses a template in memory as if it were at a path or URL.
    #[pyo3(signature = (data, name = "service.yaml", *, inputs = None))]
    fn parse_bytes(
        &self,
        py: Python<'_>,
        data: &[u8],
        name: &str,
        inputs: Option<Bound<'_, PyDict>>,
    ) -> PyResult<Outcome> {
        let entry = with_inputs(Entry::text(self.address(name.as_ref())?, data), inputs)?;
        let outcome = py.detach(|| self.parse_entry(entry));
        self.unless_ended(outcome)
    }

    /// Parses a string as if it were at a path or URL.
    #[pyo3(signature = (text, name = "service.yaml", *, inputs = None))]
    fn parse_text(
        &self,
        py: Python<'_>,
        text: &str,
        name: &str,
        inputs: Option<Bound<'_, PyDict>>,
    ) -> PyResult<Outcome> {
        self.parse_bytes(py, text.as_bytes(), name, inputs)
    }

    /// Parses a template that consists of dictionaries and lists. Positions are those in its JSON form.
    #[pyo3(signature = (value, name = "service.json", *, inputs = None))]
    fn parse_value(
        &self,
        py: Python<'_>,
        value: Bound<'_, PyAny>,
        name: &str,
        inputs: Option<Bound<'_, PyDict>>,
    ) -> PyResult<Outcome> {
        let text = to_text(&from_python(&value)?)?;
        self.parse_bytes(py, text.as_bytes(), name, inputs)
    }

    /// Parses several templates on all cores. The outcomes are in the order of the paths.
    fn parse_many(&self, py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Vec<Outcome>> {
        let addresses: Vec<Address> = paths.iter().map(|path| self.address(path)).collect::<PyResult<_>>()?;
        let parse = |address| self.parse_entry(Entry::at(address));
        let outcomes = py.detach(|| addresses.into_par_iter().map(parse).collect());
        self.unless_ended(outcomes)
    }

    /// Parses a template, and finds nodes for its open requirements.
    #[pyo3(signature = (path, *, inputs = None))]
    fn resolve(&self, py: Python<'_>, path: PathBuf, inputs: Option<Bound<'_, PyDict>>) -> PyResult<Outcome> {
        let entry = with_inputs(Entry::at(self.address(&path)?), inputs)?;
        let outcome = py.detach(|| {
            let (outcome, resolution) = resolve_entry(&self.inner, entry);
            self.outcome(outcome, resolution)
        });
        self.unless_ended(outcome)
    }
}

impl Parser {
    /// An outcome, unless the loader raised an exception that is to end the program.
    fn unless_ended<T>(&self, outcome: T) -> PyResult<T> {
        match self.loader.as_ref().and_then(|loader| loader.take_ending()) {
            Some(error) => Err(error),
            None => Ok(outcome),
        }
    }

    fn parse_entry(&self, entry: Entry) -> Outcome {
        self.outcome(self.inner.parse_entry(entry), None)
    }

    fn outcome(&self, outcome: tosca_parse::Outcome, resolution: Option<tosca_parse::resolve::Resolution>) -> Outcome {
        let raised = self.loader.as_ref().and_then(|loader| loader.take_raised(&outcome.diagnostics));
        Outcome::new(outcome, resolution, raised)
    }

    fn address(&self, path: &std::path::Path) -> PyResult<Address> {
        let argument = path.to_str().ok_or_else(|| PyValueError::new_err("the path is not Unicode"))?;
        self.inner.address(argument).map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

fn with_inputs(entry: Entry, inputs: Option<Bound<'_, PyDict>>) -> PyResult<Entry> {
    Ok(match inputs {
        Some(inputs) => entry.inputs("inputs", to_text(&from_python(&inputs)?)?),
        None => entry,
    })
}

fn levels(strict: bool, wanted: [(Vec<String>, Override); 3]) -> PyResult<Levels> {
    let mut levels = Levels::new().strict(strict);
    for (names, level) in wanted {
        for name in names {
            if name == "warnings" {
                levels.set_warnings(level);
                continue;
            }
            let explained = rules::parse(&name).map_err(|error| PyValueError::new_err(error.to_string()))?;
            levels.set(explained.rule, level);
        }
    }
    Ok(levels)
}

/// The limits of a source, by name.
fn text_limits(wanted: Option<Bound<'_, PyDict>>) -> PyResult<ard::Limits> {
    let mut limits = ard::Limits::default();
    let Some(wanted) = wanted else { return Ok(limits) };
    for (name, value) in wanted.iter() {
        let name: String = name.extract()?;
        match &*name {
            "bytes" => limits.bytes = value.extract()?,
            "depth" => limits.depth = value.extract()?,
            "expansion" => limits.expansion = value.extract()?,
            "problems" => limits.problems = value.extract()?,
            _ => {
                let known = "`bytes`, `depth`, `expansion`, `problems`";
                return Err(PyValueError::new_err(format!("there is no limit `{name}`: there are {known}")));
            }
        }
    }
    Ok(limits)
}
