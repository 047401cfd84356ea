//! Adds ignore comments to lines with problems.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use foldhash::HashMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Findings;
use super::blame::Blame;
use tosca_parse::diagnostic::{Diagnostic, Edit, Safety, SourceId, Span};
use tosca_parse::rules::{INVALID_IGNORE, UNUSED_IGNORE};
use tosca_parse::source::Source;

/// The start of an ignore comment.
const MARK: &str = "tosca-parse: ignore[";

/// Returns the comments for every line with a problem, each in the best form that has not failed: at the end of the
/// line, or else on a separate line above it, because a line may end within a scalar.
pub(super) fn edits(outcome: &Findings, reason: &str, is_refused: impl Fn(&Edit) -> bool) -> Vec<Edit> {
    let mut lines: BTreeMap<(SourceId, u32), BTreeSet<&str>> = BTreeMap::new();
    for (place, problem) in exemptible(outcome) {
        lines.entry(place).or_default().insert(problem.rule.code);
    }
    let edits = lines.into_iter().filter_map(|((id, line), codes)| {
        // JSON has no comments.
        let source = outcome.sources.get(id).filter(|source| !is_json(source.name()))?;
        let codes = codes.into_iter().collect::<Vec<_>>().join(", ");
        ways(source, line, &codes, reason).into_iter().flatten().find(|edit| !is_refused(edit))
    });
    edits.collect()
}

/// Returns the possible comments for a line, best first.
fn ways(source: &Source, line: u32, codes: &str, reason: &str) -> [Option<Edit>; 2] {
    let start = source.line_range(line).start;
    let text = source.line_text(line);
    let at = |offset: usize, text: String| {
        let offset = (start + offset) as u32;
        Edit { span: Span { source: source.id(), start: offset, end: offset }, text, safety: Safety::Safe }
    };
    let known = text.find(MARK).map(|mark| mark + MARK.len());
    let known = known.and_then(|begin| text[begin..].find(']').map(|end| (begin, begin + end)));
    if let Some((begin, end)) = known {
        let listed: Vec<&str> = text[begin..end].split(',').map(str::trim).collect();
        let new: Vec<&str> = codes.split(", ").filter(|code| !listed.contains(code)).collect();
        let edit = (!new.is_empty()).then(|| at(end, format!(", {}", new.join(", "))));
        return [edit, None];
    }
    let reason = if reason.is_empty() { String::new() } else { format!(" {reason}") };
    let comment = format!("# {MARK}{codes}]{reason}");
    let indentation = &text[..text.len() - text.trim_start().len()];
    let after = &source.text()[start + text.len()..];
    let line_break = ["\r\n", "\r"].into_iter().find(|line_break| after.starts_with(line_break)).unwrap_or("\n");
    [Some(at(text.trim_end().len(), format!(" {comment}"))), Some(at(0, format!("{indentation}{comment}{line_break}")))]
}

fn is_json(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// Returns the comments that have not removed the problems of their lines, or that have changed other problems.
pub(super) fn blamed(
    before: &Findings,
    after: &Findings,
    edits: &[(usize, &Path, &Edit)],
    blame: &Blame,
) -> FxHashSet<usize> {
    let line = |edit: &Edit| {
        let source = before.sources.get(edit.span.source)?;
        Some((edit.span.source, source.line_column(edit.span.start).line))
    };
    let lines: FxHashSet<_> = edits.iter().filter_map(|(.., edit)| line(edit)).collect();
    let mut left: HashMap<(&str, &str), isize> = HashMap::default();
    for problem in &before.diagnostics {
        *left.entry((problem.rule.code, &problem.message)).or_default() += 1;
    }
    for (_, problem) in exemptible(before).filter(|(place, _)| lines.contains(place)) {
        *left.entry((problem.rule.code, &problem.message)).or_default() -= 1;
    }
    for problem in &after.diagnostics {
        *left.entry((problem.rule.code, &problem.message)).or_default() -= 1;
    }
    let count = |problem: &Diagnostic| left.get(&(problem.rule.code, &*problem.message)).copied().unwrap_or_default();
    let come: Vec<&Diagnostic> = after.diagnostics.iter().filter(|problem| count(problem) < 0).collect();
    // A comment that breaks the YAML changes other problems too.
    let is_broken = come.iter().any(|problem| is_yaml(problem));
    let come = come.into_iter().filter(|problem| !is_broken || is_yaml(problem));
    let mut blamed: FxHashSet<usize> = come.filter_map(|problem| blame.nearest(problem.span, &after.sources)).collect();
    if !is_broken {
        let places: FxHashMap<_, _> = exemptible(before).map(|(place, problem)| (problem.span, place)).collect();
        let is_exempt = |problem: &Diagnostic| places.get(&problem.span).is_some_and(|place| lines.contains(place));
        let gone = before.diagnostics.iter().filter(|problem| count(problem) > 0 && !is_exempt(problem));
        blamed.extend(gone.filter_map(|problem| blame.nearest_before(problem.span, &before.sources)));
    }
    if blamed.is_empty() && left.values().any(|count| *count != 0) {
        blamed.extend(edits.iter().map(|(index, ..)| *index));
    }
    blamed
}

/// Returns whether a problem is one of YAML itself.
fn is_yaml(problem: &Diagnostic) -> bool {
    problem.rule.code.starts_with("T11")
}

/// Returns the problems that comments can ignore, each with its line.
fn exemptible(outcome: &Findings) -> impl Iterator<Item = ((SourceId, u32), &Diagnostic)> {
    outcome.diagnostics.iter().filter_map(|problem| {
        let of_comments = [UNUSED_IGNORE.code, INVALID_IGNORE.code].contains(&problem.rule.code);
        let source = outcome.sources.get(problem.span.source).filter(|_| !of_comments)?;
        Some(((problem.span.source, source.line_column(problem.span.start).line), problem))
    })
}
