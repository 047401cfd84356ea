//! The parser, which is created once and caches sources.

use std::collections::VecDeque;
use std::ffi::CString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBool, PyDict, PyList, PyString};
use rayon::prelude::*;
use tosca_parse::diagnostic::Override;
use tosca_parse::entity::Quirk;
use tosca_parse::resolve::{Resolution, resolve_entry};
use tosca_parse::source::{Address, HttpOptions};
use tosca_parse::{Entry, LANGUAGES, ParserBuilder, ard, yay};
use tosca_parse_config::{RuleOverrides, RuleSelector, Settings, which};

use crate::config::{Choice, Fault, Projects, Reader, problem};
use crate::convert::{from_python, to_python, to_text};
use crate::diagnostic::Diagnostic;
use crate::error::{config_error, exception};
use crate::loader::Loader;
use crate::outcome::{Origin, Outcome};
use crate::row::{Row, Text};

/// Parses service templates. Any number of threads can use it.
#[pyclass(frozen, module = "tosca_parse")]
pub struct Parser {
    projects: Projects,
    loader: Option<Arc<Loader>>,
    /// The values of the languages' options, for all templates.
    language_options: Vec<(String, Address)>,
    /// The arguments that other processes need to create an equal parser.
    options: Py<PyDict>,
}

#[pymethods]
impl Parser {
    #[new]
    #[pyo3(signature = (**options))]
    fn new(py: Python<'_>, options: Option<Bound<'_, PyDict>>) -> PyResult<Self> {
        let options = options.unwrap_or_else(|| PyDict::new(py));
        let Arguments {
            directory,
            profile_paths,
            import_paths,
            quirks: names,
            functions,
            allow,
            warn,
            deny,
            strict,
            offline,
            allow_private_network,
            sandbox,
            threads,
            remembered_bytes,
            limits,
            language_options,
            loader,
            config,
        } = Arguments::new(&options)?;
        let mut quirks = Vec::new();
        for name in names {
            let found = tosca_parse::quirks_of(&name);
            quirks.extend(found.ok_or_else(|| config_error(format!("there is no quirk `{name}`")))?);
        }
        let loader = loader.map(|callable| Loader::new(callable.into_bound(py))).transpose()?.map(Arc::new);
        // A program that restricts reads must ask for configurations.
        let choice = config.unwrap_or(if sandbox || loader.is_some() { Choice::Absent } else { Choice::Projects });
        let rules = rules([(allow, Override::Allow), (warn, Override::Warn), (deny, Override::Deny)])?;
        let custom: Vec<String> = rules.iter().filter_map(|(which, _)| custom(which)).collect();
        let wishes = RuleOverrides { strict, rules };
        let text_limits = text_limits(limits)?;
        let directory = directory.map(absolute);
        let (path, provider) = (directory.clone(), loader.clone());
        let build = move |settings: &Settings, own: &[Quirk]| {
            let mut sources = settings.bounds.sources.clone();
            for limit in &text_limits {
                limit.set(&mut sources);
            }
            let evaluation = yay::Limits { budget: settings.bounds.models.evaluation, ..yay::Limits::default() };
            let mut builder = settings
                .configure(tosca_parse::builder(), &profile_paths)
                .limits(sources)
                .syntax(Arc::new(yay::host::Yay::default().limits(evaluation)))
                .offline(offline)
                .http(HttpOptions { private_network: allow_private_network, ..settings.bounds.http.clone() })
                .sandbox(sandbox)
                .levels(settings.levels(&wishes));
            if let Some(directory) = &path {
                builder = builder.directory(directory);
            }
            builder =
                import_paths.iter().cloned().chain(settings.import_paths()).fold(builder, ParserBuilder::import_path);
            builder = quirks.iter().chain(own).copied().fold(builder, ParserBuilder::quirk);
            for (word, version) in settings.versions() {
                builder = builder.read_version(word, version);
            }
            let functions = functions.iter().map(String::as_str).chain(settings.functions());
            builder = functions.fold(builder, ParserBuilder::function);
            builder = settings.custom_lint().into_iter().fold(builder, ParserBuilder::lint);
            if let Some(bytes) = remembered_bytes {
                builder = builder.remembered_bytes(bytes);
            }
            if let Some(loader) = &provider {
                builder = builder.provider(loader.clone());
            }
            builder
        };
        let directory = directory.unwrap_or_else(|| std::env::current_dir().unwrap_or_default());
        let projects =
            Projects::new(choice, sandbox, directory, threads, Box::new(build)).map_err(|error| raise(&error))?;
        if !custom.is_empty() {
            let settings = projects.here().map_err(|error| raise(&error.into()))?;
            for name in custom {
                settings.rule(&name).map_err(config_error)?;
            }
        }
        let mut parser = Self { projects, loader, language_options: Vec::new(), options: options.copy()?.unbind() };
        parser.warn(py)?;
        for (name, values) in language_options {
            if !LANGUAGES.iter().any(|language| language.option(&name).is_some()) {
                return Err(config_error(format!("no language has an option `{name}`")));
            }
            for value in values {
                parser.language_options.push((name.clone(), parser.address(&value)?));
            }
        }
        Ok(parser)
    }

    fn __copy__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __deepcopy__(this: Py<Self>, _memo: Py<PyAny>) -> Py<Self> {
        this
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyDict>,))> {
        Ok((py.get_type::<Self>().getattr("_restore")?, (self.options.bind(py).clone(),)))
    }

    #[staticmethod]
    fn _restore(py: Python<'_>, options: Bound<'_, PyDict>) -> PyResult<Self> {
        Self::new(py, Some(options))
    }

    /// Parses the template at a path or URL.
    #[pyo3(signature = (path, *, inputs = None))]
    fn parse(&self, py: Python<'_>, path: PathBuf, inputs: Option<Bound<'_, PyDict>>) -> PyResult<Outcome> {
        let (entry, inputs) = (Entry::at(self.address(&path)?), inputs_text(inputs)?);
        let outcome = py.detach(|| self.parse_entry(entry, inputs));
        self.finished(py, outcome)
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
        let (entry, inputs) = (Entry::text(self.address(name.as_ref())?, data), inputs_text(inputs)?);
        let outcome = py.detach(|| self.parse_entry(entry, inputs));
        self.finished(py, outcome)
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
    #[pyo3(signature = (paths, *, inputs = None))]
    fn parse_many(
        &self,
        py: Python<'_>,
        paths: Vec<PathBuf>,
        inputs: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Outcome>> {
        let inputs = inputs.map(|inputs| many_inputs(&inputs)).transpose()?.unwrap_or_default();
        if !inputs.is_empty() && inputs.len() != 1 && inputs.len() != paths.len() {
            let (given, needed) = (inputs.len(), paths.len());
            return Err(config_error(format!("there are inputs for {given} templates, but {needed} paths")));
        }
        let entries = paths.iter().enumerate().map(|(number, path)| {
            // A single dictionary applies to all templates.
            let own = if inputs.len() == 1 { inputs.first() } else { inputs.get(number) };
            Ok((Entry::at(self.address(path)?), own.cloned().flatten()))
        });
        let entries: Vec<(Entry, Option<String>)> = entries.collect::<PyResult<_>>()?;
        let parse = || entries.into_par_iter().map(|(entry, inputs)| self.parse_entry(entry, inputs)).collect();
        let outcomes = py.detach(|| self.projects.base().install(parse));
        self.finished(py, outcomes)
    }

    /// Parses templates on all cores, and returns the rows of `tosca_parse.arrow.SCHEMA`. The text of a template without
    /// one is read. Only problems are kept of an outcome.
    fn _rows<'py>(
        &self,
        py: Python<'py>,
        uris: Vec<PyBackedStr>,
        texts: Vec<Option<Text>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let templates: Vec<_> = uris.iter().zip(texts).collect();
        let parse = || templates.into_par_iter().flat_map_iter(|(uri, text)| self.rows_of(uri, text)).collect();
        let rows: Vec<Row<'_>> = self.finished(py, Ok(py.detach(|| self.projects.base().install(parse))))?;
        to_python(py, &rows)
    }

    /// Parses any number of templates on all cores, a batch at a time. The outcomes are in the order of the paths.
    #[pyo3(signature = (paths, *, inputs = None))]
    fn parse_iter(this: Py<Self>, paths: &Bound<'_, PyAny>, inputs: Option<Bound<'_, PyAny>>) -> PyResult<Outcomes> {
        let paths = paths.try_iter()?.into_any().unbind();
        let inputs = match inputs {
            // A single dictionary applies to all templates.
            Some(inputs) if !inputs.is_instance_of::<PyDict>() => Some(inputs.try_iter()?.into_any()),
            inputs => inputs,
        };
        let batch = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) * PER_CORE;
        let iteration = Iteration { paths, inputs: inputs.map(Bound::unbind), outcomes: VecDeque::new() };
        Ok(Outcomes { parser: this, iteration: Mutex::new(iteration), batch })
    }

    /// Parses the template at a path or URL on another thread. Returns a coroutine.
    #[pyo3(signature = (path, *, inputs = None))]
    fn aparse<'py>(
        this: Bound<'py, Self>,
        path: Bound<'py, PyAny>,
        inputs: Option<Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        in_thread(&this, "parse", path, inputs)
    }

    /// Parses a string on another thread. Returns a coroutine.
    #[pyo3(signature = (text, *, inputs = None))]
    fn aparse_text<'py>(
        this: Bound<'py, Self>,
        text: Bound<'py, PyAny>,
        inputs: Option<Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        in_thread(&this, "parse_text", text, inputs)
    }

    /// Applies the safe fixes of all problems to a text.
    #[pyo3(signature = (text, name = "service.yaml", *, with_unsafe = false))]
    fn fix_text(&self, py: Python<'_>, text: String, name: &str, with_unsafe: bool) -> PyResult<String> {
        let address = self.address(name.as_ref())?;
        let fixed = py.detach(|| {
            let parse = |text: &str| {
                let (reader, entry) = self.prepared(Entry::text(address.clone(), text.as_bytes()), None)?;
                Ok(reader.run(|parser| parser.parse_entry(entry)))
            };
            crate::text::fixed(parse, text, with_unsafe)
        });
        self.finished(py, fixed)
    }

    /// Migrates a text to a later version. Returns it, and the features without a counterpart.
    #[pyo3(signature = (text, name = "service.yaml", *, to = None))]
    fn migrate_text(
        &self,
        py: Python<'_>,
        text: &str,
        name: &str,
        to: Option<&str>,
    ) -> PyResult<(String, Vec<crate::diagnostic::Diagnostic>)> {
        let entry = Entry::text(self.address(name.as_ref())?, text.as_bytes());
        let parsed = py.detach(|| {
            let (reader, entry) = self.prepared(entry, None)?;
            Ok((reader.run(|parser| parser.parse_entry(entry.clone())), Origin { reader, entry }))
        });
        let (outcome, origin) = self.finished(py, parsed)?;
        if !outcome.is_valid() {
            self.outcome(outcome, None, origin).raise_for_errors(py)?;
            return Ok((text.to_owned(), Vec::new()));
        }
        crate::text::migrated(&outcome, text, to)
    }

    /// Parses a template, and finds nodes for its open requirements.
    #[pyo3(signature = (path, *, inputs = None))]
    fn resolve(&self, py: Python<'_>, path: PathBuf, inputs: Option<Bound<'_, PyDict>>) -> PyResult<Outcome> {
        let (entry, inputs) = (Entry::at(self.address(&path)?), inputs_text(inputs)?);
        let outcome = py.detach(|| {
            let (reader, entry) = self.prepared(entry, inputs)?;
            let (outcome, resolution) = reader.run(|parser| resolve_entry(parser, entry.clone()));
            Ok(self.outcome(outcome, resolution, Origin { reader, entry }))
        });
        self.finished(py, outcome)
    }
}

impl Parser {
    /// Returns a result, unless the loader raised an exception that must end the program. Reports ignored settings.
    fn finished<T>(&self, py: Python<'_>, result: Result<T, Fault>) -> PyResult<T> {
        if let Some(error) = self.loader.as_ref().and_then(|loader| loader.take_ending()) {
            return Err(error);
        }
        self.warn(py)?;
        result.map_err(|fault| raise(&fault))
    }

    /// Reports the ignored settings of projects as warnings of Python.
    fn warn(&self, py: Python<'_>) -> PyResult<()> {
        for message in self.projects.take_ignored() {
            let class = py.import("tosca_parse.errors")?.getattr("ConfigWarning")?;
            // A null byte can't be in a message.
            let message = CString::new(message.replace('\0', "")).unwrap_or_default();
            PyErr::warn(py, &class, &message, 2)?;
        }
        Ok(())
    }

    fn rows_of<'a>(&self, uri: &'a str, text: Option<Text>) -> Vec<Row<'a>> {
        let address = match self.projects.base().address(uri) {
            Ok(address) => address,
            Err(error) => return vec![Row::unreadable(uri, &error.to_string())],
        };
        let entry = match text {
            Some(text) => Entry::text(address, text.bytes()),
            None => Entry::at(address),
        };
        match self.prepared(entry, None) {
            Ok((reader, entry)) => Row::of(uri, &reader.run(|parser| parser.parse_entry(entry))),
            Err(Fault::Configuration(error)) => vec![Row::misconfigured(uri, &error)],
            Err(Fault::Value(message) | Fault::Threads(message)) => vec![Row::unreadable(uri, &message)],
        }
    }

    /// Returns the reader of an entry, and the entry with the values of its configuration and of the program.
    fn prepared(&self, entry: Entry, inputs: Option<String>) -> Result<(Reader, Entry), Fault> {
        let (reader, entry) = self.projects.entry(entry)?;
        let entry = match inputs {
            Some(text) => entry.inputs("inputs", text),
            None => entry,
        };
        let options = self.language_options.iter().cloned();
        Ok((reader, options.fold(entry, |entry, (name, value)| entry.option(name, value))))
    }

    fn parse_entry(&self, entry: Entry, inputs: Option<String>) -> Result<Outcome, Fault> {
        let (reader, entry) = self.prepared(entry, inputs)?;
        let outcome = reader.run(|parser| parser.parse_entry(entry.clone()));
        Ok(self.outcome(outcome, None, Origin { reader, entry }))
    }

    fn outcome(&self, outcome: tosca_parse::Outcome, resolution: Option<Resolution>, origin: Origin) -> Outcome {
        let raised = self.loader.as_ref().and_then(|loader| loader.take_raised(&outcome.diagnostics));
        Outcome::new(outcome, resolution, raised, origin)
    }

    fn address(&self, path: &std::path::Path) -> PyResult<Address> {
        let argument = path.to_str().ok_or_else(|| PyValueError::new_err("the path is not valid Unicode"))?;
        self.projects.base().address(argument).map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

/// The number of templates in a batch for each core.
const PER_CORE: usize = 16;

/// The outcomes of an iteration.
#[pyclass(frozen, module = "tosca_parse")]
pub struct Outcomes {
    parser: Py<Parser>,
    iteration: Mutex<Iteration>,
    batch: usize,
}

/// The state of an iteration.
struct Iteration {
    /// The iterator of paths.
    paths: Py<PyAny>,
    /// The inputs of all templates: a dictionary for all of them, or an iterator.
    inputs: Option<Py<PyAny>>,
    /// The outcomes of the current batch.
    outcomes: VecDeque<Outcome>,
}

#[pymethods]
impl Outcomes {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Outcome>> {
        let busy = |_| PyRuntimeError::new_err("another thread is using the iterator");
        let mut iteration = self.iteration.try_lock().map_err(busy)?;
        let Iteration { paths, inputs, outcomes } = &mut *iteration;
        if outcomes.is_empty() {
            let paths = paths.bind(py).try_iter()?.take(self.batch).map(|path| path?.extract());
            let paths: Vec<PathBuf> = paths.collect::<PyResult<_>>()?;
            let inputs = match inputs.as_ref().map(|inputs| inputs.bind(py)) {
                Some(inputs) if !inputs.is_instance_of::<PyDict>() => {
                    let own = inputs.try_iter()?.take(paths.len()).collect::<PyResult<Vec<_>>>()?;
                    if own.len() < paths.len() {
                        return Err(config_error("there are fewer inputs than paths".to_owned()));
                    }
                    Some(PyList::new(py, own)?.into_any())
                }
                inputs => inputs.cloned(),
            };
            outcomes.extend(self.parser.get().parse_many(py, paths, inputs)?);
        }
        Ok(outcomes.pop_front())
    }
}

fn in_thread<'py>(
    parser: &Bound<'py, Parser>,
    method: &str,
    source: Bound<'py, PyAny>,
    inputs: Option<Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = parser.py();
    let named = PyDict::new(py);
    named.set_item("inputs", inputs)?;
    py.import("asyncio")?.call_method("to_thread", (parser.getattr(method)?, source), Some(&named))
}

/// Returns the inputs of many templates as JSON: one dictionary for all, or one per template.
fn many_inputs(inputs: &Bound<'_, PyAny>) -> PyResult<Vec<Option<String>>> {
    let text = |inputs: &Bound<'_, PyAny>| -> PyResult<Option<String>> {
        if inputs.is_none() { Ok(None) } else { to_text(&from_python(inputs)?).map(Some) }
    };
    if inputs.is_instance_of::<PyDict>() {
        return Ok(vec![text(inputs)?]);
    }
    inputs.try_iter()?.map(|one| text(&one?)).collect()
}

/// The arguments of a parser.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an argument of Python")]
struct Arguments<'py> {
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
    allow_private_network: bool,
    sandbox: bool,
    threads: Option<usize>,
    remembered_bytes: Option<u64>,
    limits: Option<Bound<'py, PyDict>>,
    language_options: Vec<(String, Vec<PathBuf>)>,
    loader: Option<Py<PyAny>>,
    /// The configurations that apply; `None` if the program does not say.
    config: Option<Choice>,
}

impl<'py> Arguments<'py> {
    fn new(options: &Bound<'py, PyDict>) -> PyResult<Self> {
        let mut made = Self::default();
        for (name, value) in options.iter() {
            let name: String = name.extract()?;
            match &*name {
                "directory" => made.directory = argument(&name, &value, "a path")?,
                "profile_paths" => made.profile_paths = list(&name, &value)?,
                "import_paths" => made.import_paths = list(&name, &value)?,
                "quirks" => made.quirks = list(&name, &value)?,
                "functions" => made.functions = list(&name, &value)?,
                "allow" => made.allow = list(&name, &value)?,
                "warn" => made.warn = list(&name, &value)?,
                "deny" => made.deny = list(&name, &value)?,
                "strict" => made.strict = argument(&name, &value, "a boolean")?,
                "offline" => made.offline = argument(&name, &value, "a boolean")?,
                "allow_private_network" => made.allow_private_network = argument(&name, &value, "a boolean")?,
                "sandbox" => made.sandbox = argument(&name, &value, "a boolean")?,
                "threads" => made.threads = argument(&name, &value, "a positive integer")?,
                "remembered_bytes" => made.remembered_bytes = argument(&name, &value, "a positive integer")?,
                "limits" => made.limits = argument(&name, &value, "a dictionary")?,
                "options" => made.language_options = language_options(&argument(&name, &value, "a dictionary")?)?,
                "config" => made.config = choice(&value)?,
                "loader" => made.loader = Some(value.unbind()).filter(|loader| !loader.is_none(options.py())),
                _ => return Err(PyTypeError::new_err(format!("a parser has no option `{name}`"))),
            }
        }
        Ok(made)
    }
}

fn argument<'py, T: FromPyObjectOwned<'py>>(name: &str, value: &Bound<'py, PyAny>, expected: &str) -> PyResult<T> {
    value.extract().map_err(|_| mismatch(name, value, expected))
}

/// Converts a sequence to a list of strings or paths. A single string is also a sequence of strings, but is rejected.
fn list<'py, T: FromPyObjectOwned<'py>>(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Vec<T>> {
    let is_text = value.is_instance_of::<PyString>();
    let items = value.try_iter().ok().filter(|_| !is_text);
    let items = items.ok_or_else(|| mismatch(name, value, "a list"))?;
    items.map(|item| argument(name, &item?, "a list of strings")).collect()
}

/// Converts the options of languages, by name: lists of paths.
fn language_options(wanted: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Vec<PathBuf>)>> {
    let option = |(name, values): (Bound<'_, PyAny>, Bound<'_, PyAny>)| -> PyResult<_> {
        let name: String = argument("options", &name, "a dictionary of names and lists")?;
        let values = list(&name, &values)?;
        Ok((name, values))
    };
    wanted.iter().map(option).collect()
}

fn mismatch(name: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let kind = value.get_type().name().map_or_else(|_| "?".to_owned(), |kind| kind.to_string());
    config_error(format!("`{name}` must be {expected}, not a value of type `{kind}`"))
}

/// Converts the choice of configurations; returns `None` if the program leaves it to the parser.
fn choice(value: &Bound<'_, PyAny>) -> PyResult<Option<Choice>> {
    if value.is_none() {
        return Ok(None);
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(Some(if value.extract()? { Choice::Projects } else { Choice::Absent }));
    }
    Ok(Some(Choice::Named(argument("config", value, "a path or a boolean")?)))
}

/// Returns the exception for an error in a configuration.
fn raise(fault: &Fault) -> PyErr {
    let problems = match fault {
        Fault::Configuration(error) => vec![Diagnostic::of(problem(error))],
        Fault::Value(_) => Vec::new(),
        Fault::Threads(message) => return PyOSError::new_err(message.clone()),
    };
    Python::attach(|py| exception(py, "ConfigError", (fault.to_string(), problems)))
}

fn inputs_text(inputs: Option<Bound<'_, PyDict>>) -> PyResult<Option<String>> {
    inputs.map(|inputs| to_text(&from_python(&inputs)?)).transpose()
}

fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

/// Converts the levels of rules, by code or name.
fn rules(wanted: [(Vec<String>, Override); 3]) -> PyResult<Vec<(RuleSelector, Override)>> {
    let mut rules = Vec::new();
    for (names, level) in wanted {
        for name in names {
            rules.push((which(&name).map_err(config_error)?, level));
        }
    }
    Ok(rules)
}

/// Returns the name of a custom rule that a selector means.
fn custom(which: &RuleSelector) -> Option<String> {
    match which {
        RuleSelector::Custom(name) => Some(name.clone()),
        _ => None,
    }
}

/// A limit of a source.
enum TextLimit {
    Bytes(u64),
    Depth(u32),
    Expansion(u64),
    Problems(usize),
}

impl TextLimit {
    fn set(&self, limits: &mut ard::Limits) {
        match *self {
            Self::Bytes(bytes) => limits.bytes = bytes,
            Self::Depth(depth) => limits.depth = depth,
            Self::Expansion(expansion) => limits.expansion = expansion,
            Self::Problems(problems) => limits.problems = problems,
        }
    }
}

/// Converts the limits of a source, by name.
fn text_limits(wanted: Option<Bound<'_, PyDict>>) -> PyResult<Vec<TextLimit>> {
    let mut limits = Vec::new();
    for (name, value) in wanted.iter().flat_map(PyDictMethods::iter) {
        let name: String = name.extract()?;
        limits.push(match &*name {
            "bytes" => TextLimit::Bytes(argument(&name, &value, "a positive integer")?),
            "depth" => TextLimit::Depth(argument(&name, &value, "a positive integer")?),
            "expansion" => TextLimit::Expansion(argument(&name, &value, "a positive integer")?),
            "problems" => TextLimit::Problems(argument(&name, &value, "a positive integer")?),
            _ => {
                let known = "`bytes`, `depth`, `expansion` or `problems`";
                return Err(config_error(format!("there is no limit `{name}`: use {known}")));
            }
        });
    }
    Ok(limits)
}
