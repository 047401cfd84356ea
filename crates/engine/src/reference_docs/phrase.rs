//! Phrases that describe the fields of entities.

use crate::entity::{
    AssignmentSpec, EntityDescription, EnumValue, FieldDescription, Form, Inherit, Keyname, Language, LanguageVersion,
    Mandatory, Shape, Undeclared, Versions,
};

/// Returns the plural of a title.
pub fn plural(title: &str) -> String {
    match title.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{title}s"),
    }
}

/// Returns the last word of a version title, which distinguishes the version: `1.3` for `Chess 1.3`.
pub(super) fn label(title: &str) -> &str {
    title.rsplit(' ').next().unwrap_or(title)
}

/// Returns the text for a keyname. The keyname may be `*`, which matches all other names, or empty, for a field without
/// a keyname.
pub(super) fn keyname(keyname: &Keyname) -> String {
    match keyname.name {
        Keyname::ANY => "any other name".to_owned(),
        Keyname::NONE => "(no keyname)".to_owned(),
        name => format!("`{name}`"),
    }
}

/// Returns the label for a field: its keyname, or its number if the entity is written as a list of its fields.
pub(super) fn label_of(entity: &EntityDescription, number: usize, of: &Keyname) -> String {
    if entity.tuple { format!("item {}", number + 1) } else { keyname(of) }
}

/// Returns the place where an entity occurs; `title` is the title of the entity that holds it.
pub(super) fn place(of: &Keyname, title: &str) -> String {
    if of.name == Keyname::NONE { title.to_owned() } else { format!("{} of {title}", keyname(of)) }
}

/// Describes the value of a keyname. `link` returns the text for an entity, given its title in the singular or plural.
pub(super) fn value(
    language: &Language,
    field: &FieldDescription,
    (version, keyname): (LanguageVersion, &Keyname),
    link: &dyn Fn(&EntityDescription, &str) -> String,
) -> String {
    let one = |entity: &EntityDescription| link(entity, entity.title);
    let several = |entity: &EntityDescription| link(entity, &plural(entity.title));
    // The value of a name that is not a keyname is one member rather than a map of members.
    let is_member = keyname.name == Keyname::ANY;
    let also_map = field.map_too.is_some_and(|versions| versions.contains(version));
    let value = match field.shape {
        Shape::Scalar(what, _) => what.strip_prefix("a ").or(what.strip_prefix("an ")).unwrap_or(what).to_owned(),
        Shape::Value => field.entity(version).map_or_else(|| "any value".to_owned(), one),
        Shape::Values => "map of names to values".to_owned(),
        Shape::Reference => format!("name of {}", sections(language, field)),
        Shape::References => format!("list of names: each of {}", sections(language, field)),
        Shape::One(entity) => one(entity()),
        Shape::List(entity) => format!("list of {}", several(entity())),
        Shape::Named(entity) | Shape::Sequence(entity) if is_member => one(entity()),
        Shape::Named(entity) | Shape::Sequence(entity) if field.sequenced => {
            let map = if also_map { "; may also be a map" } else { "" };
            format!("list of maps of one name to {}{map}", one(entity()))
        }
        Shape::Named(entity) | Shape::Sequence(entity) => {
            let list = if field.takes_list(version) { "; may also be a list of maps of one name" } else { "" };
            let names = if field.list_keys { "names, or lists," } else { "names" };
            format!("map of {names} to {}{list}", several(entity()))
        }
    };
    if field.takes_one(version) { format!("{value}, or one of them") } else { value }
}

/// Lists the kinds of entities that the names in a field can refer to: `a node type or a group type`.
fn sections(language: &Language, field: &FieldDescription) -> String {
    let sections = field.lookup.iter().flat_map(|lookup| lookup.sections);
    let titles = sections.filter_map(|section| language.sections.get(usize::from(section.0)));
    let titles: Vec<String> = titles.map(|section| crate::entity::with_article(section.title)).collect();
    if titles.is_empty() { "something".to_owned() } else { titles.join(" or ") }
}

/// Returns one word, which the page explains, for how a field is inherited.
pub(super) fn inheritance(field: &FieldDescription) -> &'static str {
    match field.inherit {
        None => "",
        Some(Inherit::Overwrite) => "overwritten",
        Some(Inherit::Fixed) => "fixed",
        Some(Inherit::Within) => "within",
        Some(Inherit::Narrow) => "narrowed",
        Some(Inherit::Accumulate) => "accumulated",
        Some(Inherit::Refine) => "refined",
        Some(Inherit::Replace) => "replaced",
        Some(Inherit::Extend) => "extended",
    }
}

/// The explanations of the words for inheritance.
pub(super) const INHERITANCE: [(&str, &str); 8] = [
    ("overwritten", "a new value replaces the inherited one"),
    ("fixed", "a new value must equal the inherited one"),
    ("within", "a new value must be within the inherited one"),
    ("narrowed", "a new name must be the inherited one, or that of a type derived from it"),
    ("accumulated", "new values are added to the inherited ones; all must hold"),
    ("refined", "new members are added; a member with an inherited name is completed from the inherited one"),
    ("replaced", "new members are added; a member with an inherited name replaces the inherited one"),
    ("extended", "new members are added; none may have an inherited name"),
];

/// Returns sentences about a field that its doc comment does not contain.
pub(super) fn notes(
    language: &Language,
    field: &FieldDescription,
    version: LanguageVersion,
    keyname: &Keyname,
) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(field.mandatory.and_then(|of_field| mandatory(of_field, version)));
    notes.extend(field.default.map(|default| format!("Default: `{default}`.")));
    notes.extend(range(language, keyname.versions));
    let others = field.keynames.iter().filter(|other| other.name != keyname.name && other.is_written());
    notes.extend(others.map(|other| {
        let range = range(language, other.versions).filter(|_| !other.versions.contains(version));
        match range {
            Some(range) => format!("Called `{}` {}.", other.name, range.trim_end_matches('.').to_lowercase()),
            None => format!("Means the same as `{}`.", other.name),
        }
    }));
    notes.extend(
        field.members_short.map(|short| format!("A bare value in place of a member stands for its `{short}`.")),
    );
    notes.extend(field.assigns.map(|of_field| assigns(of_field, field)));
    if let Shape::Scalar(_, form) = field.shape {
        let values = enum_values(form).iter().filter(|value| value.versions.contains(version));
        notes.extend(values.map(|value| format!("`{}`: {}", value.name, line(value.docs))));
    }
    if field.closed.is_some_and(|versions| versions.contains(version)) {
        notes.push("No members can be added to those of the type.".to_owned());
    }
    notes
}

/// Returns the enum values that a form, or an item in it, allows.
pub(super) fn enum_values(form: Form) -> &'static [EnumValue] {
    match form {
        Form::Enumerated { values, .. } => values,
        Form::List(item) => enum_values(*item),
        Form::Either([first, ..]) => enum_values(*first),
        _ => &[],
    }
}

fn mandatory(mandatory: Mandatory, version: LanguageVersion) -> Option<String> {
    let what = if mandatory.inheritable { "Mandatory, if it is not inherited." } else { "Mandatory." };
    mandatory.versions.contains(version).then(|| what.to_owned())
}

/// Returns a phrase for a range of versions; `None` if it includes all versions.
fn range(language: &Language, versions: Versions) -> Option<String> {
    let last = LanguageVersion((language.versions.len().max(1) - 1) as u8);
    let label = |version| label(language.version_title(version));
    match (versions.since > LanguageVersion::FIRST, versions.until < last) {
        (true, true) if versions.since == versions.until => Some(format!("In {} only.", label(versions.since))),
        (true, true) => Some(format!("From {} to {}.", label(versions.since), label(versions.until))),
        (true, false) => Some(format!("Since {}.", label(versions.since))),
        (false, true) => Some(format!("Up to {}.", label(versions.until))),
        (false, false) => None,
    }
}

fn assigns(assigns: AssignmentSpec, field: &FieldDescription) -> String {
    let of = assigns.field.unwrap_or(field.ident);
    let also = assigns.also.map(|also| format!(" and `{also}`")).unwrap_or_default();
    let undeclared = match assigns.undeclared {
        Undeclared::Error => "other names are errors",
        Undeclared::Warning => "other names cause a warning",
        Undeclared::Allowed => "other names are allowed",
    };
    format!("Assigns to `{of}`{also} of the definition; {undeclared}.")
}

/// Returns sentences about the short forms of an entity and the keynames that they stand for.
pub(super) fn short_forms(entity: &EntityDescription, version: LanguageVersion) -> Vec<String> {
    if !entity.is_map(version) {
        return vec![format!("Written as {}.", entity.forms(version))];
    }
    let field = |has: fn(&FieldDescription) -> bool| {
        entity.fields.iter().find(|field| has(field) && field.exists_in(version)).map(|field| field.title(version))
    };
    let scalar = field(|field| field.short.scalar).map(|title| ("A scalar", title));
    let list = field(|field| field.short.list).map(|title| ("A list", title));
    let map = field(|field| field.short.map).map(|title| ("A map without keynames", title));
    let forms = [scalar, list, map].into_iter().flatten();
    forms.map(|(what, title)| format!("{what} in its place stands for {title}.")).collect()
}

/// Returns the section that defines an entity in the standard for a version; only the name of the standard if the
/// section is unknown.
pub(super) fn section(language: &Language, version: LanguageVersion, entity: &EntityDescription) -> Option<String> {
    let title = language.version_title(version);
    match (language.spec_section)(version, entity)? {
        "" => Some(title.to_owned()),
        section => Some(format!("{title}, section {section}")),
    }
}

/// Joins the lines of a doc comment into one line.
pub(super) fn line(docs: &str) -> String {
    docs.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals() {
        let several = ["node type", "activity", "policy", "key", "mapping"].map(plural);
        assert_eq!(several, ["node types", "activities", "policies", "keys", "mappings"]);
    }

    #[test]
    fn versions_have_labels() {
        assert_eq!(["Chess 1.3", "Bells"].map(label), ["1.3", "Bells"]);
    }
}
