//! Finding nodes by what filters demand of their properties, instead of comparing every node with every filter.
//!
//! Where a filter demands that a property of the node be equal to something, only the nodes with that value need be
//! compared with the whole filter. Values for which equality is more than sameness (numbers with units, versions) are
//! left to the comparison.

use super::super::version::V2_0;
use super::call::{Call, Shape};
use super::evaluate::{Environment, evaluate};
use super::filter::capability_of;
use super::judge::Judge;
use super::place::{CapabilityHere, Here, NodeHere};
use super::{Datum, property};
use crate::ard::{Entry, Kind, Node};

/// A property of a candidate that a filter demands to be equal to something.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Probe {
    /// The name of the capability that has it, before 2.0.
    capability: Option<String>,
    of: Of,
    name: String,
}

/// What has the property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Of {
    Node,
    Capability,
}

/// A value that is equal to no other.
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
    /// The value of the property, if it is one that can be looked up.
    pub(crate) fn key(
        &self,
        judge: &mut Judge<'_, '_>,
        target: NodeHere,
        capability: CapabilityHere,
    ) -> Option<ProbeKey> {
        let here = match (self.of, &self.capability) {
            (Of::Node, _) => Here::Node(target),
            (Of::Capability, None) => Here::Capability(capability),
            (Of::Capability, Some(name)) => Here::Capability(capability_of(judge, name, target)?),
        };
        ProbeKey::of(property::value(judge, &here, &self.name)?.0)
    }
}

/// What a filter demands to be equal, if anything. The place of the judge is the relationship as far as it is known
/// without the candidate.
pub(crate) fn probe<'a>(judge: &mut Judge<'_, 'a>, filter: Node<'a>) -> Option<(Probe, ProbeKey)> {
    if judge.version(filter) >= V2_0 {
        return probe_condition(judge, filter);
    }
    filter.entries().find_map(|Entry { key, value, .. }| match key.text() {
        "properties" => probe_properties(judge, value, None),
        "capabilities" => value.items().flat_map(Node::entries).find_map(|entry| {
            let properties = entry.value.find("properties")?.value;
            probe_properties(judge, properties, Some(entry.key.text()))
        }),
        _ => None,
    })
}

fn probe_condition<'a>(judge: &mut Judge<'_, 'a>, condition: Node<'a>) -> Option<(Probe, ProbeKey)> {
    let Shape::Call(call) = judge.shape(condition) else { return None };
    let arguments = call.arguments();
    match (call.name, &arguments[..]) {
        ("and", _) => arguments.iter().find_map(|argument| probe_condition(judge, *argument)),
        ("equal", [a, b]) => probe_sides(judge, *a, *b).or_else(|| probe_sides(judge, *b, *a)),
        _ => None,
    }
}

fn probe_sides<'a>(judge: &mut Judge<'_, 'a>, path: Node<'a>, wanted: Node<'a>) -> Option<(Probe, ProbeKey)> {
    let Shape::Call(Call { name: "get_property", arguments: Some(path), .. }) = judge.shape(path) else { return None };
    let mut steps = path.items();
    let (Some(head), Some(step), Some(name), None) = (steps.next(), steps.next(), steps.next(), steps.next()) else {
        return None;
    };
    let of = match (head.text(), step.text()) {
        ("SELF", "TARGET") => Of::Node,
        ("SELF", "CAPABILITY") => Of::Capability,
        _ => return None,
    };
    if name.kind() != Kind::String || !matches!(judge.shape(name), Shape::Literal) {
        return None;
    }
    let wanted = ProbeKey::of(evaluate(judge, wanted, &Environment { value: None }, None))?;
    Some((Probe { capability: None, of, name: name.text().to_owned() }, wanted))
}

fn probe_properties<'a>(
    judge: &mut Judge<'_, 'a>,
    properties: Node<'a>,
    capability: Option<&str>,
) -> Option<(Probe, ProbeKey)> {
    properties.items().flat_map(Node::entries).find_map(|Entry { key, value, .. }| {
        let clauses: Vec<Node<'a>> = if value.kind() == Kind::List { value.items().collect() } else { vec![value] };
        let operand = clauses.into_iter().find_map(|clause| match clause.kind() {
            Kind::Map => clause.find("equal").map(|entry| entry.value),
            _ => Some(clause),
        })?;
        let wanted = ProbeKey::of(evaluate(judge, operand, &Environment { value: None }, None))?;
        let of = if capability.is_some() { Of::Capability } else { Of::Node };
        Some((Probe { capability: capability.map(str::to_owned), of, name: key.text().to_owned() }, wanted))
    })
}

/// Whether what a filter says depends on the node that has the requirement.
pub(crate) fn depends_on_source(judge: &Judge<'_, '_>, filter: Node<'_>) -> bool {
    let word = if judge.version(filter) >= V2_0 { "SOURCE" } else { "SELF" };
    let mut waiting = vec![filter];
    while let Some(node) = waiting.pop() {
        match node.kind() {
            Kind::Map => waiting.extend(node.entries().flat_map(|entry| [entry.key, entry.value])),
            Kind::List => waiting.extend(node.items()),
            Kind::String if node.text() == word => return true,
            _ => {}
        }
    }
    false
}

/// A text that is the same for two filters only if they say the same.
pub(crate) fn signature(filter: Node<'_>, text: &mut String) {
    use std::fmt::Write as _;
    let _ = match filter.kind() {
        Kind::Map => {
            text.push('{');
            for entry in filter.entries() {
                signature(entry.key, text);
                signature(entry.value, text);
            }
            text.write_char('}')
        }
        Kind::List => {
            text.push('[');
            filter.items().for_each(|item| signature(item, text));
            text.write_char(']')
        }
        kind => write!(text, "{kind:?}{}:{}", filter.text().len(), filter.text()),
    };
}
