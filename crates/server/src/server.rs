//! The main loop: messages in, messages out.

mod capabilities;
mod local;
mod progress;
mod requests;
mod schedule;
mod searches;
mod sync;
mod watch;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;

use crossbeam_channel::{Sender, after, never, select};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use tosca_parse::source::Address;
use web_time::Instant;

use crate::completion::Notes;
use crate::documents::Documents;
use crate::files::Files;
use crate::handlers::Answer;
use crate::parsed::Parsed;
use crate::protocol::{Client, Diagnostic};
use crate::semantic_tokens::SentTokens;
use crate::untitled::UntitledDocuments;
use crate::worker::{ParseResult, Results, Workers};
use crate::{Host, Overlay};
use capabilities::{capabilities, folders};
pub use local::LocalServer;
use progress::Progress;
use searches::{Running, RunningTrial};
use watch::WatchedFiles;

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
pub(crate) const DIAGRAM: &str = "tosca-parse.diagram";

/// The command that plans the deployment of a file: it takes a URI and returns text.
pub(crate) const PLAN: &str = "tosca-parse.plan";

/// The command that lists the uses of a type: it takes a URI and a position, and returns locations.
pub(crate) const USES: &str = "tosca-parse.uses";

const COMMANDS: [&str; 3] = [DIAGRAM, PLAN, USES];

/// Serves an editor until it shuts the server down. The parsers of the host must ask `overlay` first.
///
/// # Errors
///
/// Returns an error if the editor violates the protocol or disconnects without a shutdown.
pub fn run(host: Box<dyn Host + '_>, overlay: Overlay, connection: &Connection) -> Result<(), Failure> {
    let Request { id, params, .. } = initialize(connection)?;
    // A disconnected editor is noticed when the next message is received.
    let _ = connection.sender.send(Response::new_ok(id, greeting(&*host, &params)).into());
    // Editors are ready for requests when they send `initialized`, usually the next message.
    let is_response = |message: &Message| matches!(message, Message::Response(_));
    let next = connection.receiver.iter().find(|message| !is_response(message)).ok_or_else(disconnected)?;
    let started = Workers::start(Client::of(&params), host.name());
    let (workers, results) = started.map_err(|error| Failure(error.to_string()))?;
    let mut server = Server::new(host, overlay, &params, (connection.sender.clone(), workers));
    server.begin();
    if server.handle(next, connection)? { Ok(()) } else { server.serve(connection, &results) }
}

/// Returns the request `initialize`. Other requests before it are refused, everything else is ignored.
fn initialize(connection: &Connection) -> Result<Request, Failure> {
    for message in &connection.receiver {
        match message {
            Message::Request(request) if request.method == "initialize" => return Ok(request),
            Message::Request(request) => {
                let _ = connection.sender.send(uninitialized(request.id).into());
            }
            Message::Notification(notification) if notification.method == "exit" => {
                return Err(Failure("the editor sent `exit` before `initialize`".to_owned()));
            }
            _ => {}
        }
    }
    Err(disconnected())
}

/// Returns the answer to a request before `initialize`.
fn uninitialized(id: RequestId) -> Response {
    let message = "the first request must be `initialize`";
    Response::new_err(id, ErrorCode::ServerNotInitialized as i32, message.to_owned())
}

fn disconnected() -> Failure {
    Failure("the connection to the editor was closed".to_owned())
}

/// Returns the answer to `initialize`.
fn greeting(host: &dyn Host, params: &Value) -> Value {
    json!({
        "capabilities": capabilities(Client::of(params)),
        "serverInfo": { "name": host.name(), "version": host.version() },
    })
}

/// Returns the pattern of the files that can be entries.
fn glob(host: &dyn Host) -> String {
    format!("**/*.{{{}}}", host.extensions().join(","))
}

pub(crate) struct Server<'h> {
    pub(crate) host: Box<dyn Host + 'h>,
    pub(crate) client: Client,
    sender: Sender<Message>,
    workers: Workers,
    /// Whether files are parsed after a pause, so that an editor that sends further changes does not wait.
    has_pauses: bool,
    pub(crate) documents: Documents,
    untitled: UntitledDocuments,
    pub(crate) folders: Vec<PathBuf>,
    /// The open documents and the files of the workspace that are parsed as entries.
    pub(crate) files: Files,
    /// The file that is being parsed because the user waits for it.
    urgent: Option<Started>,
    /// The other files that are being parsed, in the order in which they were started.
    others: VecDeque<Started>,
    /// The number of parses that have been started.
    started: u64,
    /// The files that have changed since the first of the running parses started.
    changes: Vec<String>,
    /// Requests that wait for a program.
    pending: Vec<Pending>,
    /// The running searches, by number.
    searches: BTreeMap<u64, Running>,
    /// The requests that wait for trials, by number.
    trials: BTreeMap<u64, RunningTrial>,
    /// The number of searches and trials so far.
    searched: u64,
    /// The problems that the editor shows, by file.
    shown: BTreeMap<String, Shown>,
    /// The configuration errors that the user has already seen.
    complaints: BTreeSet<String>,
    /// The progress of reading the workspace.
    progress: Progress,
    /// The files whose changes the editor reports.
    watched: WatchedFiles,
    /// The documentation of the latest completions.
    notes: RefCell<Notes>,
    /// The tokens that the editor has received.
    pub(crate) tokens: RefCell<SentTokens>,
    /// Whether uses of types have changed since the editor was last notified.
    has_new_uses: bool,
    /// Whether the meaning of an unchanged open document has changed since the editor was last notified.
    has_new_context: bool,
    /// The number of requests sent to the editor.
    requests: i32,
}

/// The problems of a file that the editor shows.
struct Shown {
    version: Option<i32>,
    problems: Vec<Diagnostic>,
}

/// A file that is being parsed.
struct Started {
    /// The number of its job.
    number: u64,
    name: String,
    /// The number of changes at its start.
    changes: usize,
    /// Its result, if it has to wait for those of files that were started earlier.
    result: Option<ParseResult>,
}

struct Pending {
    id: RequestId,
    file: String,
    /// Whether the results for all files must be up to date.
    needs_all: bool,
    /// The answer if there is no program.
    default: Value,
    answer: Answer,
}

impl<'h> Server<'h> {
    fn new(
        host: Box<dyn Host + 'h>,
        overlay: Overlay,
        params: &Value,
        (sender, workers): (Sender<Message>, Workers),
    ) -> Self {
        Self {
            host,
            client: Client::of(params),
            sender,
            workers,
            has_pauses: true,
            documents: Documents::new(overlay),
            untitled: UntitledDocuments::default(),
            folders: folders(params),
            files: Files::default(),
            urgent: None,
            others: VecDeque::new(),
            started: 0,
            changes: Vec::new(),
            pending: Vec::new(),
            searches: BTreeMap::new(),
            trials: BTreeMap::new(),
            searched: 0,
            shown: BTreeMap::new(),
            complaints: BTreeSet::new(),
            progress: Progress::default(),
            watched: WatchedFiles::default(),
            notes: RefCell::default(),
            tokens: RefCell::default(),
            has_new_uses: false,
            has_new_context: false,
            requests: 0,
        }
    }

    fn begin(&mut self) {
        self.watch();
        self.look_around(&self.folders.clone());
        self.begin_progress();
    }
}

impl Server<'_> {
    fn serve(&mut self, connection: &Connection, results: &Results) -> Result<(), Failure> {
        loop {
            self.parse_next();
            let until = |due: Instant| after(due.saturating_duration_since(Instant::now()));
            let timer = self.next_parse().map_or_else(never, until);
            select! {
                recv(connection.receiver) -> message => {
                    if self.handle(message.map_err(|_| disconnected())?, connection)? {
                        return Ok(());
                    }
                }
                recv(results.trials) -> done => match done {
                    Ok(done) => self.finish_trial(done),
                    Err(_) => return Err(Failure("the thread for trials has ended".to_owned())),
                },
                recv(results.parses) -> done => match done {
                    Ok(done) => self.take(done),
                    Err(_) => return Err(Failure("the parser threads have ended".to_owned())),
                },
                recv(timer) -> _ => {}
            }
        }
    }

    /// Handles a message from the editor; returns whether it was the request to shut down.
    fn handle(&mut self, message: Message, connection: &Connection) -> Result<bool, Failure> {
        match message {
            Message::Request(request) if request.method == "shutdown" => {
                let running = self.stop_searches();
                for pending in std::mem::take(&mut self.pending).into_iter().chain(running) {
                    self.refuse(pending.id, ErrorCode::RequestCanceled, "the server has been shut down");
                }
                self.respond(Response::new_ok(request.id, Value::Null));
                self.wait_for_exit(connection);
                return Ok(true);
            }
            Message::Request(request) => self.request(request),
            Message::Notification(notification) if notification.method == "exit" => {
                return Err(Failure("the editor sent `exit` before `shutdown`".to_owned()));
            }
            Message::Notification(notification) => self.notification(notification),
            Message::Response(response) => self.start_progress(&response),
        }
        Ok(false)
    }

    fn wait_for_exit(&self, connection: &Connection) {
        for message in &connection.receiver {
            match message {
                Message::Notification(notification) if notification.method == "exit" => return,
                Message::Request(request) => {
                    self.refuse(request.id, ErrorCode::InvalidRequest, "the server has been shut down");
                }
                _ => {}
            }
        }
    }

    fn respond(&self, mut response: Response) {
        if let Ok(result) = &mut response.response_result {
            self.untitled.to_documents(result);
        }
        // A disconnected editor is noticed when the next message is received.
        let _ = self.sender.send(response.into());
    }

    fn refuse(&self, id: RequestId, code: ErrorCode, message: &str) {
        self.respond(Response::new_err(id, code as i32, message.to_owned()));
    }

    fn notify(&self, method: &str, params: impl serde::Serialize) {
        let mut notification = Notification::new(method.to_owned(), params);
        self.untitled.to_documents(&mut notification.params);
        let _ = self.sender.send(notification.into());
    }

    /// Sends a request to the editor; returns its ID.
    fn ask(&mut self, method: &str, params: &Value) -> RequestId {
        self.requests += 1;
        let id = RequestId::from(format!("server-{}", self.requests));
        let _ = self.sender.send(Request::new(id.clone(), method.to_owned(), params).into());
        id
    }

    /// Returns the program of a file if it is kept, as it is for open documents and for files with pending requests.
    pub(crate) fn parsed(&self, file: &Address) -> Option<&Parsed> {
        self.files.get(&file.to_string())?.parsed.as_ref()
    }
}
