//! Recognition of the version of a file, even if the file specifies an unknown version or none.

use crate::ard::{Document, Entry, Kind, Node};
use crate::diagnostic::suggest::nearest;
use crate::diagnostic::{Diagnostic, Help, Span};
use crate::entity::{Described, DetectedSource, LanguageVersion, Recognition};
use crate::grammar::version::{
    self, KEYNAME, NFV_PROFILE, PROFILE, PROFILES, V1_0, V1_1, V1_2, V1_3, V2_0, WORDS, word,
};
use crate::grammar::{File, quirk};
use crate::{normative, rules};

/// The prefix of the version words of 1.x.
const SIMPLE: &str = "tosca_simple";

/// Returns the version of a file, which must come first in the file (2.0, 6.1). A file without a version, or with an
/// unknown one, is read in the version that it seems to have, judging by its content and by the importing file.
pub(crate) fn detect(document: &Document, known_so_far: Recognition<'_>) -> DetectedSource {
    let Recognition { quirks, importer, .. } = known_so_far;
    let silent = || DetectedSource { is_unversioned: true, ..DetectedSource::version(importer.unwrap_or(V2_0)) };
    let Some(root) = document.root() else { return silent() };
    if root.kind() != Kind::Map {
        // The reader reports files that are not maps.
        return silent();
    }
    let entry = root.find(KEYNAME).or_else(|| misspelt(root));
    let Some(entry) = entry else { return missing(document, root, importer) };
    let mut diagnostics = Vec::new();
    let is_misspelt = entry.key.text() != KEYNAME;
    if is_misspelt {
        diagnostics.push(
            Diagnostic::new(
                &rules::MISSING_VERSION,
                entry.key.span(),
                format!("the file does not declare its version: `{}` is not a keyname", entry.key.text()),
            )
            .with_help(Help::did_you_mean(KEYNAME)),
        );
    }
    let mut word = entry.value.text();
    let guess = match known(entry.value, known_so_far) {
        Ok((version, read_as)) => {
            word = if word.starts_with(PROFILE) { word } else { read_as };
            Some(version)
        }
        Err(problem) => {
            let guess = guess(entry.value, root, importer);
            diagnostics.push(problem.with_help(remedy(entry.value, guess)));
            guess
        }
    };
    // Merged content of other documents comes before the key in the data, but not in the text.
    let at = entry.key.span();
    let is_before = |other: Span| other.source == at.source && other.start < at.start;
    let first = root.entries().find(|first| is_before(first.key.span()));
    if let Some(first) = first.filter(|_| !is_misspelt && !quirks.has(quirk::LATE_VERSION)) {
        diagnostics.push(
            Diagnostic::new(&rules::VERSION_NOT_FIRST, at, format!("`{KEYNAME}` must be the first keyname"))
                .with_related(first.key.span(), "earlier key")
                .with_help("move the version to the top of the file")
                .with_help(quirk::LATE_VERSION.help()),
        );
    }
    DetectedSource {
        is_foreign: guess.is_none(),
        misspelt: is_misspelt.then(|| entry.key.id()),
        extension: word.starts_with(PROFILE).then_some(normative::NFV),
        ..DetectedSource::version(guess.unwrap_or(V2_0)).with(diagnostics)
    }
}

/// Returns the entry whose key is a misspelling of the version's keyname.
fn misspelt(root: Node<'_>) -> Option<Entry<'_>> {
    root.entries().find(|entry| entry.key.kind() == Kind::String && nearest(entry.key.text(), [KEYNAME]).is_some())
}

/// Returns the probable version of a file without one, and the problem.
fn missing(document: &Document, root: Node<'_>, importer: Option<LanguageVersion>) -> DetectedSource {
    let start = Span { source: document.source(), start: root.span().start, end: root.span().start };
    if !root.is_empty() && document.is_complete() && is_foreign(root) {
        let message = "the file is not written in TOSCA: it has neither a version nor a section of a TOSCA file";
        let diagnostic = Diagnostic::new(&rules::MISSING_VERSION, start, message)
            .with_help(format!("a TOSCA file starts with a line such as `{KEYNAME}: tosca_2_0`"));
        return DetectedSource {
            is_foreign: true,
            is_unversioned: true,
            ..DetectedSource::version(V2_0).with([diagnostic])
        };
    }
    let guess = by_content(root, importer, V2_0);
    let word = WORDS.iter().find(|(_, version)| *version == guess).map_or("tosca_2_0", |(word, _)| word);
    let message = format!("the file does not declare its version: `{KEYNAME}` is missing");
    let diagnostic = Diagnostic::new(&rules::MISSING_VERSION, start, message)
        .with_help(format!("start the file with `{KEYNAME}: {word}`"));
    DetectedSource { is_unversioned: true, ..DetectedSource::version(guess).with([diagnostic]) }
}

/// Returns the version that a word denotes, and the word of the standard that it is read as, or the problem with it.
fn known<'a>(
    value: Node<'a>,
    Recognition { quirks, words, .. }: Recognition<'a>,
) -> Result<(LanguageVersion, &'a str), Box<Diagnostic>> {
    let word = value.text();
    let find = |word: &'a str| Some((version::of_word(word)?, word));
    let message = match value.kind() {
        Kind::String => match find(word).or_else(|| words.of(word).and_then(find)) {
            Some(version) => return Ok(version),
            None => format!("`{word}` is not a version of TOSCA"),
        },
        Kind::Null => format!("`{KEYNAME}` has no value"),
        _ => format!("`{KEYNAME}` must be a word such as `tosca_2_0`"),
    };
    let problem = Diagnostic::new(&rules::UNKNOWN_VERSION, value.span(), message);
    // With a third number: `tosca_simple_yaml_1_1_0`.
    let without_patch = word
        .rsplit_once('_')
        .filter(|(head, patch)| patch.bytes().all(|byte| byte.is_ascii_digit()) && head.starts_with(SIMPLE));
    match without_patch.and_then(|(head, _)| find(head)) {
        Some(found) if quirks.has(quirk::PATCH_VERSIONS) => Ok(found),
        Some(_) => Err(problem.with_help(quirk::PATCH_VERSIONS.help()).into()),
        None => Err(problem.into()),
    }
}

/// Returns the version that an unknown word probably means; `None` if the word belongs to another language.
fn guess(value: Node<'_>, root: Node<'_>, importer: Option<LanguageVersion>) -> Option<LanguageVersion> {
    let word = value.text();
    if is_of_vendor(word) {
        let is_foreign =
            !names_tosca(word) && sign(root).is_none() && root.entries().any(|entry| !is_section(entry.key));
        return (!is_foreign).then(|| by_content(root, importer, V1_3));
    }
    if word.starts_with(SIMPLE) && root.find("service_template").is_none() {
        return Some(nearest_simple(word));
    }
    let version = |word: &str| WORDS.iter().find(|(known, _)| *known == word).map(|(_, version)| *version);
    let is_of_content = |version: &LanguageVersion| sign(root).is_none_or(|sign| (sign < V2_0) == (*version < V2_0));
    if let Some(version) = likeliest(word).and_then(version).filter(is_of_content) {
        return Some(version);
    }
    if !names_tosca(word) && sign(root).is_none() && root.entries().any(|entry| !is_section(entry.key)) {
        return None;
    }
    Some(by_content(root, importer, V1_3))
}

/// Returns whether a word is vendor-specific: it has parts that no word of the standard has, such as `alien` or
/// `unfurl`.
fn is_of_vendor(word: &str) -> bool {
    const PARTS: [&str; 10] =
        ["tosca", "simple", "yaml", "profile", "for", "nfv", "definitions", "version", "http", "ns"];
    if word.contains(':') || word.contains("_for_") {
        return false;
    }
    let names_a_version = word.contains('_') || word.contains('-');
    let mut parts = word.split(|letter: char| !letter.is_ascii_alphabetic()).filter(|part| part.len() > 1);
    names_a_version
        && parts.any(|part| {
            let part = part.to_ascii_lowercase();
            !PARTS.contains(&&*part) && nearest(&part, PARTS).is_none()
        })
}

/// Returns the version of 1.x that is closest to an unknown version.
fn nearest_simple(word: &str) -> LanguageVersion {
    if word.starts_with(PROFILE) {
        return V1_2;
    }
    let mut numbers = word.split(|char: char| !char.is_ascii_digit()).filter_map(|number| number.parse::<u8>().ok());
    match (numbers.next(), numbers.next()) {
        (Some(0), _) | (Some(1), None | Some(0)) => V1_0,
        (Some(1), Some(1)) => V1_1,
        (Some(1), Some(2)) => V1_2,
        _ => V1_3,
    }
}

/// Returns the version word that an unknown word probably means.
fn likeliest(word: &str) -> Option<&'static str> {
    let words = || WORDS.iter().map(|(word, _)| *word);
    // Authors know the number of the version, however they write the rest.
    let start = word.len().saturating_sub("2.0".len());
    let number = word.get(start..).map(|number| number.replace('.', "_")).filter(|number| number.len() == 3);
    let same_number = words().find(|word| number.as_ref().is_some_and(|number| word.ends_with(number)));
    same_number.filter(|_| names_tosca(word)).or_else(|| nearest(word, words()))
}

/// Returns whether a word may be meant as a version of TOSCA, because it contains `tosca` or is hardly more than a
/// number.
fn names_tosca(word: &str) -> bool {
    let letters = word.chars().filter(char::is_ascii_alphabetic).count();
    word.to_ascii_lowercase().contains("tosca") || letters <= 1
}

/// Returns the help for an unknown word, which names the word of the closest version.
fn remedy(value: Node<'_>, guess: Option<LanguageVersion>) -> Help {
    let of_guess = guess.map(word);
    match of_guess {
        None => format!(
            "the rest is ignored because it seems to be written in a different language; a TOSCA file starts with a line such as \
             `{KEYNAME}: tosca_2_0`"
        )
        .into(),
        Some(_) if value.text().starts_with(PROFILE) => {
            let field = value.text()[PROFILE.len()..].split('_').next().unwrap_or_default();
            if field == "nfv" || nearest(field, ["nfv"]).is_some() {
                Help::did_you_mean(nearest(value.text(), PROFILES).unwrap_or(NFV_PROFILE))
            } else {
                read_as(value.text(), NFV_PROFILE)
            }
        }
        Some(of_guess) if is_of_vendor(value.text()) => read_as(value.text(), of_guess),
        Some(of_guess) if value.text().starts_with(SIMPLE) => Help::did_you_mean(of_guess),
        Some(of_guess) => match likeliest(value.text()) {
            Some(near) => Help::did_you_mean(near),
            None => format!("the file is read as `{of_guess}`; write that, or the intended version").into(),
        },
    }
}

fn read_as(unknown: &str, word: &str) -> Help {
    format!(
        "the file is read as `{word}`; write that, or map the word with `versions: {{ {unknown}: {word} }}` in `tosca-parse.yaml` or `--read-version {word}`"
    )
    .into()
}

/// Returns the version that a file seems to have, judging by its content and by its importer.
fn by_content(root: Node<'_>, importer: Option<LanguageVersion>, otherwise: LanguageVersion) -> LanguageVersion {
    match (sign(root), importer) {
        (Some(V2_0), _) => V2_0,
        (Some(_), Some(importer)) if importer < V2_0 => importer,
        (Some(sign), _) => sign,
        (None, importer) => importer.unwrap_or(otherwise),
    }
}

/// Returns the version that is suggested by features that only 1.x or only 2.0 has: the keynames of services, and types
/// that are derived from normative ones without an import.
fn sign(root: Node<'_>) -> Option<LanguageVersion> {
    if root.find("service_template").is_some() {
        return Some(V2_0);
    }
    if root.find("topology_template").is_some() {
        return Some(V1_3);
    }
    let sections = root.entries().filter(|section| section.key.text().ends_with("_types"));
    let mut types = sections.flat_map(|section| section.value.entries());
    let is_simple = |of_type: Entry<'_>| {
        of_type.value.find("derived_from").is_some_and(|parent| parent.value.text().starts_with("tosca."))
    };
    if types.any(is_simple) {
        return Some(V1_3);
    }
    let imports = root.find("imports").into_iter().flat_map(|imports| imports.value.items().collect::<Vec<_>>());
    let of_imports = imports.filter_map(|import| sign_of_keyname(import.entries()));
    let sections = root.entries().filter(|section| section.key.text().ends_with("_types"));
    let of_types =
        sections.flat_map(|section| section.value.entries()).filter_map(|of_type| sign_inside(of_type.value));
    of_imports.chain(of_types).next()
}

/// The keynames of imports and definitions that only 1.x or only 2.0 has.
const SIGNS: [(&str, LanguageVersion); 9] = [
    ("constraints", V1_3),
    ("occurrences", V1_3),
    ("valid_source_types", V1_3),
    ("valid_target_types", V1_3),
    ("file", V1_3),
    ("validation", V2_0),
    ("count_range", V2_0),
    ("valid_source_node_types", V2_0),
    ("profile", V2_0),
];

fn sign_of_keyname<'d>(mut entries: impl Iterator<Item = Entry<'d>>) -> Option<LanguageVersion> {
    entries
        .find_map(|entry| SIGNS.iter().find(|(keyname, _)| *keyname == entry.key.text()).map(|(_, version)| *version))
}

/// Returns the version that the keynames in a type's definitions suggest: `properties: { p: { constraints: … } }`.
fn sign_inside(of_type: Node<'_>) -> Option<LanguageVersion> {
    let own = sign_of_keyname(of_type.entries());
    own.or_else(|| {
        let mut named = of_type.entries().flat_map(|section| {
            let items = section.value.items().flat_map(|item| item.entries().collect::<Vec<_>>());
            section.value.entries().chain(items).collect::<Vec<_>>()
        });
        named.find_map(|member| sign_of_keyname(member.value.entries()))
    })
}

/// Returns whether nothing in a file belongs to TOSCA.
fn is_foreign(root: Node<'_>) -> bool {
    let is_common = |key: Node<'_>| matches!(key.text(), "description" | "metadata" | "imports");
    root.entries().all(|entry| is_common(entry.key) || !is_section(entry.key))
        && root.entries().any(|entry| !is_common(entry.key))
}

/// Returns whether a key is, or should be, a keyname of files in some version.
fn is_section(key: Node<'_>) -> bool {
    let keynames = || File::default().description().fields.iter().flat_map(|field| field.keynames);
    let is_near = || nearest(key.text(), keynames().map(|keyname| keyname.name)).is_some();
    key.kind() == Kind::String && (keynames().any(|keyname| keyname.name == key.text()) || is_near())
}
