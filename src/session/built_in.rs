//! The profiles that come with a language.

use crate::entity::Language;
use crate::source::{Address, BUILTIN, Provider, ReadError};

/// Serves the profiles that are built into a language.
pub(crate) struct BuiltIn(pub(crate) &'static Language);

impl Provider for BuiltIn {
    fn serves(&self, address: &Address) -> bool {
        address.scheme() == BUILTIN
    }

    fn identity(&self, address: &Address) -> Address {
        address.clone()
    }

    fn read(&self, address: &Address, _: u64) -> Result<Vec<u8>, ReadError> {
        let text =
            self.0.profiles.iter().find(|profile| profile.address == address.to_string()).map(|profile| profile.text);
        text.map(|text| text.as_bytes().to_vec()).ok_or(ReadError::NotFound)
    }

    fn exists(&self, address: &Address) -> bool {
        self.0.profiles.iter().any(|profile| profile.address == address.to_string())
    }

    fn profile(&self, name: &str) -> Option<Address> {
        let profile = self.0.profiles.iter().find(|profile| profile.names.contains(&name))?;
        Address::parse(profile.address).ok()
    }
}
