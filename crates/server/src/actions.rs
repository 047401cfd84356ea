//! Code actions.

use serde_json::{Map, Value, json};
use tosca_parse::diagnostic::edit::AppliedEdits;
use tosca_parse::diagnostic::{self, Edit, Safety};

use crate::diagnostics;
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{Client, Range};

/// Returns the code actions for the problems in a range of the entry.
pub(crate) fn actions(parsed: &Parsed, range: Range, client: Client, name: &str) -> Vec<Value> {
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
    let is_safe = |edits: &&Vec<Edit>| edits.iter().all(|edit| edit.safety == Safety::Safe);
    let mut taken = AppliedEdits::default();
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
