//! A cache of shared parts of a model.

use std::hash::Hash;

use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

/// Values by their source. Cloning them must be cheap.
pub(super) struct Shared<K, T>(DashMap<K, T, FxBuildHasher>);

impl<K: Eq + Hash, T> Default for Shared<K, T> {
    fn default() -> Self {
        Self(DashMap::default())
    }
}

impl<K: Eq + Hash, T: Clone> Shared<K, T> {
    /// Returns the value for a key, which is built on first use. Building it may request other values.
    pub(super) fn get(&self, key: K, make: impl FnOnce() -> T) -> T {
        if let Some(known) = self.0.get(&key) {
            return known.clone();
        }
        // No lock is held while a value is built, because building it may request another value of the same shard.
        let made = make();
        self.0.entry(key).or_insert(made).clone()
    }
}
