//! Dependency loops.

use foldhash::HashMap;
use tosca_parse::ard::{Kind, Node};
use tosca_parse::diagnostic::Span;
use tosca_parse::phase::{Context, DiagnosticExt as _};

use super::registry::{Meaning, Registry};
use super::value::Checker;
use super::{imported_by, is_path};
use crate::function::call;
use crate::grammar::Template;
use crate::rules;

/// A loop in a graph: its first nodes in order, and the position that leads from the first to the next one.
struct Loop {
    nodes: Vec<usize>,
    is_cut: bool,
    at: Span,
}

/// The maximum number of names in the path of a loop.
const MAX_PATH: usize = 10;

/// Returns the loops that a depth-first search from each node finds.
fn loops(edges: &[Vec<(usize, Span)>]) -> Vec<Loop> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        /// In the path, at this index.
        Open(usize),
        Done,
    }
    let mut states = vec![State::New; edges.len()];
    let mut found = Vec::new();
    for start in 0..edges.len() {
        if states[start] != State::New {
            continue;
        }
        states[start] = State::Open(0);
        let mut path = vec![(start, 0)];
        while let Some((node, next)) = path.last_mut() {
            let Some((target, _)) = edges[*node].get(*next).copied() else {
                states[*node] = State::Done;
                path.pop();
                continue;
            };
            *next += 1;
            match states[target] {
                State::New => {
                    states[target] = State::Open(path.len());
                    path.push((target, 0));
                }
                State::Open(from) => {
                    let (node, next) = path[from];
                    let nodes = path[from..].iter().take(MAX_PATH).map(|(node, _)| *node).collect();
                    let is_cut = path.len() - from > MAX_PATH;
                    found.push(Loop { nodes, is_cut, at: edges[node][next - 1].1 });
                }
                State::Done => {}
            }
        }
    }
    found
}

fn report(checker: &mut Checker<'_, '_>, what: &str, edges: &[Vec<(usize, Span)>], names: &[&str]) {
    for found in loops(edges) {
        let quoted = |node: usize| format!("`{}`", names[node]);
        let mut path: Vec<_> = found.nodes.iter().map(|node| quoted(*node)).collect();
        if found.is_cut {
            path.push("…".to_owned());
        }
        path.push(quoted(found.nodes[0]));
        let message = format!("{what} {} depends on itself: {}", path[0], path.join(" → "));
        checker
            .context
            .problem(&rules::DEPENDENCY_CYCLE, Some(found.at), message)
            .help("remove one of the dependencies");
    }
}

/// Reports resources that depend on themselves.
pub(crate) fn resources(checker: &mut Checker<'_, '_>) {
    let edges = std::mem::take(&mut checker.edges);
    let names: Vec<_> = checker.scope.resources.iter().map(|known| known.name).collect();
    report(checker, "resource", &edges, &names);
}

/// Reports templates that use themselves, by their paths or through environments.
pub(crate) fn templates(checker: &mut Checker<'_, '_>) {
    let program = checker.context.program;
    let uses = |place| uses_of(checker.context, &checker.scope.registry, place);
    let edges: Vec<Vec<_>> = (0..program.list.len()).map(uses).collect();
    let names: Vec<_> = program.list.iter().map(|unit| unit.source.name()).collect();
    report(checker, "template", &edges, &names);
}

/// Returns the units of the templates that are the types of a unit's resources.
fn uses_of<'a>(context: &Context<'a>, registry: &Registry<'a>, place: usize) -> Vec<(usize, Span)> {
    let unit = &context.program.list[place];
    let template = unit.root.and_then(|root| context.get(root.cast::<Template>()?));
    let Some(template) = template else { return Vec::new() };
    let imports = imported_by(context.program, place).filter_map(|(entity, nested)| {
        let ty = context.program.keyname_span(entity, "type");
        Some((nested.unit, ty?))
    });
    // A template with thousands of resources may be used by thousands of others.
    let resources = template.resources.iter().filter(|_| registry.replaces());
    let replaced = resources.filter_map(|(_, id)| {
        let reference = context.get(id)?.r#type?;
        let name = context.text(reference.name);
        if is_path(name) {
            return None;
        }
        let Meaning::Template(Some(nested), _) = registry.meaning(context, id.any(), name, None) else { return None };
        Some((nested.unit, context.reference_span(reference)?))
    });
    imports.chain(replaced).collect()
}

/// Reports conditions that depend on themselves.
pub(crate) fn conditions(checker: &mut Checker<'_, '_>) {
    let mut all: Vec<_> = checker.scope.conditions.iter().map(|(name, node)| (*name, *node)).collect();
    all.sort_unstable_by_key(|(_, node)| node.id().index());
    let names: Vec<_> = all.iter().map(|(name, _)| *name).collect();
    let numbers: HashMap<_, _> = names.iter().zip(0..).collect();
    let mut edges = Vec::new();
    for (_, node) in &all {
        let mut used = Vec::new();
        uses(checker, *node, false, &mut used);
        edges.push(used.into_iter().filter_map(|node| Some((*numbers.get(&node.text())?, node.span()))).collect());
    }
    report(checker, "condition", &edges, &names);
}

/// Collects the names of conditions that a condition uses.
fn uses<'n>(checker: &Checker<'_, '_>, node: Node<'n>, is_operand: bool, used: &mut Vec<Node<'n>>) {
    if is_operand && node.kind() == Kind::String {
        used.push(node);
    }
    let Some((function, arguments)) = call(node, checker.scope.version, true) else { return };
    match function.name() {
        "not" => uses(checker, arguments, true, used),
        "and" | "or" => arguments.items().for_each(|item| uses(checker, item, true, used)),
        _ => {}
    }
}
