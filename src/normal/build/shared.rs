//! What is made once for all that have it in common.

use std::hash::Hash;
use std::sync::Arc;

use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

/// Parts of a model by what they are made from.
pub(super) struct Shared<K, T>(DashMap<K, Arc<T>, FxBuildHasher>);

impl<K: Eq + Hash, T> Default for Shared<K, T> {
    fn default() -> Self {
        Self(DashMap::default())
    }
}

impl<K: Eq + Hash, T> Shared<K, T> {
    /// The part that is made from something. While it is made, others may be asked for.
    pub(super) fn part(&self, key: K, make: impl FnOnce() -> T) -> Arc<T> {
        if let Some(known) = self.0.get(&key) {
            return known.clone();
        }
        // Whoever holds a lock while making would wait for others that need a part of the same shard.
        let made = Arc::new(make());
        self.0.entry(key).or_insert(made).clone()
    }
}
