//! `MuranoPL` packages, object models, and calls of their methods.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value as Json;
use tosca_parse_library::murano::{
    Access, Arguments, Effect, PackageSource, Runtime, Style, builder_form, category, class_form,
};
use tosca_parse_library::yaql::{Error, Value};
use wasm_bindgen::prelude::*;

use crate::convert::{from_json, parse, to_json, to_value};
use crate::yaql::thrown;

type Result<T> = std::result::Result<T, JsValue>;

fn failed(error: Error) -> JsValue {
    thrown(category(&error), &error)
}

/// A package: its files, or the text of its classes.
#[wasm_bindgen]
pub struct Package(PackageSource);

#[wasm_bindgen]
impl Package {
    /// Creates a package from the content of its files, by their paths in its folder, such as `manifest.yaml`.
    #[wasm_bindgen(constructor)]
    pub fn new(#[wasm_bindgen(unchecked_param_type = "Record<string, string>")] files: JsValue) -> Result<Self> {
        let text = to_json(&files)?.unwrap_or_else(|| "{}".to_owned());
        let files: BTreeMap<String, String> = serde_json::from_str(&text).map_err(JsError::from)?;
        PackageSource::from_files(files).map(Self).map_err(failed)
    }

    /// Creates a package from the text of its classes. The default format is 1.4.
    #[wasm_bindgen(js_name = fromText)]
    pub fn from_text(name: &str, text: &str, format: Option<String>) -> Result<Self> {
        PackageSource::from_text(name, format.as_deref().unwrap_or("1.4"), &[], text).map(Self).map_err(failed)
    }

    /// The full name.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.0.name().to_owned()
    }
}

/// The classes of packages, with the core library.
#[wasm_bindgen]
pub struct Classes {
    sources: Vec<PackageSource>,
    runtime: Rc<Runtime>,
}

fn runtime(sources: &[PackageSource], records: bool) -> Result<Rc<Runtime>> {
    let builder = sources.iter().cloned().fold(Runtime::builder(), tosca_parse_library::murano::Builder::package);
    if records { builder.record() } else { builder }.build().map_err(failed)
}

/// Runs an evaluation with the full budget.
fn run<T>(runtime: &Rc<Runtime>, work: impl FnOnce(&Rc<Runtime>) -> std::result::Result<T, Error>) -> Result<T> {
    runtime.meter().restart();
    work(runtime).map_err(failed)
}

fn value(
    runtime: &Rc<Runtime>,
    work: impl FnOnce(&Rc<Runtime>) -> std::result::Result<Value, Error>,
) -> Result<JsValue> {
    Ok(parse(&run(runtime, |runtime| work(runtime)?.to_json())?)?)
}

/// Returns arguments: by position if they are a list, by name if they are an object.
fn arguments(given: &JsValue) -> Result<Arguments> {
    match to_value(given)? {
        Json::Null => Ok(Arguments::default()),
        Json::Array(values) => Arguments::from_json(&values, []).map_err(failed),
        Json::Object(values) => Arguments::from_json(&[], &values).map_err(failed),
        _ => Err(JsError::new("arguments are a list or an object").into()),
    }
}

#[wasm_bindgen]
impl Classes {
    /// Takes the classes of packages, which can't be used afterward.
    #[wasm_bindgen(constructor)]
    pub fn new(packages: Vec<Package>) -> Result<Self> {
        let sources: Vec<PackageSource> = packages.into_iter().map(|package| package.0).collect();
        Ok(Self { runtime: runtime(&sources, false)?, sources })
    }

    /// Returns the names of the classes, except those of the core library.
    pub fn names(&self) -> Vec<String> {
        self.runtime.own_class_names()
    }

    /// Loads all classes; returns the errors with the names of their classes.
    #[wasm_bindgen(unchecked_return_type = "{ name: string; message: string }[]")]
    pub fn check(&self) -> Result<JsValue> {
        self.runtime.meter().restart();
        let errors = self.runtime.check_classes().into_iter();
        let errors: Vec<Json> =
            errors.map(|(name, error)| serde_json::json!({ "name": name, "message": error.to_string() })).collect();
        Ok(from_json(&errors)?)
    }

    /// Returns the JSON Schemas of a class, by the names of its methods; the empty name is the class itself.
    #[wasm_bindgen(unchecked_return_type = "Record<string, any>")]
    pub fn schemas(&self, name: &str, methods: Option<Vec<String>>) -> Result<JsValue> {
        let methods = methods.unwrap_or_default();
        let schemas =
            run(&self.runtime, |runtime| runtime.schemas(&runtime.find_named(name)?, &methods, Style::Correct))?;
        Ok(from_json(&schemas)?)
    }

    /// Returns a page with a form for an object of a class, or for the arguments of a model builder or action.
    #[wasm_bindgen(js_name = formPage)]
    pub fn form_page(&self, name: &str, method: Option<String>) -> Result<String> {
        run(&self.runtime, |runtime| {
            let class = runtime.find_named(name)?;
            let form = match method {
                Some(method) => builder_form(runtime, &class, &method)?,
                None => class_form(runtime, &class)?,
            };
            Ok(form.page())
        })
    }

    /// Calls a static method. The arguments are a list, or an object with their names.
    #[wasm_bindgen(unchecked_return_type = "any")]
    pub fn call(
        &self,
        name: &str,
        method: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "Arguments")] given: JsValue,
    ) -> Result<JsValue> {
        let given = arguments(&given)?;
        value(&self.runtime, |runtime| runtime.call_class(&runtime.find_named(name)?, method, given, Access::Session))
    }

    /// Creates a model with a model builder.
    #[wasm_bindgen(unchecked_return_type = "any")]
    pub fn build(
        &self,
        name: &str,
        builder: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "Record<string, unknown>")] given: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "ObjectModel")] model: JsValue,
    ) -> Result<JsValue> {
        let (given, model) = (arguments(&given)?, to_value(&model)?);
        let model = Some(&model).filter(|model| !model.is_null()).map(Value::from_json).transpose().map_err(failed)?;
        value(&self.runtime, |runtime| runtime.build_model(&runtime.find_named(name)?, builder, model, given.named))
    }

    /// Loads a model: an object, or `Objects` and `Attributes`. With `record`, requests to clouds and agents are
    /// recorded. Throws if the model does not fit the classes.
    pub fn load(
        &self,
        #[wasm_bindgen(unchecked_param_type = "ObjectModel")] model: JsValue,
        record: Option<bool>,
    ) -> Result<Model> {
        let runtime = runtime(&self.sources, record.unwrap_or_default())?;
        let model = to_value(&model)?;
        let root = run(&runtime, |runtime| runtime.load_json(&model))?.map(|root| root.id.clone());
        Ok(Model { runtime, root })
    }
}

/// An object model. Calls change its state.
#[wasm_bindgen]
pub struct Model {
    runtime: Rc<Runtime>,
    root: Option<String>,
}

#[wasm_bindgen]
impl Model {
    /// The id of the root object; `undefined` if the model is empty.
    #[wasm_bindgen(getter)]
    pub fn root(&self) -> Option<String> {
        self.root.clone()
    }

    /// Returns the ids of all objects.
    pub fn ids(&self) -> Vec<String> {
        self.runtime.object_ids()
    }

    /// Calls a method of an object. The arguments are a list, or an object with their names.
    #[wasm_bindgen(unchecked_return_type = "any")]
    pub fn call(
        &self,
        id: &str,
        method: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "Arguments")] given: JsValue,
    ) -> Result<JsValue> {
        let given = arguments(&given)?;
        value(&self.runtime, |runtime| runtime.call_object(id, method, given, Access::Session))
    }

    /// Evaluates an expression for an object, with a value for `$`.
    #[wasm_bindgen(unchecked_return_type = "any")]
    pub fn evaluate(
        &self,
        id: &str,
        expression: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "unknown")] data: JsValue,
    ) -> Result<JsValue> {
        let data = to_value(&data)?;
        value(&self.runtime, |runtime| runtime.evaluate(id, expression, Value::from(&data)))
    }

    /// Returns the model with its current state, as Murano saves it.
    #[wasm_bindgen(unchecked_return_type = "any")]
    pub fn save(&self) -> Result<JsValue> {
        value(&self.runtime, |runtime| {
            let root = self.root.as_deref().and_then(|id| runtime.object(id));
            runtime.save(root.as_ref())
        })
    }

    /// Returns the recorded requests to clouds, agents and users, in order.
    #[wasm_bindgen(unchecked_return_type = "Effect[]")]
    pub fn effects(&self) -> Result<JsValue> {
        value(&self.runtime, |runtime| Ok(Value::list(runtime.effects().iter().map(Effect::to_value).collect())))
    }
}
