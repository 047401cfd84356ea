//! The HTTP client of object stores, which is the same for all services.

use std::collections::BTreeSet;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use http_body_util::{BodyExt, Collected, Limited};
use hyper::http::header::{ETAG, LAST_MODIFIED};
use hyper::http::{Extensions, HeaderMap, HeaderValue, Response};
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody, HttpService,
};
use reqwest::redirect::Policy;
use url::Url;

use super::super::http::private::{self, PrivateAddress, PrivateHosts, Resolver};
use super::super::http::{causes, is_broken_off, tls};
use super::super::{HttpOptions, ReadError};

/// The maximum size of a response that is not an object, such as a page of a listing, in bytes.
pub(super) const MAX_ANSWER: u64 = 16 << 20;
/// The maximum size of an error response that is read, in bytes.
const MAX_FAILURE: usize = 64 << 10;

/// The conditions and the outcome of the requests for one operation. Requests without one are for credentials, whose
/// servers the user chooses.
#[derive(Clone)]
pub(super) struct Exchange {
    may_be_private: bool,
    limit: u64,
    outcome: Arc<Mutex<Outcome>>,
}

#[derive(Default)]
struct Outcome {
    has_begun: bool,
    failure: Option<(u16, String)>,
}

impl Exchange {
    pub(super) fn new(may_be_private: bool, limit: u64) -> Self {
        Self { may_be_private, limit, outcome: Arc::default() }
    }

    /// Returns the extensions with which requests refer to the exchange.
    pub(super) fn extensions(&self) -> Extensions {
        let mut extensions = Extensions::new();
        extensions.insert(self.clone());
        extensions
    }

    /// Returns whether a request has been sent.
    pub(super) fn has_begun(&self) -> bool {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner).has_begun
    }

    /// Returns the status of the last response and the service's code, if the response was an error.
    pub(super) fn failure(&self) -> Option<(u16, String)> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner).failure.clone()
    }

    fn note(&self, failure: Option<(u16, String)>) {
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Outcome { has_begun: true, failure };
    }
}

/// The error for a response that is larger than its limit.
#[derive(Debug, thiserror::Error)]
#[error("the response is too large")]
pub(super) struct AnswerTooLarge;

/// A client with one connection pool for all addresses and one for public addresses.
#[derive(Clone, Debug)]
pub(super) struct Client {
    unbounded: reqwest::Client,
    public: reqwest::Client,
}

impl Client {
    pub(super) fn new(options: &HttpOptions) -> Result<Self, ReadError> {
        let create = |is_public: bool| {
            let tls = tls().map_err(|_| "secure connections can't be set up")?;
            let mut client = reqwest::Client::builder()
                .tls_backend_preconfigured(tls)
                .connect_timeout(options.connect_timeout)
                .timeout(options.timeout)
                .redirect(Policy::none())
                .dns_resolver(Arc::new(Resolver {
                    refuses: is_public,
                    private: PrivateHosts::default(),
                    proxies: if options.proxy { Resolver::proxies() } else { BTreeSet::new() },
                }))
                .referer(false)
                .user_agent(&options.user_agent);
            if !options.proxy {
                client = client.no_proxy();
            }
            client.build().map_err(|_| "the HTTP client can't be set up with these options")
        };
        let create = |is_public| create(is_public).map_err(|text| ReadError::Network(text.to_owned()));
        Ok(Self { unbounded: create(false)?, public: create(true)? })
    }

    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (parts, body) = request.into_parts();
        let exchange = parts.extensions.get::<Exchange>().cloned();
        let url = Url::parse(&parts.uri.to_string()).map_err(|error| HttpError::new(HttpErrorKind::Unknown, error))?;
        let is_public = exchange.as_ref().is_some_and(|exchange| !exchange.may_be_private);
        if is_public && private::is_written(&url) {
            return Err(HttpError::new(HttpErrorKind::Unknown, PrivateAddress));
        }
        if let Some(exchange) = &exchange {
            exchange.note(None);
        }
        let client = if is_public { &self.public } else { &self.unbounded };
        let mut request = client.request(parts.method, url).headers(parts.headers);
        if let Some(bytes) = body.as_bytes().filter(|bytes| !bytes.is_empty()) {
            request = request.body(bytes.clone());
        }
        let response = Response::<reqwest::Body>::from(request.send().await.map_err(failed)?);
        let (mut parts, body) = response.into_parts();
        if parts.status.is_success() {
            // The library requires this metadata, which some servers omit and nothing here uses.
            for (name, unknown) in [(ETAG, "\"\""), (LAST_MODIFIED, "Thu, 01 Jan 1970 00:00:00 GMT")] {
                parts.headers.entry(name).or_insert(HeaderValue::from_static(unknown));
            }
            let limit = exchange.map_or(MAX_ANSWER, |exchange| exchange.limit);
            // One byte more, so that the reader notices that an object is too large.
            let limit = usize::try_from(limit.saturating_add(1)).unwrap_or(usize::MAX);
            let body = Limited::new(body, limit).map_err(|error| match error.downcast::<reqwest::Error>() {
                Ok(error) => failed(*error),
                Err(_) => HttpError::new(HttpErrorKind::Decode, AnswerTooLarge),
            });
            return Ok(Response::from_parts(parts, HttpResponseBody::new(body)));
        }
        let body = Limited::new(body, MAX_FAILURE).collect().await.map(Collected::to_bytes).unwrap_or_default();
        if let Some(exchange) = exchange {
            exchange.note(Some((parts.status.as_u16(), code(&parts.headers, &body))));
        }
        // The rest of the response may contain parts of the signed request.
        Ok(Response::from_parts(parts, HttpResponseBody::from(Bytes::new())))
    }
}

impl HttpConnector for Client {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

#[async_trait]
impl HttpService for Client {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        self.send(request).await
    }
}

/// Converts an error, without the URL, which may be signed.
fn failed(error: reqwest::Error) -> HttpError {
    let error = error.without_url();
    let kind = if causes(&error).any(<dyn Error>::is::<PrivateAddress>) {
        HttpErrorKind::Unknown
    } else if error.is_timeout() {
        HttpErrorKind::Timeout
    } else if error.is_connect() {
        HttpErrorKind::Connect
    } else if is_broken_off(&error) {
        HttpErrorKind::Interrupted
    } else {
        HttpErrorKind::Unknown
    };
    HttpError::new(kind, error)
}

/// Returns the service's code for an error, from the header of Azure or the element of the other services.
fn code(headers: &HeaderMap, body: &[u8]) -> String {
    let header = headers.get("x-ms-error-code").and_then(|code| code.to_str().ok());
    let body = String::from_utf8_lossy(body);
    let element = || body.split_once("<Code>")?.1.split_once("</Code>").map(|(code, _)| code);
    let is_code = |code: &&str| code.len() <= 64 && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    header.or_else(element).filter(is_code).unwrap_or_default().to_owned()
}
