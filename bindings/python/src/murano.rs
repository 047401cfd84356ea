//! `MuranoPL` packages, object models, and calls of their methods.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tosca_parse::murano::{
    Access, Arguments, Effect, PackageSource, Runtime, Style, builder_form, category, class_form,
};
use tosca_parse::yaql::{Error, Value};

use crate::convert::from_python;
use crate::worker::Worker;
use crate::yaql::{Failure, loads};

type Made = Result<Rc<Runtime>, Error>;

fn failure(error: &Error) -> Failure {
    Failure::new(category(error), error)
}

/// A package: a folder with `manifest.yaml`, or the text of its classes.
#[pyclass(frozen, module = "tosca_parse.murano")]
pub struct Package {
    source: PackageSource,
}

#[pymethods]
impl Package {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let source = PackageSource::from_folder(&path);
        Ok(Self { source: source.map_err(|error| failure(&error).raise(py, "MuranoError"))? })
    }

    /// Creates a package from the text of its classes.
    #[staticmethod]
    #[pyo3(signature = (name, text, *, format = "1.4"))]
    fn from_text(py: Python<'_>, name: &str, text: &str, format: &str) -> PyResult<Self> {
        let source = PackageSource::from_text(name, format, &[], text);
        Ok(Self { source: source.map_err(|error| failure(&error).raise(py, "MuranoError"))? })
    }

    /// Creates a package from the content of its files, by their paths.
    #[staticmethod]
    fn from_files(py: Python<'_>, files: BTreeMap<String, String>) -> PyResult<Self> {
        let source = PackageSource::from_files(files);
        Ok(Self { source: source.map_err(|error| failure(&error).raise(py, "MuranoError"))? })
    }

    #[getter]
    fn name(&self) -> &str {
        self.source.name()
    }

    fn __repr__(&self) -> String {
        format!("<Package {}>", self.source.name())
    }
}

/// The classes of packages, and the objects of a model.
struct Host {
    worker: Worker<Made>,
}

impl Host {
    fn start(sources: Vec<PackageSource>, record: bool) -> PyResult<Self> {
        let make = move || {
            let mut builder = sources.into_iter().fold(Runtime::builder(), tosca_parse::murano::Builder::package);
            if record {
                builder = builder.record();
            }
            builder.build()
        };
        Ok(Self { worker: Worker::start(make)? })
    }

    fn run<R: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Rc<Runtime>) -> Result<R, Error> + Send + 'static,
    ) -> PyResult<R> {
        let result = self.worker.run(py, move |made| {
            let runtime = made.as_ref().map_err(failure)?;
            runtime.meter().restart();
            work(runtime).map_err(|error| failure(&error))
        })?;
        result.map_err(|failure| failure.raise(py, "MuranoError"))
    }

    fn json<'py>(
        &self,
        py: Python<'py>,
        work: impl FnOnce(&Rc<Runtime>) -> Result<Value, Error> + Send + 'static,
    ) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &self.run(py, |runtime| work(runtime)?.to_json())?)
    }
}

/// Arguments of a call that can leave the thread of the interpreter.
struct Given {
    positional: Vec<serde_json::Value>,
    named: Vec<(String, serde_json::Value)>,
}

impl Given {
    fn new(args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let named = kwargs.into_iter().flatten();
        let named = named.map(|(name, value)| Ok((name.extract()?, from_python(&value)?)));
        Ok(Self {
            positional: args.iter().map(|value| from_python(&value)).collect::<PyResult<_>>()?,
            named: named.collect::<PyResult<_>>()?,
        })
    }

    fn arguments(&self) -> Result<Arguments, Error> {
        Arguments::from_json(&self.positional, self.named.iter().map(|(name, value)| (name, value)))
    }
}

/// The classes of packages, with the core library.
#[pyclass(frozen, module = "tosca_parse.murano")]
pub struct Classes {
    sources: Vec<PackageSource>,
    host: Host,
}

#[pymethods]
impl Classes {
    #[new]
    #[pyo3(signature = (*packages))]
    fn new(py: Python<'_>, packages: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let source = |package: Bound<'_, PyAny>| Ok(package.cast::<Package>()?.get().source.clone());
        let sources: Vec<PackageSource> = packages.iter().map(source).collect::<PyResult<_>>()?;
        let host = Host::start(sources.clone(), false)?;
        host.run(py, |_| Ok(()))?;
        Ok(Self { sources, host })
    }

    /// Returns the names of the classes, except those of the core library.
    fn names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.host.run(py, |runtime| Ok(runtime.own_class_names()))
    }

    /// Loads all classes, and returns the errors as pairs of a class and a message.
    fn check(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        self.host.run(py, |runtime| {
            let errors = runtime.check_classes().into_iter();
            Ok(errors.map(|(name, error)| (name, error.to_string())).collect())
        })
    }

    /// Returns the JSON Schemas of a class, by the names of its methods; the empty name stands for the class itself.
    #[pyo3(signature = (class_name, *methods))]
    fn schemas<'py>(&self, py: Python<'py>, class_name: String, methods: Vec<String>) -> PyResult<Bound<'py, PyAny>> {
        let schemas = self.host.run(py, move |runtime| {
            Ok(runtime.schemas(&runtime.find_named(&class_name)?, &methods, Style::Correct)?.to_string())
        })?;
        loads(py, &schemas)
    }

    /// Returns an HTML form for an object of a class, or for the arguments of a model builder or action.
    #[pyo3(signature = (class_name, method = None))]
    fn form(&self, py: Python<'_>, class_name: String, method: Option<String>) -> PyResult<String> {
        self.host.run(py, move |runtime| {
            let class = runtime.find_named(&class_name)?;
            let form = match method {
                Some(method) => builder_form(runtime, &class, &method)?,
                None => class_form(runtime, &class)?,
            };
            Ok(form.page())
        })
    }

    /// Calls a static method.
    #[pyo3(signature = (class_name, method, *args, **kwargs))]
    fn call<'py>(
        &self,
        py: Python<'py>,
        class_name: String,
        method: String,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let given = Given::new(args, kwargs)?;
        self.host.json(py, move |runtime| {
            let class = runtime.find_named(&class_name)?;
            runtime.call_class(&class, &method, given.arguments()?, Access::Session)
        })
    }

    /// Creates a model with a model builder.
    #[pyo3(signature = (class_name, builder, model = None, **kwargs))]
    fn build<'py>(
        &self,
        py: Python<'py>,
        class_name: String,
        builder: String,
        model: Option<&Bound<'py, PyAny>>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let given = Given::new(&PyTuple::empty(py), kwargs)?;
        let model = model.map(from_python).transpose()?;
        self.host.json(py, move |runtime| {
            let class = runtime.find_named(&class_name)?;
            let model = model.as_ref().map(Value::from_json).transpose()?;
            runtime.build_model(&class, &builder, model, given.arguments()?.named)
        })
    }

    /// Loads a model: an object, or `Objects` and `Attributes`. With `record`, requests to clouds and agents are
    /// recorded.
    #[pyo3(signature = (model, *, record = false))]
    fn load(&self, py: Python<'_>, model: &Bound<'_, PyAny>, record: bool) -> PyResult<Model> {
        let model = from_python(model)?;
        let host = Host::start(self.sources.clone(), record)?;
        let root = host.run(py, move |runtime| Ok(runtime.load_json(&model)?.map(|root| root.id.clone())))?;
        Ok(Model { host: Arc::new(host), root })
    }

    fn __repr__(&self) -> String {
        let names: Vec<&str> = self.sources.iter().map(PackageSource::name).collect();
        format!("<Classes {}>", names.join(", "))
    }
}

/// An object model.
#[pyclass(frozen, module = "tosca_parse.murano")]
pub struct Model {
    host: Arc<Host>,
    root: Option<String>,
}

#[pymethods]
impl Model {
    /// The id of the root object.
    #[getter]
    fn root(&self) -> Option<&str> {
        self.root.as_deref()
    }

    /// Returns the ids of all objects.
    fn ids(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.host.run(py, |runtime| Ok(runtime.object_ids()))
    }

    /// Calls a method of an object.
    #[pyo3(signature = (object_id, method, *args, **kwargs))]
    fn call<'py>(
        &self,
        py: Python<'py>,
        object_id: String,
        method: String,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let given = Given::new(args, kwargs)?;
        self.host.json(py, move |runtime| runtime.call_object(&object_id, &method, given.arguments()?, Access::Session))
    }

    /// Evaluates an expression for an object, with a value for `$`.
    #[pyo3(signature = (object_id, expression, data = None))]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        object_id: String,
        expression: String,
        data: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let data = data.map(from_python).transpose()?;
        self.host.json(py, move |runtime| {
            runtime.evaluate(&object_id, &expression, data.as_ref().map_or(Value::Null, Value::from))
        })
    }

    /// Returns the model with its current state, as Murano saves it.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let root = self.root.clone();
        self.host.json(py, move |runtime| {
            let root = root.and_then(|id| runtime.object(&id));
            runtime.save(root.as_ref())
        })
    }

    /// Returns the recorded requests, in order.
    fn effects<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.host.json(py, |runtime| Ok(Value::list(runtime.effects().iter().map(Effect::to_value).collect())))
    }

    fn __repr__(&self) -> String {
        format!("<Model {}>", self.root.as_deref().unwrap_or("without objects"))
    }
}
