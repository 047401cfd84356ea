//! State of all threads that build a model: a cache of parts, and the entities that the model mentions.

use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

use crate::entity::AnyId;

/// Values by their source. Cloning them must be cheap.
pub(super) struct Shared<K, T>(DashMap<K, T, FxBuildHasher>);

impl<K: Eq + Hash, T> Default for Shared<K, T> {
    fn default() -> Self {
        Self::new(Threads::Many)
    }
}

/// The number of threads that use a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Threads {
    /// One, so there is no contention, and creating a cache should take little time on computers with many cores, too.
    One,
    /// Any number.
    Many,
}

impl<K: Eq + Hash, T> Shared<K, T> {
    pub(super) fn new(threads: Threads) -> Self {
        Self(match threads {
            Threads::One => DashMap::with_hasher_and_shard_amount(FxBuildHasher, 2),
            Threads::Many => DashMap::default(),
        })
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
pub(super) struct Mentions {
    known: Shared<AnyId, ()>,
    list: Mutex<Vec<AnyId>>,
}

impl Mentions {
    pub(super) fn new(threads: Threads) -> Self {
        Self { known: Shared::new(threads), list: Mutex::default() }
    }

    /// Adds an entity.
    pub(super) fn insert(&self, id: AnyId) {
        if self.known.0.insert(id, ()).is_none() {
            self.list.lock().unwrap_or_else(PoisonError::into_inner).push(id);
        }
    }

    /// Returns the entities after the given number of them, in the order in which they were added.
    pub(super) fn after(&self, number: usize) -> Vec<AnyId> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)[number..].to_vec()
    }
}
