//! Finds the maps of keynames in a document, using only the descriptions of entities.

use super::position_context::{field_of_key, is_keyname};
use super::{EntityDescription, FieldDescription, Form, Keyname, LanguageVersion, Shape};
use crate::ard::{Document, Kind, Node};

/// Returns the maps of keynames in a document whose root is the given entity, each with its entity, in no particular
/// order.
///
/// Maps that may be values are omitted, as is everything inside values.
pub fn maps_of_keynames<'d>(
    document: &'d Document,
    root: &'static EntityDescription,
    version: LanguageVersion,
) -> Vec<(Node<'d>, &'static EntityDescription)> {
    let mut found = Vec::new();
    let mut open: Vec<_> = document.root().map(|node| (root, node)).into_iter().collect();
    while let Some((entity, node)) = open.pop() {
        // The target of an alias is written elsewhere.
        if node.is_alias() {
            continue;
        }
        if entity.tuple && node.kind() == Kind::List {
            let items = entity.items(version).zip(node.items());
            items.for_each(|((_, field), item)| entities_in(field, item, &mut open));
        }
        if node.kind() != Kind::Map || !is_surely_of_keynames(entity, version, node) {
            continue;
        }
        found.push((node, entity));
        for entry in node.entries().filter(|entry| !entry.merged) {
            match field_of_key(entity, version, entry.key.text()) {
                Some((field, keyname)) if keyname.name == Keyname::ANY => {
                    open.extend(field.shape.entity().map(|member| (member, entry.value)));
                }
                Some((field, _)) => entities_in(field, entry.value, &mut open),
                None => {}
            }
        }
    }
    found
}

/// Returns whether a map in the position of an entity can't be a value in a short form.
fn is_surely_of_keynames(entity: &'static EntityDescription, version: LanguageVersion, map: Node<'_>) -> bool {
    let has_short = entity.find(|field| field.short.map && field.exists_in(version)).is_some();
    let has_only_keynames = || map.entries().all(|entry| is_keyname(entity, version, entry.key.text()));
    entity.is_map(version) && (!has_short || has_only_keynames())
}

/// Adds the nodes that are entities in the given field.
fn entities_in<'d>(
    field: &'static FieldDescription,
    node: Node<'d>,
    open: &mut Vec<(&'static EntityDescription, Node<'d>)>,
) {
    let Some(entity) = field.shape.entity().filter(|_| !field.also.is_some_and(allows_maps)) else { return };
    let members = |map: Node<'d>| {
        let entries = map.entries().filter(move |entry| !entry.merged && !map.is_alias());
        entries.map(move |entry| (entity, entry.value))
    };
    match (field.shape, node.kind()) {
        _ if node.is_alias() => {}
        (Shape::List(_), Kind::List) => open.extend(node.items().map(|item| (entity, item))),
        (Shape::Named(_) | Shape::Sequence(_), Kind::Map) => open.extend(members(node)),
        (Shape::Named(_) | Shape::Sequence(_), Kind::List) => open.extend(node.items().flat_map(members)),
        (Shape::Named(_) | Shape::Sequence(_), _) => {}
        _ => open.push((entity, node)),
    }
}

/// Returns whether the form allows a map.
fn allows_maps(form: Form) -> bool {
    match form {
        Form::Any => true,
        Form::Either(forms) => forms.iter().copied().any(allows_maps),
        _ => false,
    }
}
