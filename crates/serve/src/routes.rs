//! The resources of the service.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, EXPECT, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use futures_util::StreamExt as _;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tosca_parse::Parser;
use tosca_parse::source::MemoryProvider;
use tower_http::cors::CorsLayer;

use crate::metrics::Metrics;
use crate::task::{self, Parameters, Task};
use crate::upload::Upload;
use crate::{Settings, log, openapi};

/// The state that all requests share.
pub(crate) struct Shared {
    parser: Parser,
    files: MemoryProvider,
    pub(crate) settings: Settings,
    /// A permit for each byte of a body.
    bodies: Arc<Semaphore>,
    /// A permit for each request that is worked on.
    running: Arc<Semaphore>,
    waiting: AtomicUsize,
    pub(crate) metrics: Metrics,
}

/// The reason why a request can't be answered.
#[derive(Debug)]
pub(crate) struct Failure {
    status: StatusCode,
    message: String,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, message: impl std::fmt::Display) -> Self {
        Self { status, message: message.to_string() }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = json_response(self.status, json!({ "error": self.message }).to_string());
        if matches!(self.status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// Returns the routes of the service.
pub(crate) fn router(parser: Parser, files: MemoryProvider, settings: Settings) -> Router {
    let limits = &settings.limits;
    let shared = Arc::new(Shared {
        parser,
        files,
        bodies: Arc::new(Semaphore::new(limits.bodies.max(limits.body).min(u32::MAX as usize))),
        running: Arc::new(Semaphore::new(limits.running.max(1))),
        waiting: AtomicUsize::new(0),
        metrics: Metrics::default(),
        settings,
    });
    let mut router = Router::new();
    for task in Task::ALL {
        let answer = move |State(shared), query, request| answer(task, shared, query, request);
        router = router.route(&format!("/{}", task.name()), post(answer));
    }
    let description = openapi::description().to_string();
    let mut router = router
        .route("/healthz", get(|| async { json_response(StatusCode::OK, json!({ "status": "ok" }).to_string()) }))
        .route("/openapi.json", get(|| async { json_response(StatusCode::OK, description) }))
        .route("/metrics", get(|State(shared): State<Arc<Shared>>| async move { shared.metrics.text() }))
        .fallback(|| async { Failure::new(StatusCode::NOT_FOUND, "no such resource; see `/openapi.json`") })
        .method_not_allowed_fallback(|| async {
            Failure::new(StatusCode::METHOD_NOT_ALLOWED, "this method is not allowed; see `/openapi.json`")
        })
        .with_state(shared.clone());
    if !shared.settings.origins.is_empty() {
        let headers = [CONTENT_TYPE, log::REQUEST_ID];
        let cors = CorsLayer::new().allow_origin(shared.settings.origins.clone()).allow_headers(headers);
        let cors = cors.expose_headers([log::REQUEST_ID]);
        router = router.layer(cors.allow_methods([axum::http::Method::GET, axum::http::Method::POST]));
    }
    router.layer(middleware::from_fn_with_state(shared, log::observe))
}

/// Answers a request for work.
async fn answer(
    task: Task,
    shared: Arc<Shared>,
    query: Result<Query<Parameters>, QueryRejection>,
    request: Request,
) -> Result<Response, Failure> {
    let (head, body) = request.into_parts();
    let (bytes, _permit) = shared.read(&head.headers, body).await?;
    let Query(parameters) = query.map_err(|error| wrong_query(&error))?;
    let content_type = head.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let upload = Upload::read(content_type, parameters.name.clone(), bytes).await?;
    let running = shared.turn().await?;
    let state = shared.clone();
    let work = spawn_blocking(move || {
        let answer = task::run(&state.parser, &state.files, task, &parameters, upload);
        drop(running);
        answer
    });
    let limit = shared.settings.limits.time;
    match timeout(limit, work).await {
        Ok(Ok(Ok(answer))) => shared.kept(answer).map(|answer| json_response(StatusCode::OK, answer)),
        Ok(Ok(Err(message))) => Err(Failure::new(StatusCode::BAD_REQUEST, message)),
        Ok(Err(_)) => Err(Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the request can't be answered")),
        Err(_) => {
            let message = format!("the work took longer than {} s", limit.as_secs_f64());
            Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, message))
        }
    }
}

impl Shared {
    /// Reads a body. The rest of a refused body is discarded, because a client that sends all of it before it reads the
    /// answer would only see a broken connection.
    async fn read(&self, headers: &HeaderMap, body: Body) -> Result<(Bytes, OwnedSemaphorePermit), Failure> {
        let announced = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        let mut parts = body.into_data_stream();
        let limit = self.settings.limits.reading;
        let slow = |_| Failure::new(StatusCode::REQUEST_TIMEOUT, "the body was sent too slowly");
        let body = timeout(limit, self.receive(announced.unwrap_or_default(), &mut parts)).await.map_err(slow)?;
        if body.is_err() && !headers.contains_key(EXPECT) {
            let discard = async { while let Some(Ok(_)) = parts.next().await {} };
            let _ = timeout(limit, discard).await;
        }
        body
    }

    /// Receives a body and reserves memory for it as it arrives.
    async fn receive(
        &self,
        announced: usize,
        parts: &mut BodyDataStream,
    ) -> Result<(Bytes, OwnedSemaphorePermit), Failure> {
        let most = self.settings.limits.body;
        if announced > most {
            return Err(too_long(most));
        }
        let (mut bytes, mut permit) = (Vec::new(), self.reserve(0)?);
        while let Some(part) = parts.next().await {
            let part = part.map_err(|_| Failure::new(StatusCode::BAD_REQUEST, "the body is incomplete"))?;
            if bytes.len() + part.len() > most {
                return Err(too_long(most));
            }
            permit.merge(self.reserve(part.len())?);
            bytes.extend_from_slice(&part);
        }
        Ok((Bytes::from(bytes), permit))
    }

    /// Reserves memory for a part of a body or for an answer.
    fn reserve(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Failure> {
        let permits = u32::try_from(bytes).unwrap_or(u32::MAX);
        let full = |_| Failure::new(StatusCode::SERVICE_UNAVAILABLE, "too many large requests; try again later");
        self.bodies.clone().try_acquire_many_owned(permits).map_err(full)
    }

    /// Returns an answer that keeps its memory reserved until it is sent.
    fn kept(&self, answer: String) -> Result<Bytes, Failure> {
        let most = self.settings.limits.answer;
        if answer.len() > most {
            let message = format!("the answer is longer than {most} bytes");
            return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, message));
        }
        let permit = self.reserve(answer.len())?;
        Ok(Bytes::from_owner(Answer { text: answer, _permit: permit }))
    }

    /// Waits until the work on a request may begin.
    async fn turn(&self) -> Result<OwnedSemaphorePermit, Failure> {
        if let Ok(permit) = self.running.clone().try_acquire_owned() {
            return Ok(permit);
        }
        // The guard counts down even if the client disconnects while it waits.
        let waiting = Waiting::new(&self.waiting);
        if waiting.number > self.settings.limits.waiting {
            return Err(Failure::new(StatusCode::TOO_MANY_REQUESTS, "too many requests; try again later"));
        }
        let unavailable = |message| Failure::new(StatusCode::SERVICE_UNAVAILABLE, message);
        let turn = timeout(self.settings.limits.time, self.running.clone().acquire_owned()).await;
        turn.map_err(|_| unavailable("others took too long; try again later"))?
            .map_err(|_| unavailable("the service is stopping"))
    }
}

/// An answer and the memory that is reserved for it.
struct Answer {
    text: String,
    _permit: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Answer {
    fn as_ref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

/// A request that waits for others.
struct Waiting<'a> {
    count: &'a AtomicUsize,
    /// The number of waiting requests, including this one.
    number: usize,
}

impl<'a> Waiting<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        Self { count, number: count.fetch_add(1, Ordering::Relaxed) + 1 }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns the failure for a query, without the words of the library that reads it.
fn wrong_query(error: &QueryRejection) -> Failure {
    let message = error.body_text();
    let reason = message.split_once("query string: ").map_or(&*message, |(_, reason)| reason);
    Failure::new(StatusCode::BAD_REQUEST, format!("invalid query: {reason}"))
}

fn too_long(most: usize) -> Failure {
    Failure::new(StatusCode::PAYLOAD_TOO_LARGE, format!("the body is longer than {most} bytes"))
}

fn json_response(status: StatusCode, body: impl Into<Body>) -> Response {
    let mut response = (status, body.into()).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
