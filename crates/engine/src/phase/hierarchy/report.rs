//! Reports problems in type hierarchies.

use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};

use super::Hierarchies;
use crate::diagnostic::Diagnostic;
use crate::entity::AnyId;
use crate::phase::cycle;
use crate::rules;

impl Hierarchies<'_> {
    /// Reports the loops in a group of types that are derived from each other. Each problem is at the loop's first type
    /// and shows the whole loop.
    pub(super) fn report_loops(&mut self, graph: &DiGraph<AnyId, u32>, group: &[NodeIndex]) {
        let units = self.units();
        for cycle in cycle::loops(graph, Direction::Outgoing, group) {
            let id = graph[cycle[0]];
            let is_short = cycle.len() == 1;
            let mut message = format!("{} is derived from itself", units.describe(id));
            if !is_short {
                let names = cycle::describe(cycle.len(), |index| units.name(graph[cycle[index]]));
                message = format!("{message}: {names}");
            }
            // The positions at which each type in the cycle refers to the next one.
            let places =
                cycle::places(graph, Direction::Outgoing, &cycle, |number, id: AnyId| units.site_span(id.unit, number));
            let problem = cycle::problem(&rules::DERIVATION_LOOP, message, places);
            let help = if is_short {
                "derive the type from a different type, or from none"
            } else {
                "derive one of these types from a different type, or from none"
            };
            self.push(problem.map(|problem| problem.with_help(help)));
        }
    }

    fn push(&mut self, diagnostic: Option<Diagnostic>) {
        let Some(diagnostic) = diagnostic else { return };
        if let Some(unit) = self.units().index(diagnostic.span.source) {
            self.placed[unit].diagnostics.push(diagnostic);
        }
    }
}
