//! Semantic tokens and inlay hints.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use serde_json::{Value, json};
use tosca_parse::ard::Kind;
use tosca_parse::entity::{AnyId, Keyname, Shape, Value as Raw, field_of};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::namespace::ReferenceResolver as _;
use tosca_parse::phase::{Program, Unit};
use tosca_parse::position_context::field_of_key;

use crate::enclosing;
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{Position, Range};

/// The token types.
pub(crate) const KINDS: [&str; 4] = ["keyword", "class", "variable", "property"];

/// The token modifiers.
pub(crate) const MODIFIERS: [&str; 1] = ["declaration"];

/// The maximum number of defaults in one hint.
const MOST: usize = 4;

#[derive(Clone, Copy)]
enum Word {
    Keyword = 0,
    Class = 1,
    Variable = 2,
    Property = 3,
}

/// Returns the tokens of the entry, as the protocol encodes them.
pub(crate) fn tokens(parsed: &Parsed) -> Vec<u32> {
    let Some(unit) = parsed.unit() else { return Vec::new() };
    let program = &parsed.outcome.program;
    let mut words: BTreeMap<(u32, u32), (Word, u32)> = BTreeMap::new();
    let mut add = |node: tosca_parse::ard::Node<'_>, word: Word, modifiers: u32| {
        let span = node.span();
        if span.source == unit.id && span.end > span.start {
            words.insert((span.start, span.end), (word, modifiers));
        }
    };
    for number in 0..unit.language.kinds.len() as u8 {
        let kind = tosca_parse::entity::Kind(number);
        for (id, entity) in unit.arenas.of_kind(kind) {
            let Some(header) = unit.arenas.header(id) else { continue };
            let node = unit.document.node(header.node);
            for entry in node.entries().filter(|entry| !entry.merged) {
                let found = field_of_key(entity.description(), unit.version, entry.key.text());
                if found.is_some_and(|(_, keyname)| keyname.name != Keyname::ANY) {
                    add(entry.key, Word::Keyword, 0);
                }
                let is_values = found.is_some_and(|(field, _)| matches!(field.shape, Shape::Values));
                for inner in entry.value.entries().filter(|inner| is_values && !inner.merged) {
                    add(inner.key, Word::Property, 0);
                }
            }
            if !program.name(id.of(unit.id)).is_empty() {
                let is_type = entity.description().is_type();
                add(unit.document.node(header.key), if is_type { Word::Class } else { Word::Variable }, 1);
            }
        }
    }
    for (reference, node, ..) in unit.references() {
        let is_type = program.target(reference).is_some_and(|id| program.lineage(id).is_some());
        add(unit.document.node(node), if is_type { Word::Class } else { Word::Variable }, 0);
    }
    encoded(unit, words)
}

/// Encodes tokens, each relative to the previous one. Tokens that span several lines are omitted.
fn encoded(unit: &Unit, words: BTreeMap<(u32, u32), (Word, u32)>) -> Vec<u32> {
    let mut data = Vec::with_capacity(words.len() * 5);
    let mut last = Position { line: 0, character: 0 };
    let mut end = 0;
    for ((start, stop), (word, modifiers)) in words {
        let range = place::range(&unit.source, start, stop);
        if range.start.line != range.end.line || start < end {
            continue;
        }
        end = stop;
        let lines = range.start.line - last.line;
        let column = if lines == 0 { range.start.character - last.character } else { range.start.character };
        data.extend([lines, column, range.end.character - range.start.character, word as u32, modifiers]);
        last = range.start;
    }
    data
}

/// Returns the inlay hints in a range of the entry: unassigned defaults, and the targets found for open requirements.
pub(crate) fn hints(parsed: &Parsed, range: Range) -> Vec<Value> {
    let (Some(unit), program) = (parsed.unit(), &parsed.outcome.program) else { return Vec::new() };
    let mut hints = Vec::new();
    if let Some(root) = unit.root {
        visit(program, root, &[], &mut |id, sources| hints.extend(hint(program, unit, id, sources, range)));
    }
    let lines = range.start.line..=range.end.line;
    let foreseen = parsed.hints().iter().filter(|(at, _)| at.source == unit.id);
    hints.extend(foreseen.filter_map(|(at, text)| {
        let line = place::position(&unit.source, at.start).line;
        lines.contains(&line).then(|| (line, at_end(unit, line, text, "target that the parser would choose")))
    }));
    hints.sort_by_key(|(line, _)| *line);
    hints.into_iter().map(|(_, hint)| hint).collect()
}

/// Calls a function for an entity and everything nested in it, each with its definitions.
fn visit(program: &Program<Complete>, id: AnyId, sources: &[AnyId], call: &mut dyn FnMut(AnyId, &[AnyId])) {
    call(id, sources);
    let Some(entity) = program.raw(id) else { return };
    for (index, field) in entity.description().fields.iter().enumerate() {
        let mut children = Vec::new();
        entity.field(index).visit_children(&mut |child| children.push(child));
        let ident = field.assigns.and_then(|assigns| assigns.field).unwrap_or(field.ident);
        for child in children.into_iter().filter(|child| child.unit == id.unit) {
            let mut of_child: Vec<AnyId> = program.definition(child).into_iter().collect();
            let name = program.name(child);
            of_child.extend(sources.iter().filter_map(|source| program.child(*source, ident, name)));
            visit(program, child, &of_child, call);
        }
    }
}

/// Returns a hint with the defaults of the members that an entity does not assign. It is at the end of the line of the
/// keyname under which they would be assigned.
fn hint(program: &Program<Complete>, unit: &Unit, id: AnyId, sources: &[AnyId], range: Range) -> Option<(u32, Value)> {
    let entity = program.raw(id)?;
    let header = program.header(id)?;
    let node = unit.document.node(header.node);
    let is_assigning =
        |field: &tosca_parse::entity::FieldDescription| matches!(field.shape, Shape::Values) && field.assigns.is_some();
    let (_, field) = entity.description().find(is_assigning)?;
    let given = node.find(field.keyname(unit.version));
    let at = given.map_or(unit.document.node(header.key), |entry| entry.key).span();
    let line = place::position(&unit.source, at.start).line;
    if node.kind() != Kind::Map || at.source != unit.id || line < range.start.line || line > range.end.line {
        return None;
    }
    let ident = field.assigns.and_then(|assigns| assigns.field).unwrap_or(field.ident);
    let mut defaults = Vec::new();
    let assigned: FxHashSet<&str> = given.into_iter().flat_map(|entry| enclosing::keys(entry.value)).collect();
    for member in sources.iter().flat_map(|source| program.children(*source, ident)) {
        let name = program.name(member);
        if assigned.contains(name) {
            continue;
        }
        defaults.extend(default(program, unit, member).map(|value| format!("{name}: {value}")));
    }
    if defaults.is_empty() {
        return None;
    }
    let more = if defaults.len() > MOST { ", …" } else { "" };
    defaults.truncate(MOST);
    let label = format!("{{ {}{more} }}", defaults.join(", "));
    Some((line, at_end(unit, line, &label, "defaults of unassigned members")))
}

/// Returns a hint at the end of a line.
fn at_end(unit: &Unit, line: u32, label: &str, tooltip: &str) -> Value {
    let end = unit.source.line_range(line + 1).end as u32;
    json!({ "position": place::position(&unit.source, end), "label": label, "paddingLeft": true, "tooltip": tooltip })
}

/// Returns the default of a definition, if it is short.
fn default<'p>(program: &'p Program<Complete>, unit: &Unit, id: AnyId) -> Option<&'p str> {
    let entity = program.entity(id)?;
    let value = unit.language.defaults.iter().find_map(|ident| *field_of::<Option<Raw>>(entity, ident)?)?;
    let node = program.node(value.0)?;
    let is_scalar = !matches!(node.kind(), Kind::Map | Kind::List);
    Some(node.text()).filter(|text| is_scalar && text.len() <= 40 && !text.contains('\n'))
}
