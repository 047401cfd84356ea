//! Schemas over HTTP, as the service of Murano provides them: `GET /schemas/{class}` and `GET
//! /schemas/{class}/{methods}`, with `classVersion` and `packageName` in the query. In addition, there are `/schemas`,
//! `/healthz` and `/openapi.json`.
//!
//! A runtime belongs to one thread. So one thread generates the schemas that connections request, and the answers are
//! cached. No client can make anything grow without limits: the connections, the queue, the length of a request, the
//! time of each step, and the cache are limited. Authentication is left to a proxy.

mod http;
mod openapi;
mod request;

use std::net::TcpListener;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use foldhash::{HashMap, HashSet};
use serde_json::{Value as Json, json};
use tokio::sync::{mpsc, oneshot};
use tosca_parse_yaql::{Error, Result};

use crate::error::{Kind, category, is};
use crate::name::TypeName;
use crate::runtime::{CORE, Runtime};
use crate::schema::Style;
use request::{Request, SchemaRequest};

/// The limits of a service.
#[derive(Clone, Debug)]
pub struct ServeLimits {
    /// The maximum number of open connections. Others wait until one ends.
    pub connections: usize,
    /// The maximum number of requests that wait for schemas. Others receive the status 503.
    pub waiting: usize,
    /// The maximum time for the head of a request.
    pub head: Duration,
    /// The maximum lifetime of a connection.
    pub connection: Duration,
    /// The maximum size of cached answers, in bytes.
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

/// A response: its status and its JSON body.
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

/// A question that is waiting for its answer.
struct Waiting {
    question: SchemaRequest,
    answer: oneshot::Sender<Answer>,
}

/// The state that all connections share.
struct Shared {
    questions: mpsc::Sender<Waiting>,
    cache: Mutex<Cache>,
}

impl Shared {
    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answers of one version of the packages.
#[derive(Default)]
struct Cache {
    answers: HashMap<SchemaRequest, Answer>,
    /// The number of times that the packages have changed.
    version: u64,
    bytes: usize,
    max_bytes: usize,
}

impl Cache {
    /// Caches the answer to a question that was received when the packages had the given version.
    fn keep(&mut self, question: SchemaRequest, answer: &Answer, version: u64) {
        let bytes = question.length() + answer.body.len();
        if version != self.version || bytes > self.max_bytes / 4 {
            return;
        }
        if self.bytes + bytes > self.max_bytes {
            self.clear();
        }
        if self.answers.insert(question, answer.clone()).is_none() {
            self.bytes += bytes;
        }
    }

    fn change(&mut self) {
        self.version += 1;
        self.clear();
    }

    fn clear(&mut self) {
        self.answers.clear();
        self.bytes = 0;
    }
}

/// The packages of a service.
pub trait PackageProvider: Send + Sync + 'static {
    /// Creates a runtime with the packages. The thread that calls it keeps the runtime.
    ///
    /// # Errors
    ///
    /// Returns an error if a package is invalid.
    fn runtime(&self) -> Result<Rc<Runtime>>;

    /// Returns a number that changes when the packages change. The service reads it every second.
    fn stamp(&self) -> u64 {
        0
    }
}

impl<F: Fn() -> Result<Rc<Runtime>> + Send + Sync + 'static> PackageProvider for F {
    fn runtime(&self) -> Result<Rc<Runtime>> {
        self()
    }
}

/// The time between two checks of the packages.
const PAUSE: Duration = Duration::from_secs(1);

/// Answers requests on a listener for as long as the process lives.
///
/// The thread that owns the runtime builds it. Its [limits](tosca_parse_yaql::Limits) apply to each request.
///
/// # Errors
///
/// Returns an error if the runtime can't be built or the listener can't be used.
pub fn serve(
    listener: TcpListener,
    packages: impl PackageProvider,
    style: Style,
    limits: &ServeLimits,
) -> std::io::Result<()> {
    let (questions, asked) = mpsc::channel(limits.waiting.max(1));
    let (made, ready) = std::sync::mpsc::channel();
    let packages = Arc::new(packages);
    let cache = Cache { max_bytes: limits.remembered, ..Cache::default() };
    let shared = Arc::new(Shared { questions, cache: Mutex::new(cache) });
    let (provider, state) = (packages.clone(), shared.clone());
    // The stamp comes first: packages that change in the meantime are read again.
    let first = packages.stamp();
    std::thread::Builder::new().name("schemas".to_owned()).spawn(move || match provider.runtime() {
        Ok(runtime) => {
            let _ = made.send(Ok(()));
            answer_all(runtime, asked, style, &*provider, &state);
        }
        Err(error) => drop(made.send(Err(error.to_string()))),
    })?;
    let broken = |_| Err("the thread that generates schemas has ended".to_owned());
    ready.recv().unwrap_or_else(broken).map_err(std::io::Error::other)?;
    let state = shared.clone();
    std::thread::Builder::new().name("packages".to_owned()).spawn(move || watch(&*packages, first, &state))?;
    http::listen(listener, shared, limits)
}

/// Detects changes of the packages, so that they are read again.
fn watch(packages: &impl PackageProvider, mut stamp: u64, shared: &Shared) {
    loop {
        std::thread::sleep(PAUSE);
        let new = packages.stamp();
        if new != stamp {
            stamp = new;
            shared.cache().change();
        }
    }
}

/// Answers one question after the other.
fn answer_all(
    mut runtime: Rc<Runtime>,
    mut asked: mpsc::Receiver<Waiting>,
    style: Style,
    packages: &impl PackageProvider,
    shared: &Shared,
) {
    let mut version = 0;
    let mut broken = broken(&runtime);
    while let Some(waiting) = asked.blocking_recv() {
        // The client may have disconnected.
        if waiting.answer.is_closed() {
            continue;
        }
        let newest = shared.cache().version;
        if newest != version {
            version = newest;
            // Packages that are invalid for now don't replace those that were read.
            if let Ok(new) = packages.runtime() {
                let now_broken = self::broken(&new);
                let was_valid = |name: &String| !broken.contains(name) && runtime.find_named(name).is_ok();
                if !now_broken.iter().any(was_valid) {
                    runtime = new;
                    broken = now_broken;
                    // Answers from the former packages may have been cached in the meantime.
                    shared.cache().clear();
                }
            }
        }
        let answer = catch_unwind(AssertUnwindSafe(|| answer(&runtime, &waiting.question, style)));
        let failed = |_| Answer::error(500, "the schema can't be generated");
        let _ = waiting.answer.send(answer.unwrap_or_else(failed));
        runtime.forget();
    }
}

/// Returns the names of the classes that can't be loaded. Afterward, the files of the others may change.
fn broken(runtime: &Rc<Runtime>) -> HashSet<String> {
    runtime.meter().restart();
    let broken = runtime.check_classes().into_iter().map(|(name, _)| name).collect();
    runtime.forget();
    broken
}

fn answer(runtime: &Rc<Runtime>, question: &SchemaRequest, style: Style) -> Answer {
    runtime.meter().restart();
    match question {
        SchemaRequest::List => list(runtime),
        SchemaRequest::Schemas(request) => schemas(runtime, request, style),
    }
}

/// Returns the classes of the packages, apart from those of the core library.
fn list(runtime: &Rc<Runtime>) -> Answer {
    let packages = runtime.packages().iter().filter(|package| package.origin.name != CORE);
    let classes = packages.flat_map(|package| {
        package.class_names().map(move |name| {
            let version = package.origin.version.to_string();
            json!({
                "class": name, "package": package.origin.name, "version": version, "href": format!("/schemas/{name}"),
            })
        })
    });
    Answer::new(200, &json!({ "schemas": classes.collect::<Vec<_>>() }))
}

fn schemas(runtime: &Rc<Runtime>, request: &Request, style: Style) -> Answer {
    let class = match find(runtime, request) {
        Ok(class) => class,
        Err(error) => return Answer::error(status(&error), error),
    };
    match runtime.schemas(&class, &request.methods, style) {
        Ok(schemas) => {
            let is_empty = style == Style::Correct && schemas.as_object().is_some_and(serde_json::Map::is_empty);
            let unknown = request.methods.iter().find_map(|method| runtime.entrance(&class, method).err());
            match unknown.filter(|_| is_empty) {
                Some(error) => Answer::error(404, error),
                None => Answer::new(200, &schemas),
            }
        }
        Err(error) => Answer::error(status(&error), format!("{}: {error}", category(&error))),
    }
}

/// Returns the requested class. If no version is requested, the class comes from a version below 1.0, as in Murano; if
/// there is none, from the newest version.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_from_before_a_change_are_not_kept() {
        let (question, answer) = (SchemaRequest::List, Answer::new(200, &json!([])));
        let mut cache = Cache { max_bytes: 1000, ..Cache::default() };
        cache.keep(question.clone(), &answer, 0);
        assert!(cache.answers.contains_key(&question));
        cache.change();
        cache.keep(question.clone(), &answer, 0);
        assert!(cache.answers.is_empty() && cache.bytes == 0);
        cache.keep(question.clone(), &answer, 1);
        assert!(cache.answers.contains_key(&question));
    }
}
