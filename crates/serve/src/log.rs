//! The access log and the identifiers of requests.

use std::hash::{BuildHasher as _, RandomState};
use std::io::Write as _;
use std::sync::Arc;
use std::time::Instant;

use axum::body::HttpBody as _;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use serde_json::json;

use crate::routes::Shared;
use crate::task::Task;

/// The header with the identifier of a request. The service keeps the identifier that a proxy has given.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The maximum length of an identifier, in bytes.
const MAX_ID: usize = 128;

/// The status in the log of a request whose client has disconnected.
const CLOSED: u16 = 499;

/// Identifies, counts and logs a request.
pub(crate) async fn observe(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let given = request.headers().get(&REQUEST_ID).filter(|id| id.len() <= MAX_ID && id.to_str().is_ok());
    let id = given.cloned().unwrap_or_else(new_id);
    let mut observed = Observed {
        begin: Instant::now(),
        id: id.clone(),
        method: request.method().clone(),
        path: request.uri().path().to_owned(),
        status: CLOSED,
        bytes: None,
        _running: shared.metrics.begin(),
        shared,
    };
    let mut response = next.run(request).await;
    response.headers_mut().insert(REQUEST_ID, id);
    observed.status = response.status().as_u16();
    observed.bytes = response.body().size_hint().exact();
    response
}

/// A request, which is counted and logged when it has been answered or its client has disconnected.
struct Observed<R> {
    begin: Instant,
    id: HeaderValue,
    method: Method,
    path: String,
    status: u16,
    bytes: Option<u64>,
    _running: R,
    shared: Arc<Shared>,
}

impl<R> Drop for Observed<R> {
    fn drop(&mut self) {
        let Self { begin, id, method, path, status, bytes, shared, .. } = self;
        let task = Task::ALL.into_iter().find(|task| path.strip_prefix('/') == Some(task.name()));
        let time = begin.elapsed();
        shared.metrics.count(task, *status, time);
        if shared.settings.is_logged {
            let line = json!({
                "time": jiff::Timestamp::now().to_string(),
                "id": id.to_str().unwrap_or_default(),
                "method": method.as_str(),
                "path": path,
                "status": status,
                "bytes": bytes,
                "seconds": time.as_secs_f64(),
            });
            // Standard error has no buffer, so the line is one write. Without a reader, the service works without a log.
            let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
        }
    }
}

fn new_id() -> HeaderValue {
    // Each state has different random keys.
    let id = format!("{:016x}", RandomState::new().hash_one(0));
    HeaderValue::from_str(&id).unwrap_or_else(|_| HeaderValue::from_static("none"))
}
