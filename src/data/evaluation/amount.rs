//! Counts, and amounts that can be allocated.

use super::Evaluator;
use crate::ard::Node;
use crate::data::path::place::{CapabilityContext, PathContext};
use crate::data::schema::Schema;
use crate::data::typed::datum::Datum;
use crate::entity::NodeRef;
use crate::value::Number;

/// Returns a count, if it is known or can be computed.
pub(crate) fn computed_integer(evaluator: &mut Evaluator<'_, '_>, position: NodeRef) -> Option<u64> {
    let node = evaluator.context.node(position)?;
    match evaluator.evaluate(node, None) {
        Datum::Integer(count) => u64::try_from(count).ok(),
        _ => None,
    }
}

/// The allocated amount of a property, and its capacity.
pub(crate) struct Amount<'a> {
    /// The name of the property.
    pub(crate) name: &'a str,
    /// The allocated amount; `None` if it is unknown.
    pub(crate) wanted: Option<Number>,
    /// The capacity; `None` if it is unknown.
    pub(crate) capacity: Option<Number>,
}

/// Returns the amounts that an allocation takes from a capability. The evaluator must be at the place of the
/// allocation.
pub(crate) fn amounts<'a>(
    evaluator: &mut Evaluator<'_, 'a>,
    allocation: Node<'a>,
    capability: CapabilityContext,
) -> Vec<Amount<'a>> {
    let entries = allocation.entries();
    entries
        .filter_map(|entry| {
            let name = entry.key.text();
            let (capacity, schema) = evaluator.property(&PathContext::Capability(capability), name)?;
            let wanted = evaluator.understand(entry.value, &Schema::of_type(schema.data_type));
            Some(Amount { name, wanted: number(&wanted), capacity: number(&capacity) })
        })
        .collect()
}

fn number(datum: &Datum) -> Option<Number> {
    match datum {
        Datum::Scalar(scalar) => Some(scalar.number.clone()),
        datum => datum.number(),
    }
}
