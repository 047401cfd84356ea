//! Parsers of templates.

use std::sync::Arc;

use tosca_parse_engine::Entry;
use tosca_parse_engine::source::Address;
use wasm_bindgen::prelude::*;

use crate::convert::to_json;
use crate::files::Files;
use crate::languages::{self, LANGUAGES};
use crate::options;
use crate::outcome::Outcome;

/// Parses service templates.
#[wasm_bindgen]
pub struct Parser {
    inner: tosca_parse_engine::Parser,
    files: Files,
    /// The values of the languages' options, for all templates.
    options: Vec<(String, Address)>,
}

#[wasm_bindgen]
impl Parser {
    /// Creates a parser, which caches sources. Throws if an option is unknown or invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "ParserOptions")] options: JsValue,
    ) -> Result<Self, JsError> {
        let files = Files::default();
        let mut options = options::read(&options)?;
        let given = std::mem::take(&mut options.of_languages);
        let inner = options.apply(languages::builder())?.directory("/").provider(Arc::new(files.clone())).build()?;
        let mut options = Vec::new();
        for (name, values) in given {
            if !LANGUAGES.iter().any(|language| language.option(&name).is_some()) {
                return Err(JsError::new(&format!("no language has an option `{name}`")));
            }
            for value in values {
                options.push((name.clone(), inner.address(&value)?));
            }
        }
        Ok(Self { inner, files, options })
    }

    /// Writes a file, or replaces it. Other files import it by this path.
    pub fn write(&self, path: &str, text: &str) -> Result<(), JsError> {
        self.files.0.insert(self.inner.address(path)?, text);
        Ok(())
    }

    /// Removes a file, and returns whether it existed.
    pub fn remove(&self, path: &str) -> Result<bool, JsError> {
        Ok(self.files.0.remove(&self.inner.address(path)?))
    }

    /// Writes a profile, which can be imported by its name.
    #[wasm_bindgen(js_name = writeProfile)]
    pub fn write_profile(&self, name: &str, text: &str) -> Result<(), JsError> {
        let address = self.inner.address(&format!("profiles/{name}.yaml"))?;
        self.files.0.insert(address.clone(), text);
        self.files.0.insert_profile(name, address);
        Ok(())
    }

    /// Lets templates import one of the files as the profile with the given name.
    #[wasm_bindgen(js_name = setProfile)]
    pub fn set_profile(&self, name: &str, path: &str) -> Result<(), JsError> {
        self.files.0.insert_profile(name, self.inner.address(path)?);
        Ok(())
    }

    /// Parses one of the files as a service template, with values for its inputs.
    pub fn parse(
        &self,
        path: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "Record<string, unknown>")] inputs: JsValue,
    ) -> Result<Outcome, JsError> {
        let options = self.options.iter().cloned();
        let entry = Entry::at(self.inner.address(path)?);
        let entry = options.fold(entry, |entry, (name, value)| entry.option(name, value));
        let entry = match to_json(&inputs)? {
            Some(inputs) => entry.inputs("inputs", inputs),
            None => entry,
        };
        Ok(Outcome::new(self.inner.parse_entry(entry)))
    }
}
