//! What is worth drawing of a service.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::text::{brief, full, line, short};
use super::{Dangling, Edge, Graph, Group, Node};
use crate::normal::{self, Property, Requirement, Service, State, Types, Value};

/// Frames within frames; what is deeper is drawn in the last of them.
pub(super) const DEPTH: usize = 3;

pub(super) fn graph(service: &Service, properties: usize) -> Graph {
    let names = Names::of(service);
    let (groups, homes) = groups(service, &names);
    let indices: FxHashMap<&str, usize> =
        service.nodes.keys().enumerate().map(|(index, name)| (&**name, index)).collect();
    let mut edges = Edges::default();
    let mut nodes = Vec::with_capacity(service.nodes.len());
    for (index, (name, template)) in service.nodes.iter().enumerate() {
        let home = homes.get(&**name);
        let mut node = Node {
            name: line(name),
            kind: names.show(&template.types),
            full_kind: line(full(&template.types)),
            number: number(template),
            rows: rows(name, template, properties),
            also_in: home.map(|home| home.others.clone()).unwrap_or_default(),
            directive: template.directives.iter().find(|directive| **directive != "create".into()).map(|it| line(it)),
            group: home.map(|home| home.group),
            ..Node::default()
        };
        for requirement in &template.requirements {
            match requirement.target.as_ref().map(|target| indices.get(&*target.node)) {
                Some(Some(target)) => edges.add(edge(index, *target, requirement, &names)),
                Some(None) | None => dangling(&mut node.dangling, requirement, &names),
            }
        }
        nodes.push(node);
    }
    Graph { title: line(&service.file), nodes, groups, edges: edges.into_list() }
}

/// Short names of types, where they are clear.
#[derive(Default)]
pub(super) struct Names<'a> {
    /// Full names by short ones; nothing where there are several.
    by_short: FxHashMap<&'a str, Option<&'a str>>,
}

impl<'a> Names<'a> {
    fn of(service: &'a Service) -> Self {
        let mut names = Self::default();
        for node in service.nodes.values() {
            names.add(full(&node.types));
            for requirement in &node.requirements {
                names.add(full(&requirement.relationship.types));
                if let Some(asked) = &requirement.dangling {
                    names.add(full(&asked.node_types));
                    names.add(full(&asked.capability_types));
                }
            }
        }
        service.groups.values().for_each(|group| names.add(full(&group.types)));
        names
    }

    pub(super) fn add(&mut self, full: &'a str) {
        let known = self.by_short.entry(short(full)).or_insert(Some(full));
        if *known != Some(full) {
            *known = None;
        }
    }

    fn show(&self, types: &Types) -> String {
        self.short(full(types))
    }

    /// The name of a type that has been added, as short as it is clear.
    pub(super) fn short(&self, full: &str) -> String {
        let short = short(full);
        line(if self.by_short.get(short) == Some(&Some(full)) { short } else { full })
    }
}

/// Where a node is.
struct Home {
    group: usize,
    others: Vec<String>,
}

/// The frames, and which nodes are in them. Groups without nodes have no frame.
fn groups<'a>(service: &'a Service, names: &Names) -> (Vec<Group>, FxHashMap<&'a str, Home>) {
    let mut parents: FxHashMap<&str, &str> = FxHashMap::default();
    for (name, group) in &service.groups {
        for inner in group.groups.iter().filter(|inner| service.groups.contains_key(*inner)) {
            // A group that is in several others is drawn in the first; one that is in itself is drawn nowhere else.
            if !parents.contains_key(&**inner) && !chain(&parents, name).any(|outer| outer == &**inner) {
                parents.insert(inner, name);
            }
        }
    }
    let mut chosen: IndexMap<&str, (&str, Vec<&str>)> = IndexMap::new();
    for (name, group) in &service.groups {
        for node in group.nodes.iter().filter(|node| service.nodes.contains_key(*node)) {
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
    // Outer frames come first, so that inner ones are drawn upon them.
    let mut groups: IndexMap<&str, Group> = IndexMap::new();
    let mut homes = FxHashMap::default();
    for (node, (home, others)) in chosen {
        let mut way: Vec<&str> = chain(&parents, home).collect();
        way.reverse();
        way.truncate(DEPTH);
        let mut parent = None;
        for name in way {
            let types = &service.groups[name].types;
            let entry = groups.entry(name);
            let index = entry.index();
            entry.or_insert_with(|| Group {
                name: line(name),
                kind: names.show(types),
                full_kind: line(full(types)),
                parent,
            });
            parent = Some(index);
        }
        if let Some(group) = parent {
            homes.insert(node, Home { group, others: others.into_iter().map(line).collect() });
        }
    }
    (groups.into_values().collect(), homes)
}

/// A group, and those that it is in.
fn chain<'a>(parents: &FxHashMap<&'a str, &'a str>, name: &'a str) -> impl Iterator<Item = &'a str> {
    std::iter::successors(Some(name), |inner| parents.get(inner).copied())
}

fn number(template: &normal::Node) -> Option<String> {
    match template.count.as_ref()? {
        Value::Integer(1) => None,
        // What nobody knows yet is called what those call it who will say it.
        Value::Call(call) if &*call.name == "get_input" && call.arguments.len() == 1 => {
            Some(format!("×{}", brief("", &call.arguments[0])?))
        }
        other => Some(format!("×{}", brief("", other)?)),
    }
}

/// What is given in the template, as far as there is room. What only repeats the name of the node says nothing.
fn rows(node: &str, template: &normal::Node, most: usize) -> Vec<(String, String)> {
    let row = |prefix: &str, (name, property): (&normal::Name, &std::sync::Arc<Property>)| {
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

fn dangling(list: &mut Vec<Dangling>, requirement: &Requirement, names: &Names) {
    let asked = match (&requirement.target, &requirement.dangling) {
        (Some(target), _) => line(&target.node),
        (None, Some(asked)) if !asked.node_types.is_empty() => names.show(&asked.node_types),
        (None, Some(asked)) if !asked.capability_types.is_empty() => names.show(&asked.capability_types),
        (None, Some(asked)) => asked.capability.as_deref().map(line).unwrap_or_default(),
        (None, None) => String::new(),
    };
    let name = line(&requirement.name);
    let is_optional = requirement.optional;
    match list.iter_mut().find(|it| it.name == name && it.asked == asked && it.is_optional == is_optional) {
        Some(known) => known.number += many(requirement),
        None => list.push(Dangling { name, asked, is_optional, number: many(requirement) }),
    }
}

/// How many relationships there are, as far as it is known.
fn many(requirement: &Requirement) -> usize {
    let count = requirement.count.as_ref().and_then(Value::as_integer);
    count.and_then(|count| usize::try_from(count).ok()).unwrap_or(1)
}

fn edge(from: usize, to: usize, requirement: &Requirement, names: &Names) -> Edge {
    let types = &requirement.relationship.types;
    let (name, kind, full_kind) = (line(&requirement.name), names.show(types), line(full(types)));
    Edge { from, to, name, kind, full_kind, number: many(requirement) }
}

/// Arrows, of which there is one for everything that looks the same.
#[derive(Default)]
pub(super) struct Edges {
    list: Vec<Edge>,
    known: FxHashMap<(usize, usize, String, String), usize>,
}

impl Edges {
    pub(super) fn add(&mut self, edge: Edge) {
        let key = (edge.from, edge.to, edge.name.clone(), edge.full_kind.clone());
        match self.known.get(&key) {
            Some(known) => self.list[*known].number += edge.number,
            None => {
                self.known.insert(key, self.list.len());
                self.list.push(edge);
            }
        }
    }

    pub(super) fn into_list(self) -> Vec<Edge> {
        self.list
    }
}
