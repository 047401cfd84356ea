//! The languages of this module.

use std::path::Path;
use std::sync::LazyLock;

use tosca_parse_engine::diagnostic::RuleDocs;
use tosca_parse_engine::entity::{Language, Quirk};
use tosca_parse_engine::{ParserBuilder, rules};

/// The languages. An entry that none of them recognizes is read as the first.
pub(crate) static LANGUAGES: &[&Language] = &[
    #[cfg(feature = "templates")]
    &tosca_parse_library::TOSCA,
    #[cfg(feature = "templates")]
    &tosca_parse_library::heat::HEAT,
    #[cfg(feature = "templates")]
    &tosca_parse_library::cloudify::CLOUDIFY,
    #[cfg(feature = "murano")]
    &tosca_parse_library::murano::language::MURANO,
];

/// The rules of the languages, in the order of their codes.
pub(crate) static RULES: LazyLock<Vec<RuleDocs>> = LazyLock::new(|| {
    let tables = LANGUAGES.iter().flat_map(|language| language.rules.iter().copied());
    #[cfg(feature = "templates")]
    let tables = tables.chain([tosca_parse_library::yay::host::rules::EXPLAINED]);
    rules::explained(tables)
});

/// Returns a builder of parsers for all languages.
pub(crate) fn builder() -> ParserBuilder {
    let builder = tosca_parse_engine::Parser::builder(LANGUAGES[0]);
    let builder = LANGUAGES[1..].iter().copied().fold(builder, ParserBuilder::language);
    #[cfg(feature = "templates")]
    let builder = builder.syntax(std::sync::Arc::new(tosca_parse_library::yay::host::Yay::default()));
    builder
}

/// Returns the quirk with the given name, or the quirks of a set.
pub(crate) fn quirks_of(name: &str) -> Option<Vec<Quirk>> {
    LANGUAGES.iter().find_map(|language| language.quirks_of(name))
}

/// Returns whether a file is written in one of the languages.
pub(crate) fn claim(name: &str, text: &str) -> bool {
    LANGUAGES.iter().any(|language| (language.claims)(name, text))
}

/// Returns the language of a file whose entities are written in it literally, not computed by Yay.
pub(crate) fn of_plain_file(name: &str, text: &str) -> Option<&'static Language> {
    let is_computed = Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("yay"));
    LANGUAGES.iter().copied().find(|language| !is_computed && (language.claims)(name, text))
}
