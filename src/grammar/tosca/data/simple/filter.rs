//! Node filters before TOSCA 2.0: lists of properties and capabilities with constraint clauses (1.3, 3.6.5).

use super::super::super::definition::PropertyDefinition;
use super::super::super::section::CAPABILITY_TYPES;
use super::super::super::types::NodeType;
use super::super::super::version::V1_1;
use super::super::judge::Judge;
use super::super::schema::{Schema, Typed};
use super::constraint::{check_clauses, wrong_kind};
use crate::ard::{Entry, Kind, Node};
use crate::diagnostic::suggest::nearest;
use crate::entity::{Id, Members};
use crate::phase::Explain;
use crate::rules;

/// What is filtered, as far as its type is known.
#[derive(Clone, Copy)]
struct Filtered<'a> {
    properties: Option<&'a Members<PropertyDefinition>>,
    /// Whether the nodes may be of a derived type, which has more.
    may_have_more: bool,
}

/// Checks a filter of nodes of a type.
pub(crate) fn check<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, node_type: Option<Id<NodeType>>) {
    check_all(judge, node, node_type, false);
}

/// Checks a filter of nodes of a type, or of types that are derived from it and have more.
pub(crate) fn check_of_derived<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, node_type: Option<Id<NodeType>>) {
    check_all(judge, node, node_type, true);
}

fn check_all<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, node_type: Option<Id<NodeType>>, may_have_more: bool) {
    if node.kind() != Kind::Map {
        wrong_kind(judge, node, "a node filter", "a map");
        return;
    }
    let of_type = node_type.and_then(|id| judge.context.get(id));
    for Entry { key, value, .. } in node.entries() {
        match key.text() {
            "properties" => {
                let properties = of_type.map(|of_type| &of_type.properties);
                check_properties(judge, value, Filtered { properties, may_have_more });
            }
            "capabilities" => {
                for entry in one_entry_maps(judge, value, "`capabilities`") {
                    let definition = of_type.and_then(|of_type| of_type.capabilities.get(entry.key.symbol()?));
                    if let (None, Some(of_type), false) = (definition, of_type, may_have_more) {
                        check_capability_type(judge, entry.key, of_type);
                    }
                    let definition = definition.and_then(|id| judge.context.get(id));
                    let properties = definition.map(|definition| &definition.properties);
                    check_capability(judge, entry, Filtered { properties, may_have_more });
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
    if found.is_some() || judge.context.program.may_lack_names(judge.place.at.unit) {
        return;
    }
    let names = of_type.capabilities.iter().map(|(name, _)| judge.context.text(name));
    let help = judge.context.did_you_mean(key.text(), names, "there are");
    let message = format!("what is filtered has no capability `{}`", key.text());
    judge.problem(&rules::UNRESOLVED_FILTER_PATH, key, message).help_if(help);
}

fn check_capability<'a>(judge: &mut Judge<'_, 'a>, entry: Entry<'a>, filtered: Filtered<'a>) {
    if entry.value.kind() != Kind::Map {
        wrong_kind(judge, entry.value, "the filter of a capability", "a map");
        return;
    }
    for Entry { key, value, .. } in entry.value.entries() {
        match key.text() {
            "properties" => check_properties(judge, value, filtered),
            _ => unknown(judge, key, "the filter of a capability", &["properties"]),
        }
    }
}

fn check_properties<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, filtered: Filtered<'a>) {
    for entry in one_entry_maps(judge, node, PROPERTIES) {
        let definition = filtered.properties.and_then(|properties| properties.get(entry.key.symbol()?));
        let schema = definition.and_then(|id| Some(judge.context.get(id)?.schema(judge.context, id)));
        if let (None, Some(properties), false) = (&schema, filtered.properties, filtered.may_have_more) {
            let names = properties.iter().map(|(name, _)| judge.context.text(name));
            let help = judge.context.did_you_mean(entry.key.text(), names, "there are");
            let message = format!("what is filtered has no property `{}`", entry.key.text());
            judge.problem(&rules::UNRESOLVED_FILTER_PATH, entry.key, message).help_if(help);
        }
        check_clauses(judge, entry.value, &schema.unwrap_or(Schema::of_type(None)));
    }
}

const PROPERTIES: &str = "`properties`";

/// The entries of a list of maps with one entry each, or of a map that is put up with in its place.
fn one_entry_maps<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, what: &str) -> Vec<Entry<'a>> {
    if node.kind() == Kind::Map && what == PROPERTIES && judge.version(node) >= V1_1 {
        // Example 12 of 1.3 writes the properties of a capability so (decision B 27).
        let message = format!("{what} must be a list, but the names are easily told in a map too");
        judge.problem(&rules::MAP_FOR_LIST, node, message).help("put a dash before each name: `- name: …`");
        return node.entries().collect();
    }
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

fn unknown(judge: &mut Judge<'_, '_>, key: Node<'_>, what: &str, names: &[&str]) {
    let message = format!("`{}` is not a keyname of {what}", key.text());
    let help = match nearest(key.text(), names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it has {}", crate::diagnostic::suggest::and_list(names)),
    };
    judge.problem(&rules::UNKNOWN_KEYNAME, key, message).help(help);
}
