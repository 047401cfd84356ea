//! Resolving: which nodes of a service fulfil the requirements that its template leaves open.
//!
//! A template may say what a node needs without saying which other node gives it (2.0, 8.5). Orchestrators find one
//! when the service is deployed, among the nodes of the service and others. For those of the service itself it can be
//! told beforehand: that is what this part does, for authors who want to know what their service will look like, and
//! for tools that need complete topologies. It is no phase of parsing: without it, such requirements stay open.
//!
//! # The way of a requirement
//!
//! 1. `Demand::all` goes through the node templates in their order and gathers what is open: assignments that name
//!    no node template, and relationships that a type demands and no assignment makes. What is mapped to a requirement
//!    of the substituted node, may only be fulfilled by other services, or belongs to a node that is only selected, is
//!    not for us.
//! 2. `Index` says which node types that are in use have a capability of some type, or are derived from some type. A
//!    demand takes the shorter of the two lists. What types alone decide (is the capability of the right type, do the
//!    lists of valid types let it pass) is decided once for each combination of types, whatever the number of nodes:
//!    a `Shortlist` holds the nodes that are left, and demands that ask the same share it.
//! 3. Filters are applied to the nodes of a shortlist. The same filter on the same shortlist is applied once. Of a
//!    filter that demands that a property be equal to some value, the nodes with this value are looked up rather than
//!    searched. What a filter gets from the node that has the requirement is part of the filter as a value, so that
//!    nodes with the same values share what is found. What is left of comparisons is bounded: beyond a million,
//!    only the first few nodes are compared for each demand, and it stays open if none of them fits.
//! 4. Of the nodes that fit, the first one in the order of the template that has room for another relationship is taken.
//!    Required relationships are made before optional ones. Where capabilities limit the number of relationships,
//!    earlier choices are changed if that makes room, so that nothing stays open that need not. Where something is
//!    allocated, one earlier choice is changed at most: packing as well as can be would take time without bounds.
//!
//! So the work is that of *demands* × *types* at worst where only types decide, not *demands* × *nodes*.
//!
//! What is taken depends on the template alone, never on threads or hashes. Where several nodes fit, that is reported,
//! since orchestrators may choose otherwise.

mod candidates;
mod demand;
mod hint;
mod index;
mod problem;
mod resolution;
mod room;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub(crate) use hint::hints;
pub use resolution::{Connection, Open, OpenReason, Resolution};
pub(crate) use resolution::{Link, Slot};

use self::candidates::{Candidates, Shortlist};
use self::demand::{Demand, Skipped};
use self::index::Index;
use self::resolution::Decision;
use self::room::Rooms;
use crate::diagnostic::{Diagnostic, Summary};
use crate::entity::{AnyId, Id};
use crate::grammar::File;
use crate::grammar::template::ServiceTemplate;
use crate::phase::inheritance::Complete;
use crate::phase::{Context, Program};
use crate::{Entry, Parser};

/// Parses a service template and finds nodes of its own for the requirements that it leaves open. Requirements that no
/// node fits are problems of the outcome, and so are those that several nodes fit.
///
/// Of a template with errors nobody knows what its author meant, so nothing is fulfilled in it, and there is no
/// resolution; nor is there one of a file without a service template.
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
            .then(|| resolve(program))
            .flatten()
            .map_or_else(Default::default, |(resolution, found)| (Some(resolution), found))
    })
}

/// Resolves the service that the entry of a program describes, if it describes one.
fn resolve(program: &Program<Complete>) -> Option<(Resolution, Vec<Diagnostic>)> {
    let unit = program.list.first()?;
    let file = program.get(unit.root.and_then(AnyId::cast::<File>)?)?;
    let id = file.service_template.0?;
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
        let demands = Demand::all(&mut self.context, id, service, &index);
        let mut candidates = Candidates::new(&index);
        let mut rooms = Rooms::of(&mut self.context, &index);
        problem::check_given(&mut self.context, &index, &rooms);
        let mut shortlists: Vec<Option<Arc<Shortlist>>> = Vec::with_capacity(demands.len());
        for demand in &demands {
            let shortlist = demand.skipped.is_none().then(|| candidates.of(&mut self.context, demand));
            shortlists.push(shortlist);
        }
        // What must be fulfilled comes first (2.0, 8.5.1).
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

    /// Notes what became of a demand.
    fn note(&mut self, index: &Index<'a>, demand: &Demand<'a>, shortlist: Option<&Shortlist>, outcome: &Decision) {
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
            self.resolution.open.push(Open { node: name, requirement, reason });
        }
    }
}

fn outcome(demand: &Demand<'_>, shortlist: &Shortlist, taken: Vec<(usize, u64)>) -> Decision {
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
