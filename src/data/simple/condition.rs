//! Conditions before TOSCA 2.0: what must be true of the attributes of a node, for a workflow, a step or a trigger.
//!
//! The versions of the standard write them in several ways, all of which are read (decision B 9): lists and maps of
//! assertions, `and`, `or`, `not` and `assert` around them. Nothing is computed, since nothing is deployed yet; but what
//! is named must exist, and what it is compared with must be of its type.

use super::constraint::check_clauses;
use crate::ard::{Entry, Kind, Node};
use crate::data::judge::Judge;
use crate::data::schema::{Schema, Typed};
use crate::entity::{Id, Members};
use crate::grammar::definition::{AttributeDefinition, CapabilityDefinition, PropertyDefinition};
use crate::grammar::types::{NodeType, RelationshipType};
use crate::phase::{Context, Explain};
use crate::rules;

/// The words that put assertions together.
const CONNECTIVES: &[&str] = &["and", "or", "not", "assert"];

/// What a condition is about, as far as its type is known.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    properties: &'a Members<PropertyDefinition>,
    attributes: &'a Members<AttributeDefinition>,
}

impl<'a> Subject<'a> {
    /// A node of a type; nothing if what the type has can't be known.
    pub(crate) fn node(context: &Context<'a>, id: Id<NodeType>) -> Option<Self> {
        let node_type = context.get(id).filter(|_| context.program.is_known(id.any()))?;
        Some(Self { properties: &node_type.properties, attributes: &node_type.attributes })
    }

    /// A relationship of a type; nothing if what the type has can't be known.
    pub(crate) fn relationship(context: &Context<'a>, id: Id<RelationshipType>) -> Option<Self> {
        let of_type = context.get(id).filter(|_| context.program.is_known(id.any()))?;
        Some(Self { properties: &of_type.properties, attributes: &of_type.attributes })
    }

    /// A capability of a node.
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
        // That it is something else has been reported.
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
        let help = help.unwrap_or_else(|| "leave it out, since there is nothing to compare with".to_owned());
        let message = format!("what the condition is about has no attribute `{name}`");
        judge.problem(&rules::UNRESOLVED_FILTER_PATH, entry.key, message).help(help);
    }
    check_clauses(judge, entry.value, &schema.unwrap_or(Schema::of_type(None)));
}
