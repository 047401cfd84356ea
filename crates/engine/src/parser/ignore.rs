//! Comments that suppress problems.
//!
//! `# tosca-parse: ignore[T5213, shadowed-name] reason` applies to its line or, if it is alone on its line, to the next
//! line that is not a comment. `# tosca-parse: file-ignore[…]` above everything else applies to the whole file. A
//! comment that suppresses no problem is itself reported, so that it is removed when it is no longer needed. The levels
//! that users set for rules are applied afterwards, so a comment also counts as used if the level would hide the
//! problem anyway.

use rustc_hash::FxHashMap;

use crate::diagnostic::{COMMENT_MARK, Diagnostic, Diagnostics, Levels, Rule, RuleDocs, SourceId, Span, more, suggest};
use crate::phase::{Unit, Units};
use crate::rules::{self, UnknownRule};
use crate::text::{Source, Sources};

/// The maximum number of unknown rule names for which a similar name is suggested.
const SUGGESTION_BUDGET: usize = 20;

/// Removes the problems that comments suppress. Adds problems with the comments in the entry; unused comments are
/// reported only if all phases have run.
///
/// A phase finds only the first problems of a rule. If comments suppress some of these, there may be others that nobody
/// sees, so this is reported, and comments of that rule may be used.
pub(super) fn apply(
    mut problems: Vec<Diagnostic>,
    units: &Units,
    sources: &Sources,
    levels: &Levels,
    is_complete: bool,
) -> Vec<Diagnostic> {
    let own = levels.own();
    let Some(entry) = units.list.first() else { return problems };
    let mut remarks: FxHashMap<SourceId, Remarks> = FxHashMap::default();
    remarks.insert(entry.id, Remarks::of(entry, sources, own));
    let beyond = Diagnostics::beyond(&problems, units.most_of_a_rule);
    problems.retain(|problem| {
        let source = problem.span.source;
        let remarks = remarks.entry(source).or_insert_with(|| {
            units.unit(source).map_or_else(Remarks::default, |unit| Remarks::of(unit, sources, own))
        });
        !remarks.cover(problem, sources)
    });
    let hidden: Vec<Diagnostic> = beyond
        .iter()
        .filter(|first| {
            let is_alike =
                |problem: &&Diagnostic| problem.rule.code == first.rule.code && problem.severity == first.severity;
            let covers_all = remarks.get(&first.span.source).is_some_and(|remarks| remarks.cover_all(first.rule));
            let is_shown = !levels.apply(vec![(*first).clone()], sources).is_empty();
            problems.iter().filter(is_alike).count() <= units.most_of_a_rule && !covers_all && is_shown
        })
        .map(|first| more(first, &rules::TOO_MANY_PROBLEMS, units.most_of_a_rule))
        .collect();
    let Some(remarks) = remarks.remove(&entry.id) else { return problems };
    let mut found = remarks.problems(is_complete, &beyond);
    found.extend(hidden);
    if found.is_empty() {
        return problems;
    }
    let mut all = Diagnostics::up_to(usize::MAX);
    all.extend(problems);
    all.extend(found);
    all.into_sorted(sources)
}

/// The comments in one source that suppress problems.
#[derive(Default)]
struct Remarks {
    ignores: Vec<Ignore>,
    /// For each line, the indexes of the comments that apply to it.
    lines: FxHashMap<u32, Vec<usize>>,
    /// The indexes of the comments that apply to the whole file.
    file: Vec<usize>,
    wrong: Diagnostics,
}

/// The rules that comments in a source can name: those of the engine and of the source's language, and custom rules.
#[derive(Clone, Copy)]
struct Known<'r>(&'static [&'static [RuleDocs]], &'r [&'static Rule]);

impl Known<'_> {
    fn tables(self) -> impl Iterator<Item = &'static [RuleDocs]> {
        std::iter::once(rules::EXPLAINED).chain(self.0.iter().copied())
    }

    fn find(self, name: &str) -> Option<&'static Rule> {
        let own = || self.1.iter().copied().find(|rule| [rule.code, rule.name].contains(&name));
        self.tables().find_map(|table| rules::find(table, name)).map(|explained| explained.rule).or_else(own)
    }

    fn nearest(self, name: &str) -> Option<&'static Rule> {
        let names = self.tables().flatten().map(|explained| explained.rule).chain(self.1.iter().copied());
        let names = names.flat_map(|rule| [rule.code, rule.name]);
        suggest::nearest(name, names).and_then(|near| self.find(near))
    }
}

/// A rule that a comment names.
struct Ignore {
    rule: &'static Rule,
    /// The span of the name.
    span: Span,
    is_used: bool,
}

impl Remarks {
    fn of(unit: &Unit, sources: &Sources, own: &[&'static Rule]) -> Self {
        let mut remarks = Self::default();
        let Some(source) = sources.get(unit.id) else { return remarks };
        let mut found: Vec<(Span, &str)> =
            unit.document.tool_comments().filter(|(_, text)| text.contains(COMMENT_MARK)).collect();
        // The comments are processed in reverse order, so that the targets of the lines below are known.
        found.reverse();
        let start = unit.document.root().map_or(u32::MAX, |root| root.span().start);
        let mut below: FxHashMap<u32, u32> = FxHashMap::default();
        for (span, text) in found {
            remarks.read(span, text, source, span.start < start, &mut below, Known(unit.language.rules, own));
        }
        remarks
    }

    /// Reads a comment.
    fn read(
        &mut self,
        span: Span,
        text: &str,
        source: &Source,
        is_at_top: bool,
        below: &mut FxHashMap<u32, u32>,
        rules: Known<'_>,
    ) {
        let Some(at) = text.find(COMMENT_MARK) else { return };
        let rest = &text[at + COMMENT_MARK.len()..];
        let word = rest.trim_start();
        let begin = text.len() - word.len();
        let (is_file, list) = match (word.strip_prefix("file-ignore"), word.strip_prefix("ignore")) {
            (Some(list), _) => (true, list),
            (None, Some(list)) => (false, list),
            (None, None) => {
                let word = word.split_whitespace().next().unwrap_or_default();
                return self.complain(span, format!("`{word}` is not `ignore` or `file-ignore`"));
            }
        };
        let Some((names, _)) = list.strip_prefix('[').and_then(|list| list.split_once(']')) else {
            return self.complain(span, "the comment does not name any rules in brackets".to_owned());
        };
        if is_file && !is_at_top {
            return self.complain(span, "a comment about the whole file must be above everything else".to_owned());
        }
        let line = source.line_column(span.start).line;
        let target = if is_file { 0 } else { target(line, span, source, below) };
        let mut offset = begin + (word.len() - list.len()) + 1;
        for name in names.split(',') {
            let start = span.start + (offset + name.len() - name.trim_start().len()) as u32;
            let place = Span { start, end: start + name.trim().len() as u32, ..span };
            offset += name.len() + 1;
            match rules.find(name.trim()) {
                Some(rule) => self.add(rule, place, is_file, target),
                None => {
                    // To limit the cost, similar names are looked up only for the first unknown names.
                    let near = if self.wrong.len() < SUGGESTION_BUDGET { rules.nearest(name.trim()) } else { None };
                    let unknown = UnknownRule { given: name.trim().to_owned(), nearest: near };
                    self.complain(place, unknown.to_string());
                }
            }
        }
    }

    fn add(&mut self, rule: &'static Rule, span: Span, is_file: bool, line: u32) {
        let list = if is_file { &mut self.file } else { self.lines.entry(line).or_default() };
        list.push(self.ignores.len());
        self.ignores.push(Ignore { rule, span, is_used: false });
    }

    fn complain(&mut self, span: Span, message: String) {
        let help = "write `# tosca-parse: ignore[T2003] reason`, with rule codes or rule names";
        self.wrong.push(Diagnostic::new(&rules::INVALID_IGNORE, span, message).with_help(help));
    }

    /// Returns whether a comment suppresses a problem.
    fn cover(&mut self, problem: &Diagnostic, sources: &Sources) -> bool {
        if self.ignores.is_empty() {
            return false;
        }
        let line = sources.get(problem.span.source).map_or(0, |source| source.line_column(problem.span.start).line);
        let mut is_covered = false;
        for number in self.lines.get(&line).into_iter().chain([&self.file]).flatten() {
            let ignore = &mut self.ignores[*number];
            if ignore.rule.code == problem.rule.code {
                ignore.is_used = true;
                is_covered = true;
            }
        }
        is_covered
    }

    /// Returns whether a comment suppresses every problem of a rule in the source.
    fn cover_all(&self, rule: &Rule) -> bool {
        self.file.iter().any(|number| self.ignores[*number].rule.code == rule.code)
    }

    /// Returns the problems with the comments. Their number is bounded, because a short comment can name many rules.
    fn problems(self, is_complete: bool, beyond: &[Diagnostic]) -> Diagnostics {
        // Some problems are found only on request, after the phases, so comments that suppress them are never reported
        // as unused.
        let is_of_phases = |rule: &Rule| rule.code.as_bytes().get(1).is_some_and(|digit| *digit <= b'5');
        let may_be_used = |rule: &Rule| beyond.iter().any(|problem| problem.rule.code == rule.code);
        let unused = self.ignores.into_iter().filter(|ignore| is_complete && !ignore.is_used);
        let unused = unused.filter(|ignore| is_of_phases(ignore.rule) && !may_be_used(ignore.rule));
        let unused = unused.map(|Ignore { rule, span, .. }| {
            let message = format!("unused ignore comment: there is no `{}` ({}) problem", rule.name, rule.code);
            Diagnostic::new(&rules::UNUSED_IGNORE, span, message)
                .with_help("remove the comment, or remove the rule from its list")
        });
        let mut problems = self.wrong;
        problems.extend(unused);
        problems
    }
}

/// Returns the line that a comment applies to.
fn target(line: u32, span: Span, source: &Source, below: &mut FxHashMap<u32, u32>) -> u32 {
    let range = source.line_range(line);
    let is_alone = source.text()[range.start..span.start as usize].trim().is_empty();
    if !is_alone {
        return line;
    }
    let mut next = line + 1;
    while next <= source.line_count() {
        if let Some(known) = below.get(&next) {
            next = *known;
            break;
        }
        let text = source.line_text(next).trim_start();
        if !text.is_empty() && !text.starts_with('#') {
            break;
        }
        next += 1;
    }
    below.insert(line, next);
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::MAX_PER_RULE;

    #[test]
    fn problems_with_comments_are_bounded() {
        let many = 3 * MAX_PER_RULE as u32;
        let span = |start| Span { source: SourceId(1), start, end: start + 1 };
        let mut remarks = Remarks::default();
        for start in 0..many {
            remarks.add(&rules::UNUSED_IGNORE, span(start), false, 1);
            remarks.complain(span(start), "unknown rule".to_owned());
        }
        assert_eq!(remarks.wrong.len(), MAX_PER_RULE + 1);
        let problems = remarks.problems(true, &[]);
        assert_eq!(problems.added(), 2 * many as usize);
        assert_eq!(problems.len(), 2 * (MAX_PER_RULE + 1));
        assert!(Remarks::default().problems(true, &[]).is_empty());
    }
}
