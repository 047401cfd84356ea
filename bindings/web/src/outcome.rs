//! The result of parsing a file.

use tosca_parse_engine::diagnostic::render::{Document, Terminal};
use tosca_parse_engine::entity::Language;
use tosca_parse_library::form::{self, Form};
use tosca_parse_library::graph::{Direction, Graph, Marked, Options, ToGraph, View};
use wasm_bindgen::prelude::*;

use crate::convert::from_json;
use crate::languages::LANGUAGES;

/// The result of parsing a template: its problems, and the service that it describes.
#[wasm_bindgen]
pub struct Outcome(pub(crate) tosca_parse_engine::Outcome);

impl Outcome {
    pub(crate) fn new(outcome: tosca_parse_engine::Outcome) -> Self {
        Self(outcome)
    }

    pub(crate) fn spoken(&self) -> &'static Language {
        self.0.program.language().unwrap_or(LANGUAGES[0])
    }

    /// Returns the model of a file in a language without services.
    pub(crate) fn language_model(&self) -> Result<JsValue, JsError> {
        let model = (self.spoken().model)(&self.0.program).and_then(Result::ok).filter(|_| self.is_valid());
        from_json(&model.ok_or_else(|| self.missing("model"))?)
    }

    /// Returns the form for the inputs of a file in a language without services.
    pub(crate) fn language_form(&self) -> Result<Form, JsError> {
        form::of_language(&self.0.program).filter(|_| self.is_valid()).ok_or_else(|| self.missing("form"))
    }

    /// Draws a source, with marks for the problems of its nodes.
    pub(crate) fn draw(
        &self,
        source: &impl ToGraph,
        format: Option<&str>,
        options: &JsValue,
    ) -> Result<String, JsError> {
        let view = view(options)?;
        let source = Marked { source, units: &self.0.program, problems: &self.0.diagnostics };
        let graph = Graph::viewed(&source, Options::default(), &view)?;
        written(&graph, format)
    }

    pub(crate) fn missing(&self, title: &str) -> JsError {
        JsError::new(&format!("there is no {title} of this {} file", self.spoken().name))
    }
}

/// Options of a diagram, as `types.d.ts` describes them.
#[derive(Default, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct GraphOptions {
    nest: bool,
    legend: bool,
    direction: Option<String>,
    focus: Vec<String>,
    depth: Option<usize>,
}

fn view(options: &JsValue) -> Result<View, JsError> {
    let options = match crate::convert::to_json(options)? {
        Some(text) => serde_json::from_str(&text)?,
        None => GraphOptions::default(),
    };
    let direction = match options.direction.as_deref() {
        None => None,
        Some("down") => Some(Direction::Down),
        Some("up") => Some(Direction::Up),
        Some("right") => Some(Direction::Right),
        Some("left") => Some(Direction::Left),
        Some(other) => return Err(JsError::new(&format!("there is no direction `{other}`"))),
    };
    let GraphOptions { nest, legend, focus, depth, .. } = options;
    Ok(View { nest, legend, focus, depth: depth.unwrap_or(1), direction, ..View::default() })
}

/// Writes a graph in a format.
pub(crate) fn written(graph: &Graph, format: Option<&str>) -> Result<String, JsError> {
    Ok(graph.written(format.unwrap_or("svg").parse()?)?)
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
        self.spoken().name.to_owned()
    }

    /// Whether there is no error.
    #[wasm_bindgen(getter, js_name = isValid)]
    pub fn is_valid(&self) -> bool {
        self.0.is_valid()
    }

    /// Returns the problems in the format of the command, with source lines.
    pub fn render(&self) -> String {
        Terminal::new(&self.0.diagnostics, &self.0.sources).to_string()
    }
}

/// The content of a file in `MuranoPL`. The module with templates has these functions for services.
#[cfg(not(feature = "templates"))]
#[wasm_bindgen]
impl Outcome {
    /// Whether the file is an object model.
    #[wasm_bindgen(getter, js_name = hasService)]
    pub fn has_service(&self) -> bool {
        self.language_model().is_ok()
    }

    /// Returns the object model with the defaults of its classes. Throws if the file is not a model.
    #[wasm_bindgen(unchecked_return_type = "any")]
    pub fn model(&self) -> Result<JsValue, JsError> {
        self.language_model()
    }

    /// Returns a diagram of the classes or objects.
    pub fn graph(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "GraphFormat")] format: Option<String>,
        #[wasm_bindgen(unchecked_optional_param_type = "GraphOptions")] options: JsValue,
    ) -> Result<String, JsError> {
        let drawing = tosca_parse_library::murano::graph::Drawing(&self.0.program);
        self.draw(&drawing, format.as_deref(), &options)
    }

    /// Returns a page with a form for the file. Throws if there is none.
    #[wasm_bindgen(js_name = formPage)]
    pub fn form_page(&self) -> Result<String, JsError> {
        Ok(self.language_form()?.page())
    }
}
