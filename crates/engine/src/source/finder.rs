//! Finds sources by name.

use std::path::{self, Path, PathBuf};
use std::sync::Arc;

#[cfg(feature = "archive")]
use super::Archives;
use super::{Address, CatalogueProblem, OptionValues, Provider, ReadError, Search, SearchPaths, Searches};

/// Finds sources by name, such as a profile that is imported by name, or the file of a class that is imported by
/// referring to the class.
///
/// A language supplies a function that creates a finder, [`Language::finder`](crate::entity::Language::finder). There
/// is one finder for each session of a parser, so it may cache results for its whole lifetime. All methods may be
/// called from several threads at once.
pub trait Finder: Send + Sync {
    /// Returns the source for a name; `None` if there is none.
    fn find(&self, query: &NameQuery<'_>) -> Option<Address>;

    /// Returns help for a name without a source, for the case that no known name is similar.
    fn help(&self, query: &NameQuery<'_>) -> Option<String> {
        let _ = query;
        None
    }

    /// Returns the known names with their sources, sorted by name. Names next to an entry are included only if an entry
    /// is given.
    fn names(&self, entry: Option<&Address>) -> Vec<(String, Address)> {
        let _ = entry;
        Vec::new()
    }

    /// Returns the files and folders from which sources may be read, regardless of any sandbox.
    fn search_paths(&self) -> Vec<Address> {
        Vec::new()
    }

    /// Returns whether the files that are searched, apart from the search paths, are
    /// [recorded](crate::source::observe).
    fn is_observed(&self) -> bool {
        false
    }

    /// Returns the problems with the [search paths](Self::search_paths).
    fn problems(&self) -> Vec<CatalogueProblem> {
        Vec::new()
    }
}

/// A finder without results, for languages without imports by name.
#[derive(Clone, Copy, Debug)]
pub struct NullFinder;

impl Finder for NullFinder {
    fn find(&self, _: &NameQuery<'_>) -> Option<Address> {
        None
    }

    fn is_observed(&self) -> bool {
        true
    }
}

/// A name whose source is looked up, with its context.
#[derive(Clone, Copy, Debug)]
pub struct NameQuery<'a> {
    /// The name.
    pub name: &'a str,
    /// The source that contains the name.
    pub importer: &'a Address,
    /// The entry of the program.
    pub entry: &'a Address,
    /// The values of options, such as the folders to search.
    pub options: &'a OptionValues,
    /// The number of the importer's language version.
    pub version: u8,
}

/// The resources that a finder can use.
#[derive(Clone)]
pub struct FinderContext {
    /// The files and folders that the user has specified, in order.
    pub paths: Vec<PathBuf>,
    /// The providers of sources; the first one that serves an address is used.
    pub providers: Vec<Arc<dyn Provider>>,
    /// The provider of archives.
    #[cfg(feature = "archive")]
    pub archives: Archives,
    /// The searches of the paths, which other parsers may share.
    pub searches: Searches,
}

impl FinderContext {
    /// Reads a source of at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no source at the address or it can't be read.
    pub fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        match self.provider(address) {
            Some(provider) => provider.read(address, limit),
            None => Err(ReadError::no_provider(address)),
        }
    }

    /// Registers searches of the paths; see [`Searches::register`]. They may depend on the limits on archives, too.
    pub fn register<S: Search>(&self, settings: &str, new: impl Fn(&Path) -> S) -> SearchPaths<S> {
        let paths: Vec<PathBuf> =
            self.paths.iter().map(|path| path::absolute(path).unwrap_or_else(|_| path.clone())).collect();
        #[cfg(feature = "archive")]
        let settings = &format!("{settings} {:?}", self.archives.limits());
        self.searches.register(&paths, settings, new)
    }

    /// Returns whether there is a source at an address.
    pub fn exists(&self, address: &Address) -> bool {
        self.provider(address).is_some_and(|provider| provider.exists(address))
    }

    fn provider(&self, address: &Address) -> Option<&Arc<dyn Provider>> {
        self.providers.iter().find(|provider| provider.serves(address))
    }
}

impl std::fmt::Debug for FinderContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FinderContext").field("paths", &self.paths).finish_non_exhaustive()
    }
}
