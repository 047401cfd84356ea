//! Call hierarchies: which entities call a routine, and which routines it calls.
//!
//! The kinds of routines are those of the language. A call is a mention of a routine in a value.

use std::cmp::Reverse;

use foldhash::HashSet;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};
use tosca_parse::ard::{Kind as NodeKind, Node};
use tosca_parse::diagnostic::Span;
use tosca_parse::entity::{AnyId, Kind};
use tosca_parse::phase::inheritance::Complete;
use tosca_parse::phase::{Program, Unit};
use tosca_parse::source::Address;

use crate::handlers::{FileHandler, Reply, location_of, of, targets, uri};
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{
    CallHierarchyIncomingCallsParams, CallHierarchyItem, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams,
    Range, SymbolKind, Uri,
};
use crate::references::{self, EntityItem, Found, Goal, Search, bare, spelled};
use crate::server::Server;
use crate::symbol_at::{SymbolAt, Symbols};

/// The maximum number of words of a routine that are looked up. Each may be compared with all names in the file.
const MAX_LOOKUPS: usize = 2000;

/// The calls of a routine in an entity.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    caller: EntityItem,
    /// The names of the caller and its owners.
    path: Vec<String>,
    ranges: Vec<Range>,
}

pub(crate) fn prepare(params: &CallHierarchyPrepareParams) -> FileHandler {
    let at = params.text_document_position_params.position;
    let answer = move |server: &Server<'_>, file: &Address| {
        let Some((parsed, entry)) = server.parsed(file).zip(uri(server, &file.to_string())) else { return Value::Null };
        let routine = targets(parsed, at).into_iter().find(|id| is_routine(&parsed.outcome.program, *id));
        json!(routine.and_then(|id| item(server, parsed, &entry, id)).map(|item| vec![item]))
    };
    (params.text_document_position_params.text_document.uri.clone(), of(answer))
}

pub(crate) fn incoming_calls(params: &CallHierarchyIncomingCallsParams) -> FileHandler {
    let Some((entry, routine)) = Routine::of(&params.item) else { return nothing() };
    let finish = |server: &Server<'_>, found: Vec<Found>| {
        let files = found.iter().filter_map(|found| Some((uri(server, &found.file)?, &found.calls)));
        let calls = files.flat_map(|(uri, calls)| {
            calls.iter().map(move |call| {
                let from = hierarchy_item(&call.caller, &call.path, &uri, &uri);
                json!({ "from": from, "fromRanges": call.ranges })
            })
        });
        Reply::Answer(json!(calls.collect::<Vec<_>>()))
    };
    let answer = move |server: &Server<'_>, file: &Address| {
        let parsed = server.parsed(file);
        match parsed.and_then(|parsed| references::subject_of(parsed, routine.find(parsed)?)) {
            Some(subject) => Reply::Search(Search { subject, goal: Goal::Calls }, Box::new(finish)),
            None => Reply::Answer(Value::Null),
        }
    };
    (entry, Box::new(answer))
}

pub(crate) fn outgoing_calls(params: &CallHierarchyOutgoingCallsParams) -> FileHandler {
    let Some((entry, routine)) = Routine::of(&params.item) else { return nothing() };
    let of_entry = entry.clone();
    let answer = move |server: &Server<'_>, file: &Address| {
        let Some(parsed) = server.parsed(file) else { return Value::Null };
        let calls = routine.find(parsed).map(|id| outgoing(parsed, id)).unwrap_or_default();
        let call = |(target, ranges): (AnyId, Vec<Range>)| {
            let to = item(server, parsed, &of_entry, target)?;
            Some(json!({ "to": to, "fromRanges": ranges }))
        };
        json!(calls.into_iter().filter_map(call).collect::<Vec<_>>())
    };
    (entry, of(answer))
}

/// Returns a request whose answer is empty.
fn nothing() -> FileHandler {
    (Uri(String::new()), of(|_, _| Value::Null))
}

fn is_routine(program: &Program<Complete>, id: AnyId) -> bool {
    program.unit(id.unit).is_some_and(|unit| unit.language.routines.contains(&id.kind))
}

/// Returns the calls in a routine, by target, in the order of the text.
fn outgoing(parsed: &Parsed, id: AnyId) -> Vec<(AnyId, Vec<Range>)> {
    let program = &parsed.outcome.program;
    let Some((unit, around)) = program.unit(id.unit).and_then(|unit| Some((unit, span_of(unit, id)?))) else {
        return Vec::new();
    };
    let mut symbols = Symbols::new(program, unit, &FxHashSet::default());
    let mut nodes: Vec<Node<'_>> = unit.document.nodes().filter(|node| is_within(*node, around)).collect();
    let names = routine_names(program);
    nodes.retain(|node| names.contains(node.text().rsplit(['.', ':']).next().unwrap_or_default()));
    nodes.sort_by_key(|node| node.span().start);
    nodes.truncate(MAX_LOOKUPS);
    let mut calls: Vec<(AnyId, Vec<Range>)> = Vec::new();
    let mut numbers: FxHashMap<AnyId, usize> = FxHashMap::default();
    for node in nodes {
        let symbol = symbols.of_node(node).filter(SymbolAt::is_mention);
        let target = symbol.and_then(|symbol| symbol.targets(program).into_iter().next());
        if let Some(target) = target.filter(|target| is_routine(program, *target)) {
            let number = *numbers.entry(target).or_insert_with(|| {
                calls.push((target, Vec::new()));
                calls.len() - 1
            });
            let span = node.span();
            calls[number].1.push(place::range(&unit.source, span.start, span.end));
        }
    }
    calls
}

/// Returns the names of all routines of a program.
fn routine_names(program: &Program<Complete>) -> HashSet<&str> {
    let mut names = HashSet::default();
    for unit in &program.list {
        for kind in unit.language.routines {
            names.extend(unit.arenas.of_kind(*kind).map(|(id, _)| program.name(id.of(unit.id))));
        }
    }
    names
}

/// Returns whether a node is a string within a span.
fn is_within(node: Node<'_>, around: Span) -> bool {
    let span = node.span();
    let is_inside = span.source == around.source && around.start <= span.start && span.end <= around.end;
    is_inside && node.kind() == NodeKind::String && !node.is_alias()
}

/// Returns the calls of some routines with a name in a unit, by caller.
pub(crate) fn incoming(parsed: &Parsed, unit: &Unit, name: &str, ids: &FxHashSet<AnyId>) -> Vec<Call> {
    let program = &parsed.outcome.program;
    let mut symbols = Symbols::new(program, unit, ids);
    let mut spans: Vec<Span> = Vec::new();
    for node in unit.document.nodes().filter(|node| !node.is_alias() && node.span().source == unit.id) {
        let Some(spelled) = spelled(name, node.text()) else { continue };
        let symbol = symbols.of_node(node).filter(SymbolAt::is_mention);
        if symbol.is_some_and(|symbol| symbols.is_searched(&symbol)) {
            spans.push(bare(unit, node.span(), spelled).unwrap_or(node.span()));
        }
    }
    if spans.is_empty() {
        return Vec::new();
    }
    spans.sort_by_key(|span| span.start);
    spans.dedup();
    let named = Named::of(program, unit);
    let mut calls: Vec<Call> = Vec::new();
    let mut numbers: FxHashMap<AnyId, usize> = FxHashMap::default();
    for span in spans {
        let around = || named.around(span.start);
        let caller = around().find(|id| is_routine(program, *id)).or_else(|| around().next());
        let Some((id, item)) = caller.and_then(|id| Some((id, references::item(parsed, unit, id)?))) else { continue };
        let number = *numbers.entry(id).or_insert_with(|| {
            calls.push(Call { caller: item, path: path(program, id), ranges: Vec::new() });
            calls.len() - 1
        });
        calls[number].ranges.push(place::range(&unit.source, span.start, span.end));
    }
    calls
}

/// The named entities of a unit, by position.
struct Named {
    /// The spans of the entities, by start, outer ones first.
    list: Vec<(Span, AnyId)>,
    /// The index of the innermost entity around each one.
    outer: Vec<Option<usize>>,
}

impl Named {
    fn of(program: &Program<Complete>, unit: &Unit) -> Self {
        let kinds = (0..unit.language.kinds.len()).map(|kind| Kind(kind as u8));
        let ids = kinds.flat_map(|kind| unit.arenas.of_kind(kind)).map(|(id, _)| id.of(unit.id));
        let named = ids.filter(|id| !program.name(*id).is_empty());
        let mut list: Vec<(Span, AnyId)> = named.filter_map(|id| Some((span_of(unit, id)?, id))).collect();
        list.sort_by_key(|(span, _)| (span.start, Reverse(span.end)));
        let mut open: Vec<usize> = Vec::new();
        let mut outer = Vec::with_capacity(list.len());
        for (index, (span, _)) in list.iter().enumerate() {
            while open.last().is_some_and(|last| list[*last].0.end < span.end) {
                open.pop();
            }
            outer.push(open.last().copied());
            open.push(index);
        }
        Self { list, outer }
    }

    /// Returns the entities around an offset, innermost first.
    fn around(&self, offset: u32) -> impl Iterator<Item = AnyId> {
        let last = self.list.partition_point(|(span, _)| span.start <= offset).checked_sub(1);
        let all = std::iter::successors(last, |index| self.outer[*index]);
        all.filter(move |index| offset <= self.list[*index].0.end).map(|index| self.list[index].1)
    }
}

/// Returns the span of an entity with its name, if its unit contains it.
fn span_of(unit: &Unit, id: AnyId) -> Option<Span> {
    let header = unit.arenas.header(id.local())?;
    let (key, value) = (unit.document.node(header.key).span(), unit.document.node(header.node).span());
    let is_here = key.source == unit.id && value.source == unit.id && key.start <= value.end;
    is_here.then_some(Span { end: value.end.max(key.end), ..key })
}

/// Returns the names of an entity and its owners.
fn path(program: &Program<Complete>, id: AnyId) -> Vec<String> {
    let secrets = program.secrets();
    let names = std::iter::once(id).chain(program.owners(id)).map(|id| program.name(id));
    names.filter(|name| !name.is_empty()).map(|name| secrets.masked(name)).collect()
}

/// Returns an item of a call hierarchy, from the program of an entry.
fn item(server: &Server<'_>, parsed: &Parsed, entry: &Uri, id: AnyId) -> Option<Value> {
    let program = &parsed.outcome.program;
    let item = references::item(parsed, program.unit(id.unit)?, id)?;
    Some(hierarchy_item(&item, &path(program, id), entry, &location_of(server, parsed, id)?.uri))
}

fn hierarchy_item(item: &EntityItem, path: &[String], entry: &Uri, uri: &Uri) -> Value {
    let (source, _, kind) = &item.identity;
    let owners: Vec<&str> = path.iter().skip(1).rev().map(String::as_str).collect();
    let of = if owners.is_empty() { String::new() } else { format!(" of {}", owners.join(".")) };
    json!({
        "name": item.name,
        "kind": SymbolKind::Function,
        "detail": format!("{}{of}", item.title),
        "uri": uri,
        "range": item.range,
        "selectionRange": item.selection,
        "data": { "entry": entry, "source": source, "kind": kind.0, "path": path },
    })
}

/// The routine of an item. The text may have changed since the item was made.
struct Routine {
    source: String,
    kind: Kind,
    path: Vec<String>,
}

impl Routine {
    /// Returns the entry and the routine of an item.
    fn of(item: &CallHierarchyItem) -> Option<(Uri, Self)> {
        let data = item.data.as_ref()?;
        let text = |key: &str| data.get(key).and_then(Value::as_str).map(str::to_owned);
        let kind = Kind(u8::try_from(data.get("kind")?.as_u64()?).ok()?);
        let path = data.get("path")?.as_array()?.iter().filter_map(|name| Some(name.as_str()?.to_owned())).collect();
        Some((Uri(text("entry")?), Self { source: text("source")?, kind, path }))
    }

    fn find(&self, parsed: &Parsed) -> Option<AnyId> {
        let program = &parsed.outcome.program;
        let is_source = |unit: &Unit| parsed.address(unit.id).is_some_and(|address| address.to_string() == self.source);
        let unit = program.list.iter().find(|unit| is_source(unit))?;
        let mut all = unit.arenas.of_kind(self.kind).map(|(id, _)| id.of(unit.id));
        let name = self.path.first()?;
        all.find(|id| program.name(*id) == name && path(program, *id) == self.path)
    }
}
