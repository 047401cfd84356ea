//! The result of parsing a template.

use serde::Serialize;
use tosca_parse_library::TOSCA;
use tosca_parse_library::diagnostic::render::{Document, Terminal};
use tosca_parse_library::entity::{InputForm, Language, Topology};
use tosca_parse_library::form::Form;
use tosca_parse_library::graph::{Graph, Options as GraphOptions};
use tosca_parse_library::normal::{Evaluation, Map, Options, Plan, Service};
use wasm_bindgen::prelude::*;

use crate::options;

/// The result of parsing a template: its problems, and the service that it describes.
#[wasm_bindgen]
pub struct Outcome(tosca_parse_library::Outcome);

impl Outcome {
    pub(crate) fn new(outcome: tosca_parse_library::Outcome) -> Self {
        Self(outcome)
    }

    /// Returns the language of the template, unless it is TOSCA.
    fn other_language(&self) -> Option<&'static Language> {
        self.0.program.language().filter(|language| language.name != TOSCA.name)
    }

    /// Returns the topology of a template in a language other than TOSCA.
    fn topology(&self) -> Result<Option<Topology>, JsError> {
        let Some(language) = self.other_language() else { return Ok(None) };
        (language.topology)(&self.0.program).map(Some).ok_or_else(|| missing("topology", language))
    }

    fn service(&self, positions: bool) -> Result<Service, JsError> {
        let options = Options { positions, ..Options::default() };
        Service::with(&self.0.program, options)
            .ok_or_else(|| JsError::new("the template has no service; it may be a profile"))
    }

    fn evaluation(&self, inputs: &JsValue) -> Result<Evaluation, JsError> {
        let inputs = match options::to_json(inputs)? {
            Some(inputs) => serde_json::from_str(&inputs)?,
            None => Map::default(),
        };
        Ok(self.service(true)?.evaluate(&inputs))
    }
}

#[wasm_bindgen]
impl Outcome {
    /// All problems, in the order of the files and of the positions in them.
    #[wasm_bindgen(getter, unchecked_return_type = "Diagnostic[]")]
    pub fn diagnostics(&self) -> Result<JsValue, JsError> {
        from_json(&Document::new(&self.0.diagnostics, &self.0.sources).diagnostics)
    }

    /// The name of the language in which the template is written.
    #[wasm_bindgen(getter)]
    pub fn language(&self) -> String {
        self.other_language().map_or(TOSCA.name, |language| language.name).to_owned()
    }

    /// Whether there is no error.
    #[wasm_bindgen(getter, js_name = isValid)]
    pub fn is_valid(&self) -> bool {
        self.0.is_valid()
    }

    /// Whether the template describes a service; a profile does not.
    #[wasm_bindgen(getter, js_name = hasService)]
    pub fn has_service(&self) -> bool {
        match self.other_language() {
            Some(language) => (language.topology)(&self.0.program).is_some(),
            None => Service::of(&self.0.program).is_some(),
        }
    }

    /// Returns the problems in the format of the command, with source lines.
    pub fn render(&self) -> String {
        Terminal::new(&self.0.diagnostics, &self.0.sources).to_string()
    }

    /// Returns the normal model of the service, optionally with source positions; for a template in another language,
    /// its model. Throws if there is none.
    #[wasm_bindgen(unchecked_return_type = "Service")]
    pub fn model(&self, positions: Option<bool>) -> Result<JsValue, JsError> {
        if let Some(language) = self.other_language() {
            let model = (language.model)(&self.0.program).and_then(Result::ok).filter(|_| self.is_valid());
            return from_json(&model.ok_or_else(|| missing("model", language))?);
        }
        from_json(&self.service(positions.unwrap_or_default())?)
    }

    /// Returns the model in which every value that is known before deployment is computed, with values for inputs; and
    /// the values that can't be computed.
    #[wasm_bindgen(unchecked_return_type = "Evaluation")]
    pub fn evaluate(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "Record<string, unknown>")] inputs: JsValue,
    ) -> Result<JsValue, JsError> {
        from_json(&self.evaluation(&inputs)?)
    }

    /// Returns the stages of deployment and undeployment or, with an older outcome, of the change of the deployed
    /// service.
    #[wasm_bindgen(unchecked_return_type = "Plan")]
    pub fn plan(&self, old: Option<Outcome>) -> Result<JsValue, JsError> {
        if let (Some(topology), None) = (self.topology()?, &old) {
            let file = self.0.program.list.first().map_or("", |unit| unit.source.name());
            return from_json(&Plan::of_topology(file, &topology));
        }
        let service = self.evaluation(&JsValue::UNDEFINED)?.service;
        match old {
            Some(old) => from_json(&service.plan_from(&old.evaluation(&JsValue::UNDEFINED)?.service)),
            None => from_json(&service.plan()),
        }
    }

    /// Returns a diagram of the topology: `svg`, `dot` or `mermaid`.
    pub fn graph(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "\"svg\" | \"dot\" | \"mermaid\"")] format: Option<String>,
    ) -> Result<String, JsError> {
        let options = GraphOptions::default();
        let graph = match self.topology()? {
            Some(topology) => Graph::of(&topology, options),
            None => Graph::of(&self.service(false)?, options),
        };
        match format.as_deref().unwrap_or("svg") {
            "svg" => Ok(graph.svg()?),
            "dot" => Ok(graph.dot()),
            "mermaid" => Ok(graph.mermaid()),
            other => Err(JsError::new(&format!("there is no format `{other}`: use `svg`, `dot` or `mermaid`"))),
        }
    }

    /// Returns a page with a form for the inputs of the service.
    #[wasm_bindgen(js_name = formPage)]
    pub fn form_page(&self) -> Result<String, JsError> {
        if let Some(language) = self.other_language() {
            let form = (language.form)(&self.0.program).filter(|_| self.is_valid());
            let InputForm { schema, file } = form.ok_or_else(|| missing("form", language))?;
            return Ok(Form { schema, file }.page());
        }
        Ok(Form::of(&self.service(false)?).page())
    }
}

fn missing(title: &str, language: &Language) -> JsError {
    JsError::new(&format!("there is no {title} of this {} file", language.name))
}

/// Converts a serializable value to plain JavaScript data.
fn from_json(value: &impl Serialize) -> Result<JsValue, JsError> {
    let text = serde_json::to_string(value)?;
    js_sys::JSON::parse(&text).map_err(|_| JsError::new("the result is not JSON"))
}
