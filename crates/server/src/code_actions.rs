//! Code actions.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};
use tosca_parse::ard::{Kind, Layout, Node, Style, write_scalar};
use tosca_parse::diagnostic::edit::AppliedEdits;
use tosca_parse::diagnostic::{self, Edit, Safety, Span};
use tosca_parse::entity::FieldDescription;
use tosca_parse::phase::Unit;
use tosca_parse::phase::namespace::ReferenceResolver as _;
use tosca_parse::position_context::{self, PositionContext, PositionPart};

use crate::completion::unimported;
use crate::diagnostics;
use crate::enclosing::EnclosingEntities;
use crate::index::{Declared, Symbol};
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{Client, Position, Range};

/// Returns the code actions for the problems in a range of the entry, and for the entity at its start. `declared` are
/// the names of the workspace.
pub(crate) fn actions(parsed: &Parsed, range: Range, client: Client, name: &str, declared: &[&Declared]) -> Vec<Value> {
    let Some(unit) = parsed.unit() else { return Vec::new() };
    let of_unit = || parsed.outcome.diagnostics.iter().filter(|problem| problem.span.source == unit.id);
    let mut actions = Vec::new();
    for problem in of_unit().filter(|problem| is_near(unit, problem.span, range)) {
        let shown = diagnostics::shown(problem, parsed, client, name);
        // All edits of a problem form one action.
        if let Some(title) = title(parsed, problem) {
            actions.push(json!({
                "title": title,
                "kind": "quickfix",
                "isPreferred": problem.edits.iter().all(|edit| edit.safety == Safety::Safe),
                "diagnostics": [shown],
                "edit": changes(parsed, problem.edits.iter()),
            }));
        }
        if let Some(edit) = ignore(parsed, problem) {
            let code = problem.rule.code;
            actions.push(json!({
                "title": format!("Ignore {code} on this line"),
                "kind": "quickfix",
                "diagnostics": [shown],
                "edit": edit,
            }));
        }
    }
    actions.extend(imports(parsed, unit, range, declared));
    actions.extend(required(parsed, unit, range.start));
    let is_safe = |edits: &&Vec<Edit>| edits.iter().all(|edit| edit.safety == Safety::Safe);
    let mut taken = AppliedEdits::default();
    let groups = of_unit().map(|problem| &problem.edits).filter(is_safe).filter(|edits| taken.take(edits));
    let safe: Vec<&Edit> = groups.flatten().collect();
    if !safe.is_empty() {
        actions.push(json!({
            "title": "Apply all safe fixes",
            "kind": "source.fixAll",
            "edit": changes(parsed, safe.into_iter()),
        }));
    }
    actions
}

/// Returns whether a span of a unit touches a range.
fn is_near(unit: &Unit, span: Span, range: Range) -> bool {
    let place = place::range(&unit.source, span.start, span.end);
    place.start <= range.end && range.start <= place.end
}

/// The maximum number of files that are offered for import.
const MAX_IMPORTS: usize = 5;

/// Returns the actions that import the files that declare an unknown name in a range.
fn imports(parsed: &Parsed, unit: &Unit, range: Range, declared: &[&Declared]) -> Vec<Value> {
    let program = &parsed.outcome.program;
    let Some((file, root)) = parsed.address(unit.id).zip(unit.description()) else { return Vec::new() };
    let mut unknown: FxHashMap<&str, Vec<&FieldDescription>> = FxHashMap::default();
    for (reference, node, field, _) in unit.references() {
        let node = unit.document.node(node);
        let is_here = node.span().source == unit.id && is_near(unit, node.span(), range);
        if is_here && program.target(reference).is_none() {
            let fields = unknown.entry(node.text()).or_default();
            if !fields.iter().any(|known| std::ptr::eq(*known, field)) {
                fields.push(field);
            }
        }
    }
    if unknown.is_empty() {
        return Vec::new();
    }
    let declares = |other: &Declared| {
        let is_unknown = |symbol: &Symbol| {
            let fields = unknown.get(&*symbol.name).into_iter().flatten();
            fields.into_iter().any(|field| unimported::exports(other, symbol, field))
        };
        other.names.iter().any(is_unknown)
    };
    let others = declared.iter().copied().filter(|other| declares(other));
    let mut paths: Vec<String> = unimported::importable(parsed, file, others).map(|(_, path)| path).collect();
    paths.sort();
    paths.dedup();
    paths.truncate(MAX_IMPORTS);
    let is_only = paths.len() == 1;
    let action = |path: &String| {
        let item = write_scalar(path, unit.language.yaml);
        let edit = position_context::import(&unit.document, root, unit.version, &item)?;
        Some(json!({
            "title": format!("Import `{path}`"),
            "kind": "quickfix",
            "isPreferred": is_only,
            "edit": changes(parsed, std::iter::once(&edit)),
        }))
    };
    paths.iter().filter_map(action).collect()
}

/// The maximum number of names in a title.
const MAX_NAMES: usize = 5;

/// Returns the actions that add the required members to the entity at a position, or to the one with the name at the
/// position.
fn required(parsed: &Parsed, unit: &Unit, at: Position) -> Vec<Value> {
    let program = &parsed.outcome.program;
    let Some(root) = unit.description() else { return Vec::new() };
    let position_at = |offset| PositionContext::at(&unit.document, root, unit.version, offset);
    let position = position_at(place::offset(&unit.source, at)).and_then(|position| match position.part {
        PositionPart::Name { key: Some(key), map, .. } => position_at(map.find(key.text())?.value.span().start),
        _ => Some(position),
    });
    let Some(position) = position else { return Vec::new() };
    let enclosing = EnclosingEntities::new(program, unit.id, unit.version, &position.entities);
    let innermost = position.innermost();
    let fields = innermost.entity.fields.iter().filter(|field| field.exists_in(unit.version));
    let action = |field: &'static FieldDescription| {
        let given = innermost.value(field.ident, unit.version);
        let names = enclosing.missing(program, field, given);
        let keyname = field.keyname(unit.version);
        let written: Vec<Cow<'_, str>> = names.iter().map(|name| write_scalar(name, unit.language.yaml)).collect();
        let edit =
            addition(innermost.node, given, (keyname, field.sequenced), &written).filter(|_| !names.is_empty())?;
        let mut list: Vec<String> = names.iter().take(MAX_NAMES).map(|name| format!("`{name}`")).collect();
        if names.len() > MAX_NAMES {
            list.push("…".to_owned());
        }
        Some(json!({
            "title": format!("Add required {keyname}: {}", list.join(", ")),
            "kind": "quickfix",
            "edit": changes(parsed, std::iter::once(&edit)),
        }))
    };
    fields.filter_map(action).collect()
}

/// Returns the edit that adds names without values to a field of an entity, whose present value is `given`. `None` if
/// one of them is not in block style.
fn addition(
    entity: Node<'_>,
    given: Option<Node<'_>>,
    (keyname, is_list): (&str, bool),
    names: &[Cow<'_, str>],
) -> Option<Edit> {
    let is_block = |node: Node<'_>, kind| node.kind() == kind && node.style() == Style::Block && !node.is_alias();
    let layout = Layout::around(entity).filter(|_| is_block(entity, Kind::Map))?;
    let line_break = layout.line_break(entity.span().start);
    let dash = if is_list { "- " } else { "" };
    let lines = |indentation: &str| {
        let lines: Vec<String> = names.iter().map(|name| format!("{indentation}{dash}{name}:")).collect();
        lines.join(line_break)
    };
    let own = || entity.entries().filter(|entry| !entry.merged);
    let first = own().next()?;
    let indentation = layout.indentation(first.key.span().start);
    let Some(given) = given else {
        let last = own().last()?;
        let text = format!("{indentation}{keyname}:{line_break}{}", lines(&format!("{indentation}  ")));
        return Some(layout.insert_below(last.value.span().end.max(last.key.span().end), &text));
    };
    let key = own().find(|entry| entry.value.id() == given.id())?.key.span();
    let span = given.span();
    let kind = if is_list { Kind::List } else { Kind::Map };
    if is_block(given, kind) {
        return Some(layout.insert_below(span.end, &lines(&layout.indentation(span.start))));
    }
    let below = lines(&format!("{indentation}  "));
    match (given.kind(), given.written()) {
        (Kind::Null, None | Some("")) => Some(layout.insert_below(key.end, &below)),
        // `{}`, `[]`, `~` or `null`, with nothing but a colon before it.
        (Kind::Null | Kind::Map | Kind::List, Some(_))
            if given.written_nodes() == 0 && given.style() != Style::Block =>
        {
            let between = layout.after(key.end).trim_start().strip_prefix(':')?.trim_start();
            let is_next = layout.after(span.start) == between;
            is_next.then(|| layout.replace(key.end, span.end, format!(":{line_break}{below}")))
        }
        _ => None,
    }
}

/// Describes the edits of a problem; `None` if it has none.
fn title(parsed: &Parsed, problem: &diagnostic::Diagnostic) -> Option<String> {
    let [edit] = &problem.edits[..] else {
        problem.edits.first()?;
        let help = problem.help.first()?;
        let mut letters = help.chars();
        return Some(letters.next()?.to_uppercase().chain(letters).collect());
    };
    let before = parsed.text(edit.span);
    Some(match (before.is_empty(), edit.text.is_empty()) {
        (true, _) => format!("Add `{}`", edit.text.trim()),
        (_, true) => format!("Remove `{}`", before.trim()),
        _ => format!("Replace `{}` with `{}`", before.trim(), edit.text.trim()),
    })
}

fn changes<'e>(parsed: &Parsed, edits: impl Iterator<Item = &'e Edit>) -> Value {
    let mut files: Map<String, Value> = Map::new();
    for edit in edits {
        let source = parsed.outcome.sources.get(edit.span.source);
        let uri = parsed.address(edit.span.source).and_then(place::uri);
        let Some((source, uri)) = source.zip(uri) else { continue };
        let change = json!({
            "range": place::range(source, edit.span.start, edit.span.end),
            "newText": edit.text,
        });
        if let Some(list) = files.entry(uri.0).or_insert_with(|| json!([])).as_array_mut() {
            list.push(change);
        }
    }
    json!({ "changes": files })
}

/// Returns the edit that suppresses a problem: an ignore comment at the end of its line.
fn ignore(parsed: &Parsed, problem: &diagnostic::Diagnostic) -> Option<Value> {
    let source = parsed.outcome.sources.get(problem.span.source)?;
    let uri = parsed.address(problem.span.source).and_then(place::uri)?;
    let line = source.line_column(problem.span.start).line;
    let (text, end) = (source.line_text(line), source.line_range(line).end as u32);
    // An existing comment may say something else, and what looks like a comment may be part of a string.
    if text.contains('#') || text.trim_end().ends_with(['|', '>', '"', '\'']) {
        return None;
    }
    let place = place::range(source, end, end);
    let comment = format!(" # tosca-parse: ignore[{}]", problem.rule.code);
    Some(json!({ "changes": { uri.0: [{ "range": place, "newText": comment }] } }))
}
