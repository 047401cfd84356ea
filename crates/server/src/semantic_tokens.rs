//! Semantic tokens and inlay hints.

use std::collections::BTreeMap;

use foldhash::HashSet;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use tosca_parse::ard::{Kind, Node};
use tosca_parse::entity::{
    AnyId, FieldDescription, Keyname, Lookup, Reference, Shape, Undeclared, Value as Raw, field_of,
};
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

/// The token modifiers, by bit. `unresolved` is not among those of the protocol.
pub(crate) const MODIFIERS: [&str; 4] = ["declaration", "deprecated", "defaultLibrary", "unresolved"];

const DECLARATION: u32 = 1;
const DEPRECATED: u32 = 1 << 1;
const BUILT_IN: u32 = 1 << 2;
const UNRESOLVED: u32 = 1 << 3;

/// The maximum number of defaults in one hint.
const MAX: usize = 4;

#[derive(Clone, Copy)]
enum Word {
    Keyword = 0,
    Class = 1,
    Variable = 2,
    Property = 3,
}

/// Returns the tokens of the entry, or of a range of it, as the protocol encodes them.
pub(crate) fn tokens(parsed: &Parsed, range: Option<Range>) -> Vec<u32> {
    let Some(unit) = parsed.unit() else { return Vec::new() };
    let program = &parsed.outcome.program;
    let offset = |at: Position| place::offset(&unit.source, at);
    let (start, end) = range.map_or((0, u32::MAX), |range| (offset(range.start), offset(range.end)));
    let mut words: BTreeMap<(u32, u32), (Word, u32)> = BTreeMap::new();
    let is_here = |node: Node<'_>| {
        let span = node.span();
        span.source == unit.id && span.end > span.start && span.start < end && start < span.end
    };
    let mut add = |node: Node<'_>, word: Word, modifiers: u32| {
        let span = node.span();
        words.insert((span.start, span.end), (word, modifiers));
    };
    let mut members = Members { parsed, deprecated: FxHashMap::default(), sources: FxHashMap::default() };
    if let Some(root) = unit.root {
        visit(program, root, &[], &mut |id, sources| members.add(id, sources));
    }
    for number in 0..unit.language.kinds.len() as u8 {
        let kind = tosca_parse::entity::Kind(number);
        for (id, entity) in unit.arenas.of_kind(kind) {
            let Some(header) = unit.arenas.header(id) else { continue };
            let (node, id) = (unit.document.node(header.node), id.of(unit.id));
            for entry in node.entries().filter(|entry| !entry.merged) {
                let found = field_of_key(entity.description(), unit.version, entry.key.text());
                if found.is_some_and(|(_, keyname)| keyname.name != Keyname::ANY) && is_here(entry.key) {
                    add(entry.key, Word::Keyword, 0);
                }
                let values = found.filter(|(field, _)| matches!(field.shape, Shape::Values));
                for (inner, (field, _)) in entry.value.entries().filter_map(|inner| Some((inner, values?))) {
                    if !inner.merged && is_here(inner.key) {
                        add(inner.key, Word::Property, members.modifiers(id, field, inner.key.text()));
                    }
                }
            }
            let key = unit.document.node(header.key);
            if !program.name(id).is_empty() && is_here(key) {
                let is_type = entity.description().is_type();
                let modifiers = if members.is_deprecated(id) { DECLARATION | DEPRECATED } else { DECLARATION };
                add(key, if is_type { Word::Class } else { Word::Variable }, modifiers);
            }
        }
    }
    for (reference, node, field, _) in unit.references() {
        let node = unit.document.node(node);
        if !is_here(node) {
            continue;
        }
        let target = program.target(reference);
        let is_type = target.is_some_and(|id| program.lineage(id).is_some());
        let modifiers = match target {
            Some(id) => members.of_target(id),
            None if is_missing(program, reference, field, node.text()) => UNRESOLVED,
            None => 0,
        };
        add(node, if is_type { Word::Class } else { Word::Variable }, modifiers);
    }
    encoded(unit, words)
}

/// Returns whether a name without a target must have one.
fn is_missing(program: &Program<Complete>, reference: Reference<()>, field: &FieldDescription, name: &str) -> bool {
    let is_free = |lookup: &Lookup| lookup.optional || lookup.known.contains(&name);
    !field.lookup.as_ref().is_some_and(is_free) && !program.means_no_parent(reference)
}

/// The facts about members of definitions, looked up once.
struct Members<'p> {
    parsed: &'p Parsed,
    deprecated: FxHashMap<AnyId, bool>,
    /// The definitions of entities that assign values.
    sources: FxHashMap<AnyId, Vec<AnyId>>,
}

impl Members<'_> {
    fn add(&mut self, id: AnyId, sources: &[AnyId]) {
        let program = &self.parsed.outcome.program;
        let assigns = |field: &FieldDescription| matches!(field.shape, Shape::Values) && field.assigns.is_some();
        if !sources.is_empty() && program.raw(id).is_some_and(|entity| entity.description().find(assigns).is_some()) {
            self.sources.insert(id, sources.to_vec());
        }
    }

    fn is_deprecated(&mut self, id: AnyId) -> bool {
        let program = &self.parsed.outcome.program;
        *self.deprecated.entry(id).or_insert_with(|| enclosing::note(program, id).is_deprecated)
    }

    /// Returns the modifiers of a name that an entity assigns in a field.
    fn modifiers(&mut self, id: AnyId, field: &FieldDescription, name: &str) -> u32 {
        let program = &self.parsed.outcome.program;
        let (Some(sources), Some(assigns)) = (self.sources.get(&id), field.assigns) else { return 0 };
        let idents = [Some(assigns.field.unwrap_or(field.ident)), assigns.also];
        let mut definitions = idents.into_iter().flatten().flat_map(|ident| sources.iter().map(move |id| (*id, ident)));
        let is_complete = sources.iter().all(|id| program.gap(*id).is_none());
        match definitions.find_map(|(id, ident)| program.child(id, ident, name)) {
            Some(member) if self.is_deprecated(member) => DEPRECATED,
            None if is_complete && assigns.undeclared == Undeclared::Error => UNRESOLVED,
            _ => 0,
        }
    }

    fn of_target(&mut self, id: AnyId) -> u32 {
        let unit = self.parsed.outcome.program.unit(id.unit);
        let is_built_in = unit.is_some_and(|unit| unit.implicit.is_some())
            || self.parsed.address(id.unit).is_some_and(|address| address.scheme() == "builtin");
        let deprecated = if self.is_deprecated(id) { DEPRECATED } else { 0 };
        deprecated | if is_built_in { BUILT_IN } else { 0 }
    }
}

/// The tokens that the editor has received for open documents, for deltas.
#[derive(Debug, Default)]
pub(crate) struct SentTokens {
    /// The tokens by document, with the number of the result.
    list: BTreeMap<String, (u64, Vec<u32>)>,
    /// The number of results so far.
    count: u64,
}

impl SentTokens {
    /// Returns an answer with all tokens of a document, and keeps them.
    pub(crate) fn full(&mut self, file: String, data: Vec<u32>) -> Value {
        self.count += 1;
        let answer = json!({ "resultId": self.count.to_string(), "data": data });
        self.list.insert(file, (self.count, data));
        answer
    }

    /// Returns an answer with the difference between the tokens of a previous result and new ones, and keeps these. If
    /// it was not the last result, the answer has all tokens.
    pub(crate) fn delta(&mut self, file: String, previous: &str, data: Vec<u32>) -> Value {
        let is_last = |(number, _): &&(u64, Vec<u32>)| number.to_string() == previous;
        let Some(edits) = self.list.get(&file).filter(is_last).map(|(_, old)| difference(old, &data)) else {
            return self.full(file, data);
        };
        self.count += 1;
        self.list.insert(file, (self.count, data));
        json!({ "resultId": self.count.to_string(), "edits": edits })
    }

    /// Drops the tokens of a document.
    pub(crate) fn forget(&mut self, file: &str) {
        self.list.remove(file);
    }
}

/// Returns the edit that changes encoded tokens to others: everything but equal tokens at the start and the end.
fn difference(old: &[u32], new: &[u32]) -> Vec<Value> {
    let (old_tokens, new_tokens) = (old.as_chunks::<5>().0, new.as_chunks::<5>().0);
    let shorter = old_tokens.len().min(new_tokens.len());
    let same = old_tokens.iter().zip(new_tokens).take_while(|(old, new)| old == new).count();
    let ends = old_tokens.iter().rev().zip(new_tokens.iter().rev());
    let same_end = ends.take(shorter - same).take_while(|(old, new)| old == new).count();
    if same == old_tokens.len() && same == new_tokens.len() {
        return Vec::new();
    }
    let data = &new[same * 5..new.len() - same_end * 5];
    vec![json!({ "start": same * 5, "deleteCount": old.len() - (same + same_end) * 5, "data": data })]
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

/// Returns the inlay hints in the given range of the entry: unassigned defaults and the targets found for open
/// requirements.
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

/// Calls `call` for an entity and everything nested in it, each with its definitions.
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
    let assigned: HashSet<&str> = given.into_iter().flat_map(|entry| enclosing::keys(entry.value)).collect();
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
    let more = if defaults.len() > MAX { ", …" } else { "" };
    defaults.truncate(MAX);
    let label = format!("{{ {}{more} }}", defaults.join(", "));
    Some((line, at_end(unit, line, &label, "defaults of unassigned members")))
}

/// Returns a hint at the end of a line.
fn at_end(unit: &Unit, line: u32, label: &str, tooltip: &str) -> Value {
    let end = unit.source.line_range(line + 1).end as u32;
    json!({ "position": place::position(&unit.source, end), "label": label, "paddingLeft": true, "tooltip": tooltip })
}

/// Returns the default value in a definition, if it is short.
fn default<'p>(program: &'p Program<Complete>, unit: &Unit, id: AnyId) -> Option<&'p str> {
    let entity = program.entity(id)?;
    let value = unit.language.defaults.iter().find_map(|ident| *field_of::<Option<Raw>>(entity, ident)?)?;
    let node = program.node(value.0)?;
    let is_scalar = !matches!(node.kind(), Kind::Map | Kind::List);
    Some(node.text()).filter(|text| is_scalar && text.len() <= 40 && !text.contains('\n'))
}
