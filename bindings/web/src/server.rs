//! The language server.

use std::sync::Arc;

use tosca_parse_engine::entity::Language;
use tosca_parse_engine::source::Address;
use tosca_parse_engine::{Entry, Parser};
use tosca_parse_server::{Host, LocalServer, Message, Overlay};
use wasm_bindgen::prelude::*;

use crate::files::Files;
use crate::languages;

/// A language server, with which an editor in the same program exchanges messages.
#[wasm_bindgen]
pub struct LanguageServer {
    inner: LocalServer<'static>,
    parser: Parser,
    files: Files,
}

#[wasm_bindgen]
impl LanguageServer {
    /// Creates a server. The first message must be the request `initialize`.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Result<Self, JsError> {
        let (overlay, files) = (Overlay::default(), Files::default());
        let builder = languages::builder().directory("/").provider(Arc::new(overlay.clone()));
        let parser = builder.provider(Arc::new(files.clone())).build()?;
        let host = Program { parser: parser.clone() };
        Ok(Self { inner: LocalServer::new(Box::new(host), overlay), parser, files })
    }

    /// Writes a file that the editor has not opened, or replaces it.
    pub fn write(&self, path: &str, text: &str) -> Result<(), JsError> {
        self.files.0.insert(self.parser.address(path)?, text);
        Ok(())
    }

    /// Lets templates import a file, which is written or opened, as the profile with the given name.
    #[wasm_bindgen(js_name = setProfile)]
    pub fn set_profile(&self, name: &str, path: &str) -> Result<(), JsError> {
        self.files.0.insert_profile(name, self.parser.address(path)?);
        Ok(())
    }

    /// Handles a message of the Language Server Protocol, as JSON without headers; returns the messages to the editor,
    /// in order. Throws if it is not a message.
    pub fn handle(&mut self, message: &str) -> Result<Vec<String>, JsError> {
        let message: Message = serde_json::from_str(message)?;
        let answers = self.inner.handle(message);
        answers.iter().map(|answer| Ok(serde_json::to_string(&Framed { jsonrpc: "2.0", answer })?)).collect()
    }
}

/// A message with the version of its protocol.
#[derive(serde::Serialize)]
struct Framed<'a> {
    jsonrpc: &'static str,
    #[serde(flatten)]
    answer: &'a Message,
}

/// The program, from the point of view of the server.
struct Program {
    parser: Parser,
}

impl Host for Program {
    fn name(&self) -> &'static str {
        "tosca-parse"
    }

    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    fn entry(&mut self, file: &Address) -> Result<(Parser, Entry), String> {
        Ok((self.parser.clone(), Entry::at(file.clone())))
    }

    fn is_ours(&self, file: &Address, text: &str) -> bool {
        languages::claim(file.file_name(), text)
    }

    fn language(&self, file: &Address, text: &str) -> Option<&'static Language> {
        languages::of_plain_file(file.file_name(), text)
    }
}
