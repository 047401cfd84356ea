//! The problems of hierarchies.

use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};

use super::{Hierarchies, references, why_unsound};
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
            let is_short = chain.len() == 1;
            let mut message = format!("{} is derived from itself", units.describe(id));
            if !is_short {
                let names = chain::shown(chain.len(), |index| units.name(graph[chain[index]]));
                message = format!("{message}: {names}");
            }
            // The place where each type of the chain names the next one.
            let places =
                chain::places(graph, Direction::Outgoing, &chain, |number, id: AnyId| units.site_span(id.unit, number));
            let problem = chain::problem(&rules::DERIVATION_LOOP, message, places);
            let help = if is_short {
                "derive it from another type, or from none"
            } else {
                "derive one of these types from another type, or from none"
            };
            self.push(problem.map(|problem| problem.with_help(help)));
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
            let why = why_unsound(parent, unsound);
            let message = format!("{} can't be used as a parent, since {why}", units.describe(parent));
            let help = format!("correct what `{}` is derived from", units.name(unsound));
            let diagnostic = units.reference_span(reference).map(|span| {
                let diagnostic = Diagnostic::new(&rules::UNSOUND_PARENT, span, message).with_help(help);
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
