//! The versions of TOSCA.

use crate::ard::{Document, Kind};
use crate::diagnostic::suggest::nearest;
use crate::diagnostic::{Diagnostic, Span};
use crate::entity::{LanguageVersion, NotRecognised, Quirk, Quirks, VersionDescription};
use crate::rules;

/// TOSCA Simple Profile in YAML 1.0.
pub const V1_0: LanguageVersion = LanguageVersion(0);
/// TOSCA Simple Profile in YAML 1.1.
pub const V1_1: LanguageVersion = LanguageVersion(1);
/// TOSCA Simple Profile in YAML 1.2.
pub const V1_2: LanguageVersion = LanguageVersion(2);
/// TOSCA Simple Profile in YAML 1.3.
pub const V1_3: LanguageVersion = LanguageVersion(3);
/// TOSCA 2.0.
pub const V2_0: LanguageVersion = LanguageVersion(4);

pub(super) static VERSIONS: &[VersionDescription] = &[
    VersionDescription { title: "TOSCA 1.0" },
    VersionDescription { title: "TOSCA 1.1" },
    VersionDescription { title: "TOSCA 1.2" },
    VersionDescription { title: "TOSCA 1.3" },
    VersionDescription { title: "TOSCA 2.0" },
];

/// The keyname that says the version.
const KEYNAME: &str = "tosca_definitions_version";

/// The words for versions (2.0, 6.2; the older ones may also be written as the address of their name space).
const WORDS: &[(&str, LanguageVersion)] = &[
    ("tosca_2_0", V2_0),
    ("tosca_simple_yaml_1_3", V1_3),
    ("tosca_simple_yaml_1_2", V1_2),
    ("tosca_simple_yaml_1_1", V1_1),
    ("tosca_simple_yaml_1_0", V1_0),
    ("http://docs.oasis-open.org/tosca/ns/simple/yaml/1.3", V1_3),
    ("http://docs.oasis-open.org/tosca/ns/simple/yaml/1.2", V1_2),
    ("http://docs.oasis-open.org/tosca/ns/simple/yaml/1.1", V1_1),
    ("http://docs.oasis-open.org/tosca/ns/simple/yaml/1.0", V1_0),
    ("tosca_simple_profile_for_nfv_1_0", V1_2),
];

/// The version that a file says it is written in, which must be the first thing that it says (2.0, 6.1).
pub(super) fn recognise(document: &Document, quirks: Quirks) -> Result<LanguageVersion, NotRecognised> {
    let Some(root) = document.root() else {
        return Err(NotRecognised { diagnostics: Vec::new(), guess: V2_0 });
    };
    let guess = if root.find("topology_template").is_some() { V1_3 } else { V2_0 };
    if root.kind() != Kind::Map {
        // What a file must be is the reader's business.
        return Err(NotRecognised { diagnostics: Vec::new(), guess });
    }
    let start = Span { source: document.source(), start: root.span().start, end: root.span().start };
    let Some(entry) = root.find(KEYNAME) else {
        let message = format!("the file does not say its version: `{KEYNAME}` is missing");
        let diagnostic = Diagnostic::new(&rules::MISSING_VERSION, start, message)
            .with_help(format!("start the file with `{KEYNAME}: tosca_2_0`"));
        return Err(NotRecognised { diagnostics: vec![diagnostic], guess });
    };
    let mut diagnostics = Vec::new();
    let word = entry.value.text();
    let known = WORDS.iter().find(|(known, _)| entry.value.kind() == Kind::String && *known == word);
    if known.is_none() {
        let message = match entry.value.kind() {
            Kind::String => format!("`{word}` is not a version of TOSCA"),
            Kind::Null => format!("`{KEYNAME}` has no value"),
            _ => format!("`{KEYNAME}` must be a word such as `tosca_2_0`"),
        };
        let words = || WORDS.iter().map(|(word, _)| *word);
        // The number of the version is what authors know, however they spell the rest.
        let start = word.len().saturating_sub("2.0".len());
        let number = word.get(start..).map(|number| number.replace('.', "_"));
        let same_number = number.and_then(|number| words().find(|word| number.len() == 3 && word.ends_with(&number)));
        let help = match nearest(word, words()).or(same_number) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!(
                "the versions are {}",
                words().take(5).map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
            ),
        };
        diagnostics.push(Diagnostic::new(&rules::UNKNOWN_VERSION, entry.value.span(), message).with_help(help));
    }
    let first = root.entries().next().filter(|first| first.key.id() != entry.key.id());
    if let Some(first) = first.filter(|_| !quirks.has(Quirk::LateVersion)) {
        diagnostics.push(
            Diagnostic::new(
                &rules::VERSION_NOT_FIRST,
                entry.key.span(),
                format!("`{KEYNAME}` must be the first keyname"),
            )
            .with_related(first.key.span(), "this comes before it")
            .with_help("move it to the top of the file")
            .with_help(Quirk::LateVersion.help()),
        );
    }
    match known {
        Some((_, version)) if diagnostics.is_empty() => Ok(*version),
        known => Err(NotRecognised { diagnostics, guess: known.map_or(guess, |(_, version)| *version) }),
    }
}
