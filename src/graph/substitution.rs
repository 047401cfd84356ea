//! Diagrams of services and the services that substitute their nodes: a box per service, and an arrow from each service
//! with a node to substitute to every service that can substitute it.

use tosca_parse_graph::text::{last_segments, line};
use tosca_parse_graph::{Edge, EdgeLabel, Edges, Graph, Node, OpenRequirement, Options, ShortNames, ToGraph};

use super::value::{ancestors, full, full_name, location};
use crate::normal::{self, Service, Substitutes};

/// Services that may substitute nodes of each other.
#[derive(Clone, Copy, Debug)]
pub struct Substitutions<'a>(pub &'a [Service]);

impl ToGraph for Substitutions<'_> {
    fn to_graph(&self, options: Options) -> Graph {
        let Self(services) = *self;
        let mut names = ShortNames::default();
        for service in services {
            service.substitution.iter().for_each(|of| names.add(full(&of.types)));
            substituted(service).for_each(|(_, node)| names.add(full(&node.types)));
        }
        let mut graph = Graph::new("substitutions");
        let mut edges = Edges::default();
        let substitutes = Substitutes::of(services);
        for (from, service) in services.iter().enumerate() {
            let mut diagram_node = node(service, &names, options.properties);
            for (name, node) in substituted(service) {
                let fitting = substitutes.of_node(node);
                for to in fitting {
                    let types = &node.types;
                    let (kind, full_kind) = (names.short(full(types)), full_name(types));
                    let label = EdgeLabel { name: line(name), kind, full_kind, ancestors: ancestors(types) };
                    edges.add(Edge::labeled(from, *to, label));
                }
                if fitting.is_empty() {
                    let asked = names.short(full(&node.types));
                    diagram_node.dangling.push(OpenRequirement {
                        name: line(name),
                        asked,
                        is_optional: false,
                        number: 1,
                    });
                }
            }
            graph.nodes.push(diagram_node);
        }
        graph.edges = edges.into_list();
        graph
    }
}

/// Returns the nodes of a service that other services substitute.
fn substituted(service: &Service) -> impl Iterator<Item = (&str, &normal::Node)> {
    service.nodes.iter().filter(|(_, node)| node.is_substituted()).map(|(name, node)| (&**name, node))
}

/// Returns the box of a service: the type that it substitutes and its mappings.
fn node(service: &Service, names: &ShortNames, most: usize) -> Node {
    let mut node = Node::new(last_segments(&service.file), "");
    node.full_kind = line(&service.file);
    let Some(substitution) = &service.substitution else { return node };
    node.kind = line(&format!("substitutes {}", names.short(full(&substitution.types))));
    node.full_kind = full_name(&substitution.types);
    if node.full_kind.is_empty() {
        "substitutes an unknown type".clone_into(&mut node.kind);
    }
    node.ancestors = ancestors(&substitution.types);
    node.location = substitution.source.as_ref().map(location);
    let of_capabilities =
        substitution.capabilities.iter().filter_map(|it| Some((&it.capability, &it.target.as_ref()?.node)));
    let of_requirements = substitution.requirements.iter();
    let of_requirements = of_requirements.filter_map(|it| Some((&it.requirement, &it.targets.first()?.node)));
    let rows = of_capabilities.chain(of_requirements).map(|(name, target)| (line(name), line(target)));
    node.rows = rows.take(most).collect();
    node
}
