//! The definitions that a mapping has, by key.

use rustc_hash::FxHashMap;

use super::Definition;
use crate::name::Name;

/// The number of definitions at which an index pays off.
const INDEXED: usize = 9;

/// Definitions of keys, the newest first.
#[derive(Clone, Default)]
pub(super) struct Definitions {
    list: Vec<(Name, Definition)>,
    /// The positions of the definitions of each key in the list, if there are many.
    index: FxHashMap<Name, Vec<u32>>,
}

impl Definitions {
    /// Adds a definition that is older than all the others.
    pub(super) fn push(&mut self, key: Name, definition: Definition) {
        self.list.push((key, definition));
        let unindexed = match self.list.len() {
            count if count < INDEXED => return,
            INDEXED => 0,
            count => count - 1,
        };
        for (at, (key, _)) in self.list.iter().enumerate().skip(unindexed) {
            self.index.entry(*key).or_default().push(at as u32);
        }
    }

    /// Returns the n-th newest definition of a key.
    pub(super) fn nth(&self, key: Name, n: usize) -> Option<Definition> {
        if self.list.len() < INDEXED {
            return self.list.iter().filter(|(known, _)| *known == key).map(|(_, definition)| *definition).nth(n);
        }
        let at = *self.index.get(&key)?.get(n)?;
        Some(self.list[at as usize].1)
    }

    /// Returns all definitions, the newest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &(Name, Definition)> {
        self.list.iter()
    }

    /// Returns the number of definitions of a key.
    pub(super) fn count(&self, key: Name) -> usize {
        if self.list.len() < INDEXED {
            return self.list.iter().filter(|(known, _)| *known == key).count();
        }
        self.index.get(&key).map_or(0, Vec::len)
    }

    /// Returns the keys of all definitions, the oldest first.
    pub(super) fn keys(&self) -> impl Iterator<Item = Name> {
        self.list.iter().rev().map(|(key, _)| *key)
    }
}
