//! Loops of steps, and of workflows that inline each other (2.0, 13.2).

use petgraph::Direction;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use crate::diagnostic::{Rule, Span};
use crate::entity::{AnyId, Entity, Id, Members, Text};
use crate::grammar::section::WORKFLOWS;
use crate::grammar::template::{ServiceTemplate, WorkflowDefinition};
use crate::phase::{Context, cycle};
use crate::rules;
use crate::symbol::Symbol;

/// A graph of names, with the position of each edge.
#[derive(Default)]
struct NameGraph {
    graph: DiGraph<Symbol, u32>,
    places: Vec<Span>,
}

impl NameGraph {
    /// Builds the graph of the given members; `next` returns the successors of a member and their positions.
    fn of<E: Entity>(members: &Members<E>, next: impl Fn(Id<E>) -> Vec<(Symbol, Span)>) -> Self {
        let mut ways = Self::default();
        let nodes: FxHashMap<Symbol, NodeIndex> =
            members.iter().map(|(name, _)| (name, ways.graph.add_node(name))).collect();
        for (name, id) in members.iter() {
            for (to, at) in next(id) {
                if let (Some(from), Some(to)) = (nodes.get(&name), nodes.get(&to)) {
                    ways.graph.add_edge(*from, *to, ways.places.len() as u32);
                    ways.places.push(at);
                }
            }
        }
        ways
    }

    /// Reports each loop, with all names in it. `message` gets the first name.
    fn report_loops(
        &self,
        context: &mut Context<'_>,
        rule: &'static Rule,
        message: impl Fn(&str) -> String,
        help: &str,
    ) {
        let graph = &self.graph;
        let mut groups = kosaraju_scc(graph);
        groups.retain(|group| group.len() > 1 || graph.contains_edge(group[0], group[0]));
        groups.iter_mut().for_each(|group| group.sort_unstable());
        groups.sort_unstable();
        for cycle in groups.iter().flat_map(|group| cycle::loops(graph, Direction::Outgoing, group)) {
            let names = cycle::describe(cycle.len(), |index| context.text(graph[cycle[index]]));
            let message = format!("{}: {names}", message(context.text(graph[cycle[0]])));
            let place = |number: u32, _| self.places.get(number as usize).copied();
            let places = cycle::places(graph, Direction::Outgoing, &cycle, place);
            let problem = cycle::problem(rule, message, places);
            context.report(problem.map(|problem| problem.with_help(help)));
        }
    }
}

/// Reports loops of steps.
pub(super) fn check_steps(context: &mut Context<'_>, workflow: &WorkflowDefinition) {
    let ways = NameGraph::of(&workflow.steps, |step| {
        let names = context.get(step).into_iter().flat_map(|step| &step.on_success);
        let nodes = names.filter_map(|Text(position)| context.node(*position));
        nodes.filter_map(|node| Some((context.program.interner.get(node.text())?, node.span()))).collect()
    });
    let message = |_: &str| "the steps follow each other in a loop".to_owned();
    ways.report_loops(context, &rules::STEP_LOOP, message, "remove one of these names from `on_success`");
}

/// Reports workflows that inline themselves, directly or indirectly, and so would never end.
pub(super) fn check_workflows(context: &mut Context<'_>, service: &ServiceTemplate) {
    let ways = NameGraph::of(&service.workflows, |workflow| inlined(context, workflow));
    let message = |name: &str| format!("workflow `{name}` inlines itself");
    let help = "remove one of these `inline` activities, or run a workflow of the processor with `delegate`";
    ways.report_loops(context, &rules::INLINE_LOOP, message, help);
}

/// Returns the workflows of the service that a workflow inlines, with the positions of their names.
fn inlined(context: &Context<'_>, id: Id<WorkflowDefinition>) -> Vec<(Symbol, Span)> {
    let steps = context.get(id).into_iter().flat_map(|workflow| workflow.steps.iter());
    let activities = steps.filter_map(|(_, step)| context.get(step)).flat_map(|step| &step.activities);
    let calls = activities.filter_map(|activity| context.get(context.get(*activity)?.inline?));
    let names = calls.filter_map(|call| context.node(call.workflow?.0));
    names
        .filter_map(|name| {
            let symbol = context.program.interner.get(name.text())?;
            let target =
                context.resolve(id.any(), WORKFLOWS, symbol).id().and_then(AnyId::cast::<WorkflowDefinition>)?;
            Some((context.program.header(target.any())?.name, name.span()))
        })
        .collect()
}
