//! Plans as timelines: a column per stage, and an arrow from each step to the steps that wait for it.

use foldhash::HashMap;

use tosca_parse_graph::text::line;
use tosca_parse_graph::{Direction, Edge, Graph, Group, Node, Options, ToGraph};

use super::plan;
use crate::normal::{Name, Plan, Stage};

/// The maximum number of nodes of a loop that each of them names.
const MAX_OTHERS: usize = 8;

/// A plan, from left to right.
#[derive(Clone, Copy, Debug)]
pub struct Timeline<'a>(pub &'a Plan);

impl ToGraph for Timeline<'_> {
    fn to_graph(&self, options: Options) -> Graph {
        let Self(plan) = *self;
        let mut graph = Graph { direction: Direction::Right, ..Graph::new(&plan.file) };
        let last = stages(&mut graph, (0, None), &plan.removal, "removal", options);
        stages(&mut graph, last, &plan.deployment, "deployment", options);
        let loops = plan.loops.iter().flat_map(|nodes| nodes.iter().map(move |node| (line(node), nodes)));
        let loops: HashMap<String, &Vec<Name>> = loops.collect();
        for node in &mut graph.nodes {
            let Some(nodes) = loops.get(&node.name) else { continue };
            let others = nodes.iter().filter(|other| line(other) != node.name).take(MAX_OTHERS);
            node.notes
                .push(line(&format!("in a loop with {}", others.map(|other| &**other).collect::<Vec<_>>().join(", "))));
        }
        graph
    }
}

/// Adds stages after a number of columns, the last of which has a step that the first stage follows. Returns both for
/// the next stages.
fn stages(
    graph: &mut Graph,
    (columns, before): (usize, Option<usize>),
    stages: &[Stage],
    what: &str,
    options: Options,
) -> (usize, Option<usize>) {
    let mut numbers: HashMap<&str, usize> = HashMap::default();
    let mut first = before;
    for (number, stage) in stages.iter().enumerate() {
        let group = graph.groups.len();
        let (name, kind) = (format!("stage {}", columns + number + 1), what.to_owned());
        graph.groups.push(Group { name, full_kind: kind.clone(), kind, parent: None });
        for step in &stage.steps {
            let index = graph.nodes.len();
            let mut rows = plan::rows(step);
            rows.truncate(options.properties);
            let node = Node { row: Some(columns + number), rows, ..plan::node(step, group) };
            let needed = step.after.iter().filter_map(|needed| numbers.get(&**needed));
            graph.edges.extend(needed.map(|needed| Edge::new(*needed, index, "", "")));
            numbers.insert(&step.node, index);
            graph.nodes.push(node);
            if let Some(before) = first.take() {
                graph.edges.push(Edge::new(before, index, "then", ""));
            }
        }
    }
    let last = graph.nodes.len().checked_sub(1);
    (columns + stages.len(), last)
}
