//! Diagrams of classes: a box per class with its properties and an arrow to each class that it extends.

use rustc_hash::FxHashMap;

use tosca_parse_engine::entity::{AnyId, Entity as _};
use tosca_parse_engine::phase::Program;
use tosca_parse_engine::phase::inheritance::Complete;
use tosca_parse_graph::text::line;
use tosca_parse_graph::{Edge, Graph, Node};

use crate::language::{Class, MURANO, Property};

/// Returns the classes of the program's own packages, with at most `members` properties each, and the classes they
/// extend.
pub(super) fn graph(program: &Program<Complete>, members: usize) -> Graph {
    let title = program.list.first().map(|unit| line(unit.source.name())).unwrap_or_default();
    let units = program.list.iter().filter(|unit| std::ptr::eq(unit.language, &raw const MURANO));
    let own = units.filter(|unit| !unit.source.name().starts_with("builtin:"));
    let classes: Vec<AnyId> = own
        .flat_map(|unit| unit.arenas.of_kind(Class::KIND).map(|(local, _)| local.of(unit.id)))
        .filter(|id| !program.name(*id).is_empty())
        .collect();
    let mut indices: FxHashMap<AnyId, usize> = classes.iter().copied().zip(0..).collect();
    let mut nodes: Vec<Node> = classes.iter().map(|id| node(program, *id, members)).collect();
    let mut edges = Vec::new();
    for (from, class) in classes.iter().enumerate() {
        let parents = program.lineage(*class).map_or(&[][..], |lineage| lineage.parents());
        for parent in parents {
            // Classes of other packages are drawn only if the package's own classes extend them.
            let to = *indices.entry(*parent).or_insert_with(|| {
                nodes.push(node(program, *parent, 0));
                nodes.len() - 1
            });
            edges.push(Edge::new(from, to, "", "extends"));
        }
    }
    Graph { title, nodes, edges, ..Graph::default() }
}

fn node(program: &Program<Complete>, id: AnyId, members: usize) -> Node {
    let full = program.name(id);
    let (namespace, name) = full.rsplit_once('.').unwrap_or(("", full));
    let class = id.cast::<Class>().and_then(|id| program.raw_as(id));
    let rows = class.into_iter().flat_map(|class| {
        let usage = |id| program.raw_as::<Property>(id).and_then(|property| property.usage);
        class.properties.iter().take(members).map(move |(name, id)| {
            let usage = usage(id).map_or("In", |usage| usage.value.as_str());
            (line(program.text(name)), usage.to_owned())
        })
    });
    Node { name: line(name), kind: line(namespace), full_kind: line(full), rows: rows.collect(), ..Node::default() }
}
