//! Forms for the inputs of a service, as a JSON Schema and as an HTML page.
//!
//! Inputs have types, defaults, descriptions, and validation clauses; a [`Form`] expresses them in JSON Schema
//! (2020-12). Clauses that JSON Schema cannot express (comparisons of scalars with units, custom functions) are left to
//! the parser, which validates the submitted inputs.
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

mod clause;
mod mask;
mod schema;

pub use tosca_parse_form::*;

use crate::entity::InputForm;
use crate::normal::{Options, Service};
use crate::phase::Program;
use crate::phase::inheritance::Complete;

/// Returns the form for the inputs of what the entry of a program describes, without secrets; `None` if it has no
/// inputs, as in a profile.
pub fn of_entry(program: &Program<Complete>) -> Option<Form> {
    if let Some(form) = of_language(program) {
        return Some(form);
    }
    let service = Service::without_nodes(program, Options::default())?;
    let secrets = program.secrets();
    Some(mask::masked(Form::of(&service.without_secret_defaults(&secrets).masked(&secrets)), &secrets))
}

/// Returns the form of a program in a language without services, without secrets; `None` if it has no form.
pub fn of_language(program: &Program<Complete>) -> Option<Form> {
    let InputForm { schema, file } = (program.language()?.form)(program)?;
    Some(mask::masked(Form { schema, file }, &program.secrets()))
}

impl ToForm for Service {
    fn to_form(&self) -> Form {
        Form { schema: schema::of_inputs(self), file: "inputs.yaml" }
    }
}
