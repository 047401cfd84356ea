//! `tosca-parse` for JavaScript: in browsers, in Node.js, and wherever else WebAssembly runs.
//!
//! Programs have only the files that they write, because there is no file system and no network. Results are plain
//! JavaScript data with the types of `tosca-parse --format json` and `--emit json`.
//!
//! The features are modules of the package: `templates` for TOSCA, Heat, Cloudify and Yay; `murano` for `MuranoPL` and
//! YAQL. Both have the parser and the language server.

mod convert;
mod files;
mod languages;
#[cfg(feature = "murano")]
mod murano;
mod options;
mod outcome;
mod parser;
mod server;
#[cfg(feature = "templates")]
mod service;
#[cfg(feature = "murano")]
mod yaql;
#[cfg(feature = "templates")]
mod yay;

pub use outcome::Outcome;
pub use parser::Parser;
pub use server::LanguageServer;

use tosca_parse_engine::rules;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

#[cfg(feature = "templates")]
#[wasm_bindgen(typescript_custom_section)]
const TEMPLATE_TYPES: &str = include_str!("templates.d.ts");

#[cfg(feature = "murano")]
#[wasm_bindgen(typescript_custom_section)]
const MURANO_TYPES: &str = include_str!("murano.d.ts");

/// Returns the explanation of a rule as Markdown, with a wrong and a right example; `undefined` for unknown rules.
#[wasm_bindgen]
pub fn explain(code: &str) -> Option<String> {
    rules::find(&languages::RULES, code).map(|docs| docs.text.to_string())
}
