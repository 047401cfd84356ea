//! The web.
//!
//! A server is a stranger: it may answer slowly, without end, with less than it announced, or by sending the client in
//! circles. Every request therefore has a time and a size, and what goes wrong is reported in one short sentence in which
//! the URL, and with it a password, does not occur.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use flate2::read::MultiGzDecoder;
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

use super::names::harmless;
use super::provider::read_limited;
use super::{Address, Provider, ReadError, behalf};
use cache::Cache;
use private::{PrivateAddress, PrivateHosts, Resolver};

mod cache;
mod private;

/// How long to wait before a server is asked again for the first time.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const BROKEN_OFF: &str = "the connection broke off before everything had arrived";

/// How [`Http`] behaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpOptions {
    /// How long to wait for a connection. 10 s by default.
    pub connect_timeout: Duration,
    /// How long a whole request may take, with redirects and the answer. 60 s by default.
    pub timeout: Duration,
    /// How many redirects to follow for one request. 10 by default.
    pub redirects: usize,
    /// How often to ask again when the server is overloaded or the connection breaks off, within the time that the
    /// whole request may take; after 0.2 s first, and twice as long each time. 3 by default.
    pub retries: u32,
    /// The folder in which answers are kept, so that a server need not send again what has not changed since. It may
    /// be shared by any number of processes. Nothing is kept by default.
    ///
    /// Answers to URLs with credentials or other secrets are never kept.
    pub cache: Option<PathBuf>,
    /// How many bytes the files in that folder may have together, roughly: what has not been of use for longest goes
    /// first. What has not been of use for 90 days goes in any case. 256 MiB by default.
    pub cache_bytes: u64,
    /// Whether to use the proxies that the environment names, in `HTTPS_PROXY` and the like. True by default.
    pub proxy: bool,
    /// Whether documents from the network, and redirects, may lead to loopback, link-local and private addresses. False by
    /// default: only the user and local documents name such addresses, and a document there names others of its server.
    pub private_network: bool,
    /// What the client says about itself. The name and version of this library by default.
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
/// User name and password of a URL are sent as HTTP basic authentication. Servers prove who they are to the
/// certificates of the operating system, or of the file that `SSL_CERT_FILE` names; where there are none, as in a
/// minimal container, to those that browsers trust.
///
/// The first read creates the client with a thread of its own, so a provider that is never asked costs nothing. Reads
/// block, and must not be made on a thread of an asynchronous runtime.
#[derive(Default)]
pub struct Http {
    options: HttpOptions,
    /// Reaches every address.
    unbounded: OnceLock<Result<Client, ReadError>>,
    /// Reaches public addresses only.
    public: OnceLock<Result<Client, ReadError>>,
    private: PrivateHosts,
}

impl Http {
    /// A provider with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// A provider with the given options.
    pub fn with_options(options: HttpOptions) -> Self {
        Self { options, ..Self::default() }
    }

    fn client(&self, is_public: bool) -> Result<&Client, ReadError> {
        let create = || {
            let tls = tls().map_err(|_| "secure connections cannot be set up")?;
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
            client.build().map_err(|_| "the HTTP client cannot be set up with these options")
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
        let url = address.url().filter(|_| address.is_remote()).ok_or_else(|| ReadError::no_provider(address))?;
        let mut url = url.clone();
        let mut previous: Vec<Url> = Vec::new();
        let response = loop {
            let may_be_private = self.may_be_private(previous.last(), &url);
            if !may_be_private && private::is_written(&url) {
                return Err(ReadError::PrivateNetwork);
            }
            let client = self.client(!may_be_private)?;
            let send = || {
                // The timeout of a request ends the reading of its answer too, while that of a client would begin anew
                // with every part of the answer.
                let timeout = self.options.timeout.saturating_sub(start.elapsed());
                let request = client.request(method.clone(), url.clone()).timeout(timeout);
                let request = request.header(ACCEPT_ENCODING, "gzip");
                validators.iter().fold(request, |request, (name, value)| request.header(name, value)).send()
            };
            let response = match send() {
                // A server may close a connection at the moment in which it is used again. That is nobody's fault.
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

    /// Whether a URL may lead to a private address: the user or a local document names it, or else a document or redirect
    /// of the same server, which is at such an address.
    fn may_be_private(&self, redirected_from: Option<&Url>, url: &Url) -> bool {
        let importer = behalf::importer();
        let Some(from) = redirected_from.or_else(|| importer.as_ref().and_then(Address::url)) else { return true };
        let is_known = |host: &str| self.private.lock().unwrap_or_else(PoisonError::into_inner).contains(host);
        let is_at_private_address = private::is_written(url) || url.host_str().is_some_and(is_known);
        self.options.private_network || from.origin() == url.origin() && is_at_private_address
    }

    /// Does something again as long as it fails for a reason that may pass.
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

    /// Asks for a source once, or for whether what is kept of it is still the same.
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
        // Of others there is only a part of the source, or none.
        if !matches!(status, StatusCode::OK | StatusCode::NON_AUTHORITATIVE_INFORMATION) {
            let reason = status.canonical_reason().unwrap_or_default();
            return Err(ReadError::Status { code: status.as_u16(), reason });
        }
        let encoding = headers.get(CONTENT_ENCODING).map_or(&b""[..], |value| value.as_bytes().trim_ascii());
        let is_packed = [&b"gzip"[..], b"x-gzip"].iter().any(|name| encoding.eq_ignore_ascii_case(name));
        if !is_packed && !encoding.is_empty() && !encoding.eq_ignore_ascii_case(b"identity") {
            let what = "the answer is packed in a way that was not asked for";
            return Err(ReadError::Network(what.to_owned()));
        }
        let length = response.content_length();
        if !is_packed && length.is_some_and(|length| length > limit) {
            return Err(ReadError::TooLarge { limit });
        }
        let read = if is_packed {
            read_limited(MultiGzDecoder::new(response), limit, 0)
        } else {
            read_limited(response, limit, length.unwrap_or(0))
        };
        let bytes = read.unwrap_or_else(|error| {
            Err(match error.get_ref().and_then(|inner| inner.downcast_ref::<reqwest::Error>()) {
                Some(inner) if inner.is_timeout() => self.explain(inner),
                None if is_packed && matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::InvalidData) => {
                    ReadError::Network("the answer is not packed in the way that the server says".to_owned())
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
            format!("no complete answer within {:?}", self.options.timeout)
        } else if error.is_dns() {
            "the name of the host cannot be resolved".to_owned()
        } else if error.is_builder() {
            "its URL cannot be requested".to_owned()
        } else if is_broken_off(error) {
            BROKEN_OFF.to_owned()
        } else {
            describe(error)
        })
    }
}

impl Provider for Http {
    fn serves(&self, address: &Address) -> bool {
        address.is_remote()
    }

    fn is_slow(&self, address: &Address) -> bool {
        self.serves(address)
    }

    fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        self.patiently(|start| self.attempt(address, limit, start))
    }

    /// Asks the server, without reading the source.
    fn exists(&self, address: &Address) -> bool {
        let ask = |method: &Method| self.patiently(|start| self.request(method, address, &[], start));
        match ask(&Method::HEAD) {
            // Some servers know no other way to ask than to get.
            Err(ReadError::Status { code: 405 | 501, .. }) => ask(&Method::GET).is_ok(),
            answer => answer.is_ok(),
        }
    }
}

impl fmt::Debug for Http {
    /// Without the client, which knows the passwords of proxies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Http").field(&self.options).finish()
    }
}

/// Why a redirect is not followed.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum Refusal {
    #[error("the server redirects more than {0} times")]
    TooMany(usize),
    #[error("the server redirects from a secure to an insecure address")]
    Insecure,
    #[error("the server redirects to an address that begins with `{0}:`")]
    Scheme(String),
}

/// The URL that an answer leads to, with the credentials for the same server.
fn redirect(response: &Response, url: &Url) -> Option<Url> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let mut next = url.join(response.headers().get(LOCATION)?.to_str().ok()?).ok()?;
    if next.origin() == url.origin() && next.username().is_empty() && next.password().is_none() {
        // URLs without a host, which have no room for credentials, are refused later.
        let _ = next.set_username(url.username());
        let _ = next.set_password(url.password());
    }
    Some(next)
}

/// Whether the step from the last of the `previous` URLs to the next is one too many, or one down.
fn refusal(previous: &[Url], next: &Url, limit: usize) -> Option<Refusal> {
    match next.scheme() {
        _ if previous.len() > limit => Some(Refusal::TooMany(limit)),
        "https" => None,
        // A redirect that was secure once stays so.
        "http" => previous.iter().any(|url| url.scheme() == "https").then_some(Refusal::Insecure),
        other => Some(Refusal::Scheme(other.to_owned())),
    }
}

/// The certificates of the platform, and where it has none those of Mozilla, which are part of the program.
fn tls() -> Result<ClientConfig, rustls::Error> {
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

/// An error and what caused it, outermost first. The errors of the standard library hide the ones that they carry.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error: &&'a (dyn Error + 'static)| {
        let carried = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        carried.map(|carried| carried as &(dyn Error + 'static)).or_else(|| error.source())
    })
}

/// Whether there was a connection, and its other end closed it too early.
fn is_broken_off(error: &(dyn Error + 'static)) -> bool {
    causes(error).any(|cause| {
        use ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        cause.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_incomplete_message)
            || matches!(io, Some(BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof))
    })
}

/// The first cause that says something to an author.
fn describe(error: &(dyn Error + 'static)) -> String {
    let known = causes(error).find_map(|cause| {
        if let Some(error) = cause.downcast_ref::<rustls::Error>() {
            return Some(match error {
                rustls::Error::InvalidCertificate(error) => certificate(error).to_owned(),
                _ => "no secure connection can be made to the server".to_owned(),
            });
        }
        if cause.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_parse) {
            return Some("the answer of the server is not valid HTTP".to_owned());
        }
        let text = match cause.downcast_ref::<io::Error>()?.kind() {
            ErrorKind::ConnectionRefused => "the host refuses the connection",
            ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable | ErrorKind::NetworkDown => {
                "there is no way to the host through the network"
            }
            _ => return None,
        };
        Some(text.to_owned())
    });
    known.unwrap_or_else(|| match causes(error).last() {
        // The outermost error says no more than that there is one, and contains the URL.
        Some(cause) if !cause.is::<reqwest::Error>() => {
            format!("the request failed: {}", harmless(cause.to_string().into()))
        }
        _ => "the request failed".to_owned(),
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
            "the certificate of the server is for another host"
        }
        CertificateError::UnknownIssuer => "the certificate of the server comes from an issuer that is not trusted",
        CertificateError::Revoked => "the certificate of the server has been revoked",
        _ => "the certificate of the server is not valid, or not trusted",
    }
}

#[cfg(test)]
mod tests;
