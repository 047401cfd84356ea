//! Removal of nodes and edges by type.

use super::Filter;
use crate::{Edge, Graph};

pub(super) fn nodes(graph: &mut Graph, filter: &Filter) {
    if filter.is_open() {
        return;
    }
    let nodes = graph.nodes.iter();
    let keep = nodes.map(|node| filter.allows(&[&node.full_kind, &node.kind].into_iter().chain(&node.ancestors)));
    let keep: Vec<bool> = keep.collect();
    retain(graph, &keep);
}

pub(super) fn edges(graph: &mut Graph, filter: &Filter) {
    if !filter.is_open() {
        graph.edges.retain(|edge| filter.allows(&names(edge)));
    }
}

/// Decides which edges mean hosting.
pub(super) fn host(graph: &mut Graph, patterns: &[String]) {
    let filter = Filter { only: patterns.to_vec(), hidden: Vec::new() };
    for edge in &mut graph.edges {
        let is_hosting = filter.allows(&names(edge));
        edge.is_hosting = is_hosting;
    }
}

fn names(edge: &Edge) -> impl Iterator<Item = &String> + Clone {
    [&edge.label.full_kind, &edge.label.kind, &edge.label.name].into_iter().chain(&edge.label.ancestors)
}

/// Keeps some of the nodes, the edges between them, and their groups.
pub(super) fn retain(graph: &mut Graph, keep: &[bool]) {
    let places = |keep: &[bool]| -> Vec<Option<usize>> {
        let mut next = 0..;
        keep.iter().map(|keep| if *keep { next.next() } else { None }).collect()
    };
    let nodes = places(keep);
    let mut index = 0..;
    graph.nodes.retain(|_| index.next().is_some_and(|index| keep[index]));
    graph.edges.retain_mut(|edge| {
        let ends = nodes[edge.from].zip(nodes[edge.to]);
        (edge.from, edge.to) = ends.unwrap_or_default();
        ends.is_some()
    });
    let mut is_used = vec![false; graph.groups.len()];
    graph.nodes.iter().filter_map(|node| node.group).for_each(|group| is_used[group] = true);
    // Groups follow their parents.
    for group in (0..graph.groups.len()).rev() {
        if let Some(parent) = graph.groups[group].parent.filter(|_| is_used[group]) {
            is_used[parent] = true;
        }
    }
    let groups = places(&is_used);
    let mut index = 0..;
    graph.groups.retain(|_| index.next().is_some_and(|index| is_used[index]));
    graph.groups.iter_mut().for_each(|group| group.parent = group.parent.and_then(|parent| groups[parent]));
    for node in &mut graph.nodes {
        node.group = node.group.and_then(|group| groups[group]);
        node.host = node.host.and_then(|host| nodes[host]);
    }
}

impl Filter {
    fn is_open(&self) -> bool {
        self.only.is_empty() && self.hidden.is_empty()
    }

    fn allows<'a>(&self, names: &(impl Iterator<Item = &'a String> + Clone)) -> bool {
        let any = |patterns: &[String]| patterns.iter().any(|pattern| names.clone().any(|name| matches(pattern, name)));
        (self.only.is_empty() || any(&self.only)) && !any(&self.hidden)
    }
}

/// Returns whether a pattern matches a name or its last segment.
fn matches(pattern: &str, name: &str) -> bool {
    let last = name.rsplit(['.', ':']).next().unwrap_or(name);
    fits(pattern, name) || (!pattern.contains('.') && fits(pattern, last))
}

/// Returns whether a pattern matches a text.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_match_any_characters() {
        for (pattern, name) in [
            ("Compute", "tosca.nodes.Compute"),
            ("tosca.*", "tosca.nodes.Compute"),
            ("*Storage", "ObjectStorage"),
            ("a*b*c", "a.x.b.y.c"),
            ("*", ""),
            ("Compute", "tosca:Compute"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("compute", "tosca.nodes.Compute"), ("nodes.Compute", "tosca.nodes.Compute"), ("a*b*b", "ab"), ("", "a")]
        {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
