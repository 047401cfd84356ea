//! Code actions.

mod declare;
mod extract;
mod move_types;
mod notation;
mod required;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use foldhash::HashMap;
use rustc_hash::FxHashSet;
use serde_json::{Map, Value, json};
use tosca_parse::ard::Kind;
use tosca_parse::diagnostic::edit::AppliedEdits;
use tosca_parse::diagnostic::{self, Edit, Safety, Span};
use tosca_parse::entity::FieldDescription;
use tosca_parse::phase::Unit;
use tosca_parse::phase::namespace::ReferenceResolver as _;
use tosca_parse::position_context;
use tosca_parse::rules;

use crate::completion::unimported;
use crate::diagnostics;
use crate::index::{Declared, Symbol};
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{Client, Range, Uri};
use crate::syntax::Syntax;

/// Returns the fixes for the problems in the given range of the entry and for the entity at the start of the range.
/// `declared` lists the names that the files of the workspace declare.
pub(crate) fn fixes(parsed: &Parsed, range: Range, client: Client, name: &str, declared: &[&Declared]) -> Vec<Value> {
    let Some(unit) = parsed.unit() else { return Vec::new() };
    let of_unit = || parsed.outcome.diagnostics.iter().filter(|problem| problem.span.source == unit.id);
    let (mut actions, mut ignoring) = (Vec::new(), Vec::<Value>::new());
    let near: Vec<&diagnostic::Diagnostic> = of_unit().filter(|problem| is_near(unit, problem.span, range)).collect();
    let commentable = if near.is_empty() { FxHashSet::default() } else { commentable(parsed, unit, &near) };
    for problem in near {
        let shown = diagnostics::shown(problem, parsed, client, name);
        // All edits for a problem form one action.
        if let Some(title) = title(parsed, problem) {
            actions.push(json!({
                "title": title,
                "kind": "quickfix",
                "isPreferred": problem.edits.iter().all(|edit| edit.safety == Safety::Safe),
                "diagnostics": [shown],
                "edit": changes(parsed, problem.edits.iter()),
            }));
        }
        if let Some(edit) = ignore(parsed, problem, &commentable) {
            let title = format!("Ignore {} on this line", problem.rule.code);
            // One comment is enough for all problems of a rule on a line.
            let is_same = |action: &&mut Value| action["title"] == *title && action["edit"] == edit;
            match ignoring.iter_mut().find(is_same).and_then(|action| action["diagnostics"].as_array_mut()) {
                Some(diagnostics) => diagnostics.push(json!(shown)),
                None => ignoring.push(json!({
                    "title": title,
                    "kind": "quickfix",
                    "diagnostics": [shown],
                    "edit": edit,
                })),
            }
        }
    }
    actions.extend(of_rules(parsed, unit, range));
    actions.extend(imports(parsed, unit, range, declared));
    actions.extend(declare::actions(parsed, unit, range));
    actions.extend(declare::member(parsed, unit, range));
    actions.extend(required::actions(parsed, unit, range.start));
    actions.extend(ignoring);
    actions
}

/// Returns the actions that extract the value at the start of a range.
pub(crate) fn extractions(parsed: &Parsed, range: Range) -> Vec<Value> {
    parsed.unit().and_then(|unit| extract::to_parameter(parsed, unit, range)).into_iter().collect()
}

/// Returns the action that moves the type at the start of a range to a new file. `is_free` checks whether a file can be
/// created; `document` is the document with its version.
pub(crate) fn move_type(
    parsed: &Parsed,
    range: Range,
    is_free: &dyn Fn(&Path) -> bool,
    document: (&Uri, Option<i32>),
) -> Option<Value> {
    move_types::action(parsed, parsed.unit()?, range, is_free, document)
}

/// Returns the actions that rewrite the entity at the start of a range.
pub(crate) fn rewrites(parsed: &Parsed, range: Range) -> Vec<Value> {
    parsed.unit().and_then(|unit| notation::action(parsed, unit, range)).into_iter().collect()
}

/// Returns the action that applies all safe fixes of the entry.
pub(crate) fn fix_all(parsed: &Parsed) -> Option<Value> {
    let unit = parsed.unit()?;
    let of_unit = parsed.outcome.diagnostics.iter().filter(|problem| problem.span.source == unit.id);
    let is_safe = |edits: &&Vec<Edit>| edits.iter().all(|edit| edit.safety == Safety::Safe);
    let mut taken = AppliedEdits::default();
    let groups = of_unit.map(|problem| &problem.edits).filter(is_safe).filter(|edits| taken.take(edits));
    let safe: Vec<&Edit> = groups.flatten().collect();
    (!safe.is_empty()).then(|| {
        json!({
            "title": "Apply all safe fixes",
            "kind": "source.fixAll",
            "edit": changes(parsed, safe.into_iter()),
        })
    })
}

/// Returns an action for each rule that has several fixable problems, at least one of them in the given range. The
/// action fixes all problems of the rule.
fn of_rules(parsed: &Parsed, unit: &Unit, range: Range) -> Vec<Value> {
    let mut by_rule: BTreeMap<&str, Vec<&diagnostic::Diagnostic>> = BTreeMap::new();
    let problems = parsed.outcome.diagnostics.iter().filter(|problem| problem.span.source == unit.id);
    for problem in problems.filter(|problem| !problem.edits.is_empty()) {
        by_rule.entry(problem.rule.name).or_default().push(problem);
    }
    let action = |(name, problems): (&str, Vec<&diagnostic::Diagnostic>)| {
        problems.iter().find(|problem| is_near(unit, problem.span, range))?;
        let mut taken = AppliedEdits::default();
        let groups: Vec<&Vec<Edit>> =
            problems.iter().map(|problem| &problem.edits).filter(|edits| taken.take(edits)).collect();
        (groups.len() > 1).then(|| {
            json!({
                "title": format!("Fix all `{name}` in this file ({})", groups.len()),
                "kind": "quickfix",
                "edit": changes(parsed, groups.into_iter().flatten()),
            })
        })
    };
    by_rule.into_iter().filter_map(action).collect()
}

/// Returns whether `span`, in the source of `unit`, touches `range`.
fn is_near(unit: &Unit, span: Span, range: Range) -> bool {
    let place = place::range(&unit.source, span.start, span.end);
    place.start <= range.end && range.start <= place.end
}

/// The maximum number of files that are offered for import.
const MAX_IMPORTS: usize = 5;

/// Returns, for the unknown names in the given range, the actions that import the files that declare them.
fn imports(parsed: &Parsed, unit: &Unit, range: Range, declared: &[&Declared]) -> Vec<Value> {
    let program = &parsed.outcome.program;
    let Some((file, root)) = parsed.address(unit.id).zip(unit.description()) else { return Vec::new() };
    let mut unknown: HashMap<&str, Vec<&FieldDescription>> = HashMap::default();
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
        let item = Syntax::of_unit(parsed.address(unit.id), unit).string(path);
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

/// Describes the edits for a problem; returns `None` if there are none.
fn title(parsed: &Parsed, problem: &diagnostic::Diagnostic) -> Option<String> {
    let [edit] = &problem.edits[..] else {
        problem.edits.first()?;
        let help = problem.help.first()?;
        let mut letters = help.chars();
        return Some(letters.next()?.to_uppercase().chain(letters).collect());
    };
    Some(description(parsed.text(edit.span), &edit.text))
}

/// Describes the replacement of one text by another.
fn description(before: &str, after: &str) -> String {
    let spaces = |text: &str| match text.len() {
        1 => "1 space".to_owned(),
        number => format!("{number} spaces"),
    };
    let (old, new) = (before.trim(), after.trim());
    match (old.is_empty(), new.is_empty()) {
        (true, false) => format!("Add `{new}`"),
        (false, true) => format!("Remove `{old}`"),
        (false, false) => format!("Replace `{old}` with `{new}`"),
        (true, true) if [before, after].iter().any(|text| text.contains(|letter| letter != ' ')) => {
            "Correct the white space".to_owned()
        }
        (true, true) if before.len() < after.len() => format!("Add {}", spaces(&after[before.len()..])),
        (true, true) => format!("Remove {}", spaces(&before[after.len()..])),
    }
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

/// Returns the lines of problems that can end with a comment.
fn commentable(parsed: &Parsed, unit: &Unit, problems: &[&diagnostic::Diagnostic]) -> FxHashSet<u32> {
    let is_json = parsed.address(unit.id).is_some_and(|file| file.file_name().to_ascii_lowercase().ends_with(".json"));
    // The text after a syntax error may be anything.
    if is_json || !unit.document.is_complete() {
        return FxHashSet::default();
    }
    let source = &unit.source;
    let line = |problem: &&diagnostic::Diagnostic| source.line_column(problem.span.start).line;
    // A comment after a syntax error may become a part of a scalar.
    let is_syntax = |problem: &&&diagnostic::Diagnostic| problem.rule.code == rules::YAML_SYNTAX.code;
    let broken: BTreeSet<u32> = problems.iter().filter(is_syntax).map(line).collect();
    // A `#` may begin another comment or be part of a string.
    let is_free = |line: &u32| !source.line_text(*line).contains('#') && !broken.contains(line);
    let lines: BTreeSet<u32> = problems.iter().map(line).collect();
    let lines = lines.iter().filter(|line| is_free(line));
    let mut ends: BTreeMap<u32, u32> = lines.map(|line| (source.line_range(*line).end as u32, *line)).collect();
    // The next line continues a scalar.
    for node in unit.document.nodes().filter(|node| !matches!(node.kind(), Kind::Map | Kind::List)) {
        let span = node.span();
        if span.source == unit.id && span.start < span.end {
            while let Some((end, _)) = ends.range(span.start + 1..span.end).next().map(|(end, line)| (*end, *line)) {
                ends.remove(&end);
            }
        }
    }
    ends.into_values().collect()
}

/// Returns the edit that suppresses a problem: an ignore comment at the end of its line.
fn ignore(parsed: &Parsed, problem: &diagnostic::Diagnostic, commentable: &FxHashSet<u32>) -> Option<Value> {
    let source = parsed.outcome.sources.get(problem.span.source)?;
    let uri = place::uri(parsed.address(problem.span.source)?)?;
    let line = source.line_column(problem.span.start).line;
    if !commentable.contains(&line) {
        return None;
    }
    let end = source.line_range(line).end as u32;
    let place = place::range(source, end, end);
    let comment = format!(" # tosca-parse: ignore[{}]", problem.rule.code);
    Some(json!({ "changes": { uri.0: [{ "range": place, "newText": comment }] } }))
}

#[cfg(test)]
mod tests {
    use super::description;

    #[test]
    fn edits_are_described() {
        for (before, after, expected) in [
            ("", "  ", "Add 2 spaces"),
            ("   ", " ", "Remove 2 spaces"),
            ("", " ", "Add 1 space"),
            ("\t", "  ", "Correct the white space"),
            ("", "a: ", "Add `a:`"),
            ("a ", "", "Remove `a`"),
            ("a", "b", "Replace `a` with `b`"),
        ] {
            assert_eq!(description(before, after), expected);
        }
    }
}
