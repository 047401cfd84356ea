//! The files that there are: those that the program has given.

use tosca_parse_library::source::{Address, FILE, Memory, Provider, ReadError};

/// Serves the paths of all files, so that nothing is looked for in a file system that is not there.
#[derive(Clone, Default)]
pub(crate) struct Files(pub(crate) Memory);

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

    fn profile(&self, name: &str) -> Option<Address> {
        self.0.profile(name)
    }
}
