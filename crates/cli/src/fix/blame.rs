//! Finds the changes that cause a problem.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foldhash::{HashMap, HashSet};
use rustc_hash::FxHashSet;

use super::{Change, EARLY, Findings, name};
use tosca_parse::diagnostic::{Diagnostic, Edit, SourceId, Span};
use tosca_parse::source::{Source, Sources};

/// The range that an edit has written in a changed file.
#[derive(Clone, Copy, Debug)]
struct Written {
    start: u32,
    end: u32,
    /// The line on which it begins.
    line: u32,
    /// The index of the change.
    change: usize,
}

/// The edited ranges by file, in order.
pub(super) struct Blame {
    /// The edits in the files before the changes, where only lines matter.
    before: BTreeMap<PathBuf, Vec<Written>>,
    after: BTreeMap<PathBuf, Vec<Written>>,
}

impl Blame {
    /// Records the edited ranges, sorted by path and position.
    pub(super) fn new(before: &Findings, after: &Findings, edits: &[(usize, &Path, &Edit)]) -> Self {
        let mut blame = Self { before: BTreeMap::new(), after: BTreeMap::new() };
        let mut sources: HashMap<PathBuf, &Arc<Source>> = HashMap::default();
        for source in after.sources.iter() {
            sources.entry(absolute(source.name())).or_insert(source);
        }
        for edits in edits.chunk_by(|(_, one, _), (_, other, _)| one == other) {
            let path = edits[0].1;
            let source = sources.get(path);
            let line = |offset| source.map_or(0, |source| source.line_column(offset).line);
            let (mut added, mut removed) = (0, 0);
            let written = edits.iter().map(|(change, _, edit)| {
                let (start, length) = (edit.span.start + added - removed, edit.text.len() as u32);
                added += length;
                removed += edit.span.end - edit.span.start;
                Written { start, end: start + length, line: line(start), change: *change }
            });
            blame.after.insert(path.to_owned(), written.collect());
            let line = |edit: &Edit| {
                let source = before.sources.get(edit.span.source);
                source.map_or(0, |source| source.line_column(edit.span.start).line)
            };
            let old = edits.iter().map(|(change, _, edit)| Written {
                start: edit.span.start,
                end: edit.span.end,
                line: line(edit),
                change: *change,
            });
            blame.before.insert(path.to_owned(), old.collect());
        }
        blame
    }

    /// Returns the changes that cause new problems. Problems from later phases count only inside changed text, because
    /// they may merely have been hidden before. Messages are compared instead of positions, because positions move.
    pub(super) fn causes(&self, before: &Findings, after: &Findings, changes: &[Change]) -> FxHashSet<usize> {
        let mut known: HashMap<(&str, &str), usize> = HashMap::default();
        for problem in &before.diagnostics {
            *known.entry(identity(problem)).or_default() += 1;
        }
        let mut blamed = FxHashSet::default();
        let mut is_open = false;
        for problem in &after.diagnostics {
            if let Some(count) = known.get_mut(&identity(problem)).filter(|count| **count > 0) {
                *count -= 1;
                continue;
            }
            let inside = self.inside(problem.span, &after.sources);
            let is_early = EARLY.iter().any(|code| problem.rule.code.starts_with(code));
            if inside.is_none() && !is_early {
                continue;
            }
            let related = || problem.related.iter().filter_map(|related| self.inside(related.span, &after.sources));
            let found: Vec<usize> = inside.into_iter().chain(related()).collect();
            is_open |= found.is_empty();
            blamed.extend(found);
        }
        if !is_open || !blamed.is_empty() {
            // Without these changes, the other problems may disappear too.
            return blamed;
        }
        // A change in several places, such as an import and a name, may have an effect elsewhere.
        blamed.extend((0..changes.len()).filter(|index| changes[*index].len() > 1));
        if blamed.is_empty() {
            let known: HashSet<_> = before.diagnostics.iter().map(identity).collect();
            let problems = after.diagnostics.iter().filter(|problem| !known.contains(&identity(problem)));
            blamed.extend(problems.filter_map(|problem| self.nearest(problem.span, &after.sources)));
        }
        if blamed.is_empty() {
            blamed.extend(0..changes.len());
        }
        blamed
    }

    /// Returns the change whose text contains the given position.
    fn inside(&self, span: Span, sources: &Sources) -> Option<usize> {
        let written = self.after.get(&path(span.source, sources))?;
        let before = written.partition_point(|written| written.start <= span.start);
        written[..before].last().filter(|written| span.start <= written.end).map(|written| written.change)
    }

    /// Returns the change nearest to a position in a changed file: on its line, or else before it, or else after it.
    pub(super) fn nearest(&self, span: Span, sources: &Sources) -> Option<usize> {
        nearest(self.after.get(&path(span.source, sources))?, span, sources)
    }

    /// Returns the change nearest to a position in a file before the changes.
    pub(super) fn nearest_before(&self, span: Span, sources: &Sources) -> Option<usize> {
        nearest(self.before.get(&path(span.source, sources))?, span, sources)
    }
}

fn nearest(written: &[Written], span: Span, sources: &Sources) -> Option<usize> {
    let line = sources.get(span.source)?.line_column(span.start).line;
    let until = written.partition_point(|written| written.line <= line);
    written[..until].last().or(written.get(until)).map(|written| written.change)
}

/// Returns what two problems have in common if they are the same in different versions of a file.
fn identity(problem: &Diagnostic) -> (&str, &str) {
    (problem.rule.code, &problem.message)
}

fn path(id: SourceId, sources: &Sources) -> PathBuf {
    absolute(&name(sources, id))
}

fn absolute(name: &str) -> PathBuf {
    std::path::absolute(Path::new(name)).unwrap_or_default()
}
