//! Options of languages.

use super::Language;
use crate::source::{Address, OptionValues};

/// A language option. The command line, configurations, embedding programs and editors set it by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanguageOption {
    /// The name, in lowercase with hyphens, such as `environment`.
    pub name: &'static str,
    /// The letter of the short flag.
    pub short: Option<char>,
    /// The meaning of the option's values.
    pub value: OptionValue,
    /// Whether several values can be given. Otherwise, the last value counts.
    pub repeated: bool,
    /// One line of help that begins with a verb.
    pub help: &'static str,
}

/// The meaning of an option's values, all of which are addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// A source in the language that becomes part of the program as if every source imported it. It is read like an
    /// import, within the same limits, but may be anywhere. [`Recognition::option`](super::Recognition::option)
    /// contains the name of the option.
    Source,
    /// A folder from which sources can be imported even in a sandbox. The [`Finder`](crate::source::Finder) searches
    /// it.
    Folder,
}

impl OptionValue {
    /// Returns the placeholder for a value in help.
    pub const fn placeholder(self) -> &'static str {
        match self {
            Self::Source => "FILE",
            Self::Folder => "FOLDER",
        }
    }
}

impl LanguageOption {
    /// Returns the option's values, in order; only the last one if the option is not repeated.
    pub fn values<'v>(&self, all: &'v OptionValues) -> impl Iterator<Item = &'v Address> {
        let count = all.of(self.name).count();
        all.of(self.name).skip(if self.repeated { 0 } else { count.saturating_sub(1) })
    }
}

impl Language {
    /// Returns the option with the given name.
    pub fn option(&self, name: &str) -> Option<&'static LanguageOption> {
        self.options.iter().find(|option| option.name == name)
    }
}
