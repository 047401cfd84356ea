//! The input for version detection.

use std::collections::BTreeMap;

use super::{LanguageVersion, Quirks};

/// The input for detecting a source's version, besides the document.
#[derive(Clone, Copy, Debug)]
pub struct Recognition<'a> {
    /// The enabled quirks.
    pub quirks: Quirks,
    /// The version of the importer, if there is one.
    pub importer: Option<LanguageVersion>,
    /// The name of the [option](super::LanguageOption) that specifies the source, if any.
    pub option: Option<&'static str>,
    /// The vendor-specific version identifiers that the user has declared.
    pub words: &'a VersionWords,
}

/// Vendor-specific version identifiers and the language's own identifiers that they stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VersionWords {
    declared: BTreeMap<String, String>,
    others: Option<String>,
}

impl VersionWords {
    /// No identifiers.
    pub const NONE: &'static Self = &Self { declared: BTreeMap::new(), others: None };

    /// Declares that the identifier `word` stands for `version`.
    pub fn declare(&mut self, word: impl Into<String>, version: impl Into<String>) {
        self.declared.insert(word.into(), version.into());
    }

    /// Declares that all identifiers that the language does not know stand for `version`.
    pub fn declare_others(&mut self, version: impl Into<String>) {
        self.others = Some(version.into());
    }

    /// Returns the identifier that `word` stands for; `None` if it is not declared.
    pub fn of(&self, word: &str) -> Option<&str> {
        self.declared.get(word).or(self.others.as_ref()).map(String::as_str)
    }
}

/// Returns the values of a keyname at the beginnings of lines, with the rest of their lines: a fast way to recognize a
/// source by the version that it declares. See [`Language::claims`](super::Language::claims).
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// use tosca_parse::entity::values_on_lines;
///
/// assert_eq!(values_on_lines("{ 'version': '2.0' }", "version").collect::<Vec<_>>(), ["2.0' }"]);
/// assert_eq!(values_on_lines("\u{feff}version: 2.0", "version").collect::<Vec<_>>(), ["2.0"]);
/// ```
pub fn values_on_lines<'t>(text: &'t str, keyname: &'t str) -> impl Iterator<Item = &'t str> {
    without_mark(text).lines().filter_map(move |line| {
        let rest = line.trim_start_matches(['"', '\'', '{', ' ']).strip_prefix(keyname)?;
        Some(rest.trim_start_matches(['"', '\'', ':', ' ', '\t']))
    })
}

/// Returns whether a source seems to have a keyname at its root: at the beginning of a line without indentation or, in
/// JSON, of any line. It is a fast way to recognize a source that does not declare its version.
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// use tosca_parse::entity::has_root_key;
///
/// assert!(has_root_key("trips:\n  home: {}", "trips"));
/// assert!(!has_root_key("trips:\n  home: {}", "home"));
/// ```
pub fn has_root_key(text: &str, keyname: &str) -> bool {
    let text = without_mark(text);
    let is_json = text.trim_start().starts_with('{');
    text.lines().any(|line| {
        let line = if is_json { line.trim_start_matches(['{', ' ', '\t']) } else { line };
        let rest = line.trim_start_matches(['"', '\'']).strip_prefix(keyname);
        rest.is_some_and(|rest| rest.trim_start_matches(['"', '\'', ' ']).starts_with(':'))
    })
}

/// Returns a text without its byte order mark, which an editor may send.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
