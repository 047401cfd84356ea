//! Problems with requirements: no node matches, several nodes match, or it is not known whether nodes match.

use super::candidates::{Candidate, Candidates, Shortlist, capability_here, compare};
use super::capacity::CapacityTracker;
use super::index::Index;
use super::query::{CapabilityConstraint, RequirementQuery, filters};
use super::resolution::{Decision, OpenReason};
use crate::data::{PathContext, RelationshipContext, Verdict};
use crate::diagnostic::Span;
use crate::diagnostic::suggest::{and_list, or_list};
use crate::entity::Id;
use crate::grammar::template::RequirementAssignment;
use crate::grammar::version::V2_0;
use crate::phase::{Context, DiagnosticExt};
use crate::rules;

/// The maximum number of nodes to name, and the maximum number to explain.
const SHOWN: usize = 5;

/// Reports the problems of a query.
pub(super) fn report<'a>(
    context: &mut Context<'a>,
    candidates: &mut Candidates<'_, 'a>,
    demand: &RequirementQuery<'a>,
    shortlist: Option<&Shortlist>,
    outcome: &Decision,
    rooms: &mut CapacityTracker<'_, 'a>,
) {
    let Some(shortlist) = shortlist else { return };
    match outcome.open {
        None if outcome.others > 0 => ambiguous(context, candidates.index, demand, shortlist, outcome),
        None | Some(OpenReason::Optional | OpenReason::External | OpenReason::Mapped) => {}
        Some(OpenReason::Undecided) => undecided(context, candidates.index, demand, shortlist),
        Some(OpenReason::Impossible) => impossible(context, candidates, demand, outcome, rooms),
    }
}

/// Describes the requirement and its node.
fn subject(context: &Context<'_>, index: &Index<'_>, demand: &RequirementQuery<'_>) -> String {
    format!("requirement `{}` of node template `{}`", context.text(demand.name), index.nodes[demand.source].name)
}

fn name_span(context: &Context<'_>, index: &Index<'_>, node: usize) -> Option<Span> {
    context.program.name_span(index.nodes[node].id.any())
}

fn ambiguous<'a>(
    context: &mut Context<'a>,
    index: &Index<'a>,
    demand: &RequirementQuery<'a>,
    shortlist: &Shortlist,
    outcome: &Decision,
) {
    let taken: Vec<&str> = outcome.taken.iter().take(SHOWN).map(|(node, _)| index.nodes[*node].name).collect();
    let is_taken = |node: usize| outcome.taken.iter().any(|(taken, _)| *taken == node);
    let fitting = shortlist.nodes.iter().map(|candidate| candidate.node);
    let others: Vec<usize> = fitting.filter(|node| *node != demand.source && !is_taken(*node)).take(3).collect();
    let names: Vec<&str> = others.iter().map(|node| index.nodes[*node].name).collect();
    let would_do = match outcome.others - names.len() {
        0 => or_list(&names),
        more => format!("{} or {more} more", quoted(&names)),
    };
    let message = format!(
        "{} is fulfilled by {}, but {would_do} would also fit",
        subject(context, index, demand),
        and_list(&taken)
    );
    let help = format!(
        "name the node: `- {}: {}`, or narrow the choice with a `node_filter`",
        context.text(demand.name),
        taken.first().copied().unwrap_or_default()
    );
    let at = context.program.name_span(demand.at);
    let places: Vec<Option<Span>> = others.iter().map(|node| name_span(context, index, *node)).collect();
    let mut problem = context.problem(&rules::AMBIGUOUS_REQUIREMENT, at, message);
    for place in places {
        problem = problem.related(place, "also fits");
    }
    problem.help(help);
}

fn undecided<'a>(context: &mut Context<'a>, index: &Index<'a>, demand: &RequirementQuery<'a>, shortlist: &Shortlist) {
    let subject = subject(context, index, demand);
    let at = context.program.name_span(demand.at);
    if demand.count.is_none() {
        let message = format!("{subject} stays open: its number of relationships is not known yet");
        context
            .problem(&rules::UNDECIDED_REQUIREMENT, at, message)
            .help("give `count` a number, or give values to the inputs that it is computed from");
        return;
    }
    let unknown: Vec<&(usize, String)> =
        shortlist.unknown.iter().filter(|(node, _)| *node != demand.source).take(SHOWN).collect();
    if unknown.is_empty() {
        let message = format!("{subject} stays open: its filter would have to be compared with too many nodes");
        context
            .problem(&rules::UNDECIDED_REQUIREMENT, at, message)
            .help("name the node, or require a property value with `$equal`, so that matching nodes can be looked up");
        return;
    }
    let names: Vec<&str> = unknown.iter().map(|(node, _)| index.nodes[*node].name).collect();
    let message = format!("{subject} stays open: it is not known yet whether {} fits", or_list(&names));
    let places: Vec<(Option<Span>, &String)> =
        unknown.iter().map(|(node, why)| (name_span(context, index, *node), why)).collect();
    let mut problem = context.problem(&rules::UNDECIDED_REQUIREMENT, at, message);
    for (place, why) in places {
        problem = problem.related(place, why.clone());
    }
    problem.help("name the node, or give values to the inputs that the filter or the properties of the nodes need");
}

fn impossible<'a>(
    context: &mut Context<'a>,
    candidates: &mut Candidates<'_, 'a>,
    demand: &RequirementQuery<'a>,
    outcome: &Decision,
    rooms: &mut CapacityTracker<'_, 'a>,
) {
    let index = candidates.index;
    let subject = subject(context, index, demand);
    let refused = refused(context, candidates, demand, outcome, rooms);
    let more = refused.number - refused.reasons.len();
    let found: u64 = outcome.taken.iter().map(|(_, count)| count).sum();
    let message = match (demand.count, found) {
        (Some(wanted), 1..) => format!("{subject} needs {wanted} relationships, but there are nodes for only {found}"),
        _ => format!("no node fits {subject}, which needs {}", needs(context, demand)),
    };
    let help = if context.version(demand.at) >= V2_0 {
        "add a node template that fits, or leave the requirement to other services: `directives: [ external ]`"
    } else {
        "add a node template that fits, or relax the requirement"
    };
    let at = context.program.name_span(demand.at);
    let mut problem = context.problem(&rules::UNFULFILLED_REQUIREMENT, at, message);
    for (place, reason) in refused.reasons {
        problem = problem.related(place, format!("does not fit: {reason}"));
    }
    if more > 0 {
        problem = problem.help(format!("{more} more nodes do not fit either"));
    }
    problem.help(help);
}

struct Refused {
    reasons: Vec<(Option<Span>, String)>,
    number: usize,
}

/// Explains why the closest nodes, whose types have the required capability, do not match.
fn refused<'a>(
    context: &mut Context<'a>,
    candidates: &mut Candidates<'_, 'a>,
    demand: &RequirementQuery<'a>,
    outcome: &Decision,
    rooms: &mut CapacityTracker<'_, 'a>,
) -> Refused {
    let index = candidates.index;
    let (nodes, number) = candidates.near(&demand.asked);
    let is_taken = |node: usize| outcome.taken.iter().any(|(taken, _)| *taken == node);
    let mut reasons = Vec::new();
    for node in nodes.iter().filter(|node| !is_taken(**node)) {
        if reasons.len() == SHOWN {
            break;
        }
        let reason =
            candidates.refusal(context, demand, *node).or_else(|| rooms.reason(context, candidates, demand, *node));
        if let Some(reason) = reason {
            reasons.push((name_span(context, index, *node), reason));
        }
    }
    Refused { number: number.saturating_sub(outcome.taken.len()).max(reasons.len()), reasons }
}

/// Describes the needs of a requirement.
fn needs(context: &Context<'_>, demand: &RequirementQuery<'_>) -> String {
    let program = context.program;
    let node = demand.asked.node.map(|id| format!("a node of type `{}`", program.name(id)));
    let capability = match demand.asked.capability {
        CapabilityConstraint::Any => None,
        CapabilityConstraint::Type(id) => Some(format!("a capability of type `{}`", program.name(id))),
        CapabilityConstraint::Name(name) => Some(format!("a capability `{}`", context.text(name))),
    };
    let filter = if demand.filters.is_empty() { "" } else { " and what the filter demands" };
    let what = match (node, capability) {
        (Some(node), Some(capability)) => format!("{node} with {capability}"),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => "another node".to_owned(),
    };
    format!("{what}{filter}")
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Reports relationships in the template itself that exceed a limit, or whose target does not match the filters.
pub(super) fn check_given<'a>(context: &mut Context<'a>, index: &Index<'a>, rooms: &CapacityTracker<'_, 'a>) {
    for (id, target, reason) in &rooms.exceeding {
        refused_target(context, index, *id, *target, reason);
    }
    for (source, node) in index.nodes.iter().enumerate() {
        for (name, id) in &node.template.requirements {
            let Some(assignment) = context.get(*id) else { continue };
            let definition = index.type_of(source).node_type.requirements.get(*name);
            let filters = filters(context, *id, assignment, definition);
            if filters.is_empty() {
                continue;
            }
            let here = RelationshipContext::of_assignment(context, *id, index.here(source));
            let Some(target) = here.target.template.and_then(|template| index.number(template)) else { continue };
            let candidate = Candidate { node: target, capability: here.capability.definition };
            let capability = capability_here(context, index, candidate);
            let subject = if context.version(id.any()) < V2_0 {
                PathContext::Node(here.source)
            } else {
                PathContext::Relationship(RelationshipContext { capability, ..here })
            };
            if let Verdict::Fails(reason) = compare(context, &filters, subject, index.here(target)) {
                refused_target(context, index, *id, target, &reason);
            }
        }
    }
}

fn refused_target(
    context: &mut Context<'_>,
    index: &Index<'_>,
    id: Id<RequirementAssignment>,
    target: usize,
    reason: &str,
) {
    let (id, name) = (id.any(), index.nodes[target].name);
    let message = format!("`{name}` can't fulfill requirement `{}`: {reason}", context.program.name(id));
    let (at, place) = (context.program.name_span(id), name_span(context, index, target));
    context
        .problem(&rules::REFUSED_TARGET, at, message)
        .related(place, "node")
        .help("name a different node, or relax the requirement");
}
