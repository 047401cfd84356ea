//! Schemas over HTTP, as the service of Murano answers for them: `GET /schemas/{class}` and
//! `GET /schemas/{class}/{methods}`, with `classVersion` and `packageName` in the query.
//!
//! A runtime belongs to one thread. So one thread makes schemas, of what connections ask it for, and what it has made is
//! remembered. Nothing grows with what clients do: connections, those who wait, the length of a request, the time that
//! anything takes, and what is remembered have their limits. Who may ask is for a proxy to say.

mod http;
mod request;

use std::net::TcpListener;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use rustc_hash::FxHashMap;
use serde_json::{Value as Json, json};
use tokio::sync::{mpsc, oneshot};
use tosca_parse_yaql::{Error, Result};

use crate::failure::{Kind, category, is};
use crate::name::TypeName;
use crate::runtime::Runtime;
use crate::schema::Style;
use request::Request;

/// What a service may take up.
#[derive(Clone, Debug)]
pub struct ServeLimits {
    /// How many connections may be open; others wait until one ends.
    pub connections: usize,
    /// How many requests may wait for schemas that are being made; others are told to come again.
    pub waiting: usize,
    /// How long the head of a request may take.
    pub head: Duration,
    /// How long a connection may live.
    pub connection: Duration,
    /// How many bytes of answers are remembered.
    pub remembered: usize,
}

impl Default for ServeLimits {
    fn default() -> Self {
        Self {
            connections: 256,
            waiting: 64,
            head: Duration::from_secs(5),
            connection: Duration::from_secs(30),
            remembered: 16 << 20,
        }
    }
}

/// A status and JSON.
#[derive(Clone, Debug)]
struct Answer {
    status: u16,
    body: Bytes,
}

impl Answer {
    fn new(status: u16, body: &Json) -> Self {
        Self { status, body: Bytes::from(body.to_string()) }
    }

    fn error(status: u16, message: impl std::fmt::Display) -> Self {
        Self::new(status, &json!({ "error": message.to_string() }))
    }
}

/// A request that waits for its answer.
struct Question {
    request: Request,
    answer: oneshot::Sender<Answer>,
}

/// What all connections share.
struct Shared {
    questions: mpsc::Sender<Question>,
    known: Mutex<Known>,
}

/// Answers that were given.
struct Known {
    answers: FxHashMap<Request, Answer>,
    bytes: usize,
    most: usize,
}

impl Known {
    fn keep(&mut self, request: Request, answer: &Answer) {
        let bytes = request.length() + answer.body.len();
        if bytes > self.most / 4 {
            return;
        }
        if self.bytes + bytes > self.most {
            self.answers.clear();
            self.bytes = 0;
        }
        if self.answers.insert(request, answer.clone()).is_none() {
            self.bytes += bytes;
        }
    }
}

/// Answers requests on a listener for as long as the process lives.
///
/// The runtime is made by the thread that it belongs to. Its [limits](tosca_parse_yaql::Limits) hold for each request.
///
/// # Errors
///
/// The runtime can't be made, or the listener can't be used.
pub fn serve(
    listener: TcpListener,
    runtime: impl FnOnce() -> Result<Rc<Runtime>> + Send + 'static,
    style: Style,
    limits: &ServeLimits,
) -> std::io::Result<()> {
    let (questions, asked) = mpsc::channel(limits.waiting.max(1));
    let (made, ready) = std::sync::mpsc::channel();
    std::thread::Builder::new().name("schemas".to_owned()).spawn(move || match runtime() {
        Ok(runtime) => {
            let _ = made.send(Ok(()));
            answer_all(&runtime, asked, style);
        }
        Err(error) => drop(made.send(Err(error.to_string()))),
    })?;
    let broken = |_| Err("the thread that makes schemas has ended".to_owned());
    ready.recv().unwrap_or_else(broken).map_err(std::io::Error::other)?;
    let known = Known { answers: FxHashMap::default(), bytes: 0, most: limits.remembered };
    http::listen(listener, Arc::new(Shared { questions, known: Mutex::new(known) }), limits)
}

/// Answers one question after the other.
fn answer_all(runtime: &Rc<Runtime>, mut asked: mpsc::Receiver<Question>, style: Style) {
    while let Some(question) = asked.blocking_recv() {
        // Whoever has asked may be gone.
        if question.answer.is_closed() {
            continue;
        }
        let answer = catch_unwind(AssertUnwindSafe(|| answer(runtime, &question.request, style)));
        let failed = |_| Answer::error(500, "the schema can't be made");
        let _ = question.answer.send(answer.unwrap_or_else(failed));
        runtime.forget();
    }
}

fn answer(runtime: &Rc<Runtime>, request: &Request, style: Style) -> Answer {
    runtime.machine().restart();
    let class = match find(runtime, request) {
        Ok(class) => class,
        Err(error) => return Answer::error(status(&error), error),
    };
    match runtime.schemas(&class, &request.methods, style) {
        Ok(schemas) => Answer::new(200, &schemas),
        Err(error) => Answer::error(status(&error), format!("{}: {error}", category(&error))),
    }
}

/// The class: without a version one before 1.0, as in Murano, or else the newest.
fn find(runtime: &Rc<Runtime>, request: &Request) -> Result<Rc<crate::class::Class>> {
    let name = |version: Option<&str>| TypeName {
        name: request.class.clone(),
        version: version.map(str::to_owned),
        package: request.package.clone(),
    };
    match &request.version {
        Some(version) => runtime.find_type(&name(Some(version))),
        None => runtime.find_type(&name(Some("=0"))).or_else(|_| runtime.find_type(&name(None))),
    }
}

fn status(error: &Error) -> u16 {
    let missing = [Kind::NoClass, Kind::NoPackage, Kind::NoPackageForClass];
    if missing.iter().any(|kind| is(error, *kind)) { 404 } else { 500 }
}
