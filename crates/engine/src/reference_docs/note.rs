//! Markdown that editors show for a keyname or an entity.

use super::{documentation, phrase};
use crate::entity::{EntityDescription, EnumValue, FieldDescription, Keyname, Language, LanguageVersion, Shape};

/// Describes an entity's keyname in a version: its value, its meaning and its section in the standard.
pub fn keyname_hover(
    language: &Language,
    version: LanguageVersion,
    entity: &EntityDescription,
    field: &FieldDescription,
) -> String {
    let is_there = |keyname: &&Keyname| keyname.versions.contains(version);
    let Some(keyname) = field.keynames.iter().find(is_there).or(field.keynames.first()) else {
        return phrase::line(field.docs);
    };
    let title = |_: &EntityDescription, title: &str| title.to_owned();
    let value = phrase::value(language, field, (version, keyname), &title);
    let mut sentences = vec![phrase::line(field.docs)];
    sentences.extend(phrase::notes(language, field, version, keyname));
    let word = phrase::inheritance(field);
    let meaning = phrase::INHERITANCE.iter().find(|(known, _)| *known == word);
    let inherited = meaning.map(|(word, meaning)| format!("\n\nInherited, {word}: {meaning}."));
    let section = phrase::section(language, version, entity).map(|section| format!(" ({section})")).unwrap_or_default();
    let name = phrase::keyname(keyname);
    let (inherited, sentences) = (inherited.unwrap_or_default(), sentences.join(" "));
    format!("{name}: {value}\n\n{sentences}{inherited}\n\n*Keyname of {}{section}.*", entity.with_article())
}

/// Describes an entity in a version, with its section in the standard and its short forms.
pub fn entity_hover(language: &Language, version: LanguageVersion, entity: &'static EntityDescription) -> String {
    let (text, _) = documentation(language, version, entity);
    let section = phrase::section(language, version, entity).map(|section| format!(" ({section})")).unwrap_or_default();
    let forms = phrase::short_forms(entity, version).join(" ");
    let forms = if forms.is_empty() { forms } else { format!("\n\n{forms}") };
    format!("{text}{forms}\n\n*{}{section}.*", capitalised(&entity.with_article()))
}

/// Returns the enum values that a field, or an item in it, can have in a version.
pub fn enum_values(field: &FieldDescription, version: LanguageVersion) -> Vec<&'static EnumValue> {
    let Shape::Scalar(_, form) = field.shape else { return Vec::new() };
    phrase::enum_values(form).iter().filter(|value| value.versions.contains(version)).collect()
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
