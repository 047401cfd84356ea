//! Deployment plans of services.

use tosca_parse::normal::{Node, Requirement, Service, Target};

use super::Comparison;

/// The indexes of the nodes that a node requires.
type Needs = fn(usize) -> Vec<usize>;

/// Returns a service of nodes with the given requirements.
fn linked(nodes: usize, needs: Needs) -> Service {
    let requirement = |target: usize| {
        let (mut requirement, mut reached) = (Requirement::default(), Target::default());
        reached.node = format!("n{target}").into();
        requirement.name = "needs".into();
        requirement.target = Some(reached);
        requirement
    };
    let mut service = Service::default();
    service.language = "TOSCA 2.0".into();
    for number in 0..nodes {
        let mut node = Node::default();
        node.requirements = needs(number).into_iter().map(requirement).collect();
        service.nodes.insert(format!("n{number}").into(), node);
    }
    service
}

fn chain(node: usize) -> Vec<usize> {
    node.checked_sub(1).into_iter().collect()
}

/// Returns a hundred chains that also require each other.
fn chains(node: usize) -> Vec<usize> {
    if node < 100 { Vec::new() } else { vec![node - 100, node % 100, node / 2] }
}

pub(super) fn comparisons() -> impl Iterator<Item = Comparison> {
    let shapes: [(&str, Needs); 2] = [("plan of a chain", chain), ("plan of many chains", chains)];
    shapes.into_iter().map(|(name, needs)| {
        Comparison::growth(name, 500, move |nodes| {
            assert_eq!(linked(nodes, needs).plan().loops.len(), 0, "{name}");
            0
        })
    })
}
