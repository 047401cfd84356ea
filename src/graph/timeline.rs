//! Plans as timelines: a column per stage, and an arrow from each step to the steps that wait for it.

use rustc_hash::FxHashMap;

use tosca_parse_graph::{Direction, Edge, Graph, Group, Node, Options, ToGraph};

use super::plan;
use crate::normal::{Plan, Stage};

/// A plan, from left to right.
#[derive(Clone, Copy, Debug)]
pub struct Timeline<'a>(pub &'a Plan);

impl ToGraph for Timeline<'_> {
    fn to_graph(&self, options: Options) -> Graph {
        let Self(plan) = *self;
        let mut graph = Graph { direction: Direction::Right, ..Graph::new(&plan.file) };
        let last = stages(&mut graph, (0, None), &plan.removal, "removal", options);
        stages(&mut graph, last, &plan.deployment, "deployment", options);
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
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    let mut first = before;
    for (number, stage) in stages.iter().enumerate() {
        let group = graph.groups.len();
        let (name, kind) = (format!("stage {}", columns + number + 1), what.to_owned());
        graph.groups.push(Group { name, full_kind: kind.clone(), kind, parent: None });
        for step in &stage.steps {
            let index = graph.nodes.len();
            let mut rows = plan::rows(step);
            rows.truncate(options.properties);
            let mut node = Node { row: Some(columns + number), rows, ..plan::node(step, group) };
            for needed in &step.after {
                match numbers.get(&**needed) {
                    Some(needed) if graph.nodes[*needed].row != node.row => {
                        graph.edges.push(Edge::new(*needed, index, "", ""));
                    }
                    // Nodes that depend on each other share a stage.
                    _ => node.notes.push(format!("in a loop with {needed}")),
                }
            }
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
