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
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

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
/// A name is kept once, in `texts`; the tables by which it is found again hold symbols only. Names are looked for far more
/// often than they are new, and threads that had to take turns for that would spend much of their time on it: so who
/// looks for a name takes no lock.
pub struct Interner {
    shards: Box<[Shard; Self::SHARDS]>,
    texts: boxcar::Vec<Box<str>>,
}

/// The names with some hashes.
///
/// When a table is full, one of twice its size takes its place. It stays, for those who are looking into it.
struct Shard {
    first: [AtomicU64; Self::FIRST],
    further: [OnceLock<Box<[AtomicU64]>>; Self::FURTHER],
    /// Which of them holds all names.
    current: AtomicUsize,
    /// How many names there are. Whoever adds one waits for others that do.
    count: Mutex<usize>,
}

impl Shard {
    /// How many places the first table has.
    const FIRST: usize = 128;

    /// So many that the last one has room for all symbols of a shard.
    const FURTHER: usize = 22;

    const fn new() -> Self {
        Self {
            first: [const { AtomicU64::new(0) }; Self::FIRST],
            further: [const { OnceLock::new() }; Self::FURTHER],
            current: AtomicUsize::new(0),
            count: Mutex::new(0),
        }
    }

    /// One of the tables. A place holds the hash of a name and its symbol, or 0 if it is empty.
    fn table(&self, number: usize) -> &[AtomicU64] {
        let Some(further) = number.checked_sub(1) else { return &self.first };
        self.further[further].get_or_init(|| (0..Self::FIRST << number).map(|_| AtomicU64::new(0)).collect())
    }

    fn find(&self, hash: u32, is_it: impl Fn(Symbol) -> bool) -> Option<Symbol> {
        let table = self.table(self.current.load(Ordering::Acquire));
        for place in places(table, hash) {
            let (of_place, symbol) = parts(place.load(Ordering::Acquire))?;
            if of_place == hash && is_it(symbol) {
                return Some(symbol);
            }
        }
        None
    }

    /// Adds a name that is not there. `count` are those that are.
    fn add(&self, hash: u32, symbol: Symbol, count: &mut usize) {
        let mut number = self.current.load(Ordering::Relaxed);
        // Beyond that, looking for a name takes much longer.
        if *count >= self.table(number).len() / 3 * 2 {
            let known = self.table(number).iter().filter_map(|place| parts(place.load(Ordering::Relaxed)));
            known.for_each(|(hash, symbol)| put(self.table(number + 1), hash, symbol));
            number += 1;
            self.current.store(number, Ordering::Release);
        }
        put(self.table(number), hash, symbol);
        *count += 1;
    }
}

/// The places at which a name with a hash may be, the likeliest first.
fn places(table: &[AtomicU64], hash: u32) -> impl Iterator<Item = &AtomicU64> {
    // The lengths of tables are powers of two.
    let last = table.len() - 1;
    (0..table.len()).map(move |step| &table[(hash as usize).wrapping_add(step) & last])
}

/// What a place holds, if it is not empty.
fn parts(place: u64) -> Option<(u32, Symbol)> {
    Some(((place >> 32) as u32, Symbol(NonZeroU32::new(place as u32)?)))
}

fn put(table: &[AtomicU64], hash: u32, symbol: Symbol) {
    if let Some(place) = places(table, hash).find(|place| place.load(Ordering::Relaxed) == 0) {
        // Whoever sees the symbol sees its text, which has been there before.
        place.store(u64::from(hash) << 32 | u64::from(symbol.0.get()), Ordering::Release);
    }
}

impl Interner {
    /// How many shards there are, so that threads which have new names seldom wait for each other.
    const SHARDS: usize = 16;

    /// An interner that knows the empty name only.
    #[allow(clippy::large_stack_arrays, reason = "a stack has room for 25 KB, and a constant is copied at once")]
    pub fn new() -> Self {
        let interner = Self { shards: Box::new([const { Shard::new() }; Self::SHARDS]), texts: boxcar::Vec::new() };
        interner.intern("");
        interner
    }

    /// The symbol of a name; a new one if the name has not been seen before.
    pub fn intern(&self, text: &str) -> Symbol {
        let hash = hash(text);
        let find = || self.shard(hash).find(hash, |symbol| self.text(symbol) == text);
        find().unwrap_or_else(|| {
            let mut count = self.shard(hash).count.lock().unwrap_or_else(PoisonError::into_inner);
            // Meanwhile others may have added it.
            find().unwrap_or_else(|| {
                let symbol = Symbol::from_number(self.texts.push(text.into()) as u32);
                self.shard(hash).add(hash, symbol, &mut count);
                symbol
            })
        })
    }

    /// The symbol of a name that has been seen before.
    pub fn get(&self, text: &str) -> Option<Symbol> {
        let hash = hash(text);
        self.shard(hash).find(hash, |symbol| self.text(symbol) == text)
    }

    fn shard(&self, hash: u32) -> &Shard {
        // Tables look at the lowest bits.
        &self.shards[(hash >> 28) as usize % Self::SHARDS]
    }

    /// The text of a symbol of this interner; empty for a symbol of another one.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.texts.get(symbol.number() as usize).map_or("", |text| text)
    }
}

fn hash(text: &str) -> u32 {
    FxBuildHasher.hash_one(text) as u32
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
        // So many that tables grow while others look into them.
        let names: Vec<String> = (0..40_000).map(|n| format!("n{}", n % 10_000)).collect();
        let rounds: Vec<Vec<Symbol>> = std::thread::scope(|scope| {
            let spawned: Vec<_> =
                (0..4).map(|_| scope.spawn(|| names.iter().map(|name| interner.intern(name)).collect())).collect();
            spawned.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        assert!(rounds.iter().all(|round| *round == rounds[0]));
        assert!(rounds[0].iter().zip(&names).all(|(symbol, name)| interner.text(*symbol) == name));
        assert!(rounds[0].iter().zip(&names).all(|(symbol, name)| interner.get(name) == Some(*symbol)));
        assert_eq!(interner.texts.count(), 1 + 10_000);
    }
}
