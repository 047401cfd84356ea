//! Caches results for further templates and further parses.
//!
//! There are two caches: [`Plan`]s, and [`Check`]s that found no problem.
//!
//! - *Key*: a key contains everything that the result may depend on: entities, versions and strings. Results for the
//!   templates themselves are not cached.
//! - *Validity*: a key refers to entities by the ID of their unit. A result is valid as long as all units in the
//!   session have the same text and imports; otherwise, [the session](crate::session) starts with empty caches.
//! - *Threads*: each thread borrows separate caches. A hit only skips work that would report nothing, so that a
//!   program's problems do not depend on the contents of a cache.
//! - *Size*: a cache that exceeds [`MAX_WEIGHT`] is emptied. Unused caches together don't exceed it either.
//!
//! Measured 2026-11-27: after a change in a template of 1,000 nodes with as many types, a parse takes half as many
//! instructions as with a maximum weight of 100,000, which is too small for most of the results.
//!
//! Measured 2026-11-25 on optimized builds: without the caches from the previous parse, a small template (two nodes)
//! with known types takes 90 % more instructions. Without cached checks of requirements, the benchmark `requires` in
//! `benches/counts` takes 40 % more instructions, and `wide` takes 13 % more. Without cached checks of scalars, `wide`
//! takes 14 % more; without cached plans, 43 % more.

use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

use super::rendering::{Plan, Subject};
use crate::ard;
use crate::entity::{AnyId, LanguageVersion};
use crate::symbol::Symbol;

/// The maximum weight of a cache, and of all unused caches together: about 30 megabytes. Each check has a weight of 2. A
/// thousand node templates of different types have a weight of about a million.
const MAX_WEIGHT: usize = 2_000_000;

/// The maximum number of unused caches: one for each thread on a large computer.
const MAX_SPARE: usize = 256;

/// The key of a check whose result depends only on the fields of the key and the units that these refer to.
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
    /// The strings that take part in the comparison.
    pub texts: [Option<Symbol>; 2],
}

impl Check {
    /// Creates the key for a check of the given entity.
    pub fn new(number: u8, version: LanguageVersion, entity: AnyId) -> Self {
        Self { number, version, kind: None, entities: [Some(entity), None, None], texts: [None; 2] }
    }
}

/// A cache of results by key.
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

    fn weight(&self) -> usize {
        self.plans.weight + self.checks.weight
    }

    pub(super) fn add(&mut self, check: Check) {
        self.checks.insert(check, (), 2);
    }
}

/// The caches that no thread is using at the moment.
#[derive(Default)]
pub(crate) struct Caches(Mutex<Vec<Cached>>);

impl Caches {
    /// Lends caches to a thread: unused ones if there are any, otherwise new, empty ones.
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
            && spare.iter().map(Cached::weight).sum::<usize>() + self.cached.weight() <= MAX_WEIGHT
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
    #[test]
    fn unused_caches_have_a_common_limit() {
        let caches = Caches::default();
        let (mut heavy, mut other, light) = (caches.lend(), caches.lend(), caches.lend());
        heavy.cached.checks.weight = MAX_WEIGHT;
        other.cached.checks.weight = 1;
        drop((heavy, other, light));
        let weights: Vec<usize> = caches.0.lock().expect("not poisoned").iter().map(Cached::weight).collect();
        assert_eq!(weights, [MAX_WEIGHT, 0]);
    }
}
