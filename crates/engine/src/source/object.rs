//! The provider of objects in object stores.
//!
//! A document chooses only the bucket and the key. The servers and the credentials come from environment variables. So
//! a remote document may only refer to its own bucket and to those that the user has named, because otherwise it could
//! have other objects read with the user's credentials.
//!
//! All requests go through [`client`], which has the limits of the HTTP provider. Error messages contain the status and
//! the code of a response, and nothing else from it, because services repeat parts of signed requests.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use dashmap::DashMap;
use futures_util::{StreamExt, TryStreamExt};
use object_store::list::PaginatedListOptions;
use object_store::path::Path;
use object_store::{GetOptions, GetRange};
use percent_encoding::percent_decode_str;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

use super::http::private::PrivateAddress;
use super::http::{BROKEN_OFF, causes, is_broken_off, known_cause};
use super::{Address, HttpOptions, Provider, ReadError, behalf};
use client::{Client, Exchange};
pub use service::Variables;
use service::{Bucket, Store};

mod client;
mod service;

/// The maximum number of requests at the same time.
const MAX_REQUESTS: usize = 32;
/// The maximum number of pages of a listing that have no new object. Services may send a few of them.
const MAX_EMPTY_PAGES: usize = 100;

/// The options of [`ObjectStoreProvider`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectStoreOptions {
    /// The buckets, such as `s3://types`, to which remote documents outside of them may refer. A document can always
    /// refer to its own bucket, and a local document to any bucket.
    pub buckets: BTreeSet<String>,
    /// The environment variables of the services. `None`, which is the default, means those of the process.
    pub variables: Option<Variables>,
    /// The maximum number of objects below a folder that is listed. 100 000 by default.
    pub objects: usize,
}

impl Default for ObjectStoreOptions {
    fn default() -> Self {
        Self { buckets: BTreeSet::new(), variables: None, objects: 100_000 }
    }
}

/// The provider of objects in Amazon S3 (`s3://bucket/key`), Google Cloud Storage (`gs://bucket/key`) and Azure Blob
/// Storage (`az://container/key`).
///
/// Servers and credentials come from environment variables that begin with `AWS_`, `GOOGLE_` and `AZURE_`. Without
/// credentials, requests are not signed, so that only public objects can be read. Timeouts, retries, proxies and the
/// restriction of private addresses are those of [`HttpOptions`].
///
/// Reads block, so they must not happen on a thread of an asynchronous runtime.
pub struct ObjectStoreProvider {
    http: HttpOptions,
    options: ObjectStoreOptions,
    runtime: OnceLock<Option<Runtime>>,
    client: OnceLock<Result<Client, ReadError>>,
    stores: DashMap<Bucket, Arc<dyn Store>>,
    requests: Semaphore,
}

impl ObjectStoreProvider {
    /// Creates a provider with the given options.
    pub fn new(http: HttpOptions, options: ObjectStoreOptions) -> Self {
        Self {
            http,
            options,
            runtime: OnceLock::new(),
            client: OnceLock::new(),
            stores: DashMap::new(),
            requests: Semaphore::new(MAX_REQUESTS),
        }
    }

    /// Returns the addresses of the objects below a folder, in order.
    ///
    /// # Errors
    ///
    /// Returns an error if the service fails, if there are more objects than [`ObjectStoreOptions::objects`], or if the
    /// service sends one page after another without new objects.
    pub fn objects_below(&self, folder: &Address) -> Result<Vec<Address>, ReadError> {
        let (bucket, prefix) = self.permitted(folder)?;
        let prefix = if prefix.as_ref().is_empty() { None } else { Some(format!("{prefix}/")) };
        let store = self.store(&bucket)?;
        let list = async {
            let mut found = BTreeSet::new();
            let mut token = None;
            let mut empty_pages = 0;
            loop {
                let exchange = self.exchange(&bucket, client::MAX_ANSWER);
                let options = PaginatedListOptions {
                    page_token: token.take(),
                    extensions: exchange.extensions(),
                    ..PaginatedListOptions::default()
                };
                let page = self.run(&bucket, &exchange, store.list_paginated(prefix.as_deref(), options)).await?;
                // Objects that represent folders have keys that end with a slash.
                let keys = page.result.objects.iter().map(|object| object.location.as_ref());
                let known = found.len();
                found.extend(keys.filter_map(|key| bucket.address(key)));
                if found.len() > self.options.objects {
                    return Err(ReadError::TooManyObjects { limit: self.options.objects });
                }
                token = page.page_token;
                if token.is_none() {
                    return Ok(found.into_iter().collect());
                }
                empty_pages += usize::from(found.len() == known);
                if empty_pages > MAX_EMPTY_PAGES {
                    let service = bucket.service_name();
                    let what = format!("{service} sent more than {MAX_EMPTY_PAGES} pages without a new object");
                    return Err(ReadError::Network(what));
                }
            }
        };
        self.block_on(list)
    }

    /// Reads at most the first `bytes` bytes of each object, many at the same time.
    pub fn read_starts(&self, addresses: &[Address], bytes: u64) -> Vec<Result<Vec<u8>, ReadError>> {
        let range = GetRange::Bounded(0..bytes.max(1));
        let read = |address| self.get(address, bytes, GetOptions::new().with_range(Some(range.clone())));
        let all = futures_util::stream::iter(addresses).map(read).buffered(MAX_REQUESTS).collect();
        self.block_on(async { Ok(all.await) })
            .unwrap_or_else(|error| addresses.iter().map(|_| Err(error.clone())).collect())
    }

    async fn get(&self, address: &Address, limit: u64, options: GetOptions) -> Result<Vec<u8>, ReadError> {
        let (bucket, path) = self.permitted(address)?;
        let store = self.store(&bucket)?;
        let exchange = self.exchange(&bucket, limit);
        let is_part = options.range.is_some();
        let options = options.with_extensions(exchange.extensions());
        let too_large = || Err(ReadError::TooLarge { limit });
        let read = self.run(&bucket, &exchange, async {
            let result = store.get_opts(&path, options).await?;
            if !is_part && result.meta.size > limit {
                return Ok(too_large());
            }
            let mut stream = result.into_stream();
            let mut bytes = Vec::new();
            while let Some(piece) = stream.try_next().await? {
                if (bytes.len() + piece.len()) as u64 > limit {
                    return Ok(too_large());
                }
                bytes.extend_from_slice(&piece);
            }
            Ok(Ok(bytes))
        });
        match read.await {
            // An empty object has no first byte.
            Err(ReadError::Service { status: 416, .. }) if is_part => Ok(Vec::new()),
            read => read?,
        }
    }

    /// Returns the bucket and the key of an address, to which the current importer may refer.
    fn permitted(&self, address: &Address) -> Result<(Bucket, Path), ReadError> {
        let (bucket, path) = target(address)?;
        behalf::check_bucket(address, &self.options.buckets)?;
        Ok((bucket, path))
    }

    /// Prepares an exchange, which may use private addresses under the same conditions as one of the HTTP provider.
    fn exchange(&self, bucket: &Bucket, limit: u64) -> Exchange {
        // A document that comes from the same service comes from the same servers.
        let is_same = |importer: Address| importer.scheme() == bucket.scheme();
        let may_be_private = self.http.private_network || behalf::importer().is_none_or(is_same);
        Exchange::new(may_be_private, limit)
    }

    fn store(&self, bucket: &Bucket) -> Result<Arc<dyn Store>, ReadError> {
        if let Some(known) = self.stores.get(bucket) {
            return Ok(known.clone());
        }
        let client = self.client.get_or_init(|| Client::new(&self.http)).clone()?;
        let variables = self.options.variables.clone().unwrap_or_else(Variables::from_env);
        let store = bucket.connect(&variables, client, &self.http)?;
        self.stores.insert(bucket.clone(), store.clone());
        Ok(store)
    }

    /// Runs an operation of a store, for a limited time.
    async fn run<T>(
        &self,
        bucket: &Bucket,
        exchange: &Exchange,
        operation: impl Future<Output = object_store::Result<T>>,
    ) -> Result<T, ReadError> {
        // The semaphore is never closed.
        let _permit = self.requests.acquire().await;
        match tokio::time::timeout(self.http.timeout, operation).await {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(error)) => Err(explain(bucket, exchange, &error, self.http.connect_timeout)),
            Err(_) => Err(ReadError::Network(format!("no complete response within {:?}", self.http.timeout))),
        }
    }

    fn block_on<T>(&self, work: impl Future<Output = Result<T, ReadError>>) -> Result<T, ReadError> {
        let runtime = self.runtime.get_or_init(|| Builder::new_current_thread().enable_all().build().ok());
        match runtime {
            Some(runtime) => runtime.block_on(work),
            None => Err(ReadError::Network("the requests can't be set up".to_owned())),
        }
    }
}

impl Provider for ObjectStoreProvider {
    fn serves(&self, address: &Address) -> bool {
        address.is_object()
    }

    fn is_slow(&self, address: &Address) -> bool {
        self.serves(address)
    }

    fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        self.block_on(self.get(address, limit, GetOptions::new()))
    }

    /// Asks the service whether the object exists, without reading it.
    fn exists(&self, address: &Address) -> bool {
        let Ok((bucket, path)) = self.permitted(address) else { return false };
        let Ok(store) = self.store(&bucket) else { return false };
        let exchange = self.exchange(&bucket, 0);
        let options = GetOptions::new().with_head(true).with_extensions(exchange.extensions());
        self.block_on(self.run(&bucket, &exchange, store.get_opts(&path, options))).is_ok()
    }
}

impl fmt::Debug for ObjectStoreProvider {
    /// Omits the stores, which contain credentials.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ObjectStoreProvider").field(&self.http).field(&self.options).finish()
    }
}

impl Drop for ObjectStoreProvider {
    /// Doesn't wait for the runtime, so that the provider can be dropped on a thread of another runtime.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take().flatten() {
            runtime.shutdown_background();
        }
    }
}

/// Returns the bucket and the key of an address.
fn target(address: &Address) -> Result<(Bucket, Path), ReadError> {
    let refused = |reason: &str| ReadError::Refused(reason.to_owned());
    let url = address.url().filter(|_| address.is_object()).ok_or_else(|| ReadError::no_provider(address))?;
    let has_more = url.query().is_some() || url.fragment().is_some() || url.port().is_some();
    if has_more || !url.username().is_empty() || url.password().is_some() {
        return Err(refused("the address of an object consists of the bucket and the key; write `%3F` and `%23`"));
    }
    let bucket = Bucket::new(url.scheme(), url.host_str().unwrap_or_default())
        .ok_or_else(|| refused("the name of its bucket is invalid"))?;
    let key = percent_decode_str(url.path()).decode_utf8().map_err(|_| refused("its key is not UTF-8"))?;
    let path = Path::parse(key.trim_matches('/')).map_err(|_| refused("its key has control characters"))?;
    Ok((bucket, path))
}

fn explain(bucket: &Bucket, exchange: &Exchange, error: &object_store::Error, connect_timeout: Duration) -> ReadError {
    if causes(error).any(<dyn Error>::is::<PrivateAddress>) {
        return ReadError::PrivateNetwork;
    }
    let service = bucket.service_name();
    if let Some((status, code)) = exchange.failure() {
        return match (status, code.as_str()) {
            (404, "NoSuchBucket" | "ContainerNotFound") => ReadError::Service { service, status, code },
            (404, _) => ReadError::NotFound,
            _ => ReadError::Service { service, status, code },
        };
    }
    if let object_store::Error::InvalidPath { .. } = error {
        let what = "one of its objects has a key with an empty part, `.`, `..` or a control character";
        return ReadError::Refused(what.to_owned());
    }
    let request = causes(error).find_map(|cause| cause.downcast_ref::<reqwest::Error>());
    ReadError::Network(match request {
        _ if causes(error).any(<dyn Error>::is::<client::AnswerTooLarge>) => {
            format!("the response of {service} is larger than expected")
        }
        Some(request) if request.is_timeout() && request.is_connect() => {
            format!("no connection within {connect_timeout:?}")
        }
        Some(request) if request.is_timeout() => "no complete response in time".to_owned(),
        Some(request) if request.is_dns() => "the host name can't be resolved".to_owned(),
        _ if is_broken_off(error) => BROKEN_OFF.to_owned(),
        _ => known_cause(error).unwrap_or_else(|| match request {
            None if !exchange.has_begun() => format!("no credentials for {service} can be obtained"),
            _ => "the request failed".to_owned(),
        }),
    })
}

#[cfg(test)]
mod tests;
