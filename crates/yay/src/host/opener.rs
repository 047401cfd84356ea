//! Opens documents through the engine's providers.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use tosca_parse_engine::source::{
    Address, FileProvider, Provider, ReadError, is_yaml_name, list_directory, network_source, on_behalf_of,
};

use super::gpg;
use crate::config::Config;
use crate::data::Data;
use crate::error::Error;
use crate::limits::Limits;
use crate::open::{LoadedDocument, OpenError, Opener};

/// An opener that reads through providers: their limits, caches and locks apply.
pub struct Provided {
    providers: Vec<Arc<dyn Provider>>,
    limit: u64,
    gpg: bool,
    /// The folders that documents can be read from, which end with a slash; `None` without a sandbox.
    bounds: Option<Vec<String>>,
    /// For the address of each included document, the remote document that includes it; `None` if a local document
    /// does.
    includers: Mutex<BTreeMap<String, Option<Address>>>,
}

impl Provided {
    /// Creates an opener for these providers, which reads documents of at most `limit` bytes.
    pub fn new(providers: Vec<Arc<dyn Provider>>, limit: u64) -> Self {
        Provided { providers, limit, gpg: false, bounds: None, includers: Mutex::default() }
    }

    /// Lets documents whose names end with `.gpg` be decrypted by the `gpg` program.
    #[must_use]
    pub fn with_gpg(mut self, gpg: bool) -> Self {
        self.gpg = gpg;
        self
    }

    /// Refuses all documents outside the given folders from now on.
    #[must_use]
    pub fn within(mut self, folders: impl IntoIterator<Item = Address>) -> Self {
        let identity = |folder: Address| {
            let identity = self.provider(&folder)?.identity(&folder);
            Some(identity.as_directory().to_string())
        };
        self.bounds = Some(folders.into_iter().filter_map(identity).collect());
        self
    }

    fn provider(&self, address: &Address) -> Option<&Arc<dyn Provider>> {
        self.providers.iter().find(|provider| provider.serves(address))
    }

    /// Returns an error if a document is outside the bounds.
    fn check(&self, address: &Address) -> Result<(), OpenError> {
        let text = address.as_directory().to_string();
        match &self.bounds {
            Some(bounds) if !bounds.iter().any(|folder| text.starts_with(folder)) => {
                let name = address.display_name(std::env::current_dir().ok().as_deref());
                Err(OpenError::Refused(format!(
                    "`{name}` is outside the folders of the documents, which a sandbox refuses"
                )))
            }
            _ => Ok(()),
        }
    }
}

impl Opener for Provided {
    fn locate(&self, name: &str, base: &str) -> Option<String> {
        let address = locate(name, base)?;
        let includer = Address::parse(base).ok().and_then(|base| network_source(&base));
        let mut includers = self.includers.lock().unwrap_or_else(PoisonError::into_inner);
        match includer {
            Some(_) => drop(includers.entry(address.clone()).or_insert(includer)),
            None => drop(includers.insert(address.clone(), None)),
        }
        drop(includers);
        Some(address)
    }

    fn is_local(&self, address: &str) -> bool {
        is_local(address)
    }

    fn list(&self, folder: &str) -> Option<Vec<String>> {
        let address = Address::parse(folder).ok()?;
        let identity = self.provider(&address)?.identity(&address);
        self.check(&identity).is_ok().then(|| list_directory(&self.providers, &address)).flatten()
    }

    fn open(&mut self, address: &str) -> Result<LoadedDocument, OpenError> {
        let parsed = Address::parse(address).map_err(|_| OpenError::Missing)?;
        let provider = self.provider(&parsed).ok_or(OpenError::Missing)?;
        self.check(&provider.identity(&parsed))?;
        let includers = self.includers.lock().unwrap_or_else(PoisonError::into_inner);
        let includer = includers.get(address).cloned().flatten();
        drop(includers);
        let fetched = on_behalf_of(includer, || provider.fetch(&parsed, self.limit)).map_err(|error| match error {
            ReadError::NotFound | ReadError::NotAFile { .. } => OpenError::Missing,
            error => OpenError::Failed(format!("can't read `{}`: {error}", parsed.display_name(None))),
        })?;
        let real = fetched.real.as_ref().map(|real| Address::from_path(real, Path::new("/")));
        // A link may have changed since the first check.
        if let Some(real) = &real {
            self.check(real)?;
        }
        let here = std::env::current_dir().ok();
        let name = fetched.address.display_name(here.as_deref());
        let opened = LoadedDocument {
            name,
            address: whole(&fetched.address),
            text: fetched.bytes,
            labels: Vec::new(),
            remote: fetched.address.is_remote(),
            hidden: !is_document(real.as_ref().unwrap_or(&fetched.address)),
        };
        decrypted(opened, self.gpg)
    }
}

/// Evaluates the document at a path or address, which can include files. Positions are lost.
///
/// # Errors
///
/// Returns every error that was found, each with its positions.
pub fn load_address(address: &str) -> Result<Data, String> {
    let mut config = Config::new(Provided::new(vec![Arc::new(FileProvider)], Limits::default().bytes as u64));
    config.load_address(address);
    let report = |error: Error| {
        let each: Vec<String> = error.each().iter().map(|error| config.describe(error)).collect();
        each.join("\n")
    };
    config.resolve().map_err(report)
}

/// Returns the address of a name, relative to a document or a folder.
pub(super) fn locate(name: &str, base: &str) -> Option<String> {
    if name.is_empty() {
        return None;
    }
    if let Some(path) = name.strip_prefix("home:") {
        let home = std::env::var_os("HOME")?;
        let path = path.trim_start_matches('/');
        return Some(Address::from_path(&Path::new(&home).join(path), Path::new("/")).to_string());
    }
    let located = match Address::parse(base) {
        Ok(base) => base.join(name).ok()?,
        Err(_) => {
            // WebAssembly has no current folder.
            let here = std::env::current_dir().unwrap_or_else(|_| "/".into());
            Address::from_argument(name, &here.join(base)).ok()?
        }
    };
    Some(whole(&located))
}

/// Returns an address with its user and password, which `Address::to_string` leaves out.
pub(super) fn whole(address: &Address) -> String {
    address.url().map_or_else(|| address.to_string(), |url| url.as_str().to_owned())
}

pub(super) fn is_local(address: &str) -> bool {
    Address::parse(address).is_ok_and(|address| address.scheme() == "file")
}

/// Returns whether a document is probably in Yay or is data, judging by its name.
fn is_document(address: &Address) -> bool {
    let name = address.file_name();
    is_yaml_name(name) || has_extension(name, "yay")
}

/// Returns whether the name of a document indicates that it is encrypted.
pub(super) fn is_encrypted(address: &str) -> bool {
    has_extension(address, "gpg")
}

/// Returns whether a name has the given extension.
pub(super) fn has_extension(name: &str, extension: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, found)| found == extension)
}

/// Decrypts a document if it is encrypted.
pub(super) fn decrypted(mut opened: LoadedDocument, gpg: bool) -> Result<LoadedDocument, OpenError> {
    if !is_encrypted(&opened.address) {
        return Ok(opened);
    }
    if !gpg {
        return Err(OpenError::Failed(format!("`{}` is encrypted, and decryption is not enabled", opened.name)));
    }
    let text = gpg::decrypt(opened.text).map_err(|reason| OpenError::Failed(format!("`{}`: {reason}", opened.name)))?;
    opened.text = text;
    opened.labels.push("secret".to_owned());
    Ok(opened)
}
