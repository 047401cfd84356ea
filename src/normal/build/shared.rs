//! State of all threads that build a model: a cache of parts, and the entities that the model mentions.

use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use dashmap::{DashMap, DashSet};
use rustc_hash::FxBuildHasher;

use crate::entity::AnyId;

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

/// Entities, each once.
#[derive(Default)]
pub(super) struct Mentions {
    known: DashSet<AnyId, FxBuildHasher>,
    list: Mutex<Vec<AnyId>>,
}

impl Mentions {
    /// Adds an entity.
    pub(super) fn insert(&self, id: AnyId) {
        if self.known.insert(id) {
            self.list.lock().unwrap_or_else(PoisonError::into_inner).push(id);
        }
    }

    /// Returns the entities after the given number of them, in the order in which they were added.
    pub(super) fn after(&self, number: usize) -> Vec<AnyId> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)[number..].to_vec()
    }
}
