//! A language's keynames as symbols, so that the reader compares numbers instead of strings.

use std::sync::OnceLock;

use super::{EntityDescription, Keyname, Kind, Language, LanguageVersion};
use crate::symbol::{Interner, Symbol};

/// The keynames of all kinds in a language. The keynames of a kind are interned when its first entity is read.
#[derive(Debug)]
pub struct Vocabulary {
    language: &'static Language,
    kinds: Vec<OnceLock<KindVocabulary>>,
}

/// The keynames of one kind.
#[derive(Debug)]
pub struct KindVocabulary {
    keynames: Vec<(Symbol, usize, &'static Keyname)>,
    any: Vec<(usize, &'static Keyname)>,
}

impl Vocabulary {
    /// Creates the vocabulary of a language.
    pub fn new(language: &'static Language) -> Self {
        Self { language, kinds: language.kinds.iter().map(|_| OnceLock::new()).collect() }
    }

    /// Returns the keynames of the given kind, as symbols of `interner`, which must be the same in each call.
    pub fn of(&self, kind: Kind, interner: &Interner) -> Option<&KindVocabulary> {
        let number = usize::from(kind.0);
        let description = || self.language.kinds[number].description();
        Some(self.kinds.get(number)?.get_or_init(|| KindVocabulary::new(description(), interner)))
    }
}

impl KindVocabulary {
    fn new(description: &EntityDescription, interner: &Interner) -> Self {
        let count = description.fields.iter().map(|field| field.keynames.len()).sum();
        let mut vocabulary = Self { keynames: Vec::with_capacity(count), any: Vec::new() };
        for (index, field) in description.fields.iter().enumerate() {
            for keyname in field.keynames {
                match keyname.name {
                    Keyname::ANY => vocabulary.any.push((index, keyname)),
                    Keyname::NONE => {}
                    name => vocabulary.keynames.push((interner.intern(name), index, keyname)),
                }
            }
        }
        vocabulary
    }

    /// Returns the fields that a key could refer to in any version.
    pub fn find(&self, key: Symbol) -> impl Iterator<Item = (usize, &'static Keyname)> {
        self.keynames.iter().filter(move |(symbol, ..)| *symbol == key).map(|(_, index, keyname)| (*index, *keyname))
    }

    /// Returns whether a key is a keyname in a version.
    pub(crate) fn has(&self, key: Symbol, version: LanguageVersion) -> bool {
        self.find(key).any(|(_, keyname)| keyname.versions.contains(version) && keyname.is_written())
    }

    /// Returns the fields that accept keys that are not keynames.
    pub fn any(&self) -> impl Iterator<Item = (usize, &'static Keyname)> {
        self.any.iter().copied()
    }
}
