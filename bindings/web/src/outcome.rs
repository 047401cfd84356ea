//! The result of parsing a template.

use serde::Serialize;
use tosca_parse_library::diagnostic::render::{Document, Terminal};
use tosca_parse_library::form::Form;
use tosca_parse_library::graph::{Graph, Options as GraphOptions};
use tosca_parse_library::normal::{Evaluation, Map, Options, Service};
use wasm_bindgen::prelude::*;

use crate::options;

/// The result of parsing a template: its problems, and the service that it describes.
#[wasm_bindgen]
pub struct Outcome(tosca_parse_library::Outcome);

impl Outcome {
    pub(crate) fn new(outcome: tosca_parse_library::Outcome) -> Self {
        Self(outcome)
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

    /// Whether there is no error.
    #[wasm_bindgen(getter, js_name = isValid)]
    pub fn is_valid(&self) -> bool {
        self.0.is_valid()
    }

    /// Whether the template describes a service; a profile does not.
    #[wasm_bindgen(getter, js_name = hasService)]
    pub fn has_service(&self) -> bool {
        Service::of(&self.0.program).is_some()
    }

    /// Returns the problems in the format of the command, with source lines.
    pub fn render(&self) -> String {
        Terminal::new(&self.0.diagnostics, &self.0.sources).to_string()
    }

    /// Returns the normal model of the service, optionally with source positions. Throws if there is no service.
    #[wasm_bindgen(unchecked_return_type = "Service")]
    pub fn model(&self, positions: Option<bool>) -> Result<JsValue, JsError> {
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
        let graph = Graph::of(&self.service(false)?, GraphOptions::default());
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
        Ok(Form::of(&self.service(false)?).page())
    }
}

/// Converts a serializable value to plain JavaScript data.
fn from_json(value: &impl Serialize) -> Result<JsValue, JsError> {
    let text = serde_json::to_string(value)?;
    js_sys::JSON::parse(&text).map_err(|_| JsError::new("the result is not JSON"))
}
