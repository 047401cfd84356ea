//! The reference for a language, generated from the descriptions of its entities.
//!
//! The annotations that define how entities are read contain everything that a reference needs: keynames, their values,
//! the versions in which they exist, and how they are inherited. Doc comments explain their purpose. So the reference
//! is generated from these alone and always agrees with the parser. It takes the form of a page for each version
//! ([`page`]) and of an [`EntityHelp`] for terminals. Examples are fenced blocks in the doc comments of entities.
//!
//! ```
//! # extern crate tosca_parse_engine as tosca_parse;
//! # use tosca_parse::Entity;
//! # use tosca_parse::entity::{Language, LanguageVersion, Text};
//! use tosca_parse::reference_docs;
//!
//! /// A bell.
//! #[derive(Entity, Clone, Debug, Default)]
//! #[entity(title = "bell")]
//! struct Bell {
//!     /// What it sounds like.
//!     #[field(mandatory, short(scalar))]
//!     tone: Option<Text>,
//! }
//!
//! tosca_parse::kinds! { static KINDS = [Bell]; }
//! static BELLS: Language = Language::new("Bells", KINDS);
//!
//! let page = reference_docs::page(&BELLS, LanguageVersion::FIRST, "");
//! assert!(page.contains("| **`tone`** | string |  | What it sounds like. Mandatory. |"), "{page}");
//! ```

mod markdown;
mod note;
mod phrase;
mod schema;
mod terminal;

use rustc_hash::FxHashSet;

use crate::diagnostic::markdown::{Block, blocks};
use crate::entity::{EntityDescription, FieldDescription, Keyname, Language, LanguageVersion};

pub use markdown::page;
pub use note::{entity_hover, enum_values, keyname_hover};
pub use phrase::plural;
pub use schema::json_schema;
pub use terminal::EntityHelp;

/// Returns the kinds of entities that occur in a version of a language, in the language's order.
pub fn entities(language: &Language, version: LanguageVersion) -> Vec<&'static EntityDescription> {
    reached(language, |keyname| keyname.versions.contains(version))
}

/// Returns the kinds of entities that can be reached from a root through fields with a keyname for which `is_there`
/// returns true.
fn reached(language: &Language, is_there: impl Fn(&Keyname) -> bool) -> Vec<&'static EntityDescription> {
    let kinds = || language.kinds.iter().map(|kind| kind.description());
    let is_root = |number: usize| language.roots.iter().any(|kind| usize::from(kind.0) == number);
    let mut waiting: Vec<_> =
        kinds().enumerate().filter(|(number, _)| is_root(*number)).map(|(_, root)| root).collect();
    let mut met: FxHashSet<_> = waiting.iter().map(|entity| entity.name).collect();
    while let Some(entity) = waiting.pop() {
        let there = entity.fields.iter().filter(|field| field.keynames.iter().any(&is_there));
        let read_as = |field: &FieldDescription| {
            let is_read = |versions| is_there(&Keyname { name: Keyname::NONE, versions, tolerated: None });
            field.read_as.filter(|read_as| is_read(read_as.versions)).map(|read_as| (read_as.entity)())
        };
        let held = there.flat_map(|field| field.shape.entity().into_iter().chain(read_as(field)));
        waiting.extend(held.filter(|held| met.insert(held.name)));
    }
    kinds().filter(|entity| met.contains(entity.name)).collect()
}

/// Returns the first paragraph of an entity's documentation, on one line.
pub fn summary(entity: &EntityDescription) -> String {
    phrase::line(entity.docs.split("\n\n").next().unwrap_or_default())
}

/// Returns the kind of entity with the given name, which may be written in any notation: `node type`, `node-type`,
/// `NodeTypes`.
pub fn find(language: &Language, version: LanguageVersion, name: &str) -> Option<&'static EntityDescription> {
    let wanted = normal(name);
    let plural = |entity: &EntityDescription| normal(&phrase::plural(entity.title));
    entities(language, version)
        .into_iter()
        .find(|entity| [normal(entity.title), plural(entity), normal(entity.name)].contains(&wanted))
}

/// Normalizes a name so that different notations are equal.
fn normal(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the fields that an entity has in a version, with their keynames.
fn fields(
    entity: &EntityDescription,
    version: LanguageVersion,
) -> impl Iterator<Item = (&'static FieldDescription, &'static Keyname)> + use<'_> {
    entity.fields.iter().flat_map(move |field| {
        let keynames = field.keynames.iter().filter(move |keyname| keyname.versions.contains(version));
        keynames.map(move |keyname| (field, keyname))
    })
}

/// Returns where entities of the given kind occur in a version: the entities that hold them, with the keynames.
fn holders(
    language: &Language,
    version: LanguageVersion,
    entity: &EntityDescription,
) -> Vec<(&'static EntityDescription, &'static Keyname)> {
    let all = entities(language, version).into_iter();
    let held = all.flat_map(|holder| fields(holder, version).map(move |(field, keyname)| (holder, field, keyname)));
    held.filter(|(_, field, _)| field.entity(version).is_some_and(|held| held.name == entity.name))
        .map(|(holder, _, keyname)| (holder, keyname))
        .collect()
}

/// Returns the documentation of an entity without examples and the examples that apply to a version. Examples are
/// fenced blocks whose info string is `yaml`, optionally followed by `since 1.2` or `until 1.3`.
fn documentation(
    language: &Language,
    version: LanguageVersion,
    entity: &EntityDescription,
) -> (String, Vec<&'static str>) {
    let (mut text, mut examples) = (String::new(), Vec::new());
    for block in blocks(entity.docs) {
        match block {
            Block::Line(line) => {
                text.push_str(line);
                text.push('\n');
            }
            Block::Fenced { info, body } if is_of_version(language, version, info) => examples.push(body),
            Block::Fenced { .. } => {}
        }
    }
    (text.trim().to_owned(), examples)
}

/// Returns whether the info string of a block marks an example that applies to the version.
fn is_of_version(language: &Language, version: LanguageVersion, info: &str) -> bool {
    let words: Vec<&str> = info.split_whitespace().collect();
    let number = |label: &str| {
        language.versions.iter().position(|known| phrase::label(known.title) == label).map(|number| number as u8)
    };
    match words[..] {
        ["yaml"] => true,
        ["yaml", "since", label] => number(label).is_some_and(|number| version.0 >= number),
        ["yaml", "until", label] => number(label).is_some_and(|number| version.0 <= number),
        _ => false,
    }
}

/// Returns the examples for an entity that apply to a version, for tests that parse them.
pub fn examples(language: &Language, version: LanguageVersion, entity: &EntityDescription) -> Vec<&'static str> {
    documentation(language, version, entity).1
}
