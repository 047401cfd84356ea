//! Pictures of plans: a frame for each stage, a box for each step, and an arrow for what must come before.

use rustc_hash::FxHashMap;

use super::text::{full, line, short};
use super::{Edge, Graph, Group, Node};
use crate::normal::{Called, Plan, PlanStep, Stage};

pub(super) fn graph(plan: &Plan) -> Graph {
    let mut graph = Graph { title: line(&plan.file), nodes: Vec::new(), groups: Vec::new(), edges: Vec::new() };
    stages(&mut graph, &plan.removal, "removal");
    stages(&mut graph, &plan.deployment, "deployment");
    graph
}

fn stages(graph: &mut Graph, stages: &[Stage], what: &str) {
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    for (number, stage) in stages.iter().enumerate() {
        let group = graph.groups.len();
        let name = format!("stage {}", number + 1);
        graph.groups.push(Group { name, kind: what.to_owned(), full_kind: what.to_owned(), parent: None });
        for step in &stage.steps {
            numbers.insert(&step.node, graph.nodes.len());
            let edges = step.after.iter().filter_map(|needed| numbers.get(&**needed)).map(|needed| Edge {
                from: graph.nodes.len(),
                to: *needed,
                name: "after".to_owned(),
                kind: String::new(),
                full_kind: String::new(),
                number: 1,
            });
            graph.edges.extend(edges);
            graph.nodes.push(node(step, group));
        }
    }
}

fn node(step: &PlanStep, group: usize) -> Node {
    Node {
        name: line(&format!("{} {}", step.action.sign(), step.node)),
        kind: line(short(full(&step.types))),
        full_kind: line(full(&step.types)),
        rows: step.operations.iter().map(row).collect(),
        directive: step.directive.as_ref().map(|directive| line(directive)),
        group: Some(group),
        ..Node::default()
    }
}

fn row(called: &Called) -> (String, String) {
    let file = called.implementation.primary.as_ref().and_then(|primary| primary.file.as_ref());
    let name = line(&called.operation);
    (name, file.map_or_else(String::new, |file| line(file)))
}
