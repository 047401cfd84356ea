//! The access log and the identifiers of requests.

use std::hash::{BuildHasher as _, RandomState};
use std::io::Write as _;
use std::sync::Arc;
use std::time::Instant;

use axum::body::HttpBody as _;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use serde_json::json;

use crate::routes::Shared;
use crate::task::Task;

/// The header with the identifier of a request. The service keeps the identifier that a proxy has given.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The maximum length of an identifier, in bytes.
const MAX_ID: usize = 128;

/// Identifies, counts and logs a request.
pub(crate) async fn observe(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let begin = Instant::now();
    let given = request.headers().get(&REQUEST_ID).filter(|id| id.len() <= MAX_ID && id.to_str().is_ok());
    let id = given.cloned().unwrap_or_else(new_id);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let task = Task::ALL.into_iter().find(|task| path.strip_prefix('/') == Some(task.name()));
    let running = shared.metrics.begin();
    let mut response = next.run(request).await;
    drop(running);
    let (status, time) = (response.status().as_u16(), begin.elapsed());
    shared.metrics.count(task, status, time);
    response.headers_mut().insert(REQUEST_ID, id.clone());
    if shared.settings.is_logged {
        let line = json!({
            "time": jiff::Timestamp::now().to_string(),
            "id": id.to_str().unwrap_or_default(),
            "method": method.as_str(),
            "path": path,
            "status": status,
            "bytes": response.body().size_hint().exact(),
            "seconds": time.as_secs_f64(),
        });
        // Without a reader, the service works without a log.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
    response
}

fn new_id() -> HeaderValue {
    // Each state has different random keys.
    let id = format!("{:016x}", RandomState::new().hash_one(0));
    HeaderValue::from_str(&id).unwrap_or_else(|_| HeaderValue::from_static("none"))
}
