//! Forms: what whoever deploys a service is asked for, as a JSON Schema and as a page.
//!
//! The inputs of a service have types, defaults, descriptions and validation clauses; a [`Form`] says all of this in
//! JSON Schema (2020-12), which form libraries of web pages and of programs know. [`Form::page`] is a form of its own:
//! one file of HTML without anything from elsewhere, that validates what is filled in and writes it as a file of inputs.
//!
//! A schema says what JSON Schema can say. What a clause demands beyond that (comparisons of numbers with units,
//! functions of one's own) is left to the parser, to which the inputs are given in the end.
//!
//! ```
//! use tosca_parse::form::Form;
//! use tosca_parse::normal::Service;
//! use tosca_parse::{Entry, Parser, TOSCA};
//!
//! let parser = Parser::builder(&TOSCA).build()?;
//! let text = "
//! tosca_definitions_version: tosca_2_0
//! service_template:
//!   inputs:
//!     port: { type: integer, validation: { $less_than: [ $value, 65536 ] } }
//!   node_templates: {}
//! ";
//! let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml")?, text));
//! let form = Form::of(&Service::of(&outcome.program).expect("there is a service template"));
//! assert_eq!(form.schema["properties"]["port"]["exclusiveMaximum"], 65536);
//! assert_eq!(form.schema["required"][0], "port");
//! assert!(form.page().starts_with("<!doctype html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "murano")]
mod class;
mod clause;
mod page;
mod schema;

use crate::normal::Service;

pub use page::page;

/// What is asked for before a service is deployed.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The JSON Schema (2020-12) of a map of inputs.
    pub schema: serde_json::Value,
    /// The name of the file that the page writes.
    pub file: &'static str,
}

impl Form {
    /// The form of the inputs of a service.
    pub fn of(service: &Service) -> Self {
        Self { schema: schema::of_inputs(service), file: "inputs.yaml" }
    }

    /// A page on which the form can be filled in.
    pub fn page(&self) -> String {
        page(&self.schema, self.file)
    }
}
