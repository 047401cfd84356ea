//! Lookup of nodes by the property values that filters require, instead of comparing every node with every filter.
//!
//! If a filter requires that a property of the node equal a value, only the nodes with that value need to be compared
//! with the whole filter. The lookup does not support types whose values can be equal without being identical (numbers
//! with units, versions).

use super::capability_of;
use crate::ard::{Entry, Kind, Node};
use crate::data::call::{Call, Shape, shape, version};
use crate::data::clause::named;
use crate::data::evaluation::Evaluator;
use crate::data::path::place::{CapabilityContext, NodeContext, PathContext};
use crate::data::typed::datum::Datum;
use crate::grammar::version::V2_0;

/// A property of a candidate for which a filter requires a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Probe {
    /// The name of the capability with the property, before 2.0.
    capability: Option<String>,
    of: Of,
    name: String,
}

/// The owner of the property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Of {
    Node,
    Capability,
}

/// A value of a type whose values are equal only if they are identical.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ProbeKey {
    /// A string.
    String(String),
    /// An integer.
    Integer(i64),
    /// A boolean.
    Boolean(bool),
}

impl ProbeKey {
    fn of(datum: Datum) -> Option<Self> {
        match datum {
            Datum::String(text) => Some(Self::String(text)),
            Datum::Integer(number) => Some(Self::Integer(number)),
            Datum::Boolean(value) => Some(Self::Boolean(value)),
            _ => None,
        }
    }
}

impl Probe {
    /// Returns the value of the property, if it can be a key.
    pub(crate) fn key(
        &self,
        evaluator: &mut Evaluator<'_, '_>,
        target: NodeContext,
        capability: CapabilityContext,
    ) -> Option<ProbeKey> {
        let here = match (self.of, &self.capability) {
            (Of::Node, _) => PathContext::Node(target),
            (Of::Capability, None) => PathContext::Capability(capability),
            (Of::Capability, Some(name)) => PathContext::Capability(capability_of(evaluator, name, target)?),
        };
        ProbeKey::of(evaluator.property(&here, &self.name)?.0)
    }
}

/// Returns a property and the value that it must equal, if a filter requires such an equality. The place of the
/// evaluator is the relationship, as far as it is known without the candidate.
pub(crate) fn probe<'a>(evaluator: &mut Evaluator<'_, 'a>, filter: Node<'a>) -> Option<(Probe, ProbeKey)> {
    if version(evaluator.context, filter) >= V2_0 {
        return probe_condition(evaluator, filter);
    }
    filter.entries().find_map(|Entry { key, value, .. }| match key.text() {
        "properties" => probe_properties(evaluator, value, None),
        "capabilities" => value.items().flat_map(Node::entries).find_map(|entry| {
            let properties = entry.value.find("properties")?.value;
            probe_properties(evaluator, properties, Some(entry.key.text()))
        }),
        _ => None,
    })
}

fn probe_condition<'a>(evaluator: &mut Evaluator<'_, 'a>, condition: Node<'a>) -> Option<(Probe, ProbeKey)> {
    let Shape::Call(call) = shape(evaluator.context, condition) else { return None };
    let arguments = call.arguments();
    match (call.name, &arguments[..]) {
        ("and", _) => arguments.iter().find_map(|argument| probe_condition(evaluator, *argument)),
        ("equal", [a, b]) => probe_sides(evaluator, *a, *b).or_else(|| probe_sides(evaluator, *b, *a)),
        _ => None,
    }
}

fn probe_sides<'a>(evaluator: &mut Evaluator<'_, 'a>, path: Node<'a>, wanted: Node<'a>) -> Option<(Probe, ProbeKey)> {
    let Shape::Call(Call { name: "get_property", arguments: Some(path), .. }) = shape(evaluator.context, path) else {
        return None;
    };
    let mut steps = path.items();
    let (Some(head), Some(step), Some(name), None) = (steps.next(), steps.next(), steps.next(), steps.next()) else {
        return None;
    };
    let of = match (head.text(), step.text()) {
        ("SELF", "TARGET") => Of::Node,
        ("SELF", "CAPABILITY") => Of::Capability,
        _ => return None,
    };
    if name.kind() != Kind::String || !matches!(shape(evaluator.context, name), Shape::Literal) {
        return None;
    }
    let wanted = ProbeKey::of(evaluator.evaluate(wanted, None))?;
    Some((Probe { capability: None, of, name: name.text().to_owned() }, wanted))
}

fn probe_properties<'a>(
    evaluator: &mut Evaluator<'_, 'a>,
    properties: Node<'a>,
    capability: Option<&str>,
) -> Option<(Probe, ProbeKey)> {
    named(properties).find_map(|Entry { key, value, .. }| {
        let clauses: Vec<Node<'a>> = if value.kind() == Kind::List { value.items().collect() } else { vec![value] };
        let operand = clauses.into_iter().find_map(|clause| match clause.kind() {
            Kind::Map => clause.find("equal").map(|entry| entry.value),
            _ => Some(clause),
        })?;
        let wanted = ProbeKey::of(evaluator.evaluate(operand, None))?;
        let of = if capability.is_some() { Of::Capability } else { Of::Node };
        Some((Probe { capability: capability.map(str::to_owned), of, name: key.text().to_owned() }, wanted))
    })
}

/// Writes text that is the same for the filters of two nodes only if the filters are equivalent, because calls that
/// read from the node with the requirement are replaced with their values. Returns whether these values are known, so
/// that the text is complete. The place of the evaluator is the relationship, as far as it is known without the
/// candidate.
pub(crate) fn signature<'a>(evaluator: &mut Evaluator<'_, 'a>, filter: Node<'a>, text: &mut String) -> bool {
    use std::fmt::Write as _;
    // Writing to a string does not fail.
    match filter.kind() {
        Kind::Map => {
            if let Some(value) = of_source(evaluator, filter) {
                let _ = write!(text, "={value:?}");
                return value.is_known();
            }
            text.push('{');
            let mut is_told = true;
            for entry in filter.entries() {
                is_told &= signature(evaluator, entry.key, text) & signature(evaluator, entry.value, text);
            }
            text.push('}');
            is_told
        }
        Kind::List => {
            text.push('[');
            let mut is_told = true;
            for item in filter.items() {
                is_told &= signature(evaluator, item, text);
            }
            text.push(']');
            is_told
        }
        kind => {
            let _ = write!(text, "{kind:?}{}:{}", filter.text().len(), filter.text());
            let word = if version(evaluator.context, filter) >= V2_0 { "SOURCE" } else { "SELF" };
            kind != Kind::String || filter.text() != word
        }
    }
}

/// Returns the value that a call reads from the node with the requirement; `None` if the call reads from elsewhere.
fn of_source<'a>(evaluator: &mut Evaluator<'_, 'a>, node: Node<'a>) -> Option<Datum> {
    let Shape::Call(call @ Call { name: "get_property", .. }) = shape(evaluator.context, node) else { return None };
    let arguments = call.arguments();
    let mut steps = arguments.iter().map(|step| step.text());
    let is_of_source =
        steps.next() == Some("SELF") && (version(evaluator.context, node) < V2_0 || steps.next() == Some("SOURCE"));
    is_of_source.then(|| evaluator.evaluate(node, None))
}
