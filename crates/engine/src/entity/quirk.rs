//! Dialects: what files in the field do that a language does not allow.
//!
//! Each quirk lets one thing pass that is an error otherwise, and says what kind of file needs it. None is on unless
//! it is asked for. A problem that a quirk would have let pass names the quirk in its help. The engine has quirks that
//! concern any language; a language adds its own, says who needs each of them, and which of them belong together.

use super::Language;
use crate::diagnostic::Diagnostic;
use crate::source::Sources;

/// Something that a dialect does and the language does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quirk {
    number: u8,
    name: &'static str,
}

/// The number of the first quirk of a language.
const OWN: u8 = 16;

impl Quirk {
    /// A number or boolean stands where a string is expected; it is the text that is written.
    pub const NUMBERS_AS_STRINGS: Self = Self::numbered(0, "numbers-as-strings");
    /// A list of maps with one entry each, or an empty list, stands where a map is expected.
    pub const LISTS_AS_MAPS: Self = Self::numbered(1, "lists-as-maps");
    /// A keyname has no value; it is as if it were not there.
    pub const NULL_SECTIONS: Self = Self::numbered(2, "null-sections");
    /// A file has keynames that the language does not know; they are ignored.
    pub const VENDOR_SECTIONS: Self = Self::numbered(3, "vendor-sections");
    /// A file uses names that only the file which imports it can see; a library may be used without that file.
    pub const SHARED_NAMES: Self = Self::numbered(4, "shared-names");
    /// An imported file has a service of its own, with problems in it.
    pub const IMPORTED_SERVICES: Self = Self::numbered(5, "imported-services");
    /// A file declares something built in anew, which changes nothing.
    pub const DECLARED_BUILT_INS: Self = Self::numbered(6, "declared-built-ins");
    /// A derived type lists types that are not derived from those of its parent.
    pub const WIDER_LISTS: Self = Self::numbered(7, "wider-lists");
    /// A name of an import with a prefix is used without it.
    pub const UNPREFIXED_NAMES: Self = Self::numbered(8, "unprefixed-names");
    /// A default is null.
    pub const NULL_DEFAULTS: Self = Self::numbered(9, "null-defaults");
    /// A policy, its type or an input has keynames of an orchestrator.
    pub const VENDOR_KEYNAMES: Self = Self::numbered(10, "vendor-keynames");

    /// A keyname that holds a string has a call of a function instead.
    pub const COMPUTED_STRINGS: Self = Self::numbered(11, "computed-strings");

    const fn numbered(number: u8, name: &'static str) -> Self {
        Self { number, name }
    }

    /// A quirk of a language, which numbers its quirks from 0 to 15. Languages of one parser share the numbers, so that
    /// what is asked for of one of them is on in the others too if they use the same number.
    ///
    /// # Panics
    ///
    /// The number is above 15, which shows when the program is compiled.
    pub const fn of_language(number: u8, name: &'static str) -> Self {
        assert!(number < 32 - OWN);
        Self::numbered(OWN + number, name)
    }

    /// The name by which it is asked for.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Help that names the option that turns the quirk on.
    pub fn help(self) -> String {
        format!("to accept it, add `--quirk {}`", self.name)
    }
}

/// What a quirk is called, and who needs it.
#[derive(Debug)]
pub struct QuirkDescription {
    /// The quirk.
    pub quirk: Quirk,
    /// What it lets pass.
    pub summary: &'static str,
    /// The kind of file that needs it.
    pub needed_by: &'static str,
}

/// Quirks that belong together.
#[derive(Debug)]
pub struct QuirkSet {
    /// The name by which they are asked for.
    pub name: &'static str,
    /// The quirks.
    pub quirks: &'static [Quirk],
    /// Beginnings of names that occur in the files that need the set, and hardly in others.
    pub marks: &'static [&'static str],
}

impl Language {
    /// The set that is likely to resolve some of the problems of a program: one of its quirks is named in their help, and
    /// one of its marks occurs in the sources.
    pub fn quirk_set_for(&self, problems: &[Diagnostic], sources: &Sources) -> Option<&'static QuirkSet> {
        let help = || problems.iter().flat_map(|problem| &problem.help);
        self.quirk_sets.iter().find(|set| {
            let helps: Vec<String> = set.quirks.iter().map(|quirk| quirk.help()).collect();
            let is_marked = |text: &str| set.marks.iter().any(|mark| text.contains(mark));
            help().any(|help| helps.contains(help)) && sources.iter().any(|source| is_marked(source.text()))
        })
    }

    /// The quirk of a name, or the quirks of a set; nothing if the language has none of the name.
    pub fn quirks_of(&self, name: &str) -> Option<Vec<Quirk>> {
        if let Some(set) = self.quirk_sets.iter().find(|set| set.name == name) {
            return Some(set.quirks.to_vec());
        }
        self.quirks.iter().map(|known| known.quirk).find(|quirk| quirk.name == name).map(|quirk| vec![quirk])
    }
}

/// The quirks that are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Quirks(u32);

impl Quirks {
    /// Turns a quirk on.
    #[must_use]
    pub const fn with(self, quirk: Quirk) -> Self {
        Self(self.0 | 1 << quirk.number)
    }

    /// Whether a quirk is on.
    pub const fn has(self, quirk: Quirk) -> bool {
        self.0 & (1 << quirk.number) != 0
    }
}
