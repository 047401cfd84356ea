//! Comparison of nodes with the filters in requirements, for all versions.

pub(super) mod probe;

use super::call::{Shape, shape, version};
use super::clause::explain::explain;
use super::clause::{constraint, named};
use super::evaluation::Evaluator;
use super::path::StepEvaluator;
use super::path::place::{CapabilityContext, NodeContext, PathContext};
use super::schema::Schema;
use super::typed::datum::Datum;
use crate::ard::{Entry, Kind, Node};
use crate::grammar::section::CAPABILITY_TYPES;
use crate::grammar::version::V2_0;

/// The result of comparing a node with a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The node fits.
    Fits,
    /// The node does not fit, with the reason.
    Fails(String),
    /// The result depends on an unknown value.
    Unknown(String),
}

/// Compares a node with a filter. The evaluator must be at the place that the filter applies to: since 2.0, the future
/// relationship; in earlier versions, the node.
pub(crate) fn compare<'a>(evaluator: &mut Evaluator<'_, 'a>, filter: Node<'a>, target: NodeContext) -> Verdict {
    if version(evaluator.context, filter) >= V2_0 {
        return compare_condition(evaluator, filter);
    }
    let mut unknown = None;
    for Entry { key, value, .. } in filter.entries() {
        let verdicts: Vec<Verdict> = if key.text() == "properties" {
            compare_properties(evaluator, value, &PathContext::Node(target), "")
        } else {
            value
                .items()
                .flat_map(Node::entries)
                .flat_map(|entry| compare_capability(evaluator, &entry, target))
                .collect()
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

fn compare_condition<'a>(evaluator: &mut Evaluator<'_, 'a>, filter: Node<'a>) -> Verdict {
    match evaluator.evaluate(filter, None) {
        Datum::Boolean(true) => Verdict::Fits,
        Datum::Boolean(false) => {
            let sides = explain(evaluator, filter);
            Verdict::Fails(sides.unwrap_or_else(|| "the filter is not true".to_owned()))
        }
        _ => Verdict::Unknown("the filter depends on a value that is not known yet".to_owned()),
    }
}

fn compare_capability<'a>(evaluator: &mut Evaluator<'_, 'a>, entry: &Entry<'a>, target: NodeContext) -> Vec<Verdict> {
    let name = entry.key.text();
    let Some(here) = capability_of(evaluator, name, target) else {
        return vec![Verdict::Fails(format!("it has no capability `{name}`"))];
    };
    let what = format!(" of capability `{name}`");
    let properties = entry.value.find("properties").map(|properties| properties.value);
    properties
        .map_or_else(Vec::new, |value| compare_properties(evaluator, value, &PathContext::Capability(here), &what))
}

/// Returns the node's capability with the given name, or the first one whose type has that name.
pub(crate) fn capability_of(
    evaluator: &Evaluator<'_, '_>,
    name: &str,
    target: NodeContext,
) -> Option<CapabilityContext> {
    let context = evaluator.context;
    let symbol = context.intern(name);
    let capabilities = &context.get(target.node_type?)?.capabilities;
    let of_type = || {
        let wanted = context.resolve(evaluator.place().at, CAPABILITY_TYPES, symbol).id()?;
        capabilities.iter().find(|(_, id)| {
            let of_type = context.get(*id).and_then(|capability| context.target_of(capability.r#type));
            of_type.is_some_and(|of_type| context.program.is_a(of_type.any(), wanted))
        })
    };
    let (_, id) = capabilities.get(symbol).map(|id| (symbol, id)).or_else(of_type)?;
    Some(CapabilityContext::of_node(context, id, target))
}

fn compare_properties<'a>(
    evaluator: &mut Evaluator<'_, 'a>,
    list: Node<'a>,
    here: &PathContext,
    of: &str,
) -> Vec<Verdict> {
    let entries = named(list);
    entries
        .map(|entry| {
            let name = entry.key.text();
            let what = format!("property `{name}`{of}");
            match evaluator.property(here, name) {
                None => Verdict::Fails(format!("there is no {what}")),
                Some((Datum::Unknown, _)) => Verdict::Unknown(format!("{what} is not known yet")),
                Some((Datum::Nil, _)) => Verdict::Fails(format!("{what} has no value")),
                Some((datum, schema)) => compare_clauses(evaluator, entry.value, &datum, &schema, &what),
            }
        })
        .collect()
}

fn compare_clauses<'a>(
    evaluator: &mut Evaluator<'_, 'a>,
    node: Node<'a>,
    datum: &Datum,
    schema: &Schema<'a>,
    what: &str,
) -> Verdict {
    // A bare value means that the property must equal it.
    if !matches!(node.kind(), Kind::Map | Kind::List) || matches!(shape(evaluator.context, node), Shape::Call(_)) {
        let wanted = evaluator.understand(node, &Schema { validation: None, ..*schema });
        return match datum.equals(&wanted) {
            Some(true) => Verdict::Fits,
            Some(false) => Verdict::Fails(format!("{what} is {datum}, but must be {wanted}")),
            None => Verdict::Unknown(format!("the required value of {what} is not known yet")),
        };
    }
    match constraint::first_unmet(evaluator, node, datum, schema) {
        Ok(()) => Verdict::Fits,
        Err(None) => Verdict::Unknown(format!("the required value of {what} is not known yet")),
        Err(Some(clause)) => Verdict::Fails(format!("{what} is {datum}, but {}", clause.remedy(evaluator, schema))),
    }
}
