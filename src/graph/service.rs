//! Diagrams of services.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use tosca_parse_graph::text::line;
use tosca_parse_graph::{
    Edge, EdgeLabel, Edges, Graph, Group, MAX_FRAME_DEPTH, Node, OpenRequirement, Options, ShortNames, ToGraph,
};

use super::value::{ancestors, brief, full, full_name, location};
use crate::normal::{self, Name, Property, Requirement, Service, ServiceStream, State, Value};

/// The name by which requirements mean hosting, if no relationship type does.
const HOST: &str = "host";

/// Supports services with problems: a requirement whose target is missing is shown as open.
impl ToGraph for Service {
    fn to_graph(&self, options: Options) -> Graph {
        graph(self, options.properties, |visit| self.nodes.iter().for_each(|(name, node)| visit(name, node)))
    }
}

/// Draws the same graph with only one node of the model at a time in memory.
impl ToGraph for ServiceStream<'_> {
    fn to_graph(&self, options: Options) -> Graph {
        graph(self.service(), options.properties, |visit| self.each_node(visit))
    }
}

/// Returns the graph of a service and its nodes, which are visited twice.
fn graph(service: &Service, properties: usize, visit: impl Fn(&mut dyn FnMut(&Name, &normal::Node))) -> Graph {
    let mut names = ShortNames::default();
    let mut indices: FxHashMap<Name, usize> = FxHashMap::default();
    visit(&mut |name, template| {
        indices.insert(name.clone(), indices.len());
        add_names(&mut names, template);
    });
    service.groups.values().for_each(|group| names.add(full(&group.types)));
    let (groups, homes) = groups(service, &indices, &names);
    let mut edges = Edges::default();
    let mut nodes = Vec::with_capacity(indices.len());
    visit(&mut |name, template| {
        let home = homes.get(&**name);
        let mut node = Node {
            name: line(name),
            kind: names.short(full(&template.types)),
            full_kind: full_name(&template.types),
            ancestors: ancestors(&template.types),
            number: number(template),
            rows: rows(name, template, properties),
            also_in: home.map(|home| home.others.clone()).unwrap_or_default(),
            directive: template.directives.iter().find(|directive| **directive != "create".into()).map(|it| line(it)),
            group: home.map(|home| home.group),
            location: template.source.as_ref().map(location),
            ..Node::default()
        };
        for requirement in &template.requirements {
            match requirement.target.as_ref().map(|target| indices.get(&target.node)) {
                Some(Some(target)) => edges.add(edge(nodes.len(), *target, requirement, &names)),
                Some(None) | None => dangling(&mut node.dangling, requirement, &names),
            }
        }
        nodes.push(node);
    });
    Graph { title: line(&service.file), nodes, groups, edges: edges.into_list(), ..Graph::default() }
}

/// Adds the names of all types that a diagram shows for a node.
fn add_names(names: &mut ShortNames, node: &normal::Node) {
    names.add(full(&node.types));
    for requirement in &node.requirements {
        names.add(full(&requirement.relationship.types));
        if let Some(asked) = &requirement.dangling {
            names.add(full(&asked.node_types));
            names.add(full(&asked.capability_types));
        }
    }
}

/// The group of a node.
struct Container {
    group: usize,
    others: Vec<String>,
}

/// Returns the frames and the container of each node. Groups without nodes have no frame.
fn groups<'a>(
    service: &'a Service,
    nodes: &FxHashMap<Name, usize>,
    names: &ShortNames,
) -> (Vec<Group>, FxHashMap<&'a str, Container>) {
    let mut parents: FxHashMap<&str, &str> = FxHashMap::default();
    for (name, group) in &service.groups {
        for inner in group.groups.iter().filter(|inner| service.groups.contains_key(inner)) {
            // A group that is in several others is drawn in the first; a group that contains itself is drawn at the top
            // level.
            if !parents.contains_key(&**inner) && !chain(&parents, name).any(|outer| outer == &**inner) {
                parents.insert(inner, name);
            }
        }
    }
    let mut chosen: IndexMap<&str, (&str, Vec<&str>)> = IndexMap::new();
    for (name, group) in &service.groups {
        for node in group.nodes.iter().filter(|node| nodes.contains_key(*node)) {
            let (home, others) = chosen.entry(node).or_insert_with(|| (name, Vec::new()));
            if *home == &**name {
                continue;
            }
            if chain(&parents, name).any(|outer| outer == *home) {
                *home = name;
            } else if !chain(&parents, home).any(|outer| outer == &**name) && !others.contains(&&**name) {
                others.push(name);
            }
        }
    }
    // Outer frames come first, so that inner ones are drawn over them.
    let mut groups: IndexMap<&str, Group> = IndexMap::new();
    let mut homes = FxHashMap::default();
    for (node, (home, others)) in chosen {
        let mut way: Vec<&str> = chain(&parents, home).collect();
        way.reverse();
        way.truncate(MAX_FRAME_DEPTH);
        let mut parent = None;
        for name in way {
            let types = &service.groups[name].types;
            let entry = groups.entry(name);
            let index = entry.index();
            entry.or_insert_with(|| Group {
                name: line(name),
                kind: names.short(full(types)),
                full_kind: full_name(types),
                parent,
            });
            parent = Some(index);
        }
        if let Some(group) = parent {
            homes.insert(node, Container { group, others: others.into_iter().map(line).collect() });
        }
    }
    (groups.into_values().collect(), homes)
}

/// Returns a group and the groups around it.
fn chain<'a>(parents: &FxHashMap<&'a str, &'a str>, name: &'a str) -> impl Iterator<Item = &'a str> {
    std::iter::successors(Some(name), |inner| parents.get(inner).copied())
}

fn number(template: &normal::Node) -> Option<String> {
    match template.count.as_ref()? {
        Value::Integer(1) => None,
        // An unknown value is labeled with the name of its input.
        Value::Call(call) if &*call.name == "get_input" && call.arguments.len() == 1 => {
            Some(format!("×{}", brief("", &call.arguments[0])?))
        }
        other => Some(format!("×{}", brief("", other)?)),
    }
}

/// Returns the assigned values of a template, up to a limit. A value that only repeats the name of the node is
/// omitted.
fn rows(node: &str, template: &normal::Node, most: usize) -> Vec<(String, String)> {
    let row = |prefix: &str, (name, property): (&Name, &std::sync::Arc<Property>)| {
        let value = property.value.as_ref().filter(|_| property.state == State::Assigned)?;
        let is_new = value.as_str() != Some(node);
        is_new.then_some((line(&[prefix, name].concat()), brief(name, value)?))
    };
    let own = template.properties.iter().filter_map(|property| row("", property));
    let of_capabilities = template.capabilities.iter().flat_map(|(name, capability)| {
        let prefix = format!("{name}.");
        capability.properties.iter().filter_map(move |property| row(&prefix, property))
    });
    own.chain(of_capabilities).take(most).collect()
}

fn dangling(list: &mut Vec<OpenRequirement>, requirement: &Requirement, names: &ShortNames) {
    let asked = match (&requirement.target, &requirement.dangling) {
        (Some(target), _) => line(&target.node),
        (None, Some(asked)) if !asked.node_types.is_empty() => names.short(full(&asked.node_types)),
        (None, Some(asked)) if !asked.capability_types.is_empty() => names.short(full(&asked.capability_types)),
        (None, Some(asked)) => asked.capability.as_deref().map(line).unwrap_or_default(),
        (None, None) => String::new(),
    };
    let name = line(&requirement.name);
    let is_optional = requirement.optional;
    match list.iter_mut().find(|it| it.name == name && it.asked == asked && it.is_optional == is_optional) {
        Some(known) => known.number += many(requirement),
        None => list.push(OpenRequirement { name, asked, is_optional, number: many(requirement) }),
    }
}

/// Returns the number of relationships; 1 if it is unknown.
fn many(requirement: &Requirement) -> usize {
    let count = requirement.count.as_ref().and_then(Value::as_integer);
    count.and_then(|count| usize::try_from(count).ok()).unwrap_or(1)
}

fn edge(from: usize, to: usize, requirement: &Requirement, names: &ShortNames) -> Edge {
    let types = &requirement.relationship.types;
    let (name, kind, full_kind) = (line(&requirement.name), names.short(full(types)), full_name(types));
    let is_hosting = normal::is_hosting(&requirement.relationship) || &*requirement.name == HOST;
    let label = EdgeLabel { name, kind, full_kind, ancestors: ancestors(types) };
    Edge { number: many(requirement), is_hosting, ..Edge::labeled(from, to, label) }
}
