//! Resolution: the search for nodes of a service that fulfill the requirements that its template leaves open.
//!
//! A template may specify what a node requires without naming the node that provides it (2.0, 8.5). Orchestrators find
//! such a node when the service is deployed, among the nodes of the service and of other services. For the nodes of the
//! service itself, this module does so in advance, for authors who want to know what their service will look like, and
//! for tools that need complete topologies. It is not a phase of parsing: without it, such requirements stay open.
//!
//! # Algorithm
//!
//! 1. `RequirementQuery::all` traverses the node templates in order and collects open requirements: assignments that do
//!    not name a node template, and relationships that a type requires but that are not assigned. It excludes
//!    requirements that represent a requirement of the substituted node, that only other services may fulfill, or that
//!    belong to a node that is only selected.
//! 2. For each capability type, `Index` lists the used node types that have such a capability; for each node type, it
//!    lists the used node types that are derived from it. A query uses the shorter of the two lists. Conditions that
//!    depend only on types (the type of the capability, the lists of valid types) are evaluated once for each
//!    combination of types, for any number of nodes: a `Shortlist` contains the remaining nodes, and queries with the
//!    same conditions share it.
//! 3. Filters are applied to the nodes of a shortlist. The same filter is applied only once to the same shortlist. If a
//!    filter requires a property to be equal to a value, the nodes with this value are looked up. Calls in a filter
//!    that read values of the node with the requirement are replaced with these values, so that nodes with the same
//!    values share the result. The remaining comparisons are limited by the sizes of their filters: beyond the limit,
//!    only the first few nodes are compared for each query, which stays open if none of them matches.
//! 4. The first matching node, in the order of the template, with capacity for another relationship is chosen. Required
//!    relationships are created before optional ones. If capabilities limit the number of relationships,
//!    earlier choices are changed to free capacity, so that no requirement stays open unnecessarily. If something is
//!    allocated, at most one earlier choice is changed, because optimal packing would take unlimited time.
//!
//! So if only types matter, the work is at worst proportional to *queries* × *types*, not to *queries* × *nodes*.
//!
//! The choice depends only on the template, never on threads or hashes. If several nodes match, a warning is reported,
//! because orchestrators may choose differently.

mod candidates;
mod capacity;
mod hint;
mod index;
mod problem;
mod query;
mod resolution;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub(crate) use hint::hints;
pub use resolution::{Connection, OpenReason, Resolution, UnresolvedRequirement};
pub(crate) use resolution::{Link, Slot};

use self::candidates::{Candidates, Shortlist};
use self::capacity::CapacityTracker;
use self::index::Index;
use self::query::{RequirementQuery, Skipped};
use self::resolution::Decision;
use crate::diagnostic::{Diagnostic, Summary};
use crate::entity::{AnyId, Id};
use crate::grammar::File;
use crate::grammar::template::ServiceTemplate;
use crate::phase::inheritance::Complete;
use crate::phase::{Context, Program};
use crate::{Entry, Parser};

/// Parses a service template and finds nodes in it for the requirements that it leaves open. The outcome reports
/// requirements that no node can fulfill and requirements that several nodes can fulfill.
///
/// There is no resolution for a template with errors, because its intention is unknown, and none for a file without a
/// service template.
///
/// ```
/// use tosca_parse::resolve::resolve_entry;
/// use tosca_parse::normal::{Options, Service};
/// use tosca_parse::{Entry, Parser, TOSCA};
///
/// let text = "
/// tosca_definitions_version: tosca_2_0
/// capability_types: { Host: {} }
/// relationship_types: { HostedOn: {} }
/// node_types:
///   Server: { capabilities: { host: Host } }
///   Shop:
///     requirements:
///     - host: { capability: Host, relationship: HostedOn, count_range: [ 1, 1 ] }
/// service_template:
///   node_templates:
///     shop: { type: Shop }
///     server: { type: Server }
/// ";
/// let parser = Parser::builder(&TOSCA).build()?;
/// let (outcome, resolution) = resolve_entry(&parser, Entry::text(parser.address("service.yaml")?, text));
/// let resolution = resolution.expect("the template is valid");
/// assert_eq!(&*resolution.connections[0].target, "server");
/// let options = Options { resolution: Some(&resolution), ..Options::default() };
/// let service = Service::with(&outcome.program, options).expect("there is a service template");
/// assert_eq!(service.nodes["shop"].requirements[0].target.as_ref().map(|target| &*target.node), Some("server"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn resolve_entry(parser: &Parser, entry: Entry) -> (crate::Outcome, Option<Resolution>) {
    parser.parse_then(entry, |program, diagnostics| {
        let is_valid = Summary::of(diagnostics).errors == 0;
        is_valid
            .then(|| resolve_program(program))
            .flatten()
            .map_or_else(Default::default, |(resolution, found)| (Some(resolution), found))
    })
}

/// Resolves the service that the entry of a valid program describes, if there is one, and returns the problems found.
pub fn resolve_program(program: &Program<Complete>) -> Option<(Resolution, Vec<Diagnostic>)> {
    let unit = program.list.first()?;
    let file = program.get(unit.root.and_then(AnyId::cast::<File>)?)?;
    let id = file.service_template?;
    let service = program.get(id)?;
    let mut resolver = Resolver { context: Context::new(program, 0), resolution: Resolution::default() };
    resolver.run(id, service);
    Some((resolver.resolution, resolver.context.into_diagnostics()))
}

struct Resolver<'a> {
    context: Context<'a>,
    resolution: Resolution,
}

impl<'a> Resolver<'a> {
    fn run(&mut self, id: Id<ServiceTemplate>, service: &'a ServiceTemplate) {
        let index = Index::of(&mut self.context, service);
        let demands = RequirementQuery::all(&mut self.context, id, service, &index);
        let mut candidates = Candidates::new(&index);
        let mut rooms = CapacityTracker::of(&mut self.context, &index);
        problem::check_given(&mut self.context, &index, &rooms);
        let mut shortlists: Vec<Option<Arc<Shortlist>>> = Vec::with_capacity(demands.len());
        for demand in &demands {
            let shortlist = demand.skipped.is_none().then(|| candidates.of(&mut self.context, demand));
            shortlists.push(shortlist);
        }
        // Required relationships come first (2.0, 8.5.1).
        let required = (0..demands.len()).filter(|number| !demands[*number].optional);
        let optional = (0..demands.len()).filter(|number| demands[*number].optional);
        for number in required.chain(optional) {
            rooms.place(&mut self.context, &demands, &shortlists, number);
        }
        for (number, demand) in demands.iter().enumerate() {
            let shortlist = shortlists[number].as_deref();
            let outcome = match (shortlist, demand.skipped) {
                (Some(shortlist), _) => outcome(demand, shortlist, rooms.taken(number)),
                (None, skipped) => Decision {
                    taken: Vec::new(),
                    others: 0,
                    open: skipped.map(|skipped| match skipped {
                        Skipped::External => OpenReason::External,
                        Skipped::Mapped => OpenReason::Mapped,
                    }),
                },
            };
            problem::report(&mut self.context, &mut candidates, demand, shortlist, &outcome, &mut rooms);
            self.note(&index, demand, shortlist, &outcome);
        }
    }

    /// Records the outcome of a query.
    fn note(
        &mut self,
        index: &Index<'a>,
        demand: &RequirementQuery<'a>,
        shortlist: Option<&Shortlist>,
        outcome: &Decision,
    ) {
        let program = self.context.program;
        let node = &index.nodes[demand.source];
        let (name, requirement): (Arc<str>, Arc<str>) = (node.name.into(), self.context.text(demand.name).into());
        let mut links = Vec::with_capacity(outcome.taken.len());
        for (target, count) in &outcome.taken {
            let capability = shortlist.and_then(|shortlist| shortlist.capability(*target));
            links.push(Link { node: index.nodes[*target].id, capability, count: *count });
            self.resolution.connections.push(Connection {
                node: name.clone(),
                requirement: requirement.clone(),
                target: index.nodes[*target].name.into(),
                capability: capability.map(|id| program.name(id.any()).into()),
                others: outcome.others,
            });
        }
        if !links.is_empty() {
            self.resolution.links.insert((node.id, demand.slot), links);
        }
        if let Some(reason) = outcome.open {
            self.resolution.open.push(UnresolvedRequirement { node: name, requirement, reason });
        }
    }
}

fn outcome(demand: &RequirementQuery<'_>, shortlist: &Shortlist, taken: Vec<(usize, u64)>) -> Decision {
    let number: u64 = taken.iter().map(|(_, count)| count).sum();
    let fitting = shortlist.fitting(demand.source);
    let others = fitting.saturating_sub(taken.len());
    let open = match demand.count {
        None => Some(OpenReason::Undecided),
        Some(wanted) if number >= wanted => None,
        Some(_) if shortlist.is_cut || shortlist.undecided(demand.source) > 0 => Some(OpenReason::Undecided),
        Some(_) if demand.optional => Some(OpenReason::Optional),
        Some(_) => Some(OpenReason::Impossible),
    };
    Decision { taken, others, open }
}
