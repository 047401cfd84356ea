//! An editor with all languages in the same thread, for many requests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;
use tosca_parse::entity::Language;
use tosca_parse::source::{Address, FileProvider, Provider as _};
use tosca_parse::{Entry, LANGUAGES, Parser, ParserBuilder};
use tosca_parse_server::{Host, LocalServer, Message, Overlay};

/// Returns the builder of a parser for all languages.
fn builder(folder: &Path) -> ParserBuilder {
    let [first, others @ ..] = LANGUAGES else { unreachable!() };
    let builder = others.iter().fold(Parser::builder(first), |builder, language| builder.language(language));
    let yay = Arc::new(tosca_parse::yay::host::Yay::default());
    builder.directory(folder.to_owned()).syntax(yay).offline(true)
}

struct Polyglot {
    parser: Parser,
    max_imports: usize,
}

impl Host for Polyglot {
    fn name(&self) -> &'static str {
        "polyglot"
    }

    fn entry(&mut self, file: &Address) -> Result<(Parser, Entry), String> {
        Ok((self.parser.clone(), Entry::at(file.clone())))
    }

    fn max_imports(&mut self) -> usize {
        self.max_imports
    }

    fn is_ours(&self, file: &Address, text: &str) -> bool {
        LANGUAGES.iter().any(|language| (language.claims)(file.file_name(), text))
    }

    fn language(&self, file: &Address, text: &str) -> Option<&'static Language> {
        LANGUAGES.iter().copied().find(|language| (language.claims)(file.file_name(), text))
    }

    fn find(&mut self, folder: &Path) -> Vec<PathBuf> {
        let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = paths.partition(|path| path.is_dir());
        let is_ours = |path: &PathBuf| {
            let address = Address::from_path(path, path);
            let bytes = FileProvider.read(&address, u64::MAX).unwrap_or_default();
            self.is_ours(&address, &String::from_utf8(bytes).unwrap_or_default())
        };
        let mut files: Vec<PathBuf> = files.into_iter().filter(is_ours).collect();
        files.extend(folders.iter().flat_map(|folder| self.find(folder)));
        files.sort();
        files
    }
}

/// An editor in a folder.
pub(super) struct Desk {
    server: LocalServer<'static>,
    folder: TempDir,
    /// A parser of the files.
    pub(super) parser: Parser,
    number: i32,
    /// The published problems, by URI.
    problems: BTreeMap<String, Vec<Value>>,
    /// The other messages of the server.
    pub(super) sent: Vec<Value>,
}

impl Desk {
    pub(super) fn new(capabilities: &Value, files: &[(&str, &str)]) -> Self {
        Self::limited(capabilities, files, 30_000)
    }

    /// Creates an editor that limits the imports of all files.
    pub(super) fn limited(capabilities: &Value, files: &[(&str, &str)], max_imports: usize) -> Self {
        let folder = TempDir::new().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let overlay = Overlay::default();
        let parser = builder(folder.path()).provider(Arc::new(overlay.clone())).build().unwrap();
        let server = LocalServer::new(Box::new(Polyglot { parser, max_imports }), overlay);
        let parser = builder(folder.path()).build().unwrap();
        let mut desk = Self { server, folder, parser, number: 0, problems: BTreeMap::new(), sent: Vec::new() };
        let folders = json!([{ "uri": desk.uri(""), "name": "test" }]);
        desk.ask("initialize", json!({ "capabilities": capabilities, "workspaceFolders": folders })).unwrap();
        desk.notify("initialized", json!({}));
        desk
    }

    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    pub(super) fn uri(&self, file: &str) -> String {
        format!("file://{}/{file}", self.folder.path().display())
    }

    /// Returns the name of the file with a URI.
    pub(super) fn name<'u>(&self, uri: &'u str) -> &'u str {
        &uri[self.uri("").len()..]
    }

    fn send(&mut self, message: Value) -> Option<Value> {
        let mut answer = None;
        for sent in self.server.handle(serde_json::from_value(message).unwrap()) {
            let is_answer = matches!(sent, Message::Response(_));
            let mut sent = serde_json::to_value(sent).unwrap();
            if is_answer {
                answer = Some(sent);
            } else if sent["method"] == "textDocument/publishDiagnostics" {
                let problems = sent["params"]["diagnostics"].as_array().unwrap().clone();
                self.problems.insert(sent["params"]["uri"].as_str().unwrap().to_owned(), problems);
            } else {
                self.sent.push(sent.take());
            }
        }
        answer
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "method": method, "params": params }));
    }

    /// Sends a request; returns the answer, or the reason why the request is refused.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.number += 1;
        let answer = self.send(json!({ "id": self.number, "method": method, "params": params }));
        let answer = answer.unwrap_or_else(|| panic!("there is no answer to {method}"));
        match answer["error"]["message"].as_str() {
            Some(reason) => Err(reason.to_owned()),
            None => Ok(answer["result"].clone()),
        }
    }

    pub(super) fn open(&mut self, file: &str, text: &str) {
        self.number += 1;
        let document = json!({ "uri": self.uri(file), "languageId": "yaml", "version": self.number, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(super) fn replace(&mut self, file: &str, text: &str) {
        self.number += 1;
        let document = json!({ "uri": self.uri(file), "version": self.number });
        let changes = json!([{ "text": text }]);
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    pub(super) fn close(&mut self, file: &str) {
        let uri = self.uri(file);
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    /// Reports a change to a file by another program.
    pub(super) fn report_change(&mut self, file: &str, kind: u32) {
        let uri = self.uri(file);
        self.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": kind }] }));
    }

    /// Returns the codes of the published problems of a file.
    pub(super) fn codes(&self, file: &str) -> Vec<&str> {
        let problems = self.problems.get(&self.uri(file)).into_iter().flatten();
        problems.map(|problem| problem["code"].as_str().unwrap()).collect()
    }
}
