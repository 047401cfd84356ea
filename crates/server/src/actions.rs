//! Code actions.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use tosca_parse::ard::{Kind, Layout, Node, Style};
use tosca_parse::diagnostic::edit::Taken;
use tosca_parse::diagnostic::{self, Edit, Safety};
use tosca_parse::entity::FieldDescription;
use tosca_parse::phase::Unit;
use tosca_parse::phase::namespace::Targets as _;
use tosca_parse::source::Address;
use tosca_parse::spot::{self, Spot};

use crate::around::Around;
use crate::completion::unimported;
use crate::diagnostics;
use crate::index::{Declared, Symbol};
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{Client, Position, Range};

/// Returns the code actions for the problems in a range of the entry, and for the entity at its start. `declared` are
/// the names of the workspace.
pub(crate) fn actions(parsed: &Parsed, range: Range, client: Client, name: &str, declared: &[&Declared]) -> Vec<Value> {
    let Some(unit) = parsed.unit() else { return Vec::new() };
    let of_unit = || parsed.outcome.diagnostics.iter().filter(|problem| problem.span.source == unit.id);
    let is_near = |problem: &&diagnostic::Diagnostic| {
        let place = place::range(&unit.source, problem.span.start, problem.span.end);
        place.start <= range.end && range.start <= place.end
    };
    let mut actions = Vec::new();
    for problem in of_unit().filter(is_near) {
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
                "title": format!("Ignore {code} in this line"),
                "kind": "quickfix",
                "diagnostics": [shown],
                "edit": edit,
            }));
        }
    }
    actions.extend(imports(parsed, unit, range, declared));
    actions.extend(required(parsed, unit, range.start));
    let is_safe = |edits: &&Vec<Edit>| edits.iter().all(|edit| edit.safety == Safety::Safe);
    let mut taken = Taken::default();
    let groups = of_unit().map(|problem| &problem.edits).filter(is_safe).filter(|edits| taken.take(edits));
    let safe: Vec<&Edit> = groups.flatten().collect();
    if !safe.is_empty() {
        actions.push(json!({
            "title": "Make all changes that are certain",
            "kind": "source.fixAll",
            "edit": changes(parsed, safe.into_iter()),
        }));
    }
    actions
}

/// The maximum number of files to import that are offered for a name.
const MOST_IMPORTS: usize = 5;

/// Returns the actions that import the files that declare an unknown name in a range.
fn imports(parsed: &Parsed, unit: &Unit, range: Range, declared: &[&Declared]) -> Vec<Value> {
    let program = &parsed.outcome.program;
    let Some(file) = parsed.address(unit.id) else { return Vec::new() };
    let Some(root) = unit.description() else { return Vec::new() };
    let known: BTreeSet<&Address> = parsed.sources().map(|(address, _)| address).collect();
    let unknown = unit.references().filter_map(|(reference, node, field, _)| {
        let node = unit.document.node(node);
        let place = place::range(&unit.source, node.span().start, node.span().end);
        let is_near = node.span().source == unit.id && place.start <= range.end && range.start <= place.end;
        (is_near && program.target(reference).is_none()).then_some((node.text(), field.lookup?.sections))
    });
    let mut paths = Vec::new();
    for (name, sections) in unknown {
        let is_meant = |symbol: &&Symbol| *symbol.name == *name && sections.contains(&symbol.section);
        let files = declared.iter().filter(|other| {
            std::ptr::eq(other.language, unit.language)
                && !known.contains(&other.address)
                && other
                    .names
                    .iter()
                    .any(|symbol| is_meant(&symbol) && unit.language.sections[usize::from(symbol.section.0)].exported)
        });
        paths.extend(files.filter_map(|other| unimported::relative(file, &other.address)));
    }
    paths.sort();
    paths.dedup();
    paths.truncate(MOST_IMPORTS);
    let is_only = paths.len() == 1;
    let action = |path: &String| {
        let edit = spot::import(&unit.document, root, unit.version, path)?;
        Some(json!({
            "title": format!("Import `{path}`"),
            "kind": "quickfix",
            "isPreferred": is_only,
            "edit": changes(parsed, std::iter::once(&edit)),
        }))
    };
    paths.iter().filter_map(action).collect()
}

/// Returns the actions that add the required members to the entity at a position.
fn required(parsed: &Parsed, unit: &Unit, at: Position) -> Vec<Value> {
    let program = &parsed.outcome.program;
    let spot = unit
        .description()
        .and_then(|root| Spot::at(&unit.document, root, unit.version, place::offset(&unit.source, at)));
    let Some(spot) = spot else { return Vec::new() };
    let around = Around::new(program, unit.id, unit.version, &spot.levels);
    let level = spot.innermost();
    let fields = level.entity.fields.iter().filter(|field| field.exists_in(unit.version));
    let action = |field: &'static FieldDescription| {
        let given = level.value(field.ident, unit.version);
        let is_missing = |name: &&str| given.is_none_or(|given| !is_given(given, name));
        let names: Vec<&str> = around.required(program, field).into_iter().filter(is_missing).collect();
        let keyname = field.keyname(unit.version);
        let edit = (!names.is_empty()).then(|| addition(level.node, given, (keyname, field.sequenced), &names))??;
        let list: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        Some(json!({
            "title": format!("Add required {keyname}: {}", list.join(", ")),
            "kind": "quickfix",
            "edit": changes(parsed, std::iter::once(&edit)),
        }))
    };
    fields.filter_map(action).collect()
}

/// Returns whether a map, or a list of maps, has a key.
fn is_given(node: Node<'_>, name: &str) -> bool {
    match node.kind() {
        Kind::List => node.items().any(|item| item.find(name).is_some()),
        _ => node.find(name).is_some(),
    }
}

/// Returns the edit that adds names without values to a field of an entity. `None` if the entity is not written in
/// lines.
fn addition(
    entity: Node<'_>,
    given: Option<Node<'_>>,
    (keyname, is_list): (&str, bool),
    names: &[&str],
) -> Option<Edit> {
    let is_block = |node: &Node<'_>| node.style() == Style::Block && !node.is_alias();
    let layout = Layout::around(entity).filter(|_| entity.kind() == Kind::Map && is_block(&entity))?;
    // The end of a literal text is not known.
    let is_plain = |node: Node<'_>| !matches!(node.style(), Style::Literal | Style::Folded);
    let dash = if is_list { "- " } else { "" };
    let line_break = layout.line_break(entity.span().start);
    let lines = |indentation: &str| {
        let lines: Vec<String> = names.iter().map(|name| format!("{indentation}{dash}{name}:")).collect();
        lines.join(line_break)
    };
    let Some(given) = given else {
        let first = entity.entries().find(|entry| !entry.merged)?;
        let last = entity.entries().filter(|entry| !entry.merged).last()?;
        let indentation = layout.indentation(first.key.span().start);
        let text = format!("{indentation}{keyname}:{line_break}{}", lines(&format!("{indentation}  ")));
        let end = end_of(last.value).max(last.key.span().end);
        return is_plain(last_leaf(last.value)).then(|| layout.insert_below(end, &text));
    };
    if !is_block(&given) || !matches!(given.kind(), Kind::Map | Kind::List) || given.is_empty() {
        return None;
    }
    let last = last_leaf(given);
    let indentation = layout.indentation(given.span().start);
    is_plain(last).then(|| layout.insert_below(end_of(last), &lines(&indentation)))
}

/// Returns the last node in a node.
fn last_leaf(node: Node<'_>) -> Node<'_> {
    let inner = match node.kind() {
        Kind::Map if !node.is_alias() => node.entries().filter(|entry| !entry.merged).last().map(|entry| entry.value),
        Kind::List if !node.is_alias() => node.items().last(),
        _ => None,
    };
    inner.map_or(node, last_leaf)
}

fn end_of(node: Node<'_>) -> u32 {
    last_leaf(node).span().end
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
        _ => format!("Replace `{}` by `{}`", before.trim(), edit.text.trim()),
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
