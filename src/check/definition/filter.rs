//! Node filters, and conditions before TOSCA 2.0. In 2.0, both are function calls.
//!
//! Fields store both forms as values; annotations declare that earlier versions read them as these entities. The
//! module `data` implements their meaning by traversing the values.

use crate::ard::Kind;
use crate::data::{Judge, ValueContext, check_condition, check_filter};
use crate::entity::{AnyId, Checked, Checks, Described as _, Id, LocalId, Value};
use crate::grammar::definition::CapabilityFilter;
use crate::grammar::types::NodeType;
use crate::grammar::version::V2_0;
use crate::phase::Context;
use crate::phase::read::Reader;

impl Checked for CapabilityFilter {
    const CHECKS: Checks<Self> = Checks::NEW.after_read(check_capability);
}

/// Checks a node filter: a condition since 2.0; in earlier versions, an entity that refers to members of the node type.
pub(in crate::check) fn check_node_filter(
    context: &mut Context<'_>,
    id: AnyId,
    Value(filter): Value,
    node_type: Option<Id<NodeType>>,
) {
    let Some(node) = context.node(filter) else { return };
    let is_simple = context.version(id) < V2_0;
    let mut judge = Judge::new(context, ValueContext::of_filter(id));
    if is_simple {
        check_filter(&mut judge, node, node_type);
    } else {
        check_condition(&mut judge, node);
    }
}

/// Reports a capability filter without a map. Other entities before 2.0 may be empty, but an empty capability filter
/// makes no sense.
fn check_capability(_: &CapabilityFilter, reader: &mut Reader<'_>, id: LocalId) {
    let Some(node) = reader.header(id).map(|header| reader.document().node(header.node)) else { return };
    if node.kind() == Kind::Null {
        let what = reader.title(CapabilityFilter::default().description(), id);
        reader.wrong_kind(node, &what, "a map").help("write `properties: [ … ]` in the filter");
    }
}
