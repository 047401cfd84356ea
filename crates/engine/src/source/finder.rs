//! From names to sources.

use std::path::PathBuf;
use std::sync::Arc;

#[cfg(feature = "archive")]
use super::Archives;
use super::{Address, CatalogueProblem, Provider, ReadError};

/// What knows which source a name stands for: a profile that is imported by its name, or a class whose file is found by
/// its name wherever it is mentioned.
///
/// A language brings a function that makes one, [`Language::finder`](crate::entity::Language::finder). It is made for
/// each session of a parser, so it may remember what it has found as long as it lives. All methods may be called from
/// many threads at once.
pub trait Finder: Send + Sync {
    /// The source of what is wanted; nothing if there is none.
    fn find(&self, wanted: &Wanted<'_>) -> Option<Address>;

    /// What to tell the author of a name that nothing has been found for, unless another name is much like it.
    fn help(&self, wanted: &Wanted<'_>) -> Option<String> {
        let _ = wanted;
        None
    }

    /// The names that are known, with their sources, sorted by name; those beside an entry only if there is one.
    fn names(&self, entry: Option<&Address>) -> Vec<(String, Address)> {
        let _ = entry;
        Vec::new()
    }

    /// The files and folders that sources may come from, whatever a sandbox says.
    fn places(&self) -> Vec<Address> {
        Vec::new()
    }

    /// What is wrong with these places.
    fn problems(&self) -> Vec<CatalogueProblem> {
        Vec::new()
    }
}

/// A finder that finds nothing, for languages that name no sources.
#[derive(Clone, Copy, Debug)]
pub struct Nowhere;

impl Finder for Nowhere {
    fn find(&self, _: &Wanted<'_>) -> Option<Address> {
        None
    }
}

/// A name whose source is looked for, and who asks.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The name.
    pub name: &'a str,
    /// The source that names it.
    pub importer: &'a Address,
    /// The entry of the program.
    pub entry: &'a Address,
    /// The number of the version of the language that the source is written in.
    pub version: u8,
}

/// What a finder may look through.
#[derive(Clone)]
pub struct Library {
    /// The files and folders that the user has named, in this order.
    pub paths: Vec<PathBuf>,
    /// What sources are read from; the first that serves an address counts.
    pub providers: Vec<Arc<dyn Provider>>,
    /// What is in archives.
    #[cfg(feature = "archive")]
    pub archives: Archives,
}

impl Library {
    /// Reads a source of at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// There is nothing at the address, or it cannot be read.
    pub fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        match self.provider(address) {
            Some(provider) => provider.read(address, limit),
            None => Err(ReadError::no_provider(address)),
        }
    }

    /// Whether there is a source at an address.
    pub fn exists(&self, address: &Address) -> bool {
        self.provider(address).is_some_and(|provider| provider.exists(address))
    }

    fn provider(&self, address: &Address) -> Option<&Arc<dyn Provider>> {
        self.providers.iter().find(|provider| provider.serves(address))
    }
}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Library").field("paths", &self.paths).finish_non_exhaustive()
    }
}
