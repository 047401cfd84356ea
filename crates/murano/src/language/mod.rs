//! `MuranoPL` as a language of the engine. Manifests, files of classes and object models are described by structs, one
//! for each concept, and go through the five phases of the engine.
//!
//! The [`Runtime`](crate::Runtime) finds problems with a class when the class is used; the phases check all of it in
//! advance. Anything that the runtime would not load is an error. Code that would fail at run time is a warning,
//! because it may never run.

#[cfg(feature = "archive")]
mod archive;
mod attachment;
mod check;
mod class;
mod code;
mod finder;
mod heritage;
mod manifest;
mod member;
pub mod model;
mod name;
pub mod rules;
mod runtime_problem;
mod signature;
mod suspect_text;

pub use attachment::{Attachment, Attachments};
pub use class::{Cardinality, Class, ClassFile, Targets};
pub use code::{Code, TypeUse};
pub(crate) use finder::MANIFEST;
pub use finder::{CORE_LIBRARY, Packages};
pub(crate) use manifest::FOLDER;
pub use manifest::{Listing, Manifest, ManifestFile, PackageType, Required, packages};
pub use member::{Argument, Method, Property, Scope};
pub use model::{ModelFile, ModelHeader, ModelObject};
pub use name::Prefixes;
pub use runtime_problem::problem;

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use tosca_parse::ard::{Dialect, Document, Documents, Node, Schema, Tags};
use tosca_parse::entity::{
    AnyId, DetectedSource, Entity as _, Kind, Language, LanguageVersion, Leniency, Recognition, Versions,
};
use tosca_parse::phase::Program;
use tosca_parse::phase::hierarchy::HasHierarchies;
use tosca_parse::phase::inheritance::{ConflictResolution, MemberConflict};

tosca_parse::sections! {
    static SECTIONS;
    /// The names of classes: the manifest of the package, or of a required one, lists the file of each class.
    CLASSES = "class", found, local;
}

tosca_parse::kinds! {
    static KINDS = [ClassFile, Class, Property, Method, Argument, ManifestFile, Manifest, Listing, Required, ModelFile, ModelObject, ModelHeader];
}

/// The tags of Murano's loader besides those of YAML's core schema.
static TAGS: [&str; 6] = [
    "!yaql",
    "tag:yaml.org,2002:binary",
    "tag:yaml.org,2002:omap",
    "tag:yaml.org,2002:pairs",
    "tag:yaml.org,2002:set",
    "tag:yaml.org,2002:timestamp",
];

/// `MuranoPL`.
pub static MURANO: Language = Language {
    sections: SECTIONS,
    roots: &[ClassFile::KIND, ManifestFile::KIND, ModelFile::KIND],
    leniency: Leniency {
        null_is_empty: Versions::ALL,
        null_is_absent: Versions::ALL,
        maps_are_lists: Versions::ALL,
        yaml_1_1_booleans: Versions::ALL,
        ..Leniency::NONE
    },
    yaml: Dialect {
        schema: Schema::Yaml11,
        tags: Tags::Also(&TAGS),
        documents: Documents::All,
        expression_tag: Some("!yaql"),
    },
    claims,
    detect,
    unknown_keyname: &rules::IGNORED_KEYNAME,
    member_name,
    qualify_name: Some(name::qualify_name),
    finder: |library| Box::new(Packages::of(library)),
    profiles: CORE_LIBRARY,
    #[cfg(feature = "archive")]
    archives: &archive::LAYOUT,
    resolve_conflict: dominant,
    named_file: manifest::named_file,
    complete_value: manifest::complete_value,
    rules: &[rules::EXPLAINED],
    ..Language::new("MuranoPL", KINDS)
};

/// Returns whether a source is written in `MuranoPL`, judging by its unindented keynames.
fn claims(name: &str, text: &str) -> bool {
    // An editor may send a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let has =
        |keyname: &str| text.lines().any(|line| line.strip_prefix(keyname).is_some_and(|rest| rest.starts_with(':')));
    let has_any = |keynames: &[&str]| keynames.iter().any(|keyname| has(keyname));
    // The definition of the forms of a package contains object models, but is no class and no object model.
    if has_any(&["Application", "Forms"]) && has_any(&["Version", "Forms", "Templates"]) {
        return false;
    }
    let ends_with = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    let is_key = |(at, key): (usize, &str)| text[at + key.len()..].trim_start().starts_with(':');
    // Without quotes, `?` is a key only where a key can begin.
    let is_plain_header = |(at, key): (usize, &str)| {
        let before = text[..at].trim_end_matches(' ');
        let begins = before.is_empty() || before.ends_with(['\n', '\r', '-', '{', ',']);
        begins && text[at + key.len()..].starts_with(char::is_whitespace)
    };
    let has_headers = ["\"?\"", "'?'", "\"Objects\""].iter().any(|key| text.match_indices(key).any(is_key))
        || text.match_indices("?:").any(is_plain_header);
    if ends_with(&[".json", ".yaml", ".yml"]) && has_headers && !text.contains("tosca_definitions_version") {
        return true;
    }
    if !ends_with(&[".yaml", ".yml"]) {
        return false;
    }
    let is_manifest = has("FullName") && has_any(&["Format", "Type", "Classes"]);
    is_manifest
        || has_any(&["Namespaces", "Name"]) && has_any(&["Name", "Extends", "Properties", "Methods", "Workflow"])
}

fn detect(document: &Document, _: Recognition<'_>) -> DetectedSource {
    let is_manifest = |node: Node<'_>| node.find("FullName").is_some() || node.find("Format").is_some();
    let is_model = |node: Node<'_>| node.find("?").is_some() || node.find("Objects").is_some();
    let root = if document.root().is_some_and(|root| root.items().any(is_model)) {
        ModelFile::KIND
    } else if document.root().is_some_and(|root| root.items().any(is_manifest)) {
        ManifestFile::KIND
    } else {
        ClassFile::KIND
    };
    DetectedSource::version(LanguageVersion::FIRST).root(root)
}

/// Returns the full name of a method that is called when an object is created or destroyed: authors may omit the dot.
fn member_name(kind: Kind, _: LanguageVersion, name: &str) -> Option<&'static str> {
    match name {
        "initialize" if kind == Method::KIND => Some(".init"),
        "destroy" if kind == Method::KIND => Some(".destroy"),
        _ => None,
    }
}

/// Returns all classes from which a class descends, those of the nearest level first.
fn ancestors<S: HasHierarchies>(program: &Program<S>, id: AnyId) -> impl Iterator<Item = AnyId> {
    let (mut next, mut met) = (VecDeque::from([id]), FxHashSet::default());
    let ancestors = std::iter::from_fn(move || {
        let class = next.pop_front()?;
        let parents = program.lineage(class).map_or(&[][..], |lineage| lineage.parents());
        next.extend(parents.iter().filter(|parent| met.insert(**parent)));
        Some(class)
    });
    ancestors.skip(1)
}

/// The maximum number of ancestors that are compared by name. They are compared for each conflict, and a class can have
/// thousands of conflicts.
const NEAR: usize = 100;

/// Methods that each ancestor can have; all of them are called.
const OF_EACH: [&str; 2] = [".init", ".destroy"];

/// Lets a member take precedence over those declared by the ancestors of its class.
fn dominant(conflict: &MemberConflict<'_>) -> ConflictResolution {
    let program = conflict.program;
    // Only one of several versions of a class is used, unless the requirements of packages can't be satisfied.
    let is_version = |one: AnyId, other: AnyId| program.name(one) == program.name(other);
    let descends = |one, other| {
        program.is_a(one, other) || ancestors(program, one).take(NEAR).any(|ancestor| is_version(ancestor, other))
    };
    let is_overridden = |number: usize, class| {
        let others = conflict.candidates.iter().enumerate().filter(|(_, other)| other.declared_in != class);
        others
            .map(|(place, other)| (place, other.declared_in))
            .any(|(place, other)| if is_version(other, class) { place < number } else { descends(other, class) })
    };
    let mut left =
        (0..).zip(conflict.candidates).filter(|(number, candidate)| !is_overridden(*number, candidate.declared_in));
    match (left.next(), left.next()) {
        (Some((winner, _)), None) => ConflictResolution::Candidate(winner),
        _ if OF_EACH.contains(&conflict.program.text(conflict.name)) => ConflictResolution::Candidate(0),
        _ => ConflictResolution::Unresolved(&rules::AMBIGUOUS_MEMBER),
    }
}

#[cfg(test)]
mod tests {
    use super::MURANO;

    #[test]
    fn the_descriptions_fit_together() {
        assert_eq!(MURANO.check(), [""; 0]);
        assert_eq!(tosca_parse::rules::check(&MURANO.explained()), [""; 0]);
    }
}
