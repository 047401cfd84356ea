//! Node filters before TOSCA 2.0: lists of properties and capabilities with constraint clauses (1.3, 3.6.5).

use super::super::definition::PropertyDefinition;
use super::super::section::CAPABILITY_TYPES;
use super::super::types::NodeType;
use super::super::version::V2_0;
use super::evaluate::{self, Environment};
use super::judge::Judge;
use super::{CallShape, CapabilityHere, Datum, Here, NodeHere, Schema, Typed, constraint, property};
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
    let names: Vec<&str> = of_type.capabilities.iter().map(|(name, _)| judge.context.text(name)).collect();
    let help = judge.context.did_you_mean(key.text(), &names, "there are");
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
    for entry in one_entry_maps(judge, node, "`properties`") {
        let definition = filtered.properties.and_then(|properties| properties.get(entry.key.symbol()?));
        let schema = definition.and_then(|id| Some(judge.context.get(id)?.schema(judge.context, id)));
        if let (None, Some(properties), false) = (&schema, filtered.properties, filtered.may_have_more) {
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
        None => format!("it has {}", crate::diagnostic::suggest::and_list(names)),
    };
    judge.problem(&rules::UNKNOWN_KEYNAME, key, message).help(help);
}

/// Whether a node fits a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It does.
    Fits,
    /// It does not, for this reason.
    Fails(String),
    /// That depends on something that is not known yet.
    Unknown(String),
}

/// Compares a node with a filter. The place of the judge says which node: by 2.0 it is the relationship that would be
/// made that is filtered, before that it was the node.
pub(crate) fn compare<'a>(judge: &mut Judge<'_, 'a>, filter: Node<'a>, target: NodeHere) -> Verdict {
    if judge.version(filter) >= V2_0 {
        return compare_condition(judge, filter);
    }
    let mut unknown = None;
    for Entry { key, value, .. } in filter.entries() {
        let verdicts: Vec<Verdict> = if key.text() == "properties" {
            compare_properties(judge, value, &Here::Node(target), "")
        } else {
            value.items().flat_map(Node::entries).flat_map(|entry| compare_capability(judge, &entry, target)).collect()
        };
        for verdict in verdicts {
            match verdict {
                Verdict::Fits => {}
                Verdict::Fails(_) => return verdict,
                Verdict::Unknown(_) => unknown = unknown.or(Some(verdict)),
            }
        }
    }
    unknown.unwrap_or(Verdict::Fits)
}

fn compare_condition<'a>(judge: &mut Judge<'_, 'a>, filter: Node<'a>) -> Verdict {
    let environment = Environment { value: None };
    match evaluate::evaluate(judge, filter, &environment, None) {
        Datum::Boolean(true) => Verdict::Fits,
        Datum::Boolean(false) => {
            let sides = evaluate::explain(judge, filter, &environment);
            Verdict::Fails(sides.unwrap_or_else(|| "the filter is not true".to_owned()))
        }
        _ => Verdict::Unknown("the filter depends on a value that is not known yet".to_owned()),
    }
}

fn compare_capability<'a>(judge: &mut Judge<'_, 'a>, entry: &Entry<'a>, target: NodeHere) -> Vec<Verdict> {
    let name = entry.key.text();
    let Some(here) = capability_of(judge, name, target) else {
        return vec![Verdict::Fails(format!("it has no capability `{name}`"))];
    };
    let what = format!(" of capability `{name}`");
    let properties = entry.value.find("properties").map(|properties| properties.value);
    properties.map_or_else(Vec::new, |value| compare_properties(judge, value, &Here::Capability(here), &what))
}

/// The capability of a node that has a name, or the first one of the type of that name.
pub(super) fn capability_of(judge: &Judge<'_, '_>, name: &str, target: NodeHere) -> Option<CapabilityHere> {
    let context = &judge.context;
    let symbol = context.intern(name);
    let capabilities = &context.get(target.node_type?)?.capabilities;
    let of_type = || {
        let wanted = context.resolve(judge.place.at, CAPABILITY_TYPES, symbol).id()?;
        capabilities.iter().find(|(_, id)| {
            let of_type = context.get(*id).and_then(|capability| context.target_of(capability.r#type));
            of_type.is_some_and(|of_type| context.program.is_a(of_type.any(), wanted))
        })
    };
    let (_, id) = capabilities.get(symbol).map(|id| (symbol, id)).or_else(of_type)?;
    Some(CapabilityHere::of_node(context, id, target))
}

fn compare_properties<'a>(judge: &mut Judge<'_, 'a>, list: Node<'a>, here: &Here, of: &str) -> Vec<Verdict> {
    let entries = list.items().flat_map(Node::entries);
    entries
        .map(|entry| {
            let name = entry.key.text();
            let what = format!("property `{name}`{of}");
            match property::value(judge, here, name) {
                None => Verdict::Fails(format!("there is no {what}")),
                Some((Datum::Unknown, _)) => Verdict::Unknown(format!("{what} is not known yet")),
                Some((Datum::Nil, _)) => Verdict::Fails(format!("{what} has no value")),
                Some((datum, schema)) => compare_clauses(judge, entry.value, &datum, &schema, &what),
            }
        })
        .collect()
}

fn compare_clauses<'a>(
    judge: &mut Judge<'_, 'a>,
    node: Node<'a>,
    datum: &Datum,
    schema: &Schema<'a>,
    what: &str,
) -> Verdict {
    // A bare value means that the property is equal to it.
    if !matches!(node.kind(), Kind::Map | Kind::List) || matches!(judge.shape(node), CallShape::Call(_)) {
        let wanted = judge.understand(node, &Schema { validation: None, ..*schema });
        return match datum.equals(&wanted) {
            Some(true) => Verdict::Fits,
            Some(false) => Verdict::Fails(format!("{what} is {datum}, but must be {wanted}")),
            None => Verdict::Unknown(format!("what {what} must be is not known yet")),
        };
    }
    match constraint::first_unmet(judge, node, datum, schema) {
        Ok(()) => Verdict::Fits,
        Err(None) => Verdict::Unknown(format!("what {what} must be is not known yet")),
        Err(Some((operator, operand))) => {
            let remedy = constraint::remedy(operator, operand);
            let remedy = remedy.unwrap_or_else(|| format!("`{operator}` is not fulfilled"));
            Verdict::Fails(format!("{what} is {datum}, but {remedy}"))
        }
    }
}
