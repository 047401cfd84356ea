//! Input forms: a JSON Schema of the requested values and an HTML page to fill them in.
//!
//! The schema (2020-12) is for form libraries of web pages and programs. [`Form::page`] is a self-contained HTML file that
//! validates the values and saves them as YAML.
//!
//! ```
//! use serde_json::json;
//! use tosca_parse_form::Form;
//!
//! let form = Form { schema: json!({ "properties": { "port": { "type": "integer" } } }), file: "inputs.yaml" };
//! assert!(form.page().starts_with("<!doctype html>"));
//! ```

mod page;

pub use page::page;

/// A form for values that a user fills in.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The JSON Schema (2020-12) of the values.
    pub schema: serde_json::Value,
    /// The name of the file that the page saves.
    pub file: &'static str,
}

/// A source of forms.
pub trait ToForm {
    /// Creates the form.
    fn to_form(&self) -> Form;
}

impl Form {
    /// Creates the form of a source, such as the inputs of a service.
    pub fn of(source: &impl ToForm) -> Self {
        source.to_form()
    }

    /// Returns the form as an HTML page.
    pub fn page(&self) -> String {
        page(&self.schema, self.file)
    }
}
