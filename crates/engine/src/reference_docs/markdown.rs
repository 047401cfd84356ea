//! The reference page for a version.

use std::fmt::Write;

use super::{documentation, entities, fields, holders, phrase, summary};
use crate::entity::{EntityDescription, FieldDescription, Keyname, Language, LanguageVersion};

/// Returns the reference for a version in Markdown, with every entity and its keynames. The introduction is placed
/// below the title.
pub fn page(language: &Language, version: LanguageVersion, introduction: &str) -> String {
    let all = entities(language, version);
    let mut page = format!("# {}\n\n", language.version_title(version));
    if !introduction.is_empty() {
        let _ = writeln!(page, "{introduction}\n");
    }
    for entity in &all {
        let _ = writeln!(page, "- {}: {}", link(entity, entity.title), summary(entity));
    }
    page.push_str(&inheritance(&all, version));
    for entity in all {
        page.push_str(&chapter(language, version, entity));
    }
    page
}

/// Returns a table that explains the words used in the column for inheritance.
fn inheritance(all: &[&EntityDescription], version: LanguageVersion) -> String {
    let is_used = |word: &str| {
        all.iter().any(|entity| fields(entity, version).any(|(field, _)| phrase::inheritance(field) == word))
    };
    let mut rows = String::new();
    for (word, meaning) in phrase::INHERITANCE.iter().filter(|(word, _)| is_used(word)) {
        let _ = writeln!(rows, "| {word} | {meaning} |");
    }
    if rows.is_empty() {
        return rows;
    }
    format!(
        "\nWhat derived types and refinements inherit:\n\n\
             | inherited | meaning |\n|---|---|\n{rows}"
    )
}

fn chapter(language: &Language, version: LanguageVersion, entity: &'static EntityDescription) -> String {
    let (text, examples) = documentation(language, version, entity);
    let mut chapter = format!("\n## {}\n\n{text}\n", entity.title);
    let mut facts: Vec<String> =
        phrase::section(language, version, entity).map(|section| format!("{section}.")).into_iter().collect();
    let places = holders(language, version, entity);
    if !places.is_empty() {
        let places: Vec<String> =
            places.iter().map(|(holder, keyname)| phrase::place(keyname, &link(holder, holder.title))).collect();
        facts.push(format!("Used in {}.", places.join(", ")));
    }
    facts.extend(phrase::short_forms(entity, version));
    if !facts.is_empty() {
        let _ = writeln!(chapter, "\n{}", facts.join(" "));
    }
    chapter.push_str("\n| keyname | value | inherited | meaning |\n|---|---|---|---|\n");
    for (number, (field, keyname)) in fields(entity, version).enumerate() {
        let name = phrase::label_of(entity, number, keyname);
        chapter.push_str(&row((language, version), &name, field, keyname));
    }
    for example in examples {
        let _ = write!(chapter, "\n```yaml\n{example}```\n");
    }
    chapter
}

fn row(
    (language, version): (&Language, LanguageVersion),
    name: &str,
    field: &FieldDescription,
    keyname: &Keyname,
) -> String {
    let is_mandatory = field.is_mandatory(version);
    let name = if is_mandatory { format!("**{name}**") } else { name.to_owned() };
    let value = phrase::value(language, field, (version, keyname), &link);
    let sentences = [phrase::line(field.docs)].into_iter().chain(phrase::notes(language, field, version, keyname));
    let meaning = sentences.collect::<Vec<_>>().join(" ");
    format!("| {name} | {value} | {} | {} |\n", phrase::inheritance(field), meaning.replace('|', "\\|"))
}

/// Returns a link to the chapter about the given entity.
fn link(entity: &EntityDescription, title: &str) -> String {
    format!("[{title}](#{})", entity.title.to_lowercase().replace(' ', "-"))
}
