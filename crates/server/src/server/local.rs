//! A server without threads, for programs that contain their editor.

use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_server::{ErrorCode, Message, Response};
use serde_json::Value;

use super::{Server, greeting, uninitialized};
use crate::worker::{self, Job, Parse, ParseResult, Workers};
use crate::{Host, Overlay};

/// A server that answers a message before the call returns: it parses all changed files at once, without pauses and
/// without threads.
pub struct LocalServer<'h> {
    state: State<'h>,
    sent: Receiver<Message>,
    jobs: Receiver<Job>,
}

enum State<'h> {
    /// Before `initialize`.
    Waiting(Box<Parts<'h>>),
    Running(Box<Server<'h>>),
    /// After `shutdown`.
    Ended,
}

/// The parts of a server that has not been initialized.
struct Parts<'h> {
    host: Box<dyn Host + 'h>,
    overlay: Overlay,
    sender: Sender<Message>,
    workers: Workers,
}

impl<'h> LocalServer<'h> {
    /// Creates a server. The parsers of the host must ask `overlay` first.
    pub fn new(host: Box<dyn Host + 'h>, overlay: Overlay) -> Self {
        let (sender, sent) = unbounded();
        let (workers, jobs) = Workers::without_threads();
        Self { state: State::Waiting(Box::new(Parts { host, overlay, sender, workers })), sent, jobs }
    }

    /// Handles a message from the editor; returns the messages to it, in order.
    pub fn handle(&mut self, message: Message) -> Vec<Message> {
        match (&mut self.state, message) {
            (State::Running(_), Message::Request(request)) if request.method == "shutdown" => {
                self.state = State::Ended;
                return vec![Response::new_ok(request.id, Value::Null).into()];
            }
            (State::Running(server), message) => {
                match message {
                    Message::Request(request) => server.request(request),
                    Message::Notification(notification) => server.notification(notification),
                    Message::Response(response) => server.start_progress(&response),
                }
                self.parse();
            }
            (state @ State::Waiting(_), Message::Request(request)) if request.method == "initialize" => {
                let State::Waiting(parts) = std::mem::replace(state, State::Ended) else { return Vec::new() };
                let Parts { host, overlay, sender, workers } = *parts;
                let answer = greeting(&*host, &request.params);
                let server = Server::new(host, overlay, &request.params, (sender, workers));
                let mut server = Server { has_pauses: false, ..server };
                server.respond(Response::new_ok(request.id, answer));
                server.begin();
                self.state = State::Running(Box::new(server));
                self.parse();
            }
            (state, Message::Request(request)) => {
                let answer = match state {
                    State::Waiting(_) => uninitialized(request.id),
                    _ => {
                        let message = "the server has been shut down".to_owned();
                        Response::new_err(request.id, ErrorCode::InvalidRequest as i32, message)
                    }
                };
                return vec![answer.into()];
            }
            _ => {}
        }
        self.sent.try_iter().collect()
    }

    /// Parses until no file is left.
    fn parse(&mut self) {
        let State::Running(server) = &mut self.state else { return };
        loop {
            server.parse_next();
            let Ok(job) = self.jobs.try_recv() else { return };
            let (number, file) = (job.number, job.file.clone());
            let analysis = worker::analyze(job, server.client, server.host.name());
            server.take(ParseResult { number, file, result: Parse::Done(Box::new(analysis)) });
        }
    }
}
