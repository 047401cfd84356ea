//! The main loop: messages in, messages out.

mod capabilities;
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, at, never, select};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tosca_parse::rules;
use tosca_parse::source::Address;

use crate::answers::{self, Answer};
use crate::completion;
use crate::diagnostics;
use crate::documents::Documents;
use crate::format::{self, Part};
use crate::outline;
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{
    Client, CompletionParams, Diagnostic, DocumentDiagnosticParams, ExecuteCommandParams, PublishDiagnosticsParams,
    Uri, WorkspaceSymbolParams,
};
use crate::work::{self, Done, Job};
use crate::{Host, Overlay};
use capabilities::{capabilities, folders};

/// The reason why the server did not end normally.
#[derive(Debug)]
pub struct Failure(String);

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

/// The command that draws the diagram of a file: it takes a URI and returns SVG.
const PICTURE: &str = "tosca-parse.picture";

/// Serves an editor until it shuts the server down. The parsers of the host must ask `overlay` first.
///
/// # Errors
///
/// Returns an error if the editor violates the protocol, or disconnects without a shutdown.
pub fn run(host: &mut dyn Host, overlay: Overlay, connection: &Connection) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure(error.to_string());
    let (id, params) = connection.initialize_start().map_err(|error| failed(&error))?;
    let client = Client::of(&params);
    let answer = json!({
        "capabilities": capabilities(client),
        "serverInfo": { "name": host.name(), "version": host.version() },
    });
    connection.initialize_finish(id, answer).map_err(|error| failed(&error))?;
    let (jobs, done) = work::start().map_err(|error| failed(&error))?;
    let mut server = Server {
        host,
        client,
        sender: connection.sender.clone(),
        jobs,
        documents: Documents::new(overlay),
        folders: folders(&params),
        files: BTreeMap::new(),
        running: None,
        changed: Vec::new(),
        pending: Vec::new(),
        shown: BTreeMap::new(),
        complaints: BTreeSet::new(),
        requests: 0,
    };
    server.watch();
    server.look_around(&server.folders.clone());
    server.serve(connection, &done)
}

pub(crate) struct Server<'h> {
    pub(crate) host: &'h mut dyn Host,
    pub(crate) client: Client,
    sender: Sender<Message>,
    jobs: Sender<Job>,
    pub(crate) documents: Documents,
    folders: Vec<PathBuf>,
    /// The entries, by their addresses.
    files: BTreeMap<String, File>,
    /// The file that is being parsed.
    running: Option<String>,
    /// The files that have changed since it was started.
    changed: Vec<Address>,
    /// Requests that wait for a program.
    pending: Vec<Pending>,
    /// The problems that the editor shows, by file.
    shown: BTreeMap<String, Shown>,
    /// The configuration errors that the user has already seen.
    complaints: BTreeSet<String>,
    /// The number of requests sent to the editor.
    requests: i32,
}

/// An entry.
struct File {
    address: Address,
    /// The latest result.
    parsed: Option<Parsed>,
    /// When to parse again; `None` if the result is up to date.
    due: Option<Instant>,
    /// Its problems, by file.
    problems: BTreeMap<String, Vec<Diagnostic>>,
}

/// The problems of a file that the editor shows.
struct Shown {
    version: Option<i32>,
    problems: Vec<Diagnostic>,
}

struct Pending {
    id: RequestId,
    file: String,
    /// Whether the programs of all files must be up to date.
    needs_all: bool,
    answer: Answer,
}

impl Server<'_> {
    fn serve(&mut self, connection: &Connection, done: &Receiver<Done>) -> Result<(), Failure> {
        loop {
            self.parse_next();
            let next = self.files.values().filter_map(|file| file.due).min().filter(|_| self.running.is_none());
            let timer = next.map_or_else(never, at);
            select! {
                recv(connection.receiver) -> message => match message {
                    Ok(Message::Request(request)) if request.method == "shutdown" => {
                        for pending in std::mem::take(&mut self.pending) {
                            let message = "the server has been shut down".to_owned();
                            self.respond(Response::new_err(pending.id, ErrorCode::RequestCanceled as i32, message));
                        }
                        self.respond(Response::new_ok(request.id, Value::Null));
                        self.wait_for_exit(connection);
                        return Ok(());
                    }
                    Ok(Message::Request(request)) => self.request(request),
                    Ok(Message::Notification(notification)) if notification.method == "exit" => {
                        return Err(Failure("the editor asked for the end before it had announced it".to_owned()));
                    }
                    Ok(Message::Notification(notification)) => self.notification(notification),
                    Ok(Message::Response(_)) => {}
                    Err(_) => return Err(Failure("the editor has gone".to_owned())),
                },
                recv(done) -> done => match done {
                    Ok(done) => self.take(done),
                    Err(_) => return Err(Failure("the thread that parses has gone".to_owned())),
                },
                recv(timer) -> _ => {}
            }
        }
    }

    fn wait_for_exit(&self, connection: &Connection) {
        for message in &connection.receiver {
            match message {
                Message::Notification(notification) if notification.method == "exit" => return,
                Message::Request(request) => {
                    let message = "the server has been shut down".to_owned();
                    self.respond(Response::new_err(request.id, ErrorCode::InvalidRequest as i32, message));
                }
                _ => {}
            }
        }
    }

    fn respond(&self, response: Response) {
        // A disconnected editor is noticed when the next message is received.
        let _ = self.sender.send(response.into());
    }

    fn notify(&self, method: &str, params: impl serde::Serialize) {
        let _ = self.sender.send(Notification::new(method.to_owned(), params).into());
    }

    fn ask(&mut self, method: &str, params: &Value) {
        self.requests += 1;
        let id = RequestId::from(format!("server-{}", self.requests));
        let _ = self.sender.send(Request::new(id, method.to_owned(), params).into());
    }

    /// Asks the editor to report file changes, including changes by other programs.
    fn watch(&mut self) {
        if self.client.watches {
            let watchers = json!([{ "globPattern": "**/*.{yaml,yml,yay,csar,zip}" }]);
            let registration = json!({
                "id": "files",
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": { "watchers": watchers },
            });
            self.ask("client/registerCapability", &json!({ "registrations": [registration] }));
        }
    }

    /// Starts the next parse; files that requests wait for come first.
    fn parse_next(&mut self) {
        if self.running.is_some() {
            return;
        }
        let now = Instant::now();
        let is_awaited = |name: &String| self.pending.iter().any(|pending| pending.needs_all || pending.file == *name);
        let due = self.files.iter().filter_map(|(name, file)| Some((is_awaited(name), file.due?, name)));
        let first = due.filter(|(is_awaited, due, _)| *is_awaited || *due <= now);
        let Some((.., name)) = first.min_by_key(|(is_awaited, due, _)| (!is_awaited, *due)) else { return };
        let name = name.clone();
        let Some(file) = self.files.get_mut(&name) else { return };
        file.due = None;
        let address = file.address.clone();
        match self.host.entry(&address) {
            Ok((parser, entry)) => {
                self.changed.clear();
                self.running = Some(name);
                let _ = self.jobs.send(Job { file: address, parser, entry });
            }
            Err(message) => {
                file.parsed = None;
                file.problems.clear();
                // There will be no result, so pending requests get an empty answer.
                let waiting = std::mem::take(&mut self.pending);
                let (none, waiting) = waiting.into_iter().partition::<Vec<_>, _>(|pending| pending.file == name);
                self.pending = waiting;
                none.into_iter().for_each(|pending| self.respond(Response::new_ok(pending.id, Value::Null)));
                if self.complaints.insert(message.clone()) {
                    self.notify("window/showMessage", json!({ "type": 1, "message": message }));
                }
                self.show();
            }
        }
    }

    /// Stores the result for a file, unless the text has changed meanwhile.
    fn take(&mut self, done: Done) {
        self.running = None;
        let changed = std::mem::take(&mut self.changed);
        let (client, name) = (self.client, self.host.name());
        let Some(file) = self.files.get_mut(&done.file.to_string()) else { return };
        let Some(mut parsed) = done.parsed else { return };
        // The first parse also reads all imports, so its time does not predict that of the next.
        if file.parsed.is_none() {
            parsed.took = Duration::ZERO;
        }
        if changed.iter().any(|address| *address == file.address || concerns(&parsed, address)) {
            let now = Instant::now();
            file.due = Some(file.due.map_or(now, |due| due.max(now)));
            return;
        }
        file.problems = diagnostics::by_file(&parsed, client, name);
        file.parsed = Some(parsed);
        self.show();
        self.answer_pending();
    }

    /// Returns the problems of a file, from all programs that read it; those of its own program come first.
    fn problems(&self, name: &str) -> Vec<Diagnostic> {
        let own = self.files.get(name);
        let mut all = own.and_then(|file| file.problems.get(name)).cloned().unwrap_or_default();
        for (_, file) in self.files.iter().filter(|(other, _)| *other != name) {
            if let Some(problems) = file.problems.get(name) {
                diagnostics::add(&mut all, problems);
            }
        }
        all
    }

    /// Publishes the problems of every file for which they have changed.
    fn show(&mut self) {
        let mut names: BTreeSet<String> = self.files.values().flat_map(|file| file.problems.keys()).cloned().collect();
        names.extend(self.shown.keys().cloned());
        names.extend(self.files.keys().cloned());
        let is_open = |name: &String| Address::parse(name).is_ok_and(|address| self.documents.get(&address).is_some());
        let mut is_surprise = false;
        for name in names {
            // Problems of files that are about to be parsed are published afterward.
            if self.files.get(&name).is_some_and(|file| file.due.is_some() || file.parsed.is_none()) {
                continue;
            }
            let problems = self.problems(&name);
            let shown = self.shown.get(&name);
            // A newly opened document is also reported when it has no problems.
            let is_new = shown.is_none() && is_open(&name);
            if !is_new && shown.map_or(&[][..], |shown| &shown.problems) == problems {
                continue;
            }
            let Ok(address) = Address::parse(&name) else { continue };
            let document = self.documents.get(&address);
            let version = document.map(|document| document.version);
            is_surprise |= version.is_some() && shown.is_some_and(|shown| shown.version == version);
            if let Some(uri) = document.map(|document| document.uri.clone()).or_else(|| place::uri(&address)) {
                self.publish(uri, version, problems.clone());
            }
            if problems.is_empty() && !self.files.contains_key(&name) {
                self.shown.remove(&name);
            } else {
                self.shown.insert(name, Shown { version, problems });
            }
        }
        // An editor that has changed a document asks again by itself.
        if is_surprise && self.client.pulls && self.client.refreshes {
            self.ask("workspace/diagnostic/refresh", &Value::Null);
        }
    }

    fn publish(&self, uri: Uri, version: Option<i32>, diagnostics: Vec<Diagnostic>) {
        if !self.client.pulls {
            self.notify("textDocument/publishDiagnostics", PublishDiagnosticsParams { uri, version, diagnostics });
        }
    }

    /// Returns the available programs, each for the current text of its file.
    pub(crate) fn programs(&self) -> impl Iterator<Item = &Parsed> {
        self.files.values().filter_map(|file| file.parsed.as_ref())
    }

    /// Returns the program of a file.
    pub(crate) fn parsed(&self, file: &Address) -> Option<&Parsed> {
        self.files.get(&file.to_string())?.parsed.as_ref()
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        match method.as_str() {
            "textDocument/diagnostic" => self.fresh(id, params, |params: &DocumentDiagnosticParams| {
                (params.text_document.uri.clone(), Box::new(report))
            }),
            "textDocument/completion" => self.complete(id, params),
            "textDocument/hover" => self.fresh(id, params, answers::hover),
            "textDocument/definition" => self.fresh(id, params, answers::definition),
            "textDocument/references" => self.all(id, params, answers::references),
            "textDocument/documentSymbol" => self.fresh(id, params, answers::symbols),
            "textDocument/codeAction" => self.fresh(id, params, answers::actions),
            "textDocument/prepareRename" => self.fresh(id, params, answers::prepare_rename),
            "textDocument/rename" => self.all(id, params, answers::rename),
            "textDocument/documentLink" => self.fresh(id, params, answers::links),
            "textDocument/foldingRange" => self.fresh(id, params, answers::folding),
            "textDocument/semanticTokens/full" => self.fresh(id, params, answers::tokens),
            "textDocument/inlayHint" => self.fresh(id, params, answers::hints),
            "textDocument/formatting" | "textDocument/rangeFormatting" | "textDocument/onTypeFormatting" => {
                self.format(id, &method, &params);
            }
            "workspace/symbol" => self.find_symbols(id, params),
            "workspace/executeCommand" => self.execute(id, params),
            _ => {
                let message = format!("the server does not know `{method}`");
                self.respond(Response::new_err(id, ErrorCode::MethodNotFound as i32, message));
            }
        }
    }

    /// Answers a request about a file as soon as the program of its current text is available.
    fn fresh<P: DeserializeOwned>(&mut self, id: RequestId, params: Value, ask: impl FnOnce(&P) -> (Uri, Answer)) {
        self.wait(id, params, false, ask);
    }

    /// Answers a request as soon as the programs of all files are available.
    fn all<P: DeserializeOwned>(&mut self, id: RequestId, params: Value, ask: impl FnOnce(&P) -> (Uri, Answer)) {
        self.wait(id, params, true, ask);
    }

    fn wait<P: DeserializeOwned>(
        &mut self,
        id: RequestId,
        params: Value,
        needs_all: bool,
        ask: impl FnOnce(&P) -> (Uri, Answer),
    ) {
        let (uri, answer) = match serde_json::from_value::<P>(params) {
            Ok(params) => ask(&params),
            Err(error) => {
                return self.respond(Response::new_err(id, ErrorCode::InvalidParams as i32, error.to_string()));
            }
        };
        let file = place::address(&uri).map(|address| address.to_string()).unwrap_or_default();
        self.pending.push(Pending { id, file, needs_all, answer });
        self.answer_pending();
    }

    /// Answers a completion request immediately, from the latest program.
    fn complete(&mut self, id: RequestId, params: Value) {
        let Ok(params) = serde_json::from_value::<CompletionParams>(params) else {
            let message = "these are no parameters of a completion".to_owned();
            return self.respond(Response::new_err(id, ErrorCode::InvalidParams as i32, message));
        };
        let at = params.text_document_position_params;
        let file = place::address(&at.text_document.uri);
        let known = file.as_ref().and_then(|file| Some((file, self.parsed(file)?, self.documents.get(file)?)));
        let Some((file, parsed, document)) = known else {
            // The first program is not available yet.
            let file = file.map(|file| file.to_string()).unwrap_or_default();
            let answer: Answer =
                Box::new(move |server, file| {
                    let known = server.parsed(file).zip(server.documents.get(file));
                    let others: Vec<&Parsed> = server.programs().collect();
                    json!(known.map(|(parsed, open)| {
                        completion::complete(parsed, &others, file, &open.source, at.position)
                    }))
                });
            self.pending.push(Pending { id, file, needs_all: false, answer });
            return self.answer_pending();
        };
        let others: Vec<&Parsed> = self.programs().collect();
        let list = completion::complete(parsed, &others, file, &document.source, at.position);
        self.respond(Response::new_ok(id, json!(list)));
    }

    /// Formats an open text, or a part of it, as it is now.
    fn format(&mut self, id: RequestId, method: &str, params: &Value) {
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str).map(|uri| Uri(uri.to_owned()));
        let Some((uri, part)) = uri.zip(Part::of(method, params)) else {
            let message = "these are no parameters of formatting".to_owned();
            return self.respond(Response::new_err(id, ErrorCode::InvalidParams as i32, message));
        };
        let file = place::address(&uri).filter(|file| self.documents.get(file).is_some());
        let style = file.as_ref().map(|file| self.host.style(file)).unwrap_or_default();
        let open = file.as_ref().and_then(|file| self.documents.get(file));
        let edits = open.map_or(Value::Null, |open| format::edits(&open.source, &part, &style));
        self.respond(Response::new_ok(id, edits));
    }

    fn find_symbols(&mut self, id: RequestId, params: Value) {
        let query = serde_json::from_value::<WorkspaceSymbolParams>(params).map(|params| params.query);
        let query = query.unwrap_or_default();
        // The request is not about a particular file, so any will do.
        let file = self.files.keys().next().cloned().unwrap_or_default();
        let answer: Answer = Box::new(move |server, _| json!(outline::find(server.programs(), &query)));
        self.pending.push(Pending { id, file, needs_all: true, answer });
        self.answer_pending();
    }

    fn execute(&mut self, id: RequestId, params: Value) {
        let uri = serde_json::from_value::<ExecuteCommandParams>(params).ok().and_then(|params| {
            let uri = params.arguments?.into_iter().next()?;
            (params.command == PICTURE).then(|| uri.as_str().map(|uri| Uri(uri.to_owned())))?
        });
        let Some(file) = uri.as_ref().and_then(place::address) else {
            let message = format!("the only command is `{PICTURE}`, with the URI of a file");
            return self.respond(Response::new_err(id, ErrorCode::InvalidParams as i32, message));
        };
        let answer: Answer = Box::new(|server, file| {
            let picture = server.parsed(file).map(|parsed| server.host.picture(&parsed.outcome));
            match picture {
                Some(Ok(svg)) => json!({ "svg": svg }),
                Some(Err(message)) => json!({ "message": message }),
                None => Value::Null,
            }
        });
        self.pending.push(Pending { id, file: file.to_string(), needs_all: false, answer });
        self.answer_pending();
    }

    /// Answers the requests whose programs are available now, or never will be.
    fn answer_pending(&mut self) {
        let waiting = std::mem::take(&mut self.pending);
        for pending in waiting {
            match self.files.get(&pending.file) {
                None => self.respond(Response::new_ok(pending.id, Value::Null)),
                Some(file) if self.is_fresh(&pending.file) && (!pending.needs_all || self.is_settled()) => {
                    let answer = (pending.answer)(self, &file.address);
                    self.respond(Response::new_ok(pending.id, answer));
                }
                Some(_) => self.pending.push(pending),
            }
        }
    }

    /// Returns whether there is nothing to parse.
    fn is_settled(&self) -> bool {
        self.running.is_none() && self.files.values().all(|file| file.due.is_none())
    }

    fn is_fresh(&self, name: &str) -> bool {
        let is_running = self.running.as_deref() == Some(name);
        !is_running && self.files.get(name).is_some_and(|file| file.due.is_none() && file.parsed.is_some())
    }

    fn cancel(&mut self, params: &Value) {
        let id = match params.get("id") {
            Some(Value::Number(number)) => number.as_i64().and_then(|id| i32::try_from(id).ok()).map(RequestId::from),
            Some(Value::String(id)) => Some(RequestId::from(id.clone())),
            _ => None,
        };
        if let Some(place) = self.pending.iter().position(|pending| Some(&pending.id) == id.as_ref()) {
            let pending = self.pending.remove(place);
            let message = "the request has been cancelled".to_owned();
            self.respond(Response::new_err(pending.id, ErrorCode::RequestCanceled as i32, message));
        }
    }
}

/// Returns the problems of a file, for an editor that pulls them.
fn report(server: &Server<'_>, file: &Address) -> Value {
    let name = file.to_string();
    let mut report = json!({ "kind": "full", "items": server.problems(&name) });
    let is_open = |file: &str| Address::parse(file).is_ok_and(|file| server.documents.get(&file).is_some());
    let is_elsewhere = |other: &&String| **other != name && !is_open(other);
    if let Some(own) = server.files.get(&name).filter(|_| server.client.related_documents) {
        let others = own.problems.keys().filter(is_elsewhere).filter_map(|other| {
            let uri = place::uri(&Address::parse(other).ok()?)?;
            Some((uri.0, json!({ "kind": "full", "items": server.problems(other) })))
        });
        let others: serde_json::Map<String, Value> = others.collect();
        if !others.is_empty() {
            report["relatedDocuments"] = others.into();
        }
    }
    report
}

/// Returns whether a change of a source can affect a program: if the program has read the source, or misses a source
/// that may exist now.
fn concerns(parsed: &Parsed, address: &Address) -> bool {
    let missing = [&rules::NOT_FOUND, &rules::UNREADABLE, &rules::INVALID_IMPORT, &rules::UNKNOWN_PROFILE];
    let misses = |code: &str| missing.iter().any(|rule| rule.code == code);
    parsed.sources().any(|(known, _)| known == address)
        || parsed.outcome.diagnostics.iter().any(|problem| misses(problem.rule.code))
}
