//! Connections: who is heard, for how long, and what is answered.

use std::convert::Infallible;
use std::net::TcpListener;
use std::pin::pin;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::{sleep, timeout};

use super::request::Request;
use super::{Answer, Question, ServeLimits, Shared};

/// How long the head of a request may be.
const HEAD: usize = 16 << 10;
/// How long nobody is heard after the system could not give a connection.
const PAUSE: Duration = Duration::from_millis(50);

/// Hears whoever connects.
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

/// Requests of one connection, until it has lived long enough.
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
        let mut response = response(Answer::error(405, "only `GET` is answered here"));
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return Ok(response);
    }
    let uri = request.uri();
    let answer = match Request::parse(uri.path(), uri.query().unwrap_or_default()) {
        Ok(request) => ask(request, &shared).await,
        Err(answer) => answer,
    };
    Ok(response(answer))
}

/// The answer to a request: the one that was given before, or a new one.
async fn ask(request: Request, shared: &Shared) -> Answer {
    let known = || shared.known.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(answer) = known().answers.get(&request) {
        return answer.clone();
    }
    let (answer, made) = oneshot::channel();
    if shared.questions.try_send(Question { request: request.clone(), answer }).is_err() {
        return Answer::error(503, "too many requests wait for their schemas; come again");
    }
    let Ok(answer) = made.await else { return Answer::error(500, "the schema can't be made") };
    if answer.status == 200 {
        known().keep(request, &answer);
    }
    answer
}

fn response(answer: Answer) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(answer.body));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if answer.status == 503 {
        headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}
