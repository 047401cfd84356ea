//! Diagrams of types and their parents, and of files and their imports, in any language.

use rustc_hash::{FxHashMap, FxHashSet};
use tosca_parse_engine::entity::{AnyId, Inherit};
use tosca_parse_engine::phase::inheritance::Complete;
use tosca_parse_engine::phase::{Program, Unit, Units};

use crate::text::{self, last_segments, line};
use crate::{Direction, Edge, Graph, Location, Node, Options, ShortNames, ToGraph};

/// The types that the files of a program define, with an arrow from each to the types that it is derived from. Built-in
/// types are drawn only if others are derived from them.
#[derive(Clone, Copy, Debug)]
pub struct Inheritance<'a>(pub &'a Program<Complete>);

impl ToGraph for Inheritance<'_> {
    fn to_graph(&self, options: Options) -> Graph {
        let Self(program) = *self;
        let mut graph = Graph { direction: Direction::Up, ..Graph::new(title(program)) };
        let own = program.list.iter().filter(|unit| !is_built_in(unit));
        let mut types: Vec<AnyId> =
            own.flat_map(|unit| unit.types()).filter(|id| !program.name(*id).is_empty()).collect();
        let own = types.len();
        let mut places: FxHashMap<AnyId, usize> = types.iter().copied().zip(0..).collect();
        let mut next = 0;
        while let Some(id) = types.get(next).copied() {
            for parent in parents(program, id) {
                let to = *places.entry(*parent).or_insert_with(|| {
                    types.push(*parent);
                    types.len() - 1
                });
                graph.edges.push(Edge::new(next, to, "", ""));
            }
            next += 1;
        }
        let mut names = ShortNames::default();
        types.iter().for_each(|id| names.add(program.name(*id)));
        for (index, id) in types.iter().enumerate() {
            let full = program.name(*id);
            let rows = if index < own { members(program, *id, options.properties) } else { Vec::new() };
            graph.nodes.push(Node {
                name: names.short(full),
                kind: program.raw(*id).map_or("type", |entity| entity.description().title).to_owned(),
                full_kind: text::name(full),
                ancestors: ancestors(program, *id),
                rows,
                location: location(program, *id),
                ..Node::default()
            });
        }
        graph
    }
}

fn title(units: &Units) -> &str {
    units.list.first().map_or("", |unit| unit.source.name())
}

fn is_built_in(unit: &Unit) -> bool {
    unit.implicit.is_some() || unit.is_data || unit.source.name().starts_with("builtin:")
}

fn parents(program: &Program<Complete>, id: AnyId) -> &[AnyId] {
    program.lineage(id).filter(|lineage| lineage.cycle.is_none()).map_or(&[], |lineage| lineage.parents())
}

/// The maximum number of ancestors that filters apply to. Without a limit, a chain of types would take memory in
/// proportion to the square of its length.
const MAX_ANCESTORS: usize = 64;

/// Returns the names of the nearest types that a type is directly or indirectly derived from.
fn ancestors(program: &Program<Complete>, id: AnyId) -> Vec<String> {
    let mut found: Vec<AnyId> = parents(program, id).to_vec();
    let mut known: FxHashSet<AnyId> = found.iter().copied().collect();
    let mut next = 0;
    while let Some(id) = found.get(next).copied().filter(|_| found.len() < MAX_ANCESTORS) {
        found.extend(parents(program, id).iter().filter(|parent| known.insert(**parent)));
        next += 1;
    }
    found.into_iter().take(MAX_ANCESTORS).map(|id| text::name(program.name(id))).collect()
}

/// The length from which names of members continue in the next row, in characters.
const MAX_ROW: usize = 24;

/// Returns the first members that a type declares itself: rows of names that belong to the same keyname.
fn members(program: &Program<Complete>, id: AnyId, most: usize) -> Vec<(String, String)> {
    let (Some(entity), Some(unit)) = (program.raw(id), program.unit(id.unit)) else { return Vec::new() };
    let mut rows: Vec<(String, String)> = Vec::new();
    let mut number = 0;
    for (index, field) in entity.description().fields.iter().enumerate() {
        if matches!(field.inherit, Some(Inherit::Refine | Inherit::Replace | Inherit::Extend)) {
            entity.field(index).visit_children(&mut |child| {
                let name = line(program.name(child));
                if number == most || name.is_empty() {
                    return;
                }
                number += 1;
                let section = field.keyname(unit.version);
                let fits = |text: &str| text.chars().count() + name.chars().count() < MAX_ROW;
                match rows.last_mut().filter(|(last, names)| last == section && fits(names)) {
                    Some((_, names)) => names.extend([", ", &*name]),
                    None => rows.push((section.to_owned(), name)),
                }
            });
        }
    }
    rows
}

fn location(units: &Units, id: AnyId) -> Option<Location> {
    let (unit, span) = units.unit(id.unit).zip(units.name_span(id))?;
    let position = unit.source.line_column(span.start);
    let file = unit.source.name().to_owned();
    (!is_built_in(unit)).then_some(Location { file, line: position.line, column: position.column })
}

/// The files of a program, with an arrow for each import. Files that are imported implicitly are omitted.
#[derive(Clone, Copy, Debug)]
pub struct Imports<'a>(pub &'a Units);

impl ToGraph for Imports<'_> {
    fn to_graph(&self, _: Options) -> Graph {
        let Self(units) = *self;
        let mut graph = Graph::new(title(units));
        let mut places: FxHashMap<usize, usize> = FxHashMap::default();
        for (index, unit) in units.list.iter().enumerate().filter(|(_, unit)| unit.implicit.is_none() && !unit.is_data)
        {
            places.insert(index, graph.nodes.len());
            let name = unit.source.name();
            let types = unit.types().count();
            let rows = if types > 0 { vec![("types".to_owned(), types.to_string())] } else { Vec::new() };
            let location = (!is_built_in(unit)).then(|| Location { file: name.to_owned(), line: 1, column: 1 });
            let kind = unit.language.version_title(unit.version);
            graph.nodes.push(Node { rows, location, ..Node::new(last_segments(name), kind) });
            let node = graph.nodes.last_mut();
            node.into_iter().filter(|node| node.name != name).for_each(|node| node.full_kind = text::name(name));
        }
        for (index, links) in units.links.iter().enumerate() {
            for link in links {
                let Some((from, to)) = places.get(&index).zip(places.get(&link.unit)) else { continue };
                let prefix = link.prefix.map_or("", |prefix| units.text(prefix));
                graph.edges.push(Edge::new(*from, *to, prefix, ""));
            }
        }
        graph
    }
}
