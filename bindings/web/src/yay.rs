//! Yay documents: configurations with lazy values.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value as Json;
use tosca_parse_engine::diagnostic::render::Document;
use tosca_parse_engine::source::Address;
use tosca_parse_library::graph::{Graph, Options};
use tosca_parse_library::yay::host::{Provided, Report};
use tosca_parse_library::yay::{Category, Config, Data, Error, Limits, LoadedDocument, Node, Place, Stage};
use wasm_bindgen::prelude::*;

use crate::convert::{NotJson, exception, from_json, parse, to_json};
use crate::files::Files;
use crate::outcome::written;

type Result<T> = std::result::Result<T, JsValue>;

/// The limits, as `templates.d.ts` describes them.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct YayLimits {
    steps: Option<u64>,
    bytes: Option<u64>,
}

/// Layers of Yay documents and data. Later layers override earlier ones.
#[wasm_bindgen]
pub struct YayConfig {
    inner: Rc<RefCell<Config<'static>>>,
    files: Files,
}

#[wasm_bindgen]
impl YayConfig {
    /// Creates a configuration without layers. Documents read no environment variables.
    #[wasm_bindgen(constructor)]
    pub fn new(#[wasm_bindgen(unchecked_optional_param_type = "YayLimits")] limits: JsValue) -> Result<Self> {
        let given: YayLimits = match to_json(&limits)? {
            Some(text) => serde_json::from_str(&text).map_err(JsError::from)?,
            None => YayLimits::default(),
        };
        let mut limits = Limits::default();
        limits.budget.steps = given.steps.unwrap_or(limits.budget.steps);
        limits.budget.bytes = given.bytes.unwrap_or(limits.budget.bytes);
        let files = Files::default();
        let opener = Provided::new(vec![Arc::new(files.clone())], limits.bytes as u64);
        let mut config = Config::with_limits(opener, limits);
        config.refuse_environment();
        Ok(Self { inner: Rc::new(RefCell::new(config)), files })
    }

    /// Writes a file, which documents can include by this path.
    pub fn write(&self, path: &str, text: &str) -> Result<()> {
        self.files.0.insert(address(path)?, text);
        Ok(())
    }

    /// Adds a written file as the newest layer.
    pub fn load(&self, path: &str) -> Result<()> {
        self.inner.borrow_mut().load_address(&address(path)?.to_string());
        Ok(())
    }

    /// Adds a document as the newest layer. Paths in it are relative to its name, which is a path. All values of a
    /// document with the label `secret` are secrets.
    pub fn loads(&self, text: &str, name: Option<String>, labels: Option<Vec<String>>) -> Result<()> {
        let name = name.unwrap_or_else(|| "<text>".to_owned());
        let address = address(&name)?;
        let opened = LoadedDocument {
            address: address.to_string(),
            remote: address.is_remote(),
            name,
            text: text.into(),
            labels: labels.unwrap_or_default(),
            hidden: false,
        };
        self.inner.borrow_mut().load_document(&opened);
        Ok(())
    }

    /// Adds data as the newest layer.
    pub fn add(&self, #[wasm_bindgen(unchecked_param_type = "Record<string, unknown>")] data: JsValue) -> Result<()> {
        let text = to_json(&data).map_err(|reason| {
            let kind = match reason {
                NotJson::TooDeep => Category::Limit,
                NotJson::Other => Category::Type,
            };
            error(kind, &reason.to_string(), &[])
        })?;
        let data = Data::read_json(text.as_deref().unwrap_or("null"));
        let mut config = self.inner.borrow_mut();
        let data = data.map_err(|error| thrown(&config, &error))?;
        config.add_data(&data);
        Ok(())
    }

    /// The value of the whole configuration.
    #[wasm_bindgen(getter)]
    pub fn root(&self) -> YayNode {
        self.node(self.inner.borrow().root())
    }

    /// Returns the value at a path of keys and indices.
    pub fn get(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string | number | (string | number)[]")] path: JsValue,
    ) -> Result<YayNode> {
        self.root().get(path)
    }

    /// Returns the value of an expression in the scope of the configuration.
    pub fn expression(&self, text: &str) -> YayNode {
        self.node(self.inner.borrow().expression(text))
    }

    /// Returns all problems, even in branches that are not taken.
    #[wasm_bindgen(unchecked_return_type = "Diagnostic[]")]
    pub fn check(&self) -> Result<JsValue> {
        let Report { problems, sources } = Report::of_check(&self.inner.borrow());
        Ok(from_json(&Document::new(&problems, &sources).diagnostics)?)
    }

    /// Returns one document with everything known computed. Secrets are `*****`.
    pub fn fold(&self) -> Result<String> {
        let config = self.inner.borrow();
        config.fold(true).map_err(|error| thrown(&config, &error))
    }

    /// Returns a diagram of the structure, as it is evaluated.
    pub fn graph(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "GraphFormat")] format: Option<String>,
    ) -> Result<String> {
        let config = self.inner.borrow();
        let diagram = config.diagram(Stage::Folded).map_err(|error| thrown(&config, &error))?;
        Ok(written(&Graph::of(&diagram, Options::default()), format.as_deref())?)
    }
}

impl YayConfig {
    fn node(&self, inner: Node<'static>) -> YayNode {
        YayNode { inner, config: self.inner.clone() }
    }
}

/// A value that is evaluated on conversion, so that getting a path never fails.
#[wasm_bindgen]
pub struct YayNode {
    inner: Node<'static>,
    config: Rc<RefCell<Config<'static>>>,
}

impl YayNode {
    /// Returns the value, or the default if it does not exist.
    fn convert<R: serde::Serialize>(
        &self,
        default: JsValue,
        read: impl FnOnce(&Node<'static>) -> tosca_parse_library::yay::Result<R>,
    ) -> Result<JsValue> {
        match read(&self.inner) {
            Ok(value) => Ok(parse(&serde_json::to_string(&value).map_err(JsError::from)?)?),
            Err(error) if error.category() == Category::NoMatching && !default.is_undefined() => Ok(default),
            Err(error) => Err(thrown(&self.config.borrow(), &error)),
        }
    }
}

#[wasm_bindgen]
impl YayNode {
    /// Returns the value at a path of keys and indices.
    pub fn get(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string | number | (string | number)[]")] path: JsValue,
    ) -> Result<YayNode> {
        let path = to_json(&path)?.unwrap_or_else(|| "null".to_owned());
        let steps = match serde_json::from_str(&path).map_err(JsError::from)? {
            Json::Array(steps) => steps,
            step => vec![step],
        };
        let mut inner = self.inner.clone();
        for step in &steps {
            inner = match (step, step.as_i64()) {
                (Json::String(key), _) => inner.get(key),
                (_, Some(number)) => inner.index(number),
                _ => return Err(JsError::new("a step is a key or an index").into()),
            };
        }
        Ok(YayNode { inner, config: self.config.clone() })
    }

    /// Returns the keys of a mapping, in the order of their first appearance.
    pub fn keys(&self) -> Result<Vec<String>> {
        self.inner.keys().map_err(|error| thrown(&self.config.borrow(), &error))
    }

    /// Returns the number of items of a list.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> Result<usize> {
        self.inner.items().map(|items| items.len()).map_err(|error| thrown(&self.config.borrow(), &error))
    }

    /// Returns an integer. Numbers with a fraction are truncated; a string of digits is an integer.
    #[wasm_bindgen(js_name = asInt, unchecked_return_type = "any")]
    pub fn as_int(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "Fallback")] default: JsValue,
    ) -> Result<JsValue> {
        self.convert(default, Node::as_int)
    }

    /// Returns a number.
    #[wasm_bindgen(js_name = asNumber, unchecked_return_type = "any")]
    pub fn as_number(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "Fallback")] default: JsValue,
    ) -> Result<JsValue> {
        self.convert(default, Node::as_number)
    }

    /// Returns the truth of a scalar: zero and the empty string are false.
    #[wasm_bindgen(js_name = asBool, unchecked_return_type = "any")]
    pub fn as_bool(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "Fallback")] default: JsValue,
    ) -> Result<JsValue> {
        self.convert(default, Node::as_bool)
    }

    /// Returns a scalar as a string, as it is written.
    #[wasm_bindgen(js_name = asString, unchecked_return_type = "any")]
    pub fn as_string(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "Fallback")] default: JsValue,
    ) -> Result<JsValue> {
        self.convert(default, Node::as_string)
    }

    /// Returns a scalar as a string in which secrets are `*****`.
    #[wasm_bindgen(js_name = asSafeString, unchecked_return_type = "any")]
    pub fn as_safe_string(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "Fallback")] default: JsValue,
    ) -> Result<JsValue> {
        self.convert(default, Node::as_safe_string)
    }

    /// Returns a list with all its values.
    #[wasm_bindgen(js_name = asList, unchecked_return_type = "any")]
    pub fn as_list(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "Fallback")] default: JsValue,
    ) -> Result<JsValue> {
        self.convert(default, Node::as_list)
    }

    /// Returns a mapping with all its values.
    #[wasm_bindgen(js_name = asObject, unchecked_return_type = "any")]
    pub fn as_object(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "Fallback")] default: JsValue,
    ) -> Result<JsValue> {
        self.convert(default, |node| node.as_dict().map(Data::Map))
    }

    /// Evaluates the value completely. With `safe`, secrets are `*****`.
    #[wasm_bindgen(unchecked_return_type = "any")]
    pub fn resolve(&self, safe: Option<bool>) -> Result<JsValue> {
        let is_safe = safe.unwrap_or_default();
        self.convert(JsValue::UNDEFINED, |node| if is_safe { node.resolve_safe() } else { node.resolve() })
    }

    /// The position of the value.
    #[wasm_bindgen(getter, unchecked_return_type = "Anchor")]
    pub fn anchor(&self) -> Result<JsValue> {
        self.convert(JsValue::UNDEFINED, |node| Ok(position(&node.anchor()?)))
    }

    /// The labels of the value, such as `secret`.
    #[wasm_bindgen(getter)]
    pub fn labels(&self) -> Result<Vec<String>> {
        self.inner.labels().map_err(|error| thrown(&self.config.borrow(), &error))
    }
}

fn position(place: &Place) -> Json {
    serde_json::json!({ "source": &*place.source, "line": place.line, "column": place.column })
}

/// Returns the error that is thrown, with its category and positions.
fn thrown(config: &Config<'_>, failure: &Error) -> JsValue {
    let messages: Vec<String> = failure.each().iter().map(|error| config.describe(error)).collect();
    let sources = config.sources();
    let places: Vec<Json> = failure.places().iter().map(|span| position(&sources.place(*span))).collect();
    error(failure.category(), &messages.join("\n"), &places)
}

fn error(kind: Category, message: &str, places: &[Json]) -> JsValue {
    let places = from_json(&places).unwrap_or_default();
    exception("YayError", message, [("kind", kind.name().into()), ("places", places)])
}

fn address(path: &str) -> std::result::Result<Address, JsError> {
    Ok(Address::from_argument(path, "/".as_ref())?)
}
