//! An in-memory editor. A test fails if it leaves messages of the server unread.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tosca_parse::entity::Language;
use tosca_parse::source::{Address, FileProvider, Provider, ReadError};
use tosca_parse::{Entry, Parser, TOSCA};
use tosca_parse_fmt::{Keynames, Options};
use tosca_parse_server::{Connection, Failure, Host, Message, Notification, Overlay, Request, RequestId, Response};

/// A timeout longer than any operation.
const PATIENCE: Duration = Duration::from_secs(60);

/// The time to wait for a message that must not arrive.
const QUIET: Duration = Duration::from_millis(150);

pub(crate) struct Editor {
    connection: Connection,
    server: Option<JoinHandle<Result<(), Failure>>>,
    unread: VecDeque<Message>,
    requests: i32,
    versions: i32,
    folder: TempDir,
    /// The server's answer to `initialize`.
    pub(crate) initialized: Value,
    /// The recorded messages, for comparison.
    pub(crate) seen: String,
}

/// A provider of the files named `gated.yaml`, which can't be read before the file `open` next to them exists. Until
/// then, there is a file `waiting`.
struct Gate;

impl Provider for Gate {
    fn serves(&self, address: &Address) -> bool {
        address.file_name() == "gated.yaml" && FileProvider.serves(address)
    }

    fn identity(&self, address: &Address) -> Address {
        FileProvider.identity(address)
    }

    fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        let path = address.to_path().unwrap();
        let open = path.with_file_name("open");
        std::fs::write(path.with_file_name("waiting"), "").unwrap();
        let start = std::time::Instant::now();
        while !open.exists() && start.elapsed() < 2 * PATIENCE {
            std::thread::sleep(Duration::from_millis(2));
        }
        FileProvider.read(address, limit)
    }

    fn exists(&self, address: &Address) -> bool {
        FileProvider.exists(address)
    }
}

/// A host without the features of the command.
pub(crate) struct Plain {
    pub(crate) parser: Parser,
}

impl Host for Plain {
    fn name(&self) -> &'static str {
        "plain"
    }

    fn entry(&mut self, file: &Address) -> Result<(Parser, Entry), String> {
        match file.file_name() {
            "misconfigured.yaml" => Err("the configuration is wrong".to_owned()),
            _ => Ok((self.parser.clone(), Entry::at(file.clone()))),
        }
    }

    fn is_ours(&self, file: &Address, text: &str) -> bool {
        (TOSCA.claims)(file.file_name(), text)
    }

    fn style(&mut self, file: &Address) -> Options {
        let is_ordered = file.file_name() == "ordered.yaml";
        Options { keynames: if is_ordered { Keynames::Standard } else { Keynames::Source }, ..Options::default() }
    }

    fn language(&self, _: &Address, _: &str) -> Option<&'static Language> {
        Some(&TOSCA)
    }

    fn find(&mut self, folder: &std::path::Path) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_file())
            .collect();
        files.sort();
        files
    }
}

/// Returns the capabilities of an editor that pulls diagnostics.
pub(crate) fn modern() -> Value {
    json!({
        "textDocument": {
            "diagnostic": { "relatedDocumentSupport": true },
            "completion": { "completionItem": {
                "snippetSupport": true, "insertTextModeSupport": { "valueSet": [1, 2] },
            } },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
        },
        "workspace": { "diagnostics": { "refreshSupport": true }, "workspaceEdit": { "documentChanges": true } },
    })
}

/// Returns the capabilities of an editor that receives pushed diagnostics.
pub(crate) fn plain() -> Value {
    json!({ "textDocument": {
        "publishDiagnostics": { "relatedInformation": true },
        "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
    } })
}

impl Editor {
    pub(crate) fn new(capabilities: &Value) -> Self {
        Self::with_files(capabilities, &[])
    }

    /// Creates an editor in a folder with files, which are indexed before anything else.
    pub(crate) fn with_files(capabilities: &Value, files: &[(&str, &str)]) -> Self {
        let mut editor = Self::unread(capabilities, files);
        // Existing files are indexed before others are added.
        editor.ask("workspace/symbol", json!({ "query": "" }));
        editor
    }

    /// Creates an editor in a folder with files that have not been read yet.
    pub(crate) fn unread(capabilities: &Value, files: &[(&str, &str)]) -> Self {
        let (connection, other) = Connection::memory();
        let folder = TempDir::new().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let directory = folder.path().to_owned();
        let server = std::thread::spawn(move || {
            let overlay = Overlay::default();
            let provider = std::sync::Arc::new(overlay.clone());
            let yay = std::sync::Arc::new(tosca_parse::yay::host::Yay::default().environment(true));
            let gate = std::sync::Arc::new(Gate);
            let builder = Parser::builder(&TOSCA).directory(directory).provider(provider).provider(gate).offline(true);
            let parser = builder.syntax(yay).build().unwrap();
            tosca_parse_server::run(Box::new(Plain { parser }), overlay, &other)
        });
        let (unread, requests, versions) = (VecDeque::new(), 0, 0);
        let mut editor = Self {
            connection,
            server: Some(server),
            unread,
            requests,
            versions,
            folder,
            initialized: Value::Null,
            seen: String::new(),
        };
        let folders = json!([{ "uri": editor.uri(""), "name": "test" }]);
        let initialize = json!({ "capabilities": capabilities, "workspaceFolders": folders });
        editor.initialized = editor.ask("initialize", initialize);
        editor.notify("initialized", json!({}));
        editor
    }

    /// Returns the URI of a file in the folder.
    pub(crate) fn uri(&self, file: &str) -> String {
        format!("file://{}/{file}", self.folder.path().display())
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    /// Writes a file that is not open.
    pub(crate) fn write(&self, file: &str, text: &str) {
        // The server must not see a half-written file.
        let half = self.path(".half");
        std::fs::write(&half, text).unwrap();
        std::fs::rename(half, self.path(file)).unwrap();
    }

    fn send(&self, message: impl Into<Message>) {
        self.connection.sender.send(message.into()).unwrap();
    }

    /// Answers a request of the server without an error.
    pub(crate) fn agree(&mut self, number: i32) {
        let id = RequestId::from(format!("server-{number}"));
        self.send(Response::new_ok(id, Value::Null));
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params });
    }

    /// Sends a request without waiting for the answer.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> i32 {
        self.requests += 1;
        self.send(Request { id: RequestId::from(self.requests), method: method.to_owned(), params });
        self.requests
    }

    /// Waits for the answer to a request; messages before it are read later.
    pub(crate) fn response(&mut self, id: i32) -> Response {
        let is_answer =
            |message: &Message| matches!(message, Message::Response(response) if response.id == RequestId::from(id));
        if let Some(place) = self.unread.iter().position(is_answer) {
            let Some(Message::Response(response)) = self.unread.remove(place) else { unreachable!() };
            return response;
        }
        loop {
            match self.connection.receiver.recv_timeout(PATIENCE).unwrap() {
                Message::Response(response) if response.id == RequestId::from(id) => return response,
                other => self.unread.push_back(other),
            }
        }
    }

    /// Sends a request and waits for the reason why it is refused.
    pub(crate) fn refused(&mut self, method: &str, params: Value) -> String {
        let id = self.request(method, params);
        let reason = self.response(id).response_result.unwrap_err().message;
        self.without_folder(&reason).replace(&format!("{}/", self.folder.path().display()), "")
    }

    /// Waits until the server reads `gated.yaml`.
    pub(crate) fn wait_for_gate(&self) {
        let start = std::time::Instant::now();
        while !self.path("waiting").exists() {
            assert!(start.elapsed() < PATIENCE, "`gated.yaml` is not read");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Sends a request and waits for the answer.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        self.response(id).response_result.unwrap()
    }

    /// Returns the method and parameters of the next message that is not an answer. Requests of the server are not
    /// answered.
    pub(crate) fn next(&mut self) -> (String, Value) {
        let receiver = &self.connection.receiver;
        let message = self.unread.pop_front().or_else(|| receiver.recv_timeout(PATIENCE).ok());
        let message = message.unwrap_or_else(|| panic!("there is no message after\n{}", self.seen));
        match message {
            Message::Notification(notification) => (notification.method, notification.params),
            Message::Request(request) => (request.method, request.params),
            Message::Response(response) => panic!("unexpected answer: {response:?}"),
        }
    }

    /// Returns whether messages have arrived that were not read.
    pub(crate) fn has_unread(&self) -> bool {
        !self.unread.is_empty()
    }

    /// Asserts that there is no unread message, and that none arrives for a while.
    pub(crate) fn is_quiet(&mut self) {
        assert!(self.unread.is_empty(), "{:?}", self.unread);
        if let Ok(message) = self.connection.receiver.recv_timeout(QUIET) {
            panic!("{message:?}");
        }
    }

    pub(crate) fn open(&mut self, file: &str, text: &str) {
        self.versions += 1;
        let document = json!({ "uri": self.uri(file), "languageId": "yaml", "version": self.versions, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(crate) fn change(&mut self, file: &str, changes: Value) {
        self.versions += 1;
        let document = json!({ "uri": self.uri(file), "version": self.versions });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    pub(crate) fn replace(&mut self, file: &str, text: &str) {
        self.change(file, json!([{ "text": text }]));
    }

    pub(crate) fn close(&mut self, file: &str) {
        let uri = self.uri(file);
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    /// Records the next published problems: the file, its version, and the position, code and message of each problem.
    pub(crate) fn see_problems(&mut self) {
        let (method, params) = self.next();
        assert_eq!(method, "textDocument/publishDiagnostics", "{params}");
        let uri = params["uri"].as_str().unwrap();
        let version = params.get("version").map(|version| format!(" {version}")).unwrap_or_default();
        let mut text = format!("{}{version}\n", self.without_folder(uri));
        for problem in params["diagnostics"].as_array().unwrap() {
            text.push_str(&line(problem));
        }
        self.see(&text);
    }

    /// Records text for comparison.
    pub(crate) fn see(&mut self, text: &str) {
        let text = self.without_folder(text.trim_end());
        self.seen.push_str(&text);
        self.seen.push('\n');
    }

    /// Records text with its indentation.
    pub(crate) fn see_indented(&mut self, text: &str) {
        self.seen.push_str(text);
        self.seen.push('\n');
    }

    /// Returns the proposals at a position: the label, the inserted text if it differs, and the detail.
    pub(crate) fn complete(&mut self, file: &str, line: usize, character: usize) -> Vec<String> {
        let position = json!({ "line": line, "character": character });
        let list = self
            .ask("textDocument/completion", json!({ "textDocument": { "uri": self.uri(file) }, "position": position }));
        let items = list["items"].as_array().cloned().unwrap_or_default();
        let shown = |item: &Value| {
            let (label, text) = (item["label"].as_str().unwrap(), item["textEdit"]["newText"].as_str().unwrap());
            let text = if text == label { String::new() } else { format!(" → {text:?}") };
            let detail = item["detail"].as_str().map(|detail| format!(" ({detail})")).unwrap_or_default();
            format!("{label}{text}{detail}")
        };
        items.iter().map(shown).collect()
    }

    /// Returns the text without the URI of the folder.
    pub(crate) fn without_folder(&self, text: &str) -> String {
        text.replace(&self.uri(""), "")
    }
}

/// Formats a problem as one line.
pub(crate) fn line(problem: &Value) -> String {
    let message = problem["message"].as_str().unwrap().replace('\n', "; ");
    format!("  {} {}: {message}\n", range(&problem["range"]), problem["code"].as_str().unwrap())
}

/// Formats a range as `line:character-line:character`.
pub(crate) fn range(range: &Value) -> String {
    let place = |place: &Value| format!("{}:{}", place["line"], place["character"]);
    format!("{}-{}", place(&range["start"]), place(&range["end"]))
}

impl Drop for Editor {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let id = self.request("shutdown", Value::Null);
        assert_eq!(self.response(id).response_result.unwrap(), Value::Null);
        self.notify("exit", Value::Null);
        self.server.take().unwrap().join().unwrap().unwrap();
        assert!(self.unread.is_empty(), "unread: {:?}", self.unread);
        let left: Vec<Message> = self.connection.receiver.try_iter().collect();
        assert!(left.is_empty(), "unread: {left:?}");
    }
}

/// Returns the edits of a workspace edit by document, whichever way it is written.
pub(super) fn edits_of(edit: &Value) -> Map<String, Value> {
    let versioned =
        edit["documentChanges"].as_array().into_iter().flatten().filter(|change| change.get("kind").is_none());
    let versioned = versioned.map(|change| {
        let uri = change["textDocument"]["uri"].as_str().unwrap();
        (uri.to_owned(), change["edits"].clone())
    });
    edit["changes"].as_object().cloned().into_iter().flatten().chain(versioned).collect()
}
