//! Node filters before TOSCA 2.0: lists of properties and capabilities with constraint clauses (1.3, 3.6.5).

use super::super::definition::PropertyDefinition;
use super::super::section::CAPABILITY_TYPES;
use super::super::types::NodeType;
use super::judge::Judge;
use super::{Schema, Typed, constraint};
use crate::ard::{Entry, Kind, Node};
use crate::diagnostic::suggest::nearest;
use crate::entity::{Id, Members};
use crate::phase::Explain;
use crate::rules;

/// What is filtered, as far as its type is known.
#[derive(Clone, Copy)]
struct Filtered<'a> {
    properties: Option<&'a Members<PropertyDefinition>>,
}

/// Checks a filter of nodes of a type.
pub(crate) fn check<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, node_type: Option<Id<NodeType>>) {
    if node.kind() != Kind::Map {
        wrong_kind(judge, node, "a node filter", "a map");
        return;
    }
    let of_type = node_type.and_then(|id| judge.context.get(id));
    for Entry { key, value, .. } in node.entries() {
        match key.text() {
            "properties" => check_properties(judge, value, Filtered { properties: of_type.map(|of| &of.properties) }),
            "capabilities" => {
                for entry in one_entry_maps(judge, value, "`capabilities`") {
                    let definition = of_type.and_then(|of_type| of_type.capabilities.get(entry.key.symbol()?));
                    if let (None, Some(of_type)) = (definition, of_type) {
                        check_capability_type(judge, entry.key, of_type);
                    }
                    let definition = definition.and_then(|id| judge.context.get(id));
                    check_capability(judge, entry, definition.map(|definition| &definition.properties));
                }
            }
            _ => unknown(judge, key, "a node filter", &["properties", "capabilities"]),
        }
    }
}

/// A capability that the type does not have by that name may be meant by its type.
fn check_capability_type<'a>(judge: &mut Judge<'_, 'a>, key: Node<'a>, of_type: &NodeType) {
    let symbol = judge.context.intern(key.text());
    let found = judge.context.resolve(judge.place.at, CAPABILITY_TYPES, symbol).id();
    if found.is_some() || judge.context.program.is_open(judge.place.at.unit) {
        return;
    }
    let names: Vec<&str> = of_type.capabilities.iter().map(|(name, _)| judge.context.text(name)).collect();
    let help = judge.context.did_you_mean(key.text(), &names, "there are");
    let message = format!("what is filtered has no capability `{}`", key.text());
    judge.problem(&rules::UNRESOLVED_FILTER_PATH, key, message).help_if(help);
}

fn check_capability<'a>(
    judge: &mut Judge<'_, 'a>,
    entry: Entry<'a>,
    properties: Option<&'a Members<PropertyDefinition>>,
) {
    if entry.value.kind() != Kind::Map {
        wrong_kind(judge, entry.value, "the filter of a capability", "a map");
        return;
    }
    for Entry { key, value, .. } in entry.value.entries() {
        match key.text() {
            "properties" => check_properties(judge, value, Filtered { properties }),
            _ => unknown(judge, key, "the filter of a capability", &["properties"]),
        }
    }
}

fn check_properties<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, filtered: Filtered<'a>) {
    for entry in one_entry_maps(judge, node, "`properties`") {
        let definition = filtered.properties.and_then(|properties| properties.get(entry.key.symbol()?));
        let schema = definition.and_then(|id| Some(judge.context.get(id)?.schema(judge.context, id)));
        if let (None, Some(properties)) = (&schema, filtered.properties) {
            let names: Vec<&str> = properties.iter().map(|(name, _)| judge.context.text(name)).collect();
            let help = judge.context.did_you_mean(entry.key.text(), &names, "there are");
            let message = format!("what is filtered has no property `{}`", entry.key.text());
            judge.problem(&rules::UNRESOLVED_FILTER_PATH, entry.key, message).help_if(help);
        }
        check_clauses(judge, entry.value, &schema.unwrap_or(Schema::of_type(None)));
    }
}

/// A clause, several of them, or a value that the property must be equal to.
pub(super) fn check_clauses<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, schema: &Schema<'a>) {
    match node.kind() {
        Kind::Null => wrong_kind(judge, node, "the filter of a property", "a constraint clause"),
        Kind::Map => constraint::check_one(judge, node, schema),
        Kind::List if node.is_empty() => {
            wrong_kind(judge, node, "the filter of a property", "a constraint clause");
        }
        Kind::List => node.items().for_each(|item| match item.kind() {
            Kind::Map => constraint::check_one(judge, item, schema),
            _ => wrong_kind(judge, item, "an item in the filter of a property", "a constraint clause"),
        }),
        _ => judge.check_bound(node, schema),
    }
}

/// The entries of a list of maps with one entry each.
fn one_entry_maps<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, what: &str) -> Vec<Entry<'a>> {
    if node.kind() != Kind::List {
        wrong_kind(judge, node, what, "a list");
        return Vec::new();
    }
    let mut entries = Vec::with_capacity(node.len());
    for item in node.items() {
        let mut of_item = item.entries();
        match (of_item.next(), of_item.next()) {
            (Some(entry), None) => entries.push(entry),
            _ => {
                let message = format!("an item of {what} must be a map with one entry");
                judge.problem(&rules::NOT_ONE_ENTRY, item, message).help("write `- name: …`");
            }
        }
    }
    entries
}

fn wrong_kind(judge: &mut Judge<'_, '_>, node: Node<'_>, what: &str, expected: &str) {
    let message = format!("{what} must be {expected}, not {}", crate::phase::read::with_article(node));
    let help = match expected {
        "a list" => "put a dash before each entry",
        "a map" => "write `properties: [ … ]` in it",
        _ => "write for example `- greater_or_equal: 1`",
    };
    judge.problem(&rules::WRONG_KIND, node, message).help(help);
}

fn unknown(judge: &mut Judge<'_, '_>, key: Node<'_>, what: &str, names: &[&str]) {
    let message = format!("`{}` is not a keyname of {what}", key.text());
    let help = match nearest(key.text(), names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it has {}", crate::phase::read::and_list(names)),
    };
    judge.problem(&rules::UNKNOWN_KEYNAME, key, message).help(help);
}
