//! The possible addresses of an import.
//!
//! The standard does not define the root of a repository whose URL leads to a file, or the meaning of `..` above the
//! root, and authors mix up file names and URLs. So an import may have several meanings. They are tried in order, and
//! the first one for which a source exists is used.

use percent_encoding::percent_decode_str;

use super::reference::{Reference, shown};
use super::{Address, AddressError};

/// The target of an import.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ImportTarget {
    /// A source at a URL or path.
    Url {
        /// The URL, as written.
        url: String,
        /// The URL of the repository that the import names, as written.
        repository: Option<String>,
    },
    /// A profile, or a different source that the language's [finder](super::Finder) finds by name.
    Profile(String),
}

/// The reason why the target of an import can't be resolved to an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// The target is empty.
    #[error("the URL of the import is empty")]
    Empty,
    /// The import names a repository, although the URL of the import is absolute.
    #[error("`{url}` has a scheme, so it can't be in a repository")]
    Repository {
        /// The URL, without credentials.
        url: String,
    },
    /// A remote or archived source names a local file.
    #[error("`{url}` is a local file, which a remote file or a file in an archive must not import")]
    LocalFile {
        /// The URL.
        url: String,
    },
    /// The URL of the repository is empty.
    #[error("the URL of the repository is empty")]
    EmptyRepository,
    /// The URL of the repository is not an address.
    #[error("invalid repository URL: {0}")]
    InvalidRepository(Box<Self>),
    /// The URL of the import is invalid.
    #[error(transparent)]
    Address(#[from] AddressError),
}

impl ResolveError {
    /// Returns help for the author.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Repository { .. } => {
                Some("remove the repository, or write the path of the file inside the repository".to_owned())
            }
            Self::InvalidRepository(error) => error.help(),
            Self::Address(error) => error.help(),
            Self::Empty | Self::EmptyRepository | Self::LocalFile { .. } => None,
        }
    }
}

/// Returns the candidate addresses for an import in `importer`, in order. There is at least one, and there are no
/// duplicates.
///
/// `root` is the directory of the repository that contains the entry file. `repository` is the URL of the repository
/// that the import names.
///
/// | `target_url` | candidates |
/// |---|---|
/// | `https://…`, `file:///…` | the URL itself |
/// | `file:types.yaml`, `types.yaml`, `../types.yaml` | relative to `importer`; then, if this leads above `root`, with `..` stopping at `root` |
/// | `/types.yaml` | below `root`; then as an absolute path |
/// | `types.yaml`, with a repository | below the URL of the repository, which is a directory and may itself be relative |
///
/// If a path contains `%20` or the like, the literal path comes first, then the decoded one; after `file:`, the order
/// is reversed. If the importer is on a different host than `root`, the root is the top of the importer's host. A path
/// never leads to a different host.
///
/// # Errors
///
/// Returns an error if the target or the repository is invalid, if the target has a scheme although there is a
/// repository, or if a remote or archived importer names a local file.
pub fn candidates(
    importer: &Address,
    root: &Address,
    target_url: &str,
    repository: Option<&str>,
) -> Result<Vec<Address>, ResolveError> {
    if target_url.is_empty() {
        return Err(ResolveError::Empty);
    }
    let place = Standpoint::of(importer, root);
    let Some(repository) = repository else {
        return place.candidates(target_url);
    };
    if !matches!(Reference::of(target_url), Reference::Path(_)) {
        return Err(ResolveError::Repository { url: shown(target_url) });
    }
    if repository.is_empty() {
        return Err(ResolveError::EmptyRepository);
    }
    let bases = place.candidates(repository).map_err(|error| ResolveError::InvalidRepository(error.into()))?;
    let mut found = Candidates::default();
    for base in bases {
        let base = base.as_directory();
        let inside = Standpoint { importer: &base, root: base.clone() };
        inside.add_below(Names::Literal(target_url.trim_start_matches(slashes())), &mut found)?;
    }
    Ok(found.0)
}

/// Returns the characters that begin an absolute path.
fn slashes() -> &'static [char] {
    if cfg!(windows) { &['/', '\\'] } else { &['/'] }
}

#[derive(Default)]
struct Candidates(Vec<Address>);

impl Candidates {
    fn add(&mut self, address: Address) {
        if !self.0.contains(&address) {
            self.0.push(address);
        }
    }
}

/// A path and the encoding of the names in it.
#[derive(Clone, Copy)]
enum Names<'a> {
    Literal(&'a str),
    Encoded(&'a str),
}

impl<'a> Names<'a> {
    fn text(self) -> &'a str {
        match self {
            Self::Literal(text) | Self::Encoded(text) => text,
        }
    }

    fn of(self, text: &'a str) -> Self {
        match self {
            Self::Literal(_) => Self::Literal(text),
            Self::Encoded(_) => Self::Encoded(text),
        }
    }

    /// Returns the other interpretation of the same text (literal or encoded), if it yields a different path.
    fn other(self) -> Option<Self> {
        let text = self.text();
        let differs = text.contains('%') && percent_decode_str(text).decode_utf8().is_ok_and(|decoded| decoded != text);
        differs.then_some(match self {
            Self::Literal(text) => Self::Encoded(text),
            Self::Encoded(text) => Self::Literal(text),
        })
    }

    fn join(self, base: &Address) -> Result<Address, AddressError> {
        match self {
            Self::Literal(path) => base.join_path(path),
            Self::Encoded(path) => base.join_encoded(path),
        }
    }
}

/// The base for resolving a reference.
struct Standpoint<'a> {
    importer: &'a Address,
    /// The root directory.
    root: Address,
}

impl<'a> Standpoint<'a> {
    fn of(importer: &'a Address, root: &Address) -> Self {
        let root = if importer.same_origin(root) { root.as_directory() } else { importer.top() };
        Self { importer, root }
    }

    fn candidates(&self, text: &str) -> Result<Vec<Address>, ResolveError> {
        let mut found = Candidates::default();
        match Reference::of(text) {
            Reference::Url(url) => {
                let address = Address::parse(url)?;
                if address.is_local() && (self.importer.is_remote() || self.importer.archive().is_some()) {
                    return Err(ResolveError::LocalFile { url: address.to_string() });
                }
                found.add(address);
            }
            Reference::FilePath(path) => self.add(Names::Encoded(path), &mut found)?,
            Reference::Path(path) => self.add(Names::Literal(path), &mut found)?,
        }
        Ok(found.0)
    }

    fn add(&self, path: Names<'_>, found: &mut Candidates) -> Result<(), ResolveError> {
        let below = path.text().trim_start_matches(slashes());
        if below.len() == path.text().len() {
            return self.add_below(path, found);
        }
        let at_root = Standpoint { importer: &self.root, root: self.root.clone() };
        for below in [Some(path.of(below)), path.of(below).other()].into_iter().flatten() {
            found.add(at_root.clamped(below)?.map_or_else(|| below.join(&self.root), Ok)?);
        }
        for absolute in [Some(path), path.other()].into_iter().flatten() {
            found.add(absolute.join(self.importer)?);
        }
        Ok(())
    }

    /// Adds the candidates for a relative path.
    fn add_below(&self, path: Names<'_>, found: &mut Candidates) -> Result<(), ResolveError> {
        for path in [Some(path), path.other()].into_iter().flatten() {
            found.add(path.join(self.importer)?);
            if let Some(clamped) = self.clamped(path)? {
                found.add(clamped);
            }
        }
        Ok(())
    }

    /// Returns the meaning of a relative path if `..` has no effect at the root; `None` if the path does not lead above
    /// the root.
    fn clamped(&self, path: Names<'_>) -> Result<Option<Address>, AddressError> {
        let Some(mut above) = self.importer.depth_below(&self.root) else {
            return Ok(None);
        };
        let mut names: Vec<&str> = Vec::new();
        let mut clamped = false;
        let (separators, end): (&[char], _) =
            if self.importer.is_http() { (&['/', '\\'], path.text().find(['?', '#'])) } else { (slashes(), None) };
        let (path_text, query) = path.text().split_at(end.unwrap_or(path.text().len()));
        for name in path_text.split(separators) {
            match name {
                "." | "" => {}
                ".." if names.pop().is_some() => {}
                ".." if above > 0 => above -= 1,
                ".." => clamped = true,
                _ => names.push(name),
            }
        }
        if !clamped {
            return Ok(None);
        }
        path.of(&(names.join("/") + query)).join(&self.root).map(Some)
    }
}

#[cfg(test)]
mod tests;
