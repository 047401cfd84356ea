//! The available files: those that the program has written.

use tosca_parse_engine::source::{Address, FILE, MemoryProvider, Provider, ReadError};

/// Serves all file paths, because there is no file system to search.
#[derive(Clone, Default)]
pub(crate) struct Files(pub(crate) MemoryProvider);

impl Provider for Files {
    fn serves(&self, address: &Address) -> bool {
        address.scheme() == FILE || self.0.serves(address)
    }

    fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        self.0.read(address, limit)
    }

    fn exists(&self, address: &Address) -> bool {
        self.0.exists(address)
    }

    fn list(&self, directory: &Address) -> Option<Vec<String>> {
        // The root always exists.
        let is_root = directory.as_directory().to_string() == "file:///";
        self.0.list(directory).or_else(|| is_root.then(Vec::new))
    }

    fn profile(&self, name: &str) -> Option<Address> {
        self.0.profile(name)
    }
}
