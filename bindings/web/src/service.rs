//! The content of a template.

use tosca_parse_library::TOSCA;
use tosca_parse_library::form;
use tosca_parse_library::graph::{Subject, Timeline};
use tosca_parse_library::normal::{Evaluation, Map, Options, Plan, Service};
use tosca_parse_library::resolve::resolve_program;
use wasm_bindgen::prelude::*;

use crate::Outcome;
use crate::convert::{from_json, to_json};

impl Outcome {
    fn is_service(&self) -> bool {
        self.spoken().name == TOSCA.name
    }

    fn service(&self, positions: bool) -> Result<Service, JsError> {
        let options = Options { positions, ..Options::default() };
        Service::with(&self.0.program, options).ok_or_else(no_service)
    }

    fn evaluation(&self, inputs: &JsValue) -> Result<Evaluation, JsError> {
        let inputs = match to_json(inputs)? {
            Some(inputs) => serde_json::from_str(&inputs)?,
            None => Map::default(),
        };
        Ok(self.service(true)?.evaluate(&inputs))
    }

    /// Returns the plan as it is shown: with fulfilled requirements, and without secrets.
    fn shown_plan(&self) -> Result<Plan, JsError> {
        let program = &self.0.program;
        let resolution = resolve_program(program).map(|(resolution, _)| resolution);
        let options = Options { resolution: resolution.as_ref(), positions: true, ..Options::default() };
        Ok(Plan::of(program, options).ok_or_else(|| self.no_topology())?.0)
    }

    fn no_topology(&self) -> JsError {
        if self.is_service() { no_service() } else { self.missing("topology") }
    }
}

fn no_service() -> JsError {
    JsError::new("the template has no service; it may be a profile")
}

#[wasm_bindgen]
impl Outcome {
    /// Whether the template describes a service; a profile does not.
    #[wasm_bindgen(getter, js_name = hasService)]
    pub fn has_service(&self) -> bool {
        Subject::of(&self.0.program).is_some()
    }

    /// Returns the normal model of the service, optionally with source positions; for a template in another language,
    /// its model. Throws if there is none.
    #[wasm_bindgen(unchecked_return_type = "Service")]
    pub fn model(&self, positions: Option<bool>) -> Result<JsValue, JsError> {
        if !self.is_service() {
            return self.language_model();
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
    /// service. The older outcome can't be used afterward.
    #[wasm_bindgen(unchecked_return_type = "Plan")]
    pub fn plan(&self, old: Option<Outcome>) -> Result<JsValue, JsError> {
        if !self.is_service() && old.is_none() {
            return from_json(&self.shown_plan()?);
        }
        let service = self.evaluation(&JsValue::UNDEFINED)?.service;
        match old {
            Some(old) => from_json(&service.plan_from(&old.evaluation(&JsValue::UNDEFINED)?.service)),
            None => from_json(&service.plan()),
        }
    }

    /// Returns the plan as text, as the command writes it.
    #[wasm_bindgen(js_name = planText)]
    pub fn plan_text(&self) -> Result<String, JsError> {
        Ok(self.shown_plan()?.to_string())
    }

    /// Returns a diagram of the plan, with time from left to right.
    #[wasm_bindgen(js_name = planGraph)]
    pub fn plan_graph(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "GraphFormat")] format: Option<String>,
        #[wasm_bindgen(unchecked_optional_param_type = "GraphOptions")] options: JsValue,
    ) -> Result<String, JsError> {
        self.draw(&Timeline(&self.shown_plan()?), format.as_deref(), &options)
    }

    /// Returns a diagram of the topology. `html` is a page with zoom, search and the details of nodes.
    pub fn graph(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "GraphFormat")] format: Option<String>,
        #[wasm_bindgen(unchecked_optional_param_type = "GraphOptions")] options: JsValue,
    ) -> Result<String, JsError> {
        let subject = Subject::of(&self.0.program).ok_or_else(|| self.no_topology())?;
        self.draw(&subject, format.as_deref(), &options)
    }

    /// Returns a page with a form for the inputs of the service.
    #[wasm_bindgen(js_name = formPage)]
    pub fn form_page(&self) -> Result<String, JsError> {
        if !self.is_service() {
            return Ok(self.language_form()?.page());
        }
        Ok(form::of_entry(&self.0.program).ok_or_else(no_service)?.page())
    }
}
