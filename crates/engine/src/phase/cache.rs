//! Results that are kept between templates, and between parses.
//!
//! There are two caches: [`Plan`]s, and [`Check`]s that found no problem.
//!
//! - *Key*: a key names everything that its result may depend on: entities, versions and strings. The result for a
//!   template itself is not cached.
//! - *Validity*: a key names entities by the ID of their unit. An entry is valid as long as all units of the session
//!   have the same texts and imports as before; otherwise [the session](crate::session) starts with empty caches.
//! - *Threads*: each thread borrows separate caches. A hit only skips work that reports nothing, so that the problems
//!   of a program do not depend on the contents of a cache.
//! - *Size*: a cache that exceeds [`MAX_WEIGHT`] is emptied.
//!
//! Measured 2026-11-25 on optimized builds: without the caches of the previous parse, a small template of known types
//! (two nodes) takes 90 % more instructions. Without checks of requirements, `requires` of `benches/counts` takes 40 %
//! more and `wide` 13 %; without checks of scalars, `wide` takes 14 % more; without plans, 43 %.

use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

use super::rendering::{Plan, Subject};
use crate::ard;
use crate::entity::{AnyId, LanguageVersion};
use crate::symbol::Symbol;

/// The maximum weight of a cache. The weight of a check is 2.
const MAX_WEIGHT: usize = 100_000;

/// The maximum number of unused caches: one for each thread of a large computer.
const MAX_SPARE: usize = 256;

/// A check whose result depends only on its fields, and on the units that they refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Check {
    /// The number of the check; each language numbers its checks.
    pub number: u8,
    /// The version of the language whose rules apply.
    pub version: LanguageVersion,
    /// The kind of the checked value.
    pub kind: Option<ard::Kind>,
    /// The entities that are compared with each other.
    pub entities: [Option<AnyId>; 3],
    /// The strings that are compared, or compared with.
    pub texts: [Option<Symbol>; 2],
}

impl Check {
    /// Creates a check of an entity.
    pub fn new(number: u8, version: LanguageVersion, entity: AnyId) -> Self {
        Self { number, version, kind: None, entities: [Some(entity), None, None], texts: [None; 2] }
    }
}

/// Results by their keys.
pub(super) struct Cache<K, V> {
    entries: FxHashMap<K, V>,
    weight: usize,
}

impl<K: Eq + Hash, V> Cache<K, V> {
    pub(super) fn get(&self, key: &K) -> Option<&V> {
        self.entries.get(key)
    }

    pub(super) fn insert(&mut self, key: K, value: V, weight: usize) {
        if self.weight > MAX_WEIGHT {
            *self = Self::default();
        }
        self.weight += weight;
        self.entries.insert(key, value);
    }
}

impl<K, V> Default for Cache<K, V> {
    fn default() -> Self {
        Self { entries: FxHashMap::default(), weight: 0 }
    }
}

/// The caches of one thread.
#[derive(Default)]
pub(super) struct Cached {
    pub(super) plans: Cache<Subject, Arc<Plan>>,
    checks: Cache<Check, ()>,
}

impl Cached {
    pub(super) fn has(&self, check: &Check) -> bool {
        self.checks.get(check).is_some()
    }

    pub(super) fn add(&mut self, check: Check) {
        self.checks.insert(check, (), 2);
    }
}

/// The caches that no thread uses at the moment.
#[derive(Default)]
pub(crate) struct Caches(Mutex<Vec<Cached>>);

impl Caches {
    /// Lends caches to a thread: unused ones, or else empty ones.
    pub(super) fn lend(&self) -> CacheGuard<'_> {
        let cached = self.0.lock().ok().and_then(|mut spare| spare.pop()).unwrap_or_default();
        CacheGuard { cached, owner: self }
    }
}

impl fmt::Debug for Caches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Caches")
    }
}

/// Caches that are returned when they are dropped.
pub(super) struct CacheGuard<'a> {
    pub(super) cached: Cached,
    owner: &'a Caches,
}

impl Drop for CacheGuard<'_> {
    fn drop(&mut self) {
        if let Ok(mut spare) = self.owner.0.lock()
            && spare.len() < MAX_SPARE
        {
            spare.push(std::mem::take(&mut self.cached));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heavy_caches_are_emptied() {
        let mut cache = Cache::default();
        for key in 0..=MAX_WEIGHT / 2 {
            cache.insert(key, (), 2);
        }
        assert!(cache.get(&0).is_some() && cache.get(&(MAX_WEIGHT / 2)).is_some());
        cache.insert(usize::MAX, (), 2);
        assert!(cache.get(&0).is_none() && cache.get(&usize::MAX).is_some());
        assert_eq!((cache.entries.len(), cache.weight), (1, 2));
    }

    #[test]
    fn caches_are_lent_and_returned() {
        let caches = Caches::default();
        let check = Check::new(
            0,
            LanguageVersion::FIRST,
            AnyId { unit: crate::diagnostic::SourceId(0), kind: crate::entity::Kind(0), index: 0 },
        );
        let mut first = caches.lend();
        first.cached.add(check);
        assert!(!caches.lend().cached.has(&check));
        drop(first);
        assert!(caches.lend().cached.has(&check));
    }
}
