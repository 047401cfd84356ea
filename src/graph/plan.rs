//! Diagrams of plans: a frame per stage, a box per step, and an arrow from each step to every step that must be
//! complete before it.

use foldhash::HashMap;

use tosca_parse_graph::text::{line, short};
use tosca_parse_graph::{Edge, Graph, Group, Node, Options, ToGraph};

use super::value::{ancestors, full, full_name, location};
use crate::normal::{Plan, PlanStep, PlannedCall, Stage};

impl ToGraph for Plan {
    fn to_graph(&self, _: Options) -> Graph {
        let mut graph = Graph::new(&self.file);
        let steps = self.removal.iter().chain(&self.deployment).map(|stage| stage.steps.len());
        graph.nodes.reserve_exact(steps.sum());
        stages(&mut graph, &self.removal, "removal");
        stages(&mut graph, &self.deployment, "deployment");
        graph
    }
}

fn stages(graph: &mut Graph, stages: &[Stage], what: &str) {
    let mut numbers: HashMap<&str, usize> = HashMap::default();
    for (number, stage) in stages.iter().enumerate() {
        let group = graph.groups.len();
        let name = format!("stage {}", number + 1);
        graph.groups.push(Group { name, kind: what.to_owned(), full_kind: what.to_owned(), parent: None });
        for step in &stage.steps {
            numbers.insert(&step.node, graph.nodes.len());
            let edges = step
                .after
                .iter()
                .filter_map(|needed| numbers.get(&**needed))
                .map(|needed| Edge::new(graph.nodes.len(), *needed, "after", ""));
            graph.edges.extend(edges);
            graph.nodes.push(node(step, group));
        }
    }
}

pub(super) fn node(step: &PlanStep, group: usize) -> Node {
    Node {
        name: line(&format!("{} {}", step.action.sign(), step.node)),
        kind: line(short(full(&step.types))),
        full_kind: full_name(&step.types),
        ancestors: ancestors(&step.types),
        rows: rows(step),
        directive: step.directive.as_ref().map(|directive| line(directive)),
        group: Some(group),
        location: step.source.as_ref().map(location),
        ..Node::default()
    }
}

/// Returns the operations of a step, a row each.
pub(super) fn rows(step: &PlanStep) -> Vec<(String, String)> {
    step.operations.iter().map(row).collect()
}

fn row(called: &PlannedCall) -> (String, String) {
    let file = called.implementation.primary.as_ref().and_then(|primary| primary.file.as_ref());
    let name = line(&called.operation);
    (name, file.map_or_else(String::new, |file| line(file)))
}
