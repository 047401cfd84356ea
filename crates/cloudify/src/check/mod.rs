//! Checks that annotations can't express.
//!
//! `import` and `blueprint` compare the files of a blueprint, `input` and `value` check values against types, `call`
//! and `evaluate` the functions in them. The others are named after the entities that they check.

pub(crate) mod blueprint;
mod call;
mod evaluate;
mod group;
mod import;
mod input;
mod limit;
pub(crate) mod node;
pub(crate) mod operation;
mod scaling;
mod setting;
pub(crate) mod value;

use petgraph::Direction;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::{Help, Rule, Span};
use tosca_parse::entity::{AnyId, Entity, Id, LocalId, Text, Value};
use tosca_parse::phase::read::Reader;
use tosca_parse::phase::{Context, DiagnosticExt as _, cycle};
use tosca_parse::rules::NULL_VALUE;

/// Returns the node of an entity.
pub(crate) fn node_of<'a>(context: &Context<'a>, id: AnyId) -> Option<Node<'a>> {
    let header = context.header(id)?;
    Some(context.program.unit(id.unit)?.document.node(header.node))
}

/// Returns the node of the name of an entity.
fn key_of<'a>(context: &Context<'a>, id: AnyId) -> Option<Node<'a>> {
    let header = context.header(id)?;
    Some(context.program.unit(id.unit)?.document.node(header.key))
}

pub(crate) fn value_of<'a>(context: &Context<'a>, value: Option<Value>) -> Option<Node<'a>> {
    context.node(value?.0)
}

pub(crate) fn text_of<'a>(context: &Context<'a>, text: Option<Text>) -> Option<Node<'a>> {
    context.node(text?.0)
}

/// Reports a problem at a node.
fn report(
    context: &mut Context<'_>,
    rule: &'static Rule,
    node: Node<'_>,
    message: impl Into<String>,
    help: impl Into<Help>,
) {
    context.problem(rule, Some(node.span()), message).help(help);
}

/// Returns the kind of a node with an article, for messages.
fn kind(node: Node<'_>) -> &'static str {
    match node.kind() {
        Kind::Null => "null",
        Kind::Boolean => "a boolean",
        Kind::Integer => "an integer",
        Kind::Float => "a float",
        Kind::String => "a string",
        Kind::List => "a list",
        Kind::Map => "a map",
    }
}

/// Reports a null in place of an entity. In a blueprint, even an entity without mandatory keynames must not be empty.
fn not_null<E: Entity>(_: &E, reader: &mut Reader<'_>, id: LocalId) {
    let Some(header) = reader.header(id) else { return };
    let (key, node) = (reader.document().node(header.key), reader.document().node(header.node));
    if node.kind() == Kind::Null {
        let name = key.text();
        reader.problem(&NULL_VALUE, key, format!("`{name}` has no value")).help(format!("write `{name}: {{}}`"));
    }
}

/// Returns the value of a key of a map. Large maps don't take longer.
pub(crate) fn find<'n>(context: &Context<'_>, map: Node<'n>, key: &str) -> Option<Node<'n>> {
    Some(map.get(context.program.interner.get(key)?)?.value)
}

/// A possible member of a loop: its position and its name.
type Link = (Option<Span>, String);

/// Reports the loops of a graph, each at its first node. Nodes are in the order in which they are declared.
fn report_loops(
    context: &mut Context<'_>,
    rule: &'static Rule,
    graph: &DiGraph<Link, u32>,
    message: impl Fn(&str, &str) -> (String, &'static str),
) {
    for found in loops(graph) {
        report_loop(context, rule, graph, &found, &message);
    }
}

/// Reports a loop at its first node.
fn report_loop(
    context: &mut Context<'_>,
    rule: &'static Rule,
    graph: &DiGraph<Link, u32>,
    found: &[NodeIndex],
    message: impl Fn(&str, &str) -> (String, &'static str),
) {
    let path = cycle::describe(found.len(), |index| &graph[found[index]].1);
    let Some((at, name)) = found.first().map(|first| &graph[*first]) else { return };
    let (text, help) = message(name, &path);
    context.problem(rule, *at, text).help(help);
}

/// Returns the loops of a graph, ordered by their first nodes.
fn loops(graph: &DiGraph<Link, u32>) -> Vec<Vec<NodeIndex>> {
    let mut groups = kosaraju_scc(graph);
    groups.retain(|group| group.len() > 1 || group.iter().any(|node| graph.find_edge(*node, *node).is_some()));
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_unstable();
    groups.iter().flat_map(|group| cycle::loops(graph, Direction::Outgoing, group)).collect()
}

/// Returns a graph whose edges are pairs of numbers of nodes.
fn graph(nodes: Vec<Link>, edges: impl IntoIterator<Item = (usize, usize)>) -> DiGraph<Link, u32> {
    let mut graph = DiGraph::new();
    nodes.into_iter().for_each(|node| {
        graph.add_node(node);
    });
    for (from, to) in edges {
        graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), 0);
    }
    graph
}

/// Returns the entity of an identifier of any kind, if its type is `E`.
pub(crate) fn get<'a, E: Entity>(context: &Context<'a>, id: AnyId) -> Option<&'a E> {
    context.get(id.cast::<E>()?)
}

fn entities<'a, E: Entity>(context: &Context<'a>, ids: impl IntoIterator<Item = Id<E>>) -> Vec<&'a E> {
    ids.into_iter().filter_map(|id| context.get(id)).collect()
}

/// Returns whether a node calls a function.
fn is_call(node: Node<'_>) -> bool {
    crate::function::call(node).is_some()
}
