//! The problems of hierarchies.

use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};

use super::{Hierarchies, references};
use crate::diagnostic::Diagnostic;
use crate::entity::{AnyId, Role};
use crate::phase::chain;
use crate::phase::namespace::Targets;
use crate::rules;

impl Hierarchies<'_> {
    /// Reports the loops in a group of types that are derived from each other: each at the type that comes first, with
    /// the chain that leads back.
    pub(super) fn report_loops(&mut self, graph: &DiGraph<AnyId, u32>, group: &[NodeIndex]) {
        let units = self.units();
        for chain in chain::loops(graph, Direction::Outgoing, group) {
            let id = graph[chain[0]];
            let names = chain::shown(chain.len(), |index| units.name(graph[chain[index]]));
            let message = format!("{} is derived from itself: {names}", units.describe(id));
            // The place where each type of the chain names the next one.
            let places =
                chain::places(graph, Direction::Outgoing, &chain, |number, id: AnyId| units.site_span(id.unit, number));
            let problem = chain::problem(&rules::DERIVATION_LOOP, message, places);
            self.push(
                problem.map(|problem| problem.with_help("derive one of these types from another type, or from none")),
            );
        }
    }

    /// Reports the parents of a type that can't be used as such. The types of a loop have been reported.
    pub(super) fn report_unsound_parents(&mut self, id: AnyId) {
        if self.lineage(id).is_none_or(|lineage| lineage.unsound.is_none_or(|unsound| unsound == id)) {
            return;
        }
        let units = self.units();
        for reference in references(units, id, Role::Parent) {
            let Some(parent) = self.program.target(reference) else { continue };
            let Some(unsound) = self.lineage(parent).and_then(|lineage| lineage.unsound) else { continue };
            let why = if unsound == parent {
                "it is derived from itself".to_owned()
            } else {
                format!("it is derived from `{}`, which is derived from itself", units.name(unsound))
            };
            let message = format!("{} can't be used as a parent, since {why}", units.describe(parent));
            let diagnostic = units.reference_span(reference).map(|span| {
                let diagnostic = Diagnostic::new(&rules::UNSOUND_PARENT, span, message);
                match units.name_span(parent) {
                    Some(span) => diagnostic.with_related(span, "it is defined here"),
                    None => diagnostic,
                }
            });
            self.push(diagnostic);
        }
    }

    fn push(&mut self, diagnostic: Option<Diagnostic>) {
        let Some(diagnostic) = diagnostic else { return };
        if let Some(unit) = self.units().index(diagnostic.span.source) {
            self.placed[unit].diagnostics.push(diagnostic);
        }
    }
}
