//! Checks of annotations, individually and in combination.

use std::collections::HashMap;

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::{Error, Result};

use crate::ast::{Entity, Errors, Field};
use crate::attr::Keyname;

/// Checks an entity and combines all errors into one.
pub(crate) fn check(entity: &Entity) -> Result<()> {
    let mut errors = Errors::default();
    if entity.fields.is_empty() {
        errors.push(Error::new(entity.span(), "an entity needs at least one field that is not skipped"));
    }
    if entity.docs.is_empty() {
        errors.push(Error::new(entity.span(), "an entity needs a doc comment: the reference shows it"));
    }
    for field in &entity.fields {
        check_field(field, &mut errors);
    }
    check_short_forms(entity, &mut errors);
    if entity.attrs.tuple {
        check_tuple(entity, &mut errors);
    } else {
        check_keynames(entity, &mut errors);
    }
    check_roles(entity, &mut errors);
    check_relations(entity, &mut errors);
    errors.finish(())
}

/// The engine's types; the macro rejects options that have no effect on them. Other types may be aliases, so the
/// compiler checks their shape (`expand::assertions`).
pub(crate) const TYPES: &[&str] = &[
    "Text",
    "Texts",
    "Given",
    "Value",
    "Values",
    "Clauses",
    "Reference",
    "References",
    "Child",
    "Children",
    "Members",
    "Sequence",
];

/// The types that accept entries whose names are not keynames; all other types would silently drop such entries.
const TAKING_ENTRIES: &[&str] = &["Members"];

fn check_field(field: &Field, errors: &mut Errors) {
    let attrs = &field.attrs;
    let ty = field.type_name();
    let mut require = |span: Span, what: &str, types: &[&str]| {
        if TYPES.contains(&ty.as_str()) && !types.contains(&ty.as_str()) {
            let types = types.iter().map(|ty| format!("`{ty}`")).collect::<Vec<_>>().join(", ");
            errors.push(Error::new(span, format!("`{what}` needs a field of type {types}, not `{ty}`")));
        }
    };
    let any = attrs.keynames.iter().filter_map(|keyname| keyname.name.as_ref()).find(|name| name.value() == "*");
    if let Some(any) = any {
        require(any.span(), "*", TAKING_ENTRIES);
    }
    if let Some(span) = attrs.sequenced {
        require(span, "sequenced", &["Members", "Sequence"]);
    }
    if let Some(section) = &attrs.section {
        let span = section.segments.first().map_or_else(|| field.ident.span(), |segment| segment.ident.span());
        require(span, "section", &["Members", "Sequence"]);
    }
    if let Some(inherit) = &attrs.inherit {
        let types: &[&str] = match inherit.to_string().as_str() {
            "narrow" => &["Reference", "References"],
            "accumulate" => &["Clauses"],
            "refine" => &["Members", "Child"],
            "replace" | "extend" => &["Members"],
            "within" => &["Given"],
            _ => &[],
        };
        if !types.is_empty() {
            require(inherit.span(), &format!("inherit = {inherit}"), types);
        }
    }
    if let Some(closed) = &attrs.closed {
        require(closed.span, "closed", &["Members"]);
    }
    if let Some(one) = &attrs.one_too {
        require(one.span, "one_too", &["Texts", "References", "Children"]);
    }
    if let Some(list) = &attrs.list_too {
        require(list.span, "list_too", &["Members", "Sequence"]);
    }
    if let Some(span) = attrs.list_keys {
        require(span, "list_keys", &["Sequence"]);
    }
    if let Some(read_as) = &attrs.read_as {
        require(read_as.span, "read_as", &["Value", "Clauses"]);
    }
    if let Some(value) = &attrs.value {
        require(value.span, "value", &["Value", "Values", "Clauses"]);
    }
    if let Some((span, _)) = &attrs.argument {
        require(*span, "argument", &["Value"]);
    }
    if let Some(span) = attrs.file {
        require(span, "file", &["Text"]);
    }
    if let Some(span) = attrs.scoped {
        require(span, "scoped", &["Members"]);
    }
    if let Some(assigns) = &attrs.assigns {
        require(assigns.span, "assigns", &["Members", "Values"]);
        if ty == "Values" && assigns.title.is_none() {
            let message = "specify the term for an assigned value: `assigns(title = \"property\")`";
            errors.push(Error::new(assigns.span, message));
        }
    }
    if let (Some(list), Some(_)) = (&attrs.list_too, attrs.sequenced) {
        errors.push(Error::new(list.span, "a `sequenced` field is written as a list anyway"));
    }
    let without =
        attrs.keynames.iter().filter_map(|keyname| keyname.name.as_ref()).find(|name| name.value().is_empty());
    if let (Some(name), true) = (without, attrs.short.is_empty()) {
        errors.push(Error::new(name.span(), "a field without a keyname needs a short form: `short(…)`"));
    }
    if let (Some(map), None) = (&attrs.map_too, attrs.sequenced) {
        errors.push(Error::new(map.span, "`map_too` is for fields that are `sequenced`"));
    }
    if let (Some(span), None) = (attrs.scoped, &attrs.section) {
        errors.push(Error::new(span, "`scoped` needs `section = …`"));
    }
    let is_refined = attrs.inherit.as_ref().is_some_and(|rule| rule == "refine");
    if let (Some(closed), "Members", false) = (&attrs.closed, ty.as_str(), is_refined) {
        errors.push(Error::new(closed.span, "`closed` needs `inherit = refine`"));
    }
    let is_reference = matches!(ty.as_str(), "Reference" | "References");
    match (&attrs.lookup, is_reference) {
        (None, true) => {
            let message = "specify where the name is looked up: `#[field(lookup(SECTION))]`";
            errors.push(Error::new(field.ident.span(), message));
        }
        (None, false) if attrs.role.is_some() => {
            let role = attrs.role.as_ref().map(ToString::to_string).unwrap_or_default();
            let message = format!("`{role}` needs `lookup(SECTION)`");
            errors.push(Error::new(field.ident.span(), message));
        }
        _ => {}
    }
    if field.docs.is_empty() {
        errors.push(Error::new(field.ident.span(), "a field needs a doc comment: the reference shows it"));
    }
    if !attrs.keynames.is_empty() && !attrs.own.is_plain() {
        let message = "write `since`, `until` and `tolerated` inside `keyname(…)`, because the keyname is given";
        errors.push(Error::new(field.ident.span(), message));
    }
}

/// Checks that every field with a short form can be reached. A short form stands for the first of its fields that
/// exists in the version, so no field may follow one that exists in all versions.
fn check_short_forms(entity: &Entity, errors: &mut Errors) {
    let mut taken: HashMap<String, String> = HashMap::new();
    for field in &entity.fields {
        for short in &field.attrs.short {
            if let Some(first) = taken.get(&short.to_string()) {
                let message = format!("a bare {short} already stands for `{first}`");
                errors.push(Error::new(short.span(), message));
            } else if field.attrs.own.is_always() && field.attrs.keynames.iter().all(Keyname::is_always) {
                taken.insert(short.to_string(), field.ident.to_string());
            }
        }
    }
}

/// Checks that the fields of a tuple have no keynames and that no mandatory field follows an optional one.
fn check_tuple(entity: &Entity, errors: &mut Errors) {
    for field in entity.fields.iter().filter(|field| !field.attrs.keynames.is_empty()) {
        errors.push(Error::new(field.ident.span(), "a field of a tuple can't have a keyname"));
    }
    let mandatory = entity.fields.iter().skip_while(|field| field.attrs.mandatory.is_some());
    for field in mandatory.filter(|field| field.attrs.mandatory.is_some()) {
        errors.push(Error::new(field.ident.span(), "a mandatory item can't follow an optional one"));
    }
}

fn check_keynames(entity: &Entity, errors: &mut Errors) {
    let mut taken: HashMap<String, Vec<(String, bool, bool)>> = HashMap::new();
    for field in &entity.fields {
        let owner = field.ident.to_string();
        let named = field.attrs.keynames.iter().filter_map(|keyname| Some((keyname.name.as_ref()?, keyname)));
        let mut of_field: Vec<_> = named.map(|(name, keyname)| (name.value(), name.span(), keyname)).collect();
        if of_field.is_empty() {
            of_field.push((field.ident.unraw().to_string(), field.ident.span(), &field.attrs.own));
        }
        for (name, span, keyname) in of_field.into_iter().filter(|(name, ..)| !name.is_empty()) {
            let (since, until) = (keyname.since.is_some(), keyname.until.is_some());
            let others = taken.entry(name.clone()).or_default();
            // Two fields may share a keyname if one ends before the other begins.
            let clash = others.iter().find(|(other, other_since, other_until)| {
                *other != owner && !(since && *other_until || until && *other_since)
            });
            if let Some((first, ..)) = clash {
                errors.push(Error::new(span, format!("`{name}` is already a keyname of the field `{first}`")));
            }
            others.push((owner.clone(), since, until));
        }
    }
}

fn check_relations(entity: &Entity, errors: &mut Errors) {
    for name in entity.attrs.relations.iter().flat_map(|relation| &relation.fields) {
        if entity.fields.iter().all(|field| field.ident != *name) {
            errors.push(Error::new(name.span(), format!("there is no field `{name}`")));
        }
    }
}

fn check_roles(entity: &Entity, errors: &mut Errors) {
    for role in ["definition", "copy"] {
        let mut fields = entity.fields.iter().filter_map(|field| field.attrs.role.as_ref()).filter(|of| *of == role);
        if let (Some(_), Some(second)) = (fields.next(), fields.next()) {
            errors.push(Error::new(second.span(), format!("an entity can have only one field with the role `{role}`")));
        }
    }
}
