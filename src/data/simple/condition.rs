//! Conditions before TOSCA 2.0: requirements on the attributes of a node for a workflow, a step or a trigger.
//!
//! The versions of the standard write conditions in several ways, all of which are accepted (decision B 9): lists and
//! maps of assertions, inside `and`, `or`, `not` and `assert`. Nothing is computed, because nothing is deployed yet.
//! But names must exist, and values must have the type of the attribute that they are compared with.

use super::constraint::check_clauses;
use crate::ard::{Entry, Kind, Node};
use crate::data::judge::Judge;
use crate::data::schema::{Schema, Typed};
use crate::entity::{Id, Members};
use crate::grammar::definition::{AttributeDefinition, CapabilityDefinition, PropertyDefinition};
use crate::grammar::types::{NodeType, RelationshipType};
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

/// The keywords that combine assertions.
const CONNECTIVES: &[&str] = &["and", "or", "not", "assert"];

/// The subject of a condition, as far as its type is known.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    properties: &'a Members<PropertyDefinition>,
    attributes: &'a Members<AttributeDefinition>,
}

impl<'a> Subject<'a> {
    /// Creates the subject for a node of the given type; `None` if the members of the type are unknown.
    pub(crate) fn node(context: &Context<'a>, id: Id<NodeType>) -> Option<Self> {
        let node_type = context.get(id).filter(|_| context.program.is_known(id.any()))?;
        Some(Self { properties: &node_type.properties, attributes: &node_type.attributes })
    }

    /// Creates the subject for a relationship of the given type; `None` if the members of the type are unknown.
    pub(crate) fn relationship(context: &Context<'a>, id: Id<RelationshipType>) -> Option<Self> {
        let of_type = context.get(id).filter(|_| context.program.is_known(id.any()))?;
        Some(Self { properties: &of_type.properties, attributes: &of_type.attributes })
    }

    /// Creates the subject for a capability of a node; `None` if the members of its type are unknown.
    pub(crate) fn capability(context: &Context<'a>, id: Id<CapabilityDefinition>) -> Option<Self> {
        let definition = context.get(id)?;
        let of_type = context.target_of(definition.r#type)?;
        let is_known = context.program.is_known(of_type.any());
        is_known.then_some(Self { properties: &definition.properties, attributes: &definition.attributes })
    }
}

/// Checks a condition.
pub(crate) fn check<'a>(judge: &mut Judge<'_, 'a>, node: Node<'a>, subject: Option<Subject<'a>>) {
    match node.kind() {
        Kind::List => node.items().for_each(|item| check(judge, item, subject)),
        Kind::Map => node.entries().for_each(|entry| check_entry(judge, &entry, subject)),
        // Other values have been reported.
        _ => {}
    }
}

fn check_entry<'a>(judge: &mut Judge<'_, 'a>, entry: &Entry<'a>, subject: Option<Subject<'a>>) {
    let name = entry.key.text();
    if CONNECTIVES.contains(&name) {
        check(judge, entry.value, subject);
        return;
    }
    let symbol = entry.key.symbol();
    let schema = subject.and_then(|subject| {
        let of_attribute = subject.attributes.get(symbol?).and_then(|id| Some((id, judge.context.get(id)?)));
        let of_property = subject.properties.get(symbol?).and_then(|id| Some((id, judge.context.get(id)?)));
        let of_attribute = of_attribute.map(|(id, definition)| definition.schema(judge.context, id));
        of_attribute.or_else(|| of_property.map(|(id, definition)| definition.schema(judge.context, id)))
    });
    if let (None, Some(subject)) = (&schema, subject) {
        let attributes = subject.attributes.iter().map(|(name, _)| judge.context.text(name));
        let properties = subject.properties.iter().map(|(name, _)| judge.context.text(name));
        let names = attributes.chain(properties);
        let help = judge.context.did_you_mean(name, names, "there are");
        let help = help.unwrap_or_else(|| "remove the condition, because the subject has nothing to compare".into());
        let message = format!("the subject of the condition has no attribute `{name}`");
        judge.problem(&rules::UNRESOLVED_FILTER_PATH, entry.key, message).help(help);
    }
    check_clauses(judge, entry.value, &schema.unwrap_or(Schema::of_type(None)));
}
