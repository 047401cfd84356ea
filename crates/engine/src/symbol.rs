//! Interned names.
//!
//! A service with ten thousand node templates repeats the same few hundred keynames and type names hundreds of
//! thousands of times. So every name is stored once, in an [`Interner`], and all other code uses a [`Symbol`] of four
//! bytes, which is copied and compared as a number.
//!
//! The number of a symbol depends on thread timing, so nothing that is shown to a user may be ordered by it. Therefore,
//! [`Symbol`] does not implement `Ord`.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;

use dashmap::DashMap;
use foldhash::fast::RandomState;

/// An interned name. Within one [`Interner`], equal names have equal symbols.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symbol(NonZeroU32);

impl Symbol {
    /// The empty name, whose symbol is the same in every interner.
    pub const EMPTY: Self = Self(NonZeroU32::MIN);

    /// Returns the number of the symbol, for use as a key in tables whose order is not visible to users.
    pub const fn number(self) -> u32 {
        self.0.get() - 1
    }

    /// Returns the symbol with a number that [`number`](Self::number) returned.
    pub(crate) const fn from_number(number: u32) -> Self {
        // Stored numbers start at one, so that an optional symbol needs no additional space.
        Self(NonZeroU32::MIN.saturating_add(number))
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Symbol({})", self.number())
    }
}

/// The names of one parser, shared by all its threads.
pub struct Interner {
    symbols: DashMap<Arc<str>, Symbol, RandomState>,
    texts: boxcar::Vec<Arc<str>>,
}

impl Interner {
    /// Creates an interner that contains only the empty name.
    pub fn new() -> Self {
        // A language has a few hundred keynames, and its built-in types have a few hundred names. Growing the table to
        // this size takes 3.3 % of the instructions in the benchmark `hello-2.0` (2026-11-25).
        const EXPECTED_NAMES: usize = 1024;
        // By default, there are four shards per processor. On 64 processors, creating them takes 68 000 additional
        // instructions, which is 14 % of those in `hello-2.0` (2026-11-25).
        const SHARDS: usize = 16;
        let hasher = RandomState::default();
        let symbols = DashMap::with_capacity_and_hasher_and_shard_amount(EXPECTED_NAMES, hasher, SHARDS);
        let interner = Self { symbols, texts: boxcar::Vec::new() };
        interner.intern("");
        interner
    }

    /// Returns the symbol for a name and stores the name if it is new.
    pub fn intern(&self, text: &str) -> Symbol {
        self.get(text).unwrap_or_else(|| {
            let text: Arc<str> = text.into();
            let symbol = || Symbol::from_number(self.texts.push(text.clone()) as u32);
            *self.symbols.entry(text.clone()).or_insert_with(symbol)
        })
    }

    /// Returns the symbol of a name; `None` if the name has never been interned.
    pub fn get(&self, text: &str) -> Option<Symbol> {
        self.symbols.get(text).map(|symbol| *symbol)
    }

    /// Returns the text of a symbol. The symbol must come from this interner; for any other symbol, the result is
    /// arbitrary or empty.
    pub fn text(&self, symbol: Symbol) -> &str {
        let text = self.texts.get(symbol.number() as usize);
        debug_assert!(text.is_some(), "{symbol:?} belongs to another interner");
        text.map_or("", |text| text)
    }
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
    use std::hash::BuildHasher as _;

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
    fn chosen_names_do_not_have_the_same_hash() {
        // The third block of eight bytes cancels the state of `rustc-hash`, so that the fourth one has no effect.
        let names = [1, 2].map(|i| format!("sfcrljVRcujaxYJnxxxxxxxxxxxxxxxxkbeKX5gz{i:08}yyyyyyyyyyyyyyyy"));
        let [one, other] = names.each_ref().map(|name| rustc_hash::FxBuildHasher.hash_one(name));
        assert_eq!(one, other, "choose other names");
        let interner = Interner::new();
        let [one, other] = names.map(|name| interner.symbols.hasher().hash_one(name));
        assert_ne!(one, other);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "Symbol(1) belongs to another interner")]
    fn foreign_symbols_are_rejected_in_debug_builds() {
        let foreign = Interner::new().intern("host");
        let _ = Interner::new().text(foreign);
    }

    #[test]
    fn threads_agree_on_symbols() {
        let interner = Interner::new();
        // There are enough names for the tables to grow while other threads read them.
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
