//! The version of a blueprint.
//!
//! All files that a blueprint imports are read in its version. The versions that they declare are only compared with
//! it.

use tosca_parse::ard::{Document, Kind, Node};
use tosca_parse::diagnostic::suggest::nearest;
use tosca_parse::diagnostic::{Diagnostic, Help, Span};
use tosca_parse::entity::{
    DetectedSource, LanguageVersion, Recognition, VersionDescription, has_root_key, values_on_lines,
};
use tosca_parse::rules::{MISSING_VERSION, UNKNOWN_VERSION};

use crate::grammar::V1_5;
use crate::rules::NOT_ASCII;

/// The keyname of the version.
pub(crate) const KEYNAME: &str = "tosca_definitions_version";

/// The versions, in the order of their numbers.
pub(crate) const VERSIONS: &[VersionDescription] = &[
    VersionDescription { title: "Cloudify DSL 1.0", word: "cloudify_dsl_1_0" },
    VersionDescription { title: "Cloudify DSL 1.1", word: "cloudify_dsl_1_1" },
    VersionDescription { title: "Cloudify DSL 1.2", word: "cloudify_dsl_1_2" },
    VersionDescription { title: "Cloudify DSL 1.3", word: "cloudify_dsl_1_3" },
    VersionDescription { title: "Cloudify DSL 1.4", word: "cloudify_dsl_1_4" },
    VersionDescription { title: "Cloudify DSL 1.5", word: "cloudify_dsl_1_5" },
];

/// Sections by which a blueprint without its version is recognized, if it also has one of the `SIGNS`.
const SECTIONS: [&str; 6] = ["imports", "inputs", "node_templates", "node_types", "plugins", "relationships"];
const SIGNS: [&str; 5] = [
    "cloudify.nodes.",
    "cloudify.relationships.",
    "cloudify.interfaces.",
    "cloudify/types/types.yaml",
    "cloudify_dsl_",
];

/// Returns whether a source declares a version of the language. A source that declares no version of any language is
/// also a blueprint if it uses the standard types.
pub(crate) fn claims(text: &str) -> bool {
    values_on_lines(text, KEYNAME).any(|word| word.starts_with("cloudify_dsl"))
        || !text.contains(KEYNAME)
            && SIGNS.iter().any(|sign| text.contains(sign))
            && SECTIONS.iter().any(|section| has_root_key(text, section))
}

/// Returns the version that a word stands for.
pub(crate) fn of_word(word: &str) -> Option<LanguageVersion> {
    VERSIONS.iter().position(|version| version.word == word).map(|number| LanguageVersion(number as u8))
}

/// Returns the node of the version that a document declares.
pub(crate) fn declared(document: &Document) -> Option<Node<'_>> {
    document.root()?.find(KEYNAME).map(|entry| entry.value)
}

pub(crate) fn detect(document: &Document, known: Recognition<'_>) -> DetectedSource {
    let declared = declared(document).filter(|node| node.kind() != Kind::Null);
    let version = declared.and_then(|node| of_word(node.text()));
    let mut problems: Vec<Diagnostic> = foreign_characters(document).into_iter().collect();
    // The importer reports the version of an imported file.
    if known.importer.is_none() {
        problems.extend(problem(document, declared, version));
    }
    // An import with a later version is reported where it is imported. Its content is read in its own version.
    let version = version.filter(|version| known.importer.is_none_or(|importer| *version > importer));
    let version = version.or(known.importer).unwrap_or(V1_5);
    DetectedSource { is_unversioned: true, ..DetectedSource::version(version).with(problems) }
}

fn problem(document: &Document, declared: Option<Node<'_>>, version: Option<LanguageVersion>) -> Option<Diagnostic> {
    if version.is_some() {
        return None;
    }
    let Some(declared) = declared else {
        let root = document.root().filter(|root| root.kind() == Kind::Map)?;
        // A misspelled keyname is reported by the reader.
        if root.entries().any(|entry| nearest(entry.key.text(), [KEYNAME]).is_some()) {
            return None;
        }
        let start = Span { end: root.span().start, ..root.span() };
        let message = format!("the blueprint does not declare its version: `{KEYNAME}` is missing");
        let help = format!("add `{KEYNAME}: cloudify_dsl_1_5`");
        return Some(Diagnostic::new(&MISSING_VERSION, start, message).with_help(help));
    };
    // Values of the wrong kind are reported by the reader.
    if declared.kind() != Kind::String {
        return None;
    }
    let word = declared.text();
    let message = format!("there is no version `{word}` of the Cloudify DSL");
    let near = nearest(word, VERSIONS.iter().map(|version| version.word));
    // If only the number is wrong, all versions are similar.
    let help = match near.filter(|_| !word.starts_with("cloudify_dsl_")) {
        Some(near) => Help::did_you_mean(near),
        None => "write a version from `cloudify_dsl_1_0` to `cloudify_dsl_1_5`".into(),
    };
    Some(Diagnostic::new(&UNKNOWN_VERSION, declared.span(), message).with_help(help))
}

/// Returns the first string with characters outside of ASCII, which the manager rejects.
fn foreign_characters(document: &Document) -> Option<Diagnostic> {
    if document.text().is_ascii() && !document.text().contains('\\') {
        return None;
    }
    let node = document.nodes().find(|node| node.kind() == Kind::String && !node.text().is_ascii())?;
    let found = node.text().chars().find(|character| !character.is_ascii())?;
    let message = format!("a string contains `{}`, which is not an ASCII character", found.escape_default());
    let help = "write the string with ASCII characters; only comments may contain other characters";
    Some(Diagnostic::new(&NOT_ASCII, node.span(), message).with_help(help))
}

/// Returns the name of a version, such as `1_4`, for file names.
pub(crate) fn short_name(number: u8) -> &'static str {
    let version = VERSIONS.get(usize::from(number));
    version.and_then(|version| version.word.strip_prefix("cloudify_dsl_")).unwrap_or_default()
}
