//! The services, and the environment variables that configure them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use object_store::ObjectStore;
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::{GcpCredential, GoogleCloudStorageBuilder};
use object_store::list::PaginatedListStore;
use object_store::{BackoffConfig, RetryConfig, StaticCredentialProvider};

use super::super::{Address, HttpOptions, ReadError, names};
use super::client::Client;

/// The operations on a bucket.
pub(super) trait Store: ObjectStore + PaginatedListStore {}

impl<T: ObjectStore + PaginatedListStore> Store for T {}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Service {
    S3,
    Google,
    Azure,
}

/// An environment variable that configures a service.
struct Variable {
    name: &'static str,
    /// The name of the setting in the library.
    setting: &'static str,
    /// Whether the variable selects credentials. If no such variable is set, requests are not signed.
    is_credential: bool,
}

const fn setting(name: &'static str, setting: &'static str) -> Variable {
    Variable { name, setting, is_credential: false }
}

const fn credential(name: &'static str, setting: &'static str) -> Variable {
    Variable { name, setting, is_credential: true }
}

/// The variables of each service. If several set the same value, the last one wins. Others are ignored, such as those
/// that would disable the verification of certificates.
const S3: &[Variable] = &[
    setting("AWS_DEFAULT_REGION", "aws_region"),
    setting("AWS_REGION", "aws_region"),
    setting("AWS_ENDPOINT_URL", "aws_endpoint_url"),
    setting("AWS_ENDPOINT_URL_S3", "aws_endpoint_url"),
    setting("AWS_ENDPOINT_URL_STS", "aws_endpoint_url_sts"),
    setting("AWS_VIRTUAL_HOSTED_STYLE_REQUEST", "aws_virtual_hosted_style_request"),
    setting("AWS_REQUEST_PAYER", "aws_request_payer"),
    setting("AWS_SESSION_TOKEN", "aws_session_token"),
    setting("AWS_ROLE_ARN", "aws_role_arn"),
    setting("AWS_ROLE_SESSION_NAME", "aws_role_session_name"),
    setting("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "aws_container_authorization_token_file"),
    credential("AWS_ACCESS_KEY_ID", "aws_access_key_id"),
    credential("AWS_SECRET_ACCESS_KEY", "aws_secret_access_key"),
    credential("AWS_WEB_IDENTITY_TOKEN_FILE", "aws_web_identity_token_file"),
    credential("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "aws_container_credentials_relative_uri"),
    credential("AWS_CONTAINER_CREDENTIALS_FULL_URI", "aws_container_credentials_full_uri"),
    credential("AWS_METADATA_ENDPOINT", "aws_metadata_endpoint"),
];

const GOOGLE: &[Variable] = &[
    setting("STORAGE_EMULATOR_HOST", "google_base_url"),
    setting("GOOGLE_BASE_URL", "google_base_url"),
    credential("GOOGLE_APPLICATION_CREDENTIALS", "google_application_credentials"),
    credential("GOOGLE_SERVICE_ACCOUNT", "google_service_account"),
    credential("GOOGLE_SERVICE_ACCOUNT_PATH", "google_service_account"),
    credential("GOOGLE_SERVICE_ACCOUNT_KEY", "google_service_account_key"),
    credential("GOOGLE_BEARER_TOKEN", "google_bearer_token"),
];

const AZURE: &[Variable] = &[
    setting("AZURE_STORAGE_ACCOUNT", "azure_storage_account_name"),
    setting("AZURE_STORAGE_ACCOUNT_NAME", "azure_storage_account_name"),
    setting("AZURE_STORAGE_ENDPOINT", "azure_storage_endpoint"),
    setting("AZURE_STORAGE_CLIENT_ID", "azure_client_id"),
    setting("AZURE_CLIENT_ID", "azure_client_id"),
    setting("AZURE_STORAGE_TENANT_ID", "azure_tenant_id"),
    setting("AZURE_TENANT_ID", "azure_tenant_id"),
    setting("AZURE_AUTHORITY_HOST", "azure_authority_host"),
    credential("AZURE_STORAGE_KEY", "azure_storage_account_key"),
    credential("AZURE_STORAGE_ACCOUNT_KEY", "azure_storage_account_key"),
    credential("AZURE_STORAGE_ACCESS_KEY", "azure_storage_account_key"),
    credential("AZURE_STORAGE_SAS_KEY", "azure_storage_sas_token"),
    credential("AZURE_STORAGE_SAS_TOKEN", "azure_storage_sas_token"),
    credential("AZURE_STORAGE_TOKEN", "azure_storage_token"),
    credential("AZURE_STORAGE_CLIENT_SECRET", "azure_client_secret"),
    credential("AZURE_CLIENT_SECRET", "azure_client_secret"),
    credential("AZURE_FEDERATED_TOKEN_FILE", "azure_federated_token_file"),
    credential("AZURE_IDENTITY_ENDPOINT", "azure_msi_endpoint"),
];

/// The parts of a connection string, in place of variables.
const CONNECTION: &[(&str, &str)] = &[
    ("AccountName", "AZURE_STORAGE_ACCOUNT_NAME"),
    ("AccountKey", "AZURE_STORAGE_ACCOUNT_KEY"),
    ("BlobEndpoint", "AZURE_STORAGE_ENDPOINT"),
    ("SharedAccessSignature", "AZURE_STORAGE_SAS_TOKEN"),
];
const CONNECTION_STRING: &str = "AZURE_STORAGE_CONNECTION_STRING";

impl Service {
    fn of(scheme: &str) -> Option<Self> {
        match scheme {
            "s3" => Some(Self::S3),
            "gs" => Some(Self::Google),
            "az" => Some(Self::Azure),
            _ => None,
        }
    }

    fn scheme(self) -> &'static str {
        match self {
            Self::S3 => "s3",
            Self::Google => "gs",
            Self::Azure => "az",
        }
    }

    fn variables(self) -> &'static [Variable] {
        match self {
            Self::S3 => S3,
            Self::Google => GOOGLE,
            Self::Azure => AZURE,
        }
    }
}

/// The environment variables of the services, by name. They include secrets, which debug output omits.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Variables(BTreeMap<String, String>);

impl Variables {
    /// Returns the variables of the process that belong to a service.
    pub fn from_env() -> Self {
        let known = [S3, GOOGLE, AZURE].into_iter().flatten().map(|variable| variable.name);
        let value = |name: &str| Some((name.to_owned(), std::env::var(name).ok()?));
        Self(known.chain([CONNECTION_STRING]).filter_map(value).collect())
    }

    /// Returns the value of each of a service's settings, and whether there are credentials.
    fn settings(&self, service: Service) -> (BTreeMap<&'static str, String>, bool) {
        let mut variables = BTreeMap::new();
        if service == Service::Azure
            && let Some(connection) = self.0.get(CONNECTION_STRING)
        {
            for part in connection.split(';') {
                let Some((name, value)) = part.split_once('=') else { continue };
                if let Some((_, variable)) = CONNECTION.iter().find(|(known, _)| *known == name.trim()) {
                    variables.insert(*variable, value.trim().to_owned());
                }
            }
        }
        let mut settings = BTreeMap::new();
        let mut has_credentials = false;
        for variable in service.variables() {
            let value = self.0.get(variable.name).or_else(|| variables.get(variable.name));
            let Some(value) = value.filter(|value| !value.trim().is_empty()) else { continue };
            has_credentials |= variable.is_credential;
            let value = value.trim();
            let value = match variable.setting {
                // The emulator's variable may lack the scheme.
                "google_base_url" if !value.contains("://") => format!("http://{}", value.trim_end_matches('/')),
                "google_base_url" => value.trim_end_matches('/').to_owned(),
                _ => value.to_owned(),
            };
            settings.insert(variable.setting, value);
        }
        (settings, has_credentials)
    }

    /// Returns the names of a service's variables that are set.
    fn names(&self, service: Service) -> String {
        let known = service.variables().iter().map(|variable| variable.name).chain([CONNECTION_STRING]);
        let set: Vec<&str> = known.filter(|name| self.0.contains_key(*name)).collect();
        if set.is_empty() { "none are set".to_owned() } else { set.join(", ") }
    }
}

impl FromIterator<(String, String)> for Variables {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(variables: T) -> Self {
        Self(variables.into_iter().collect())
    }
}

impl fmt::Debug for Variables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// A bucket, or a container, of a service.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Bucket {
    service: Service,
    name: String,
}

impl Bucket {
    /// Returns the bucket with a name that can't be anything else in a URL; `None` if the name is invalid.
    pub(super) fn new(scheme: &str, name: &str) -> Option<Self> {
        /// The maximum length of the name in any service.
        const MAX: usize = 222;
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'$');
        let is_valid = !name.is_empty() && name.len() <= MAX && !name.contains("..") && !name.starts_with('.');
        let service = Service::of(scheme)?;
        (is_valid && name.bytes().all(is_name)).then(|| Self { service, name: name.to_owned() })
    }

    /// Returns the address of an object.
    pub(super) fn address(&self, key: &str) -> Option<Address> {
        Address::parse(&format!("{self}{}", names::canonical_path(key.as_bytes(), 0))).ok()
    }

    pub(super) fn scheme(&self) -> &'static str {
        self.service.scheme()
    }

    pub(super) fn service_name(&self) -> &'static str {
        match self.service {
            Service::S3 => "S3",
            Service::Google => "Google Cloud Storage",
            Service::Azure => "Azure Blob Storage",
        }
    }

    /// Creates a store, which sends no requests until it is used.
    pub(super) fn connect(
        &self,
        variables: &Variables,
        client: Client,
        options: &HttpOptions,
    ) -> Result<Arc<dyn Store>, ReadError> {
        let (settings, has_credentials) = variables.settings(self.service);
        self.build(settings, has_credentials, client, options).map_err(|_| {
            // The library's message may contain the values.
            let (service, names) = (self.service_name(), variables.names(self.service));
            ReadError::Refused(format!("the environment variables of {service} are incomplete or invalid: {names}"))
        })
    }

    fn build(
        &self,
        settings: BTreeMap<&'static str, String>,
        has_credentials: bool,
        client: Client,
        options: &HttpOptions,
    ) -> object_store::Result<Arc<dyn Store>> {
        let retry = RetryConfig {
            backoff: BackoffConfig {
                init_backoff: Duration::from_millis(200),
                max_backoff: Duration::from_secs(5),
                base: 2.0,
            },
            max_retries: options.retries as usize,
            retry_timeout: options.timeout,
        };
        // The builders of the library have the same methods, but no common trait.
        macro_rules! build {
            ($builder:expr) => {{
                let mut builder =
                    $builder.with_retry(retry).with_http_connector(client).with_skip_signature(!has_credentials);
                for (setting, value) in settings {
                    builder = builder.with_config(setting.parse()?, value);
                }
                Arc::new(builder.build()?)
            }};
        }
        Ok(match self.service {
            Service::S3 => build!(AmazonS3Builder::new().with_bucket_name(&self.name)),
            Service::Google => {
                let mut builder = GoogleCloudStorageBuilder::new().with_bucket_name(&self.name);
                if !has_credentials {
                    // Otherwise, credentials would come from the home folder.
                    let none = GcpCredential { bearer: String::new() };
                    builder = builder.with_credentials(Arc::new(StaticCredentialProvider::new(none)));
                }
                build!(builder)
            }
            Service::Azure => build!(MicrosoftAzureBuilder::new().with_container_name(&self.name)),
        })
    }
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.service.scheme(), self.name)
    }
}
