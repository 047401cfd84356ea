//! The texts that editors have open, in the place of the files.

use std::sync::Arc;

use dashmap::DashMap;
use rustc_hash::FxBuildHasher;
use tosca_parse::source::{Address, Files, Provider, ReadError, SharedText};

/// The provider of open texts. A clone has the same ones.
///
/// A text is known by the address under which it was opened, and by the one that it has without symbolic links, so that
/// it takes the place of the file by whatever name the file is imported.
#[derive(Clone, Default)]
pub struct Overlay(Arc<DashMap<Address, Opened, FxBuildHasher>>);

#[derive(Clone)]
struct Opened {
    identity: Address,
    text: SharedText,
}

impl Overlay {
    /// Puts a text in the place of a file.
    pub(crate) fn set(&self, file: &Address, text: &SharedText) {
        let identity = self.identity(file);
        let opened = Opened { identity: identity.clone(), text: text.clone() };
        self.0.insert(file.clone(), opened.clone());
        self.0.insert(identity, opened);
    }

    /// Leaves the file alone again.
    pub(crate) fn remove(&self, file: &Address) {
        if let Some((_, opened)) = self.0.remove(file) {
            self.0.remove(&opened.identity);
        }
    }

    fn opened(&self, address: &Address) -> Option<Opened> {
        self.0.get(address).map(|opened| opened.clone())
    }
}

impl Provider for Overlay {
    fn serves(&self, address: &Address) -> bool {
        self.0.contains_key(address)
    }

    fn identity(&self, address: &Address) -> Address {
        self.opened(address).map_or_else(|| Files.identity(address), |opened| opened.identity)
    }

    fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        let text = self.opened(address).ok_or(ReadError::NotFound)?.text;
        if text.len() as u64 > limit { Err(ReadError::TooLarge { limit }) } else { Ok(text.as_bytes().to_vec()) }
    }

    fn exists(&self, address: &Address) -> bool {
        self.serves(address)
    }
}

impl std::fmt::Debug for Overlay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Overlay({} names)", self.0.len())
    }
}
