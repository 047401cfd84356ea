//! The provider of built-in profiles.

use crate::entity::{BuiltInProfile, Language};
use crate::source::{Address, BUILTIN, Provider, ReadError};

/// The provider of the built-in profiles of the given languages.
pub(crate) struct BuiltIn(pub(crate) Vec<&'static Language>);

impl BuiltIn {
    fn find(&self, is_wanted: impl Fn(&BuiltInProfile) -> bool) -> Option<&'static BuiltInProfile> {
        self.0.iter().flat_map(|language| language.profiles).find(|profile| is_wanted(profile))
    }
}

impl Provider for BuiltIn {
    fn serves(&self, address: &Address) -> bool {
        address.scheme() == BUILTIN
    }

    fn identity(&self, address: &Address) -> Address {
        address.clone()
    }

    fn read(&self, address: &Address, _: u64) -> Result<Vec<u8>, ReadError> {
        let address = address.to_string();
        let profile = self.find(|profile| profile.address == address);
        profile.map(|profile| profile.text.as_bytes().to_vec()).ok_or(ReadError::NotFound)
    }

    fn exists(&self, address: &Address) -> bool {
        let address = address.to_string();
        self.find(|profile| profile.address == address).is_some()
    }

    fn profile(&self, name: &str) -> Option<Address> {
        let profile = self.find(|profile| profile.names.contains(&name))?;
        Address::parse(profile.address).ok()
    }
}
