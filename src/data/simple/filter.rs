//! Node filters before TOSCA 2.0: checks that the named members exist, and that constraint clauses suit them (1.3,
//! 3.6.5). The form of filters has been checked by the reader.

use super::constraint::check_clauses;
use crate::ard::Node;
use crate::data::clause::named;
use crate::data::judge::Judge;
use crate::data::schema::{Schema, Typed};
use crate::entity::{Id, Members};
use crate::grammar::definition::PropertyDefinition;
use crate::grammar::section::CAPABILITY_TYPES;
use crate::grammar::types::NodeType;
use crate::phase::DiagnosticExt;
use crate::rules;

/// The filtered entity, as far as its type is known.
#[derive(Clone, Copy)]
struct Filtered<'a> {
    properties: Option<&'a Members<PropertyDefinition>>,
    /// Whether the nodes may have a derived type with more members.
    may_have_more: bool,
}

/// Checks a filter for nodes of the given type.
pub(crate) fn check<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, node_type: Option<Id<NodeType>>) {
    check_all(judge, node, node_type, false);
}

/// Checks a filter for nodes of the given type or of types derived from it, which may have more members.
pub(crate) fn check_of_derived<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, node_type: Option<Id<NodeType>>) {
    check_all(judge, node, node_type, true);
}

fn check_all<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, node_type: Option<Id<NodeType>>, may_have_more: bool) {
    let of_type = node_type.and_then(|id| judge.context.get(id));
    if let Some(entry) = node.find("properties") {
        let properties = of_type.map(|of_type| &of_type.properties);
        check_properties(judge, entry.value, Filtered { properties, may_have_more });
    }
    for entry in node.find("capabilities").into_iter().flat_map(|entry| named(entry.value)) {
        let definition = of_type.and_then(|of_type| of_type.capabilities.get(entry.key.symbol()?));
        if let (None, Some(of_type), false) = (definition, of_type, may_have_more) {
            check_capability_type(judge, entry.key, of_type);
        }
        let definition = definition.and_then(|id| judge.context.get(id));
        let properties = definition.map(|definition| &definition.properties);
        if let Some(entry) = entry.value.find("properties") {
            check_properties(judge, entry.value, Filtered { properties, may_have_more });
        }
    }
}

/// Checks a name that is not a capability of the type but may be a capability type.
fn check_capability_type<'a>(judge: &mut Judge<'_, 'a>, key: Node<'a>, of_type: &NodeType) {
    let symbol = judge.context.intern(key.text());
    let found = judge.context.resolve(judge.place.at, CAPABILITY_TYPES, symbol).id();
    if found.is_some() || judge.context.program.may_lack_names(judge.place.at.unit) {
        return;
    }
    let names = of_type.capabilities.iter().map(|(name, _)| judge.context.text(name));
    let help = judge.context.did_you_mean(key.text(), names, "there are");
    let message = format!("the filtered node has no capability `{}`", key.text());
    judge.problem(&rules::UNRESOLVED_FILTER_PATH, key, message).help_if(help);
}

fn check_properties<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, filtered: Filtered<'a>) {
    for entry in named(node) {
        let definition = filtered.properties.and_then(|properties| properties.get(entry.key.symbol()?));
        let schema = definition.and_then(|id| Some(judge.context.get(id)?.schema(judge.context, id)));
        if let (None, Some(properties), false) = (&schema, filtered.properties, filtered.may_have_more) {
            let names = properties.iter().map(|(name, _)| judge.context.text(name));
            let help = judge.context.did_you_mean(entry.key.text(), names, "there are");
            let message = format!("the filtered entity has no property `{}`", entry.key.text());
            judge.problem(&rules::UNRESOLVED_FILTER_PATH, entry.key, message).help_if(help);
        }
        check_clauses(judge, entry.value, &schema.unwrap_or(Schema::of_type(None)));
    }
}
