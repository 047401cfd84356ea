//! The languages of the process.

use std::path::Path;
use std::sync::OnceLock;

use tosca_parse::diagnostic::RuleDocs;
use tosca_parse::entity::{Language, LanguageOption, LanguageVersion, Quirk};
use tosca_parse::murano::language::MURANO;
use tosca_parse_engine::rules::{self, UnknownRule};

/// The languages of the process. They are static because arguments, configurations, and their schemas are described by
/// statics.
static LANGUAGES: OnceLock<Languages> = OnceLock::new();

/// Returns the languages of the process: by default, those of the library.
pub fn languages() -> &'static Languages {
    LANGUAGES.get_or_init(|| Languages::new(tosca_parse::LANGUAGES))
}

/// Several languages, with lookups across all of them.
pub struct Languages {
    list: Vec<&'static Language>,
    rules: Vec<RuleDocs>,
}

impl Languages {
    fn new(list: &[&'static Language]) -> Self {
        let others = [&tosca_parse::yay::host::rules::EXPLAINED, &tosca_parse::rules::test_file::EXPLAINED];
        let tables = list.iter().flat_map(|language| language.rules).chain(others);
        Self { list: list.to_vec(), rules: rules::explained(tables.copied()) }
    }

    /// Sets the languages of the process. This has no effect after the first use.
    pub fn set(list: &[&'static Language]) {
        LANGUAGES.get_or_init(|| Self::new(list));
    }

    /// Returns the language for files that no other language claims. `reference` documents this language.
    ///
    /// # Panics
    ///
    /// Panics if there is no language.
    pub fn main(&self) -> &'static Language {
        self.list[0]
    }

    /// Returns all languages, the main one first.
    pub fn iter(&self) -> impl Iterator<Item = &'static Language> {
        self.list.iter().copied()
    }

    /// Returns the languages whose files are validated one by one. `MuranoPL` files are validated as packages.
    fn of_single_files(&self) -> impl Iterator<Item = &'static Language> {
        self.iter().filter(|language| !std::ptr::eq(*language, &raw const MURANO))
    }

    /// Returns whether a file is written in one of the languages whose files are validated one by one.
    pub fn claim(&self, name: &str, text: &str) -> bool {
        self.of_single_files().any(|language| (language.claims)(name, text))
    }

    /// Returns the language of a file whose entities are written in it literally, not computed by Yay.
    pub fn of_plain_file(&self, name: &str, text: &str) -> Option<&'static Language> {
        let is_computed = Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("yay"));
        self.iter().find(|language| !is_computed && (language.claims)(name, text))
    }

    /// Returns the rules of all languages, in the order of their codes.
    pub fn rules(&self) -> &[RuleDocs] {
        &self.rules
    }

    /// Returns the rule with the given code or name.
    pub fn find_rule(&self, code_or_name: &str) -> Option<&RuleDocs> {
        rules::find(&self.rules, code_or_name)
    }

    /// Returns the rule with the given code or name, or an error that suggests the rule that was probably meant.
    pub fn parse_rule(&self, code_or_name: &str) -> Result<&RuleDocs, UnknownRule> {
        rules::parse(&self.rules, code_or_name)
    }

    /// Returns the options of all languages. If several have the same name, the first one counts.
    pub fn options(&self) -> impl Iterator<Item = &'static LanguageOption> {
        let all = || self.iter().flat_map(|language| language.options);
        let is_first = move |(index, option): &(usize, &LanguageOption)| {
            !all().take(*index).any(|other| other.name == option.name)
        };
        all().enumerate().filter(is_first).map(|(_, option)| option)
    }

    /// Returns the names of all quirks and sets of quirks.
    pub fn quirk_names(&self) -> impl Iterator<Item = &'static str> {
        self.iter().flat_map(|language| {
            let quirks = language.quirks.iter().map(|known| known.quirk.name());
            quirks.chain(language.quirk_sets.iter().map(|set| set.name))
        })
    }

    /// Returns the quirk with the given name or the quirks of a set.
    pub fn quirks_of(&self, name: &str) -> Option<Vec<Quirk>> {
        self.iter().find_map(|language| language.quirks_of(name))
    }

    /// Returns the versions of the main language by number; its name if it has no versions.
    pub fn version_numbers(&self) -> Vec<&'static str> {
        let main = self.main();
        if main.versions.is_empty() {
            return vec![main.name];
        }
        main.versions.iter().map(|version| version.title.trim_start_matches(main.name).trim_start()).collect()
    }

    /// Returns every version of the languages whose files are validated one by one.
    pub fn versions(&self) -> impl Iterator<Item = (&'static Language, LanguageVersion)> {
        self.of_single_files().flat_map(|language| {
            (0..language.versions.len().max(1)).map(move |number| (language, LanguageVersion(number as u8)))
        })
    }
}
