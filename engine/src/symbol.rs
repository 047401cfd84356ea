//! Interned names.
//!
//! A service of ten thousand node templates repeats the same few hundred keynames and type names hundreds of
//! thousands of times. Every name is therefore kept once, in an [`Interner`], and everything else carries a
//! [`Symbol`]: four bytes that are copied and compared as a number.
//!
//! The number of a symbol depends on which thread came first, so nothing that is shown to a user may be ordered by
//! it; that is why [`Symbol`] does not implement `Ord`.

use std::fmt;
use std::hash::BuildHasher;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{PoisonError, RwLock};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;

/// A name that has been interned; equal names of one [`Interner`] have equal symbols.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symbol(NonZeroU32);

impl Symbol {
    /// The empty name, in every interner.
    pub const EMPTY: Self = Self(NonZeroU32::MIN);

    /// The number of the symbol, for use as a key of tables whose order is not shown.
    pub const fn number(self) -> u32 {
        self.0.get() - 1
    }

    /// The symbol with a number that [`number`](Self::number) gave.
    pub(crate) const fn from_number(number: u32) -> Self {
        // What may lack a name is as small as what has one, since none is kept as zero.
        Self(NonZeroU32::MIN.saturating_add(number))
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Symbol({})", self.number())
    }
}

/// The names of one parser, shared by all its threads.
///
/// A name is kept once, in `texts`; the tables by which it is found again hold symbols only. Even to read a table, threads
/// take turns at its lock. So names that came early are found without one: keynames, which are asked for over and over.
pub struct Interner {
    shards: [RwLock<HashTable<Symbol>>; Self::SHARDS],
    /// The first name of each hash, as the number of the symbol and one, or 0 if there is none.
    early: Box<[AtomicU32; Self::EARLY]>,
    texts: boxcar::Vec<Box<str>>,
}

impl Interner {
    /// How many tables there are, so that threads which have new names seldom wait for each other.
    const SHARDS: usize = 16;

    /// How many names may be found without a lock.
    const EARLY: usize = 4096;

    /// An interner that knows the empty name only.
    pub fn new() -> Self {
        // A language has a few hundred keynames, and the types that come with it have a few hundred names.
        const FEW: usize = 1024;
        let shards = std::array::from_fn(|_| RwLock::new(HashTable::with_capacity(FEW / Self::SHARDS)));
        let early = Box::new([const { AtomicU32::new(0) }; Self::EARLY]);
        let interner = Self { shards, early, texts: boxcar::Vec::new() };
        interner.intern("");
        interner
    }

    /// The symbol of a name; a new one if the name has not been seen before.
    pub fn intern(&self, text: &str) -> Symbol {
        let hash = hash(text);
        if let Some(symbol) = self.find(hash, text) {
            return symbol;
        }
        let mut shard = self.shard(hash).write().unwrap_or_else(PoisonError::into_inner);
        match shard.entry(hash, |symbol| self.text(*symbol) == text, |symbol| self::hash(self.text(*symbol))) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                let symbol = Symbol::from_number(self.texts.push(text.into()) as u32);
                place.insert(symbol);
                // Whoever sees the number before the text looks into the table.
                let early = self.early(hash);
                let _ = early.compare_exchange(0, symbol.0.get(), Ordering::Relaxed, Ordering::Relaxed);
                symbol
            }
        }
    }

    /// The symbol of a name that has been seen before.
    pub fn get(&self, text: &str) -> Option<Symbol> {
        self.find(hash(text), text)
    }

    fn find(&self, hash: u64, text: &str) -> Option<Symbol> {
        // If there is none, there is no name of the hash at all: who adds one notes it before giving back the table.
        let early = NonZeroU32::new(self.early(hash).load(Ordering::Relaxed)).map(Symbol)?;
        if self.texts.get(early.number() as usize).is_some_and(|known| **known == *text) {
            return Some(early);
        }
        let shard = self.shard(hash).read().unwrap_or_else(PoisonError::into_inner);
        shard.find(hash, |symbol| self.text(*symbol) == text).copied()
    }

    fn shard(&self, hash: u64) -> &RwLock<HashTable<Symbol>> {
        // The tables themselves look at the lowest and highest bits.
        &self.shards[(hash >> 32) as usize % Self::SHARDS]
    }

    fn early(&self, hash: u64) -> &AtomicU32 {
        &self.early[hash as usize % Self::EARLY]
    }

    /// The text of a symbol of this interner; empty for a symbol of another one.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.texts.get(symbol.number() as usize).map_or("", |text| text)
    }
}

fn hash(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
}

impl Default for Interner {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Interner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Interner({} names)", self.texts.count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_have_equal_symbols() {
        let interner = Interner::new();
        let host = interner.intern("host");
        assert_eq!(interner.intern("host"), host);
        assert_ne!(interner.intern("Host"), host);
        assert_eq!(interner.text(host), "host");
        assert_eq!(interner.get("absent"), None);
        assert_eq!(interner.get(""), Some(Symbol::EMPTY));
    }

    #[test]
    fn threads_agree_on_symbols() {
        let interner = Interner::new();
        let names: Vec<String> = (0..1000).map(|n| format!("n{}", n % 100)).collect();
        let rounds: Vec<Vec<Symbol>> = std::thread::scope(|scope| {
            let spawned: Vec<_> =
                (0..4).map(|_| scope.spawn(|| names.iter().map(|name| interner.intern(name)).collect())).collect();
            spawned.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        assert!(rounds.iter().all(|round| *round == rounds[0]));
        assert!(rounds[0].iter().zip(&names).all(|(symbol, name)| interner.text(*symbol) == name));
    }
}
