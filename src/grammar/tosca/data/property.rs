//! What properties are, as far as templates, types and given inputs tell.
//!
//! Problems are found without this: what a property is like is known from its definition. Whether a node fits a filter
//! depends on its values, though, and these may come from inputs, from defaults and from other properties.

use super::super::definition::PropertyDefinition;
use super::super::template::CapabilityAssignment;
use super::super::types::NodeType;
use super::evaluate::{Environment, evaluate, given_input, within};
use super::expression::Known;
use super::judge::{Judge, plain};
use super::path::{self, Member, Sought};
use super::place::{CapabilityHere, Here, NodeHere, Place};
use super::walk::{is_literal_name, walk};
use super::{Call, CallShape, Datum, Schema};
use crate::ard::Node;
use crate::entity::{AnyId, Id, Position, Value};
use crate::value::Number;

/// What is known of a property of something: its definition, and the map in which it may be assigned.
struct Defined<'a> {
    definition: &'a PropertyDefinition,
    assigned: Option<Position>,
    /// What the values stand in: the template, or else the type.
    at: AnyId,
    /// Whether the values will be those of another node, which is not known yet.
    is_another: bool,
}

/// The value of a property and what it should be like: null if it has none, unknown if that can't be told. Nothing if
/// there is no such property.
pub(crate) fn value<'a>(judge: &mut Judge<'_, 'a>, here: &Here, name: &str) -> Option<(Datum, Schema<'a>)> {
    let schema = match path::property(judge.context, here, name, Sought::Property) {
        Member::Found(schema) => schema,
        Member::Missing { .. } => return None,
        Member::Unknowable => return Some((Datum::Unknown, Schema::of_type(None))),
    };
    let Some(found) = defined(judge, here, name) else { return Some((Datum::Unknown, schema)) };
    if found.is_another {
        return Some((Datum::Unknown, schema));
    }
    let assigned = found.assigned.and_then(|map| judge.context.node(map)?.find(name)).map(|entry| entry.value);
    let of_definition = || {
        let value = found.definition.value.or(found.definition.default);
        value.and_then(|Value(position)| judge.context.node(position))
    };
    let Some(node) = assigned.or_else(of_definition) else { return Some((Datum::Nil, schema)) };
    // In the values of a capability, `SELF` is the node that has it.
    let subject = match here {
        Here::Capability(CapabilityHere { node: NodeHere { template: None, .. }, .. }) => Here::Unknown,
        Here::Capability(capability) => Here::Node(capability.node),
        here => *here,
    };
    let datum = judge.understand_elsewhere(node, &schema, Place::about(found.at, subject));
    Some((datum, schema))
}

fn defined<'a>(judge: &Judge<'_, 'a>, here: &Here, name: &str) -> Option<Defined<'a>> {
    let context = &judge.context;
    let symbol = context.program.interner.get(name)?;
    match here {
        Here::Node(NodeHere { template, node_type }) => {
            let template = context.get((*template)?)?;
            let of_type: &NodeType = context.get((*node_type)?)?;
            Some(Defined {
                definition: context.get(of_type.properties.get(symbol)?)?,
                assigned: template.properties.position,
                at: here_template(here)?,
                is_another: template.directives.selects(),
            })
        }
        Here::Capability(CapabilityHere { definition, assignment, .. }) => {
            let definition = context.get((*definition)?)?;
            let assigned: Option<&CapabilityAssignment> = assignment.and_then(|id| context.get(id));
            let property = definition.properties.get(symbol)?;
            Some(Defined {
                definition: context.get(property)?,
                assigned: assigned.and_then(|assigned| assigned.properties.position),
                at: assignment.map_or(property.any(), Id::any),
                is_another: false,
            })
        }
        // What is wanted of a relationship is known, but not whether it will stay so.
        Here::Relationship(_) | Here::Unknown | Here::Nowhere => None,
    }
}

fn here_template(here: &Here) -> Option<AnyId> {
    match here {
        Here::Node(node) => node.template.map(Id::any),
        _ => None,
    }
}

/// What a path leads to. An attribute that is no property is not known before the service runs.
pub(super) fn get<'a>(judge: &mut Judge<'_, 'a>, arguments: &[Node<'a>], environment: &Environment<'_, 'a>) -> Datum {
    let (here, steps) = match walk(judge, arguments) {
        Ok(Some(walk)) if !walk.is_all => (walk.here, walk.steps),
        _ => return Datum::Unknown,
    };
    let Some(name) = arguments.get(steps).copied().filter(|name| is_literal_name(judge, *name)) else {
        return Datum::Unknown;
    };
    match value(judge, &here, name.text()) {
        Some((datum, _)) => within(judge, &datum, &arguments[steps + 1..], environment),
        None => Datum::Unknown,
    }
}

/// What literals among the arguments of a function are like: as the property among them.
pub(super) fn model<'a>(judge: &mut Judge<'_, 'a>, arguments: &[Node<'a>]) -> Option<Schema<'a>> {
    arguments.iter().find_map(|argument| match judge.shape(*argument) {
        CallShape::Call(call) if matches!(call.name, "get_property" | "get_attribute") => {
            let sought = if call.name == "get_property" { Sought::Property } else { Sought::Attribute };
            match judge.silently(|judge| path::check(judge, call, &call.arguments(), sought)) {
                Known::Schema(schema) => Some(Schema::of_type(schema.data_type)),
                _ => None,
            }
        }
        _ => None,
    })
}

/// The value of an expression in a version before 2.0: little can be computed there, and only where properties are.
pub(super) fn before_2_0<'a>(
    judge: &mut Judge<'_, 'a>,
    node: Node<'a>,
    environment: &Environment<'_, 'a>,
    model: Option<&Schema<'a>>,
) -> Datum {
    if !judge.computes_properties() {
        return Datum::Unknown;
    }
    match judge.shape(node) {
        CallShape::Call(call) => before_2_0_call(judge, call, environment),
        CallShape::Malformed(_) => Datum::Unknown,
        CallShape::Literal => match model {
            Some(schema) => judge.understand(node, &Schema::of_type(schema.data_type)),
            None => plain(node, judge.version(node)),
        },
    }
}

fn before_2_0_call<'a>(judge: &mut Judge<'_, 'a>, call: Call<'a>, environment: &Environment<'_, 'a>) -> Datum {
    let arguments = call.arguments();
    match (call.name, &arguments[..]) {
        ("get_input", _) => given_input(judge, &arguments, environment),
        ("get_property", [head, name, steps @ ..]) if head.text() == "SELF" => {
            let here = judge.place.here(judge.context);
            match value(judge, &here, name.text()) {
                Some((datum, _)) => within(judge, &datum, steps, environment),
                None => Datum::Unknown,
            }
        }
        _ => Datum::Unknown,
    }
}

/// A number of things, if it is known or can be computed.
pub(crate) fn computed_integer(judge: &mut Judge<'_, '_>, position: Position) -> Option<u64> {
    let node = judge.context.node(position)?;
    match evaluate(judge, node, &Environment { value: None }, None) {
        Datum::Integer(count) => u64::try_from(count).ok(),
        _ => None,
    }
}

/// How much of a property is allocated, and how much there is.
pub(crate) struct Amount<'a> {
    /// The name of the property.
    pub(crate) name: &'a str,
    /// What is allocated; nothing if that is not known.
    pub(crate) wanted: Option<Number>,
    /// What there is; nothing if that is not known.
    pub(crate) capacity: Option<Number>,
}

/// What an allocation takes from a capability. The place of the judge is that of the allocation.
pub(crate) fn amounts<'a>(
    judge: &mut Judge<'_, 'a>,
    allocation: Node<'a>,
    capability: CapabilityHere,
) -> Vec<Amount<'a>> {
    let entries = allocation.entries();
    entries
        .filter_map(|entry| {
            let name = entry.key.text();
            let (capacity, schema) = value(judge, &Here::Capability(capability), name)?;
            let wanted = judge.understand(entry.value, &Schema::of_type(schema.data_type));
            Some(Amount { name, wanted: number(&wanted), capacity: number(&capacity) })
        })
        .collect()
}

fn number(datum: &Datum) -> Option<Number> {
    match datum {
        Datum::Scalar { number, .. } => Some(number.clone()),
        datum => datum.number(),
    }
}
