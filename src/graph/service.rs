//! Diagrams of services.

use std::ops::Range;

use foldhash::HashMap;
use indexmap::IndexMap;
use petgraph::unionfind::UnionFind;
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
    let mut indices: HashMap<Name, usize> = HashMap::default();
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
        let mut open = Vec::new();
        for requirement in &template.requirements {
            match requirement.target.as_ref().map(|target| indices.get(&target.node)) {
                Some(Some(target)) => edges.add(edge(nodes.len(), *target, requirement, &names)),
                Some(None) | None => open.push(dangling(requirement, &names)),
            }
        }
        node.dangling = OpenRequirement::merged(open);
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
    nodes: &HashMap<Name, usize>,
    names: &ShortNames,
) -> (Vec<Group>, HashMap<&'a str, Container>) {
    let nesting = Nesting::of(service);
    let mut chosen: IndexMap<&str, (usize, Vec<usize>)> = IndexMap::new();
    for (index, group) in service.groups.values().enumerate() {
        for node in group.nodes.iter().filter(|node| nodes.contains_key(*node)) {
            let (home, others) = chosen.entry(node).or_insert((index, Vec::new()));
            if nesting.contains(*home, index) {
                *home = index;
            } else if !nesting.contains(index, *home) && others.last() != Some(&index) {
                others.push(index);
            }
        }
    }
    // Outer frames come first, so that inner ones are drawn over them.
    let mut groups: IndexMap<usize, Group> = IndexMap::new();
    let mut homes = HashMap::default();
    for (node, (home, others)) in chosen {
        let mut parent = None;
        for index in nesting.frames(home) {
            let Some((name, of_template)) = service.groups.get_index(index) else { continue };
            let entry = groups.entry(index);
            let frame = entry.index();
            entry.or_insert_with(|| Group {
                name: line(name),
                kind: names.short(full(&of_template.types)),
                full_kind: full_name(&of_template.types),
                parent,
            });
            parent = Some(frame);
        }
        if let Some(group) = parent {
            let others = others.into_iter().filter_map(|index| service.groups.get_index(index));
            homes.insert(node, Container { group, others: others.map(|(name, _)| line(name)).collect() });
        }
    }
    (groups.into_values().collect(), homes)
}

/// Groups in groups, by their indexes. A group that is in several others is in the first; a group that contains itself
/// is in none.
struct Nesting {
    parents: Vec<Option<usize>>,
    /// For each group, the numbers of it and the groups in it when groups are numbered from the outside in.
    numbers: Vec<Range<usize>>,
    /// The innermost group with a frame among a group and those around it.
    framed: Vec<usize>,
}

impl Nesting {
    fn of(service: &Service) -> Self {
        let count = service.groups.len();
        let mut parents = vec![None; count];
        let mut inner: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut connected = UnionFind::new(count);
        for (outer, group) in service.groups.values().enumerate() {
            for index in group.groups.iter().filter_map(|name| service.groups.get_index_of(name)) {
                // If they are connected, the outer one is in the inner one, which is in no other yet.
                if parents[index].is_none() && connected.union(outer, index) {
                    parents[index] = Some(outer);
                    inner[outer].push(index);
                }
            }
        }
        let mut nesting = Self { parents, numbers: vec![0..0; count], framed: (0..count).collect() };
        let mut number = 0;
        let tops = (0..count).filter(|index| nesting.parents[*index].is_none());
        // Each group is visited twice: before and after the groups in it.
        let mut open: Vec<(usize, usize)> = tops.map(|index| (index, 0)).collect();
        while let Some((index, depth)) = open.pop() {
            if nesting.numbers[index].end > 0 {
                nesting.numbers[index].end = number;
                continue;
            }
            nesting.numbers[index] = number..number + 1;
            number += 1;
            if let Some(parent) = nesting.parents[index].filter(|_| depth >= MAX_FRAME_DEPTH) {
                nesting.framed[index] = nesting.framed[parent];
            }
            open.push((index, depth));
            open.extend(inner[index].iter().map(|index| (*index, depth + 1)));
        }
        nesting
    }

    /// Returns whether a group is in another one, or is that group.
    fn contains(&self, outer: usize, inner: usize) -> bool {
        self.numbers[outer].contains(&self.numbers[inner].start)
    }

    /// Returns the frames around the nodes of a group, from the outside in.
    fn frames(&self, group: usize) -> Vec<usize> {
        let innermost = self.framed.get(group).copied();
        let mut frames: Vec<usize> = std::iter::successors(innermost, |inner| self.parents[*inner]).collect();
        frames.reverse();
        frames
    }
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

fn dangling(requirement: &Requirement, names: &ShortNames) -> OpenRequirement {
    let asked = match (&requirement.target, &requirement.dangling) {
        (Some(target), _) => line(&target.node),
        (None, Some(asked)) if !asked.node_types.is_empty() => names.short(full(&asked.node_types)),
        (None, Some(asked)) if !asked.capability_types.is_empty() => names.short(full(&asked.capability_types)),
        (None, Some(asked)) => asked.capability.as_deref().map(line).unwrap_or_default(),
        (None, None) => String::new(),
    };
    OpenRequirement {
        name: line(&requirement.name),
        asked,
        is_optional: requirement.optional,
        number: many(requirement),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn service(groups: &[(&str, &[&str])]) -> Service {
        let group = |inner: &[&str]| normal::Group {
            groups: inner.iter().map(|name| (*name).into()).collect(),
            ..normal::Group::default()
        };
        let groups = groups.iter().map(|(name, inner)| ((*name).into(), group(inner))).collect();
        Service { groups, ..Service::default() }
    }

    #[test]
    fn groups_are_in_the_first_group_that_contains_them() {
        let ring =
            service(&[("a", &["b"]), ("b", &["c", "unknown"]), ("c", &["a"]), ("d", &["c"]), ("e", &["d", "e"])]);
        let nesting = Nesting::of(&ring);
        assert_eq!(nesting.parents, [None, Some(0), Some(1), Some(4), None]);
        let inside = |outer: usize| (0..5).filter(|inner| nesting.contains(outer, *inner)).collect::<Vec<_>>();
        assert_eq!([0, 1, 2, 3, 4].map(inside), [vec![0, 1, 2], vec![1, 2], vec![2], vec![3], vec![3, 4]]);
    }

    #[test]
    fn only_outer_groups_have_frames() {
        let row = service(&[("a", &["b"]), ("b", &["c"]), ("c", &["d"]), ("d", &["e"]), ("e", &[])]);
        let nesting = Nesting::of(&row);
        assert_eq!(
            [0, 1, 2, 3, 4].map(|group| nesting.frames(group)),
            [vec![0], vec![0, 1], vec![0, 1, 2], vec![0, 1, 2], vec![0, 1, 2]]
        );
    }
}
