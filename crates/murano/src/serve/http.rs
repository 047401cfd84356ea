//! Connections: accepts them, limits their lifetime, and sends the answers.

use std::convert::Infallible;
use std::hash::{Hash as _, Hasher as _};
use std::net::TcpListener;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderValue, IF_NONE_MATCH, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::{sleep, timeout};

use super::request::{Route, SchemaRequest};
use super::{Answer, ServeLimits, Shared, Waiting};

/// The maximum length of the head of a request, in bytes.
const HEAD: usize = 16 << 10;
/// The pause after the system fails to accept a connection.
const PAUSE: Duration = Duration::from_millis(50);

/// Accepts connections.
pub(super) fn listen(listener: TcpListener, shared: Arc<Shared>, limits: &ServeLimits) -> std::io::Result<()> {
    listener.set_nonblocking(true)?;
    let limits = limits.clone();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let places = Arc::new(Semaphore::new(limits.connections.max(1)));
        loop {
            let Ok(place) = places.clone().acquire_owned().await else { return Ok(()) };
            let Ok((stream, _)) = listener.accept().await else {
                sleep(PAUSE).await;
                continue;
            };
            let (shared, limits) = (shared.clone(), limits.clone());
            tokio::spawn(async move {
                converse(stream, shared, &limits).await;
                drop(place);
            });
        }
    })
}

/// Answers the requests of one connection, until its time is up.
async fn converse(stream: TcpStream, shared: Arc<Shared>, limits: &ServeLimits) {
    let service = service_fn(|request| respond(request, shared.clone()));
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.head).max_buf_size(HEAD);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    if timeout(limits.connection, connection.as_mut()).await.is_err() {
        connection.as_mut().graceful_shutdown();
        let _ = timeout(limits.head, connection).await;
    }
}

async fn respond(request: hyper::Request<Incoming>, shared: Arc<Shared>) -> Result<Response<Full<Bytes>>, Infallible> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut response = response(Answer::error(405, "only `GET` is answered here"), None);
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return Ok(response);
    }
    let uri = request.uri();
    let answer = match Route::parse(uri.path(), uri.query().unwrap_or_default()) {
        Ok(Route::Health) => Answer::new(200, &serde_json::json!({ "status": "ok" })),
        Ok(Route::OpenApi) => Answer::new(200, &super::openapi::description()),
        Ok(Route::Packages(question)) => ask(question, &shared).await,
        Err(answer) => answer,
    };
    let known = request.headers().get(IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
    Ok(response(answer, known))
}

/// Returns the answer to a request, cached or new.
async fn ask(question: SchemaRequest, shared: &Shared) -> Answer {
    let version = {
        let cache = shared.cache();
        if let Some(answer) = cache.answers.get(&question) {
            return answer.clone();
        }
        cache.version
    };
    let (answer, made) = oneshot::channel();
    if shared.questions.try_send(Waiting { question: question.clone(), answer }).is_err() {
        return Answer::error(503, "too many requests are waiting for schemas; try again later");
    }
    let Ok(answer) = made.await else { return Answer::error(500, "the schema can't be generated") };
    if answer.status == 200 {
        shared.cache().keep(question, &answer, version);
    }
    answer
}

/// Returns the entity tag of a body.
fn tag(body: &[u8]) -> String {
    let mut hasher = std::hash::DefaultHasher::new();
    body.hash(&mut hasher);
    format!("\"{:016x}\"", hasher.finish())
}

fn response(answer: Answer, known: Option<&str>) -> Response<Full<Bytes>> {
    let tag = (answer.status == 200).then(|| tag(&answer.body));
    let is_it = |other: &str| tag.as_deref() == Some(other.trim().trim_start_matches("W/")) || other.trim() == "*";
    let is_known = tag.is_some() && known.is_some_and(|known| known.split(',').any(is_it));
    let mut response = Response::new(Full::new(if is_known { Bytes::new() } else { answer.body }));
    let status = if is_known { Ok(StatusCode::NOT_MODIFIED) } else { StatusCode::from_u16(answer.status) };
    *response.status_mut() = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Some(tag) = tag.and_then(|tag| HeaderValue::from_str(&tag).ok()) {
        headers.insert(ETAG, tag);
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    }
    if answer.status == 503 {
        headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}
