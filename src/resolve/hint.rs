//! Editor hints for requirements that the template leaves open: their target nodes.

use super::{Slot, resolve_program};
use crate::diagnostic::Span;
use crate::entity::Entity as _;
use crate::grammar::template::NodeTemplate;
use crate::phase::Program;
use crate::phase::inheritance::Complete;

/// The maximum number of nodes in a service with hints, because hints must not delay typing.
const MAX: u32 = 2_000;

/// Returns the target nodes of open requirements: next to the assignment, or next to the node if there is none.
pub(crate) fn hints(program: &Program<Complete>) -> Vec<(Span, String)> {
    let nodes = program.list.first().map_or(0, |unit| unit.arenas.count(NodeTemplate::KIND));
    if nodes > MAX {
        return Vec::new();
    }
    let Some((resolution, _)) = resolve_program(program) else { return Vec::new() };
    let fulfilled = resolution.links.iter().filter_map(|((node, slot), links)| {
        let (at, requirement) = match slot {
            Slot::Assigned(id) => (program.name_span(id.any())?, String::new()),
            Slot::Implied(name) => (program.name_span(node.any())?, format!("{} ", program.text(*name))),
        };
        let targets: Vec<&str> = links.iter().map(|link| program.name(link.node.any())).collect();
        Some((at, format!("{requirement}→ {}", targets.join(", "))))
    });
    let mut fulfilled: Vec<(Span, String)> = fulfilled.collect();
    fulfilled.sort_unstable_by(|(one, a), (other, b)| (one.start, a).cmp(&(other.start, b)));
    let places = fulfilled.chunk_by(|(one, _), (other, _)| one == other);
    let hints = places.map(|texts| (texts[0].0, texts.iter().map(|(_, text)| &**text).collect::<Vec<_>>().join(", ")));
    hints.collect()
}
