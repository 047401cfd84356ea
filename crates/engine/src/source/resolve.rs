//! What addresses an import may mean.
//!
//! The standard leaves open what the root of a repository is for a plain file and what `..` above it means, and
//! authors mix file names and URLs. So one import may have several meanings; they are listed here in the order in
//! which they are to be tried, and the first at which there is a source is the one.

use percent_encoding::percent_decode_str;

use super::reference::{Reference, shown};
use super::{Address, AddressError};

/// What an import asks for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ImportTarget {
    /// A source at a URL, or at a path.
    Url {
        /// The URL, as written.
        url: String,
        /// The URL of the repository that the import names, as written.
        repository: Option<String>,
    },
    /// A profile, or whatever else the [finder](super::Finder) of the language finds by its name.
    Profile(String),
}

/// Why the target of an import is not an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// There is no text.
    #[error("the URL of the import is empty")]
    Empty,
    /// The import names a repository, and its URL does not need one.
    #[error("`{url}` has a scheme, so it cannot be in a repository")]
    Repository {
        /// The URL, without credentials.
        url: String,
    },
    /// What comes from the network, or from an archive, asks for a file of this computer.
    #[error("`{url}` is a local file, which a file from the network or from an archive must not import")]
    LocalFile {
        /// The URL.
        url: String,
    },
    /// There is no text where the URL of the repository should be.
    #[error("the URL of the repository is empty")]
    EmptyRepository,
    /// The URL of the repository is no address.
    #[error("the URL of the repository: {0}")]
    InvalidRepository(Box<Self>),
    /// The URL is no address.
    #[error(transparent)]
    Address(#[from] AddressError),
}

impl ResolveError {
    /// What the author can do about it.
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

/// The addresses to try, in order, for an import of `importer`; at least one, and none twice.
///
/// `root` is the directory of the repository that holds the entry file. `repository` is the URL of the repository that
/// the import names.
///
/// | `target_url` | is looked for |
/// |---|---|
/// | `https://…`, `file:///…` | there |
/// | `file:types.yaml`, `types.yaml`, `../types.yaml` | beside `importer`; then, if that is above `root`, with `..` ending at `root` |
/// | `/types.yaml` | below `root`; then as an absolute path |
/// | `types.yaml`, with a repository | below the URL of the repository, which is a directory and may be relative itself |
///
/// Where a path contains `%20` or the like, it is tried as it stands first, and then decoded; after `file:` in the
/// reverse order. The root of an importer on another host than `root` is the top of its host. A path never leads from
/// one host to another.
///
/// # Errors
///
/// The target or the repository is not valid, both have a scheme, or a remote importer asks for a local file.
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

/// The characters with which a path that begins at the root can begin.
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

/// A path, and how its names are written.
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

    /// The other way to read the same text, if it gives another path.
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

/// Where a reference stands.
struct Standpoint<'a> {
    importer: &'a Address,
    /// A directory.
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

    /// The candidates for a relative path.
    fn add_below(&self, path: Names<'_>, found: &mut Candidates) -> Result<(), ResolveError> {
        for path in [Some(path), path.other()].into_iter().flatten() {
            found.add(path.join(self.importer)?);
            if let Some(clamped) = self.clamped(path)? {
                found.add(clamped);
            }
        }
        Ok(())
    }

    /// What a relative path means if `..` has no effect at the root; nothing if it never gets there.
    fn clamped(&self, path: Names<'_>) -> Result<Option<Address>, AddressError> {
        let Some(mut above) = self.importer.depth_below(&self.root) else {
            return Ok(None);
        };
        let mut names: Vec<&str> = Vec::new();
        let mut clamped = false;
        let (separators, end): (&[char], _) =
            if self.importer.is_remote() { (&['/', '\\'], path.text().find(['?', '#'])) } else { (slashes(), None) };
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
