//! Catches panics of custom providers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use super::{Address, FetchedSource, Provider, ReadError, SourceProblem, Stamp};

/// A custom provider from the embedding program. If one of its methods panics, the address can't be read, but
/// everything else still works.
pub(crate) struct Guarded(pub(crate) Arc<dyn Provider>);

impl Guarded {
    fn or<T>(&self, otherwise: T, call: impl FnOnce(&dyn Provider) -> T) -> T {
        // A panic can corrupt only the state of the provider, which must handle this.
        catch_unwind(AssertUnwindSafe(|| call(&*self.0))).unwrap_or(otherwise)
    }
}

fn failed() -> ReadError {
    ReadError::Io("its provider failed".to_owned())
}

impl Provider for Guarded {
    fn serves(&self, address: &Address) -> bool {
        self.or(false, |provider| provider.serves(address))
    }

    fn is_slow(&self, address: &Address) -> bool {
        self.or(false, |provider| provider.is_slow(address))
    }

    fn identity(&self, address: &Address) -> Address {
        self.or(address.clone(), |provider| provider.identity(address))
    }

    fn identity_in(&self, directory: &Address, address: &Address) -> Option<Address> {
        self.or(None, |provider| provider.identity_in(directory, address))
    }

    fn read(&self, address: &Address, limit: u64) -> Result<Vec<u8>, ReadError> {
        self.or(Err(failed()), |provider| provider.read(address, limit))
    }

    fn fetch(&self, address: &Address, limit: u64) -> Result<FetchedSource, ReadError> {
        self.or(Err(failed()), |provider| provider.fetch(address, limit))
    }

    fn additional_templates(&self, address: &Address) -> Vec<Address> {
        self.or(Vec::new(), |provider| provider.additional_templates(address))
    }

    fn verify(&self, address: &Address, progress: &mut dyn FnMut(usize, usize)) -> Vec<SourceProblem> {
        self.or(Vec::new(), |provider| provider.verify(address, progress))
    }

    fn file(&self, address: &Address) -> Option<PathBuf> {
        self.or(None, |provider| provider.file(address))
    }

    fn stamp(&self, address: &Address) -> Option<Stamp> {
        self.or(None, |provider| provider.stamp(address))
    }

    fn exists(&self, address: &Address) -> bool {
        self.or(false, |provider| provider.exists(address))
    }

    fn list(&self, directory: &Address) -> Option<Vec<String>> {
        self.or(None, |provider| provider.list(directory))
    }

    fn profile(&self, name: &str) -> Option<Address> {
        self.or(None, |provider| provider.profile(name))
    }
}
