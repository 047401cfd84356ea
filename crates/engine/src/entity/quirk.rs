//! Quirks: settings that accept common deviations from a language.
//!
//! Each quirk accepts one deviation that would otherwise be an error, and names the kind of file that needs the quirk.
//! All quirks are off by default. If a quirk would accept the cause of a problem, the problem's help names the quirk.
//! The engine has quirks for any language; a language adds its own quirks and groups quirks into sets.

use super::Language;
use crate::diagnostic::Diagnostic;
use crate::source::Sources;

/// A setting that accepts a deviation from a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quirk {
    number: u8,
    name: &'static str,
}

/// The number of the first quirk that belongs to a language.
const OWN: u8 = 16;

impl Quirk {
    /// A number or boolean in place of a string is read as that string.
    pub const NUMBERS_AS_STRINGS: Self = Self::numbered(0, "numbers-as-strings");
    /// A list of maps with one entry each, or an empty list, is accepted in place of a map.
    pub const LISTS_AS_MAPS: Self = Self::numbered(1, "lists-as-maps");
    /// A keyname without a value counts as absent.
    pub const NULL_SECTIONS: Self = Self::numbered(2, "null-sections");
    /// Unknown keynames in the root of a file are ignored.
    pub const VENDOR_SECTIONS: Self = Self::numbered(3, "vendor-sections");
    /// A file may use names that only its importer declares, as in libraries that are never used alone.
    pub const SHARED_NAMES: Self = Self::numbered(4, "shared-names");
    /// Problems in the service that an imported file describes are accepted.
    pub const IMPORTED_SERVICES: Self = Self::numbered(5, "imported-services");
    /// A file may redeclare a built-in name, which has no effect.
    pub const DECLARED_BUILT_INS: Self = Self::numbered(6, "declared-built-ins");
    /// A derived type may list types that are not derived from those of its parent.
    pub const WIDER_LISTS: Self = Self::numbered(7, "wider-lists");
    /// Names from an import with a prefix may be used without the prefix.
    pub const UNPREFIXED_NAMES: Self = Self::numbered(8, "unprefixed-names");
    /// A default value may be null.
    pub const NULL_DEFAULTS: Self = Self::numbered(9, "null-defaults");
    /// A policy, its type or an input may have keynames that an orchestrator has added.
    pub const VENDOR_KEYNAMES: Self = Self::numbered(10, "vendor-keynames");

    /// A keyname whose value is a string may have a function call as its value.
    pub const COMPUTED_STRINGS: Self = Self::numbered(11, "computed-strings");

    const fn numbered(number: u8, name: &'static str) -> Self {
        Self { number, name }
    }

    /// Creates a quirk of a language, with a number from 0 to 15. The languages of a parser share the numbers, so
    /// enabling a quirk also enables the other languages' quirks with the same number.
    ///
    /// # Panics
    ///
    /// Panics, at compile time, if the number is above 15.
    pub const fn of_language(number: u8, name: &'static str) -> Self {
        assert!(number < 32 - OWN);
        Self::numbered(OWN + number, name)
    }

    /// Returns the name that enables the quirk.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Returns help that names the option to enable the quirk.
    pub fn help(self) -> String {
        format!("to accept it, add `--quirk {}`", self.name)
    }
}

/// The documentation of a quirk.
#[derive(Debug)]
pub struct QuirkDescription {
    /// The quirk.
    pub quirk: Quirk,
    /// The deviation that the quirk accepts.
    pub summary: &'static str,
    /// The kind of file that needs the quirk.
    pub needed_by: &'static str,
}

/// A set of quirks.
#[derive(Debug)]
pub struct QuirkSet {
    /// The name that enables all quirks in the set.
    pub name: &'static str,
    /// The quirks.
    pub quirks: &'static [Quirk],
    /// Prefixes of names that occur in files that need the set but hardly ever in other files.
    pub marks: &'static [&'static str],
}

impl Language {
    /// Returns the set that probably resolves some of a program's problems: the help of a problem names one of the
    /// set's quirks, and a source contains one of the set's marks.
    pub fn quirk_set_for(&self, problems: &[Diagnostic], sources: &Sources) -> Option<&'static QuirkSet> {
        let help = || problems.iter().flat_map(|problem| &problem.help);
        self.quirk_sets.iter().find(|set| {
            let helps: Vec<String> = set.quirks.iter().map(|quirk| quirk.help()).collect();
            let is_marked = |text: &str| set.marks.iter().any(|mark| text.contains(mark));
            help().any(|help| helps.contains(help)) && sources.iter().any(|source| is_marked(source.text()))
        })
    }

    /// Returns the quirks in the set with the given name or the single quirk with that name; `None` if the name is
    /// unknown.
    pub fn quirks_of(&self, name: &str) -> Option<Vec<Quirk>> {
        if let Some(set) = self.quirk_sets.iter().find(|set| set.name == name) {
            return Some(set.quirks.to_vec());
        }
        self.quirks.iter().map(|known| known.quirk).find(|quirk| quirk.name == name).map(|quirk| vec![quirk])
    }
}

/// The enabled quirks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Quirks(u32);

impl Quirks {
    /// Enables a quirk.
    #[must_use]
    pub const fn with(self, quirk: Quirk) -> Self {
        Self(self.0 | 1 << quirk.number)
    }

    /// Returns whether a quirk is enabled.
    pub const fn has(self, quirk: Quirk) -> bool {
        self.0 & (1 << quirk.number) != 0
    }
}
