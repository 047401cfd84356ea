//! An HTTP service that validates service templates and returns their models, diagrams, plans and forms.
//!
//! A request contains a text, several files, or an archive (`upload`). Its files get addresses of their own below
//! `memory:/`, so that imports among them resolve by name and the files of other requests are out of reach. One parser
//! with its caches reads the files of all requests (`task`). Templates with problems are answered with status 200 and
//! the problems; other statuses mean that the request itself failed.
//!
//! No client can make anything grow without limits ([`Limits`]): the connections, the time for the head and the body of
//! a request, the bodies in memory, the work at one time, and the requests that wait for it are limited. Authentication
//! is left to a proxy.

mod connections;
mod log;
mod metrics;
mod openapi;
mod routes;
mod task;
mod upload;

use std::io;
use std::net::TcpListener;
use std::time::Duration;

use tosca_parse::Parser;
use tosca_parse::source::MemoryProvider;

pub use axum::http::HeaderValue;
pub use openapi::description;

/// The limits of a service.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum length of the body of a request, in bytes. Longer ones get the status 413.
    pub body: usize,
    /// The maximum length of all bodies and answers in memory, in bytes, at least that of one. Further requests get the
    /// status 503.
    pub bodies: usize,
    /// The maximum length of an answer, in bytes. Longer ones are replaced by the status 503.
    pub answer: usize,
    /// The maximum time for which a request waits for others, and for the work on it. Requests that take longer get the
    /// status 503.
    pub time: Duration,
    /// The maximum number of requests that are worked on at the same time.
    pub running: usize,
    /// The maximum number of requests that wait for others. Further requests get the status 429.
    pub waiting: usize,
    /// The maximum number of open connections. Others wait until one ends.
    pub connections: usize,
    /// The maximum time for the head and for the body of a request, and for a client to take the next part of an answer.
    pub reading: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            body: 16 << 20,
            bodies: 512 << 20,
            answer: 128 << 20,
            time: Duration::from_secs(30),
            running: threads,
            waiting: 64 * threads,
            connections: 1024,
            reading: Duration::from_secs(10),
        }
    }
}

/// The settings of a service.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Settings {
    /// The limits.
    pub limits: Limits,
    /// The origins whose scripts may call the service; none by default.
    pub origins: Vec<HeaderValue>,
    /// Whether each request is logged to standard error, as a line of JSON.
    pub is_logged: bool,
}

/// Answers requests on a listener until the process receives SIGINT or SIGTERM. Then it closes the listener and
/// finishes the requests that have begun.
///
/// `parser` reads the files of all requests. It must have `files` as a [provider](tosca_parse::ParserBuilder::provider);
/// the files of a request are there while it is worked on.
///
/// # Errors
///
/// Returns an error if the listener can't be used or no thread can be started.
pub fn serve(listener: TcpListener, parser: Parser, files: MemoryProvider, settings: Settings) -> io::Result<()> {
    // Connections take little time compared with the work, which has threads of its own. Several threads for connections
    // would wake each other.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let limits = settings.limits.clone();
    let router = routes::router(parser, files, settings);
    let served = runtime.block_on(connections::accept(listener, router, &limits));
    // Work that exceeded its time must not delay the end of the process.
    runtime.shutdown_background();
    served
}

#[cfg(test)]
mod tests;
