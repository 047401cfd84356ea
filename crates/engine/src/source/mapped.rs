//! Reads URLs from folders instead of the network.
//!
//! Without network access, or if servers are not trusted, templates can import URLs from a folder instead, such as a
//! copy of a repository.

use std::path::PathBuf;

use super::names::{bytes_to_path, decoded};
use super::{Address, FileProvider, Provider, ReadError};

/// A provider that reads all URLs with a given prefix from a folder.
#[derive(Clone, Debug)]
pub struct MappedProvider {
    prefix: String,
    folder: PathBuf,
}

impl MappedProvider {
    /// Creates a provider that reads addresses below the URL `prefix` from `folder`, which should be absolute.
    pub fn new(prefix: &str, folder: impl Into<PathBuf>) -> Self {
        Self { prefix: prefix.trim_end_matches('/').to_owned(), folder: folder.into() }
    }

    /// Returns the file that corresponds to an address, ignoring queries.
    fn target(&self, address: &Address) -> Option<Address> {
        let url = address.url()?.as_str();
        let rest = url.strip_prefix(&self.prefix)?;
        if !rest.is_empty() && !rest.starts_with(['/', '?']) {
            return None;
        }
        let path = rest.split('?').next().unwrap_or_default();
        let names = path.split('/').map(decoded);
        // Names with an encoded slash could lead anywhere, so they are omitted.
        let names = names.filter(|name| !name.contains(&b'/') && name != b".." && name != b"." && !name.is_empty());
        let folder = names.fold(self.folder.clone(), |path, name| path.join(bytes_to_path(name)));
        Some(Address::from_path(&folder, &self.folder))
    }
}

impl Provider for MappedProvider {
    fn serves(&self, address: &Address) -> bool {
        self.target(address).is_some()
    }

    fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        let target = self.target(address).ok_or_else(|| ReadError::no_provider(address))?;
        FileProvider.read(&target, limit)
    }

    fn exists(&self, address: &Address) -> bool {
        self.target(address).is_some_and(|target| FileProvider.exists(&target))
    }

    fn list(&self, directory: &Address) -> Option<Vec<String>> {
        FileProvider.list(&self.target(directory)?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn urls_below_a_prefix_are_read_from_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("a b")).unwrap();
        std::fs::write(folder.path().join("a b/c.yaml"), "text").unwrap();
        std::fs::write(folder.path().join("secret"), "secret").unwrap();
        let mapped = MappedProvider::new("https://example.com/repo/", folder.path());
        let read = |url: &str| {
            let address = Address::parse(url).unwrap();
            mapped.serves(&address).then(|| (mapped.exists(&address), mapped.read(&address, 100)))
        };
        let text = || Some((true, Ok(b"text".to_vec())));
        assert_eq!(read("https://example.com/repo/a%20b/c.yaml"), text());
        assert_eq!(read("https://example.com/repo/x/../a b//c.yaml?v=1"), text());
        assert_eq!(read("https://example.com/repo/absent"), Some((false, Err(ReadError::NotFound))));
        assert_eq!(read("https://example.com/repository/c.yaml"), None);
        assert_eq!(read("http://example.com/repo/a"), None);
        assert_eq!(read("https://example.com/repo/../secret"), None);
        let inner = MappedProvider::new("https://example.com", folder.path().join("a b"));
        let out = Address::parse("https://example.com/..%2fsecret").unwrap();
        assert_ne!(inner.read(&out, 100), Ok(b"secret".to_vec()));
    }
}
