//! The HTTP provider.
//!
//! A server is untrusted: it may answer slowly, endlessly, with less data than it announced, or with redirect loops. So
//! every request has a time limit and a size limit. Errors are reported in one short sentence without the URL, which
//! may contain a password.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use reqwest::blocking::{Client, Response};
use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderName, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Method, StatusCode};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::ring;
use rustls::{CertificateError, ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;
use url::Url;

use super::gunzip::{ExpandsTooFar, Gunzip, MAX_RATIO};
use super::names::escape_control_chars;
use super::provider::read_limited;
use super::{Address, Provider, ReadError, behalf};
use cache::Cache;
use private::{PrivateAddress, PrivateHosts, Resolver};

mod cache;
pub(super) mod private;

/// The pause before the first retry.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
pub(super) const BROKEN_OFF: &str = "the connection was closed before the response was complete";

/// The options of [`HttpProvider`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpOptions {
    /// The timeout for establishing a connection. 10 s by default.
    pub connect_timeout: Duration,
    /// The timeout for a whole request, including redirects and the response. 60 s by default.
    pub timeout: Duration,
    /// The maximum number of redirects per request. 10 by default.
    pub redirects: usize,
    /// The maximum number of retries if the server is overloaded or the connection breaks off, within the timeout of
    /// the request. The first pause is 0.2 s, and each further pause is twice as long as the one before. 3 by default.
    pub retries: u32,
    /// The cache folder for responses, so that a server need not send unchanged sources again. Any number of processes
    /// can share the folder. No cache by default.
    ///
    /// Responses to URLs with credentials or other secrets are never cached.
    pub cache: Option<PathBuf>,
    /// The approximate maximum size of the cache, in bytes. The least recently used responses are evicted first.
    /// Responses that have not been used for 90 days are always evicted. 256 MiB by default.
    pub cache_bytes: u64,
    /// Whether to use the proxies in environment variables such as `HTTPS_PROXY`. True by default.
    pub proxy: bool,
    /// Whether remote documents and redirects may lead to loopback, link-local and private addresses. If false, which
    /// is the default, only the user and local documents can refer to such addresses, and a document at such an address
    /// can refer to others on the same server.
    pub private_network: bool,
    /// The user agent; the name and version of this library by default.
    pub user_agent: String,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            timeout: Duration::from_secs(60),
            redirects: 10,
            retries: 3,
            cache: None,
            cache_bytes: 256 << 20,
            proxy: true,
            private_network: false,
            user_agent: concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }
}

/// The provider of `http` and `https` addresses.
///
/// The user name and password of a URL are sent as HTTP basic authentication. Server certificates are verified with the
/// root certificates of the operating system or, if `SSL_CERT_FILE` is set, with those in the file that it names. If
/// there are none, as in a minimal container, the built-in root certificates of Mozilla are used.
///
/// The first read creates the client, which has its own thread, so an unused provider costs nothing. Reads block, so
/// they must not happen on a thread of an asynchronous runtime.
#[derive(Default)]
pub struct HttpProvider {
    options: HttpOptions,
    /// The client for all addresses.
    unbounded: OnceLock<Result<Client, ReadError>>,
    /// The client for public addresses only.
    public: OnceLock<Result<Client, ReadError>>,
    private: PrivateHosts,
}

impl HttpProvider {
    /// Creates a provider with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a provider with the given options.
    pub fn with_options(options: HttpOptions) -> Self {
        Self { options, ..Self::default() }
    }

    fn client(&self, is_public: bool) -> Result<&Client, ReadError> {
        let create = || {
            let tls = tls().map_err(|_| "secure connections can't be set up")?;
            let mut client = Client::builder()
                .tls_backend_preconfigured(tls)
                .connect_timeout(self.options.connect_timeout)
                .redirect(Policy::none())
                .dns_resolver(Arc::new(Resolver {
                    refuses: is_public,
                    private: self.private.clone(),
                    proxies: if self.options.proxy { Resolver::proxies() } else { BTreeSet::new() },
                }))
                .referer(false)
                .user_agent(&self.options.user_agent);
            if !self.options.proxy {
                client = client.no_proxy();
            }
            client.build().map_err(|_| "the HTTP client can't be set up with these options")
        };
        let client = if is_public { &self.public } else { &self.unbounded };
        let client = client.get_or_init(|| create().map_err(|text| ReadError::Network(text.to_owned())));
        client.as_ref().map_err(Clone::clone)
    }

    fn request(
        &self,
        method: &Method,
        address: &Address,
        validators: &[(HeaderName, String)],
        start: Instant,
    ) -> Result<Response, ReadError> {
        let url = address.url().filter(|_| address.is_http()).ok_or_else(|| ReadError::no_provider(address))?;
        let mut url = url.clone();
        let mut previous: Vec<Url> = Vec::new();
        let response = loop {
            let may_be_private = self.may_be_private(previous.last(), &url);
            if !may_be_private && private::is_written(&url) {
                return Err(ReadError::PrivateNetwork);
            }
            let client = self.client(!may_be_private)?;
            let send = || {
                // The timeout of a request includes reading the response, while the timeout of a client would restart
                // with every part of the response.
                let timeout = self.options.timeout.saturating_sub(start.elapsed());
                let request = client.request(method.clone(), url.clone()).timeout(timeout);
                let request = request.header(ACCEPT_ENCODING, "gzip");
                validators.iter().fold(request, |request, (name, value)| request.header(name, value)).send()
            };
            let response = match send() {
                // A server may close a connection at the moment when it is reused, which is not an error.
                Err(error) if is_broken_off(&error) => send(),
                answer => answer,
            };
            let response = response.map_err(|error| self.explain(&error))?;
            let Some(next) = redirect(&response, &url) else { break response };
            previous.push(std::mem::replace(&mut url, next));
            if let Some(refusal) = refusal(&previous, &url, self.options.redirects) {
                return Err(match refusal {
                    Refusal::TooMany(_) => ReadError::Network(refusal.to_string()),
                    Refusal::Insecure | Refusal::Scheme(_) => ReadError::Refused(refusal.to_string()),
                });
            }
        };
        match response.status() {
            status if status.is_success() => Ok(response),
            StatusCode::NOT_MODIFIED if !validators.is_empty() => Ok(response),
            StatusCode::NOT_FOUND | StatusCode::GONE => Err(ReadError::NotFound),
            status => {
                Err(ReadError::Status { code: status.as_u16(), reason: status.canonical_reason().unwrap_or_default() })
            }
        }
    }

    /// Returns whether a URL may lead to a private address: the user or a local document names the URL, or a document
    /// or redirect on the same server does and that server has a private address.
    fn may_be_private(&self, redirected_from: Option<&Url>, url: &Url) -> bool {
        let importer = behalf::importer();
        let Some(from) = redirected_from.or_else(|| importer.as_ref().and_then(Address::url)) else { return true };
        let is_known = |host: &str| self.private.lock().unwrap_or_else(PoisonError::into_inner).contains(host);
        let is_at_private_address = private::is_written(url) || url.host_str().is_some_and(is_known);
        self.options.private_network || from.origin() == url.origin() && is_at_private_address
    }

    /// Runs an operation and retries it while it fails for a temporary reason.
    fn patiently<T>(&self, mut attempt: impl FnMut(Instant) -> Result<T, ReadError>) -> Result<T, ReadError> {
        let start = Instant::now();
        let mut pause = FIRST_PAUSE;
        let mut retries = self.options.retries;
        loop {
            let result = attempt(start);
            let passes = match &result {
                Err(ReadError::Status { code, .. }) => matches!(code, 429 | 502 | 503 | 504),
                Err(ReadError::Network(reason)) => reason == BROKEN_OFF,
                _ => false,
            };
            if !passes || retries == 0 || start.elapsed() + pause >= self.options.timeout {
                return result;
            }
            retries -= 1;
            thread::sleep(pause);
            pause *= 2;
        }
    }

    /// Requests a source once. If there is a cached response, asks the server whether it is still valid.
    fn attempt(&self, address: &Address, limit: u64, start: Instant) -> Result<Vec<u8>, ReadError> {
        let cache = Cache::of(&self.options, address);
        let kept = cache.as_ref().and_then(|cache| cache.get(limit));
        let validators = kept.as_ref().map(cache::Kept::validators).unwrap_or_default();
        let response = self.request(&Method::GET, address, &validators, start)?;
        if let Some(kept) = kept.filter(|_| response.status() == StatusCode::NOT_MODIFIED) {
            return Ok(kept.body);
        }
        let headers = response.headers().clone();
        let status = response.status();
        // With other statuses, a response contains only part of the source or none of it.
        if !matches!(status, StatusCode::OK | StatusCode::NON_AUTHORITATIVE_INFORMATION) {
            let reason = status.canonical_reason().unwrap_or_default();
            return Err(ReadError::Status { code: status.as_u16(), reason });
        }
        let encoding = headers.get(CONTENT_ENCODING).map_or(&b""[..], |value| value.as_bytes().trim_ascii());
        let is_packed = [&b"gzip"[..], b"x-gzip"].iter().any(|name| encoding.eq_ignore_ascii_case(name));
        if !is_packed && !encoding.is_empty() && !encoding.eq_ignore_ascii_case(b"identity") {
            let what = "the response has an encoding that was not requested";
            return Err(ReadError::Network(what.to_owned()));
        }
        let length = response.content_length();
        if !is_packed && length.is_some_and(|length| length > limit) {
            return Err(ReadError::TooLarge { limit });
        }
        let read = if is_packed {
            read_limited(Gunzip::new(response, MAX_RATIO), limit, 0)
        } else {
            read_limited(response, limit, length.unwrap_or(0))
        };
        let bytes = read.unwrap_or_else(|error| {
            Err(match error.get_ref().and_then(|inner| inner.downcast_ref::<reqwest::Error>()) {
                Some(inner) if inner.is_timeout() => self.explain(inner),
                None if ExpandsTooFar::is_cause_of(&error) => {
                    ReadError::Network(format!("the response unpacks to more than {MAX_RATIO} times its own size"))
                }
                None if is_packed && matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::InvalidData) => {
                    ReadError::Network("the response does not have the encoding that the server declares".to_owned())
                }
                _ => ReadError::Network(BROKEN_OFF.to_owned()),
            })
        })?;
        if let Some(cache) = cache {
            cache.put(&headers, &bytes);
        }
        Ok(bytes)
    }

    fn explain(&self, error: &reqwest::Error) -> ReadError {
        if causes(error).any(<dyn Error>::is::<PrivateAddress>) {
            return ReadError::PrivateNetwork;
        }
        ReadError::Network(if error.is_timeout() && error.is_connect() {
            format!("no connection within {:?}", self.options.connect_timeout)
        } else if error.is_timeout() {
            format!("no complete response within {:?}", self.options.timeout)
        } else if error.is_dns() {
            "the host name can't be resolved".to_owned()
        } else if error.is_builder() {
            "its URL can't be requested".to_owned()
        } else if is_broken_off(error) {
            BROKEN_OFF.to_owned()
        } else {
            describe(error)
        })
    }
}

impl Provider for HttpProvider {
    fn serves(&self, address: &Address) -> bool {
        address.is_http()
    }

    fn is_slow(&self, address: &Address) -> bool {
        self.serves(address)
    }

    fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        self.patiently(|start| self.attempt(address, limit, start))
    }

    /// Asks the server whether the source exists, without reading it.
    fn exists(&self, address: &Address) -> bool {
        let ask = |method: &Method| self.patiently(|start| self.request(method, address, &[], start));
        match ask(&Method::HEAD) {
            // Some servers only support GET.
            Err(ReadError::Status { code: 405 | 501, .. }) => ask(&Method::GET).is_ok(),
            answer => answer.is_ok(),
        }
    }
}

impl fmt::Debug for HttpProvider {
    /// Omits the clients, which contain the passwords of proxies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HttpProvider").field(&self.options).finish()
    }
}

/// The reason why a redirect is not followed.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum Refusal {
    #[error("the server redirects more than {0} times")]
    TooMany(usize),
    #[error("the server redirects from a secure to an insecure address")]
    Insecure,
    #[error("the server redirects to an address that begins with `{0}:`")]
    Scheme(String),
}

/// Returns the URL to which a response redirects, with the credentials of `url` if it is on the same server.
fn redirect(response: &Response, url: &Url) -> Option<Url> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let mut next = url.join(response.headers().get(LOCATION)?.to_str().ok()?).ok()?;
    if next.origin() == url.origin() && next.username().is_empty() && next.password().is_none() {
        // URLs without a host can't have credentials and are rejected later.
        let _ = next.set_username(url.username());
        let _ = next.set_password(url.password());
    }
    Some(next)
}

/// Returns the reason why the redirect from the last of the `previous` URLs to `next` must not be followed, if there is
/// one.
fn refusal(previous: &[Url], next: &Url, limit: usize) -> Option<Refusal> {
    match next.scheme() {
        _ if previous.len() > limit => Some(Refusal::TooMany(limit)),
        "https" => None,
        // Once an address was secure, all further addresses must be secure.
        "http" => previous.iter().any(|url| url.scheme() == "https").then_some(Refusal::Insecure),
        other => Some(Refusal::Scheme(other.to_owned())),
    }
}

/// Returns a TLS configuration with the platform's root certificates or, if it has none, those of Mozilla, which are
/// built in.
pub(super) fn tls() -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(ring::default_provider());
    let verifier: Arc<dyn ServerCertVerifier> = match Verifier::new(Arc::clone(&provider)) {
        Ok(verifier) => Arc::new(verifier),
        Err(_) => bundled_certificates(Arc::clone(&provider))?,
    };
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(config.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth())
}

fn bundled_certificates(
    provider: Arc<rustls::crypto::CryptoProvider>,
) -> Result<Arc<WebPkiServerVerifier>, rustls::Error> {
    let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider)
        .build()
        .map_err(|error| rustls::Error::General(error.to_string()))
}

/// Returns an error and its causes, outermost first. Errors that an I/O error wraps are included, which its `source`
/// method skips.
pub(super) fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error: &&'a (dyn Error + 'static)| {
        let carried = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        carried.map(|carried| carried as &(dyn Error + 'static)).or_else(|| error.source())
    })
}

/// Returns whether an error means that the server closed the connection too early.
pub(super) fn is_broken_off(error: &(dyn Error + 'static)) -> bool {
    causes(error).any(|cause| {
        use ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        cause.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_incomplete_message)
            || matches!(io, Some(BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof))
    })
}

/// Describes the first cause that is helpful to an author.
fn describe(error: &(dyn Error + 'static)) -> String {
    known_cause(error).unwrap_or_else(|| match causes(error).last() {
        // The outermost error is only generic and contains the URL.
        Some(cause) if !cause.is::<reqwest::Error>() => {
            format!("the request failed: {}", escape_control_chars(cause.to_string().into()))
        }
        _ => "the request failed".to_owned(),
    })
}

/// Describes the first cause of an error that has a description without text from the error.
pub(super) fn known_cause(error: &(dyn Error + 'static)) -> Option<String> {
    causes(error).find_map(|cause| {
        if let Some(error) = cause.downcast_ref::<rustls::Error>() {
            return Some(match error {
                rustls::Error::InvalidCertificate(error) => certificate(error).to_owned(),
                _ => "no secure connection can be made to the server".to_owned(),
            });
        }
        if cause.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_parse) {
            return Some("the response of the server is not valid HTTP".to_owned());
        }
        let text = match cause.downcast_ref::<io::Error>()?.kind() {
            ErrorKind::ConnectionRefused => "the host refuses the connection",
            ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable | ErrorKind::NetworkDown => {
                "the host is unreachable"
            }
            _ => return None,
        };
        Some(text.to_owned())
    })
}

fn certificate(error: &CertificateError) -> &'static str {
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "the certificate of the server has expired"
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "the certificate of the server is not valid yet"
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "the certificate of the server is for a different host"
        }
        CertificateError::UnknownIssuer => "the certificate of the server comes from an issuer that is not trusted",
        CertificateError::Revoked => "the certificate of the server has been revoked",
        _ => "the certificate of the server is invalid or not trusted",
    }
}

#[cfg(test)]
mod tests;
