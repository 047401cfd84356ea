//! Openers of documents, which the host provides with its limits, caches and locks.

use std::collections::BTreeMap;

/// A document that an opener has loaded.
#[derive(Clone, Debug, Default)]
pub struct LoadedDocument {
    /// The name in messages.
    pub name: String,
    /// The real address; names in the document are relative to it.
    pub address: String,
    /// The bytes of the document.
    pub text: Vec<u8>,
    /// The labels of everything in it; `secret` for encrypted documents.
    pub labels: Vec<String>,
    /// Whether it came over the network.
    pub remote: bool,
    /// Whether problems must not show its content if it is included, because it may not be in Yay.
    pub hidden: bool,
}

/// The reason why a document could not be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// There is no document at this address; it may be at a different one.
    Missing,
    /// There is a document, but it can't or must not be read. The reason is given as a sentence.
    Failed(String),
    /// There may be a document, but the sandbox refuses it, so that the lookup continues. The reason is given as a
    /// sentence.
    Refused(String),
}

/// Opens documents.
pub trait Opener {
    /// Returns the address of a name as written, relative to `base`: the address of a document, or of a folder if it
    /// ends with a slash; empty for text without an address. `None` if the name can't be an address there.
    fn locate(&self, name: &str, base: &str) -> Option<String>;

    /// Returns whether an address is on this machine, so that remote documents must not name it.
    fn is_local(&self, address: &str) -> bool;

    /// Returns the names of the documents in a folder, whose address ends with a slash; `None` if the folder can't be
    /// listed.
    fn list(&self, folder: &str) -> Option<Vec<String>> {
        let _ = folder;
        None
    }

    /// Returns the document at an address.
    ///
    /// # Errors
    ///
    /// Returns an [`OpenError`] if it can't be opened.
    fn open(&mut self, address: &str) -> Result<LoadedDocument, OpenError>;
}

/// Documents that are in memory.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    documents: BTreeMap<String, (Vec<u8>, Vec<String>)>,
}

impl Memory {
    /// Adds a document.
    #[must_use]
    pub fn with(mut self, address: &str, text: &str) -> Self {
        self.documents.insert(address.to_owned(), (text.as_bytes().to_vec(), Vec::new()));
        self
    }
}

impl Opener for Memory {
    fn locate(&self, name: &str, base: &str) -> Option<String> {
        join(name, base)
    }

    fn is_local(&self, _address: &str) -> bool {
        false
    }

    fn list(&self, folder: &str) -> Option<Vec<String>> {
        let folder = folder.trim_start_matches("./");
        let inside = self.documents.keys().filter_map(|address| address.strip_prefix(folder.trim_end_matches('/')));
        let is_root = folder.is_empty() || folder == "/";
        let names = inside.filter_map(|rest| if is_root { Some(rest) } else { rest.strip_prefix('/') });
        let names: Vec<String> = names.filter(|name| !name.contains('/')).map(str::to_owned).collect();
        Some(names).filter(|names| !names.is_empty())
    }

    fn open(&mut self, address: &str) -> Result<LoadedDocument, OpenError> {
        let (text, labels) = self.documents.get(address).ok_or(OpenError::Missing)?;
        Ok(LoadedDocument {
            name: address.to_owned(),
            address: address.to_owned(),
            text: text.clone(),
            labels: labels.clone(),
            remote: false,
            hidden: false,
        })
    }
}

/// Resolves a path relative to another one, including `.` and `..`.
pub(crate) fn join(name: &str, base: &str) -> Option<String> {
    if name.is_empty() {
        return None;
    }
    let folder = base.rsplit_once('/').map_or("", |(folder, _)| folder);
    let rooted = name.starts_with('/') || base.starts_with('/');
    let whole = if name.starts_with('/') || folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if rooted => {}
            _ => parts.push(part),
        }
    }
    let path = parts.join("/");
    Some(if rooted { format!("/{path}") } else { path })
}
