//! Collects problems.

use std::cmp::Ordering;

use super::{Diagnostic, Rule, Severity, Span, Summary};
use crate::text::Sources;

/// The default maximum number of problems per rule. A short file can cause a million problems, but an author gains
/// nothing from more than a thousand of them.
pub(crate) const MAX_PER_RULE: usize = 1000;

/// The problems that a phase has found, in any order.
///
/// Phases run in parallel, so the order is arbitrary until [`Diagnostics::into_sorted`] sorts the problems.
///
/// For each rule and severity, only the first problems are kept, up to a limit, plus one more, from which
/// `bound` recognizes that some may have been dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    tally: Tally,
    /// The maximum number of problems per rule and severity.
    most: usize,
}

impl Default for Diagnostics {
    fn default() -> Self {
        Self::up_to(MAX_PER_RULE)
    }
}

/// The number of problems per rule and severity. There are only a few combinations, so a list is sufficient.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Tally {
    counts: Vec<(&'static Rule, Severity, usize)>,
}

impl Tally {
    /// Counts a problem and returns the number of problems with the same rule and severity so far.
    fn count(&mut self, problem: &Diagnostic) -> usize {
        let (rule, severity) = (problem.rule, problem.severity);
        let known = self.counts.iter_mut().find(|known| known.0.code == rule.code && known.1 == severity);
        match known {
            Some((.., count)) => {
                *count += 1;
                *count
            }
            None => {
                self.counts.push((rule, severity, 1));
                1
            }
        }
    }
}

impl Diagnostics {
    /// Creates an empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty collection with the given limit per rule and severity.
    pub(crate) fn up_to(most: usize) -> Self {
        Self { list: Vec::new(), tally: Tally::default(), most }
    }

    /// Makes room for exactly this number of further problems. There may be a million of them.
    pub(crate) fn reserve(&mut self, additional: usize) {
        self.list.reserve_exact(additional);
    }

    /// Adds a problem and returns a reference to it, so that details can be added; `None` if the limit is exceeded.
    pub fn push(&mut self, diagnostic: Diagnostic) -> Option<&mut Diagnostic> {
        if self.tally.count(&diagnostic) > self.most.saturating_add(1) {
            return None;
        }
        self.list.push(diagnostic);
        self.list.last_mut()
    }

    /// Keeps the first `most` problems of each rule and severity in a sorted list. A problem of the rule `too_many`
    /// replaces the first omitted one.
    pub(crate) fn bound(list: Vec<Diagnostic>, too_many: &'static Rule, most: usize) -> Vec<Diagnostic> {
        let mut tally = Tally::default();
        list.into_iter()
            .filter_map(|problem| match tally.count(&problem) {
                number if number <= most => Some(problem),
                number => (number - most == 1).then(|| more(&problem, too_many, most)),
            })
            .collect()
    }

    /// Returns the first problem beyond `most` of each rule and severity in a sorted list.
    pub(crate) fn beyond(list: &[Diagnostic], most: usize) -> Vec<Diagnostic> {
        let mut tally = Tally::default();
        list.iter().filter(|problem| tally.count(problem) == most.saturating_add(1)).cloned().collect()
    }

    /// Returns the number of problems.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns the number of problems that have been added, including the dropped ones.
    pub(crate) fn added(&self) -> usize {
        self.tally.counts.iter().map(|(.., count)| count).sum()
    }

    /// Returns whether there are no problems.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns whether at least one problem is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Returns the number of errors and warnings.
    pub fn counts(&self) -> Summary {
        Summary::of(&self.list)
    }

    /// Returns the problems in the order in which they were added.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Returns the problems in the order in which they were added, as a list.
    pub fn into_list(self) -> Vec<Diagnostic> {
        self.list
    }

    /// Returns the problems in display order: by source in the order of `sources`, then by position, code and message.
    /// Equal problems are merged.
    pub fn into_sorted(self, sources: &Sources) -> Vec<Diagnostic> {
        let mut list = self.list;
        list.sort_unstable_by(|one, other| compare(one, other, sources));
        list.dedup();
        list
    }
}

/// The first problems of each source, of problems that are found in any order.
///
/// For each source, rule and severity, the first problems by position are kept, up to a limit, plus one more. So the
/// result does not depend on the order in which the problems are found.
#[derive(Debug)]
pub(crate) struct FirstDiagnostics {
    list: Vec<Diagnostic>,
    most: usize,
    /// The length of the list at which surplus problems are dropped.
    full: usize,
}

impl FirstDiagnostics {
    /// Creates an empty collection with the given limit per source, rule and severity.
    pub(crate) fn up_to(most: usize) -> Self {
        Self { list: Vec::new(), most, full: 0 }
    }

    /// Returns the problems, sorted by source and position.
    pub(crate) fn into_list(mut self) -> Vec<Diagnostic> {
        self.drop_surplus();
        self.list
    }

    fn drop_surplus(&mut self) {
        let (sources, most) = (Sources::default(), self.most.saturating_add(1));
        self.list.sort_unstable_by(|one, other| compare(one, other, &sources));
        self.list.dedup();
        let mut tally = Tally::default();
        let mut source = None;
        self.list.retain(|problem| {
            if source.replace(problem.span.source) != Some(problem.span.source) {
                tally = Tally::default();
            }
            tally.count(problem) <= most
        });
    }
}

impl Extend<Diagnostic> for FirstDiagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: I) {
        self.list.extend(diagnostics);
        if self.list.len() > self.full {
            self.drop_surplus();
            self.full = 2 * self.list.len() + 4 * self.most.min(MAX_PER_RULE);
        }
    }
}

/// Returns the problem that is shown in place of the problems beyond the limit.
pub(crate) fn more(first: &Diagnostic, too_many: &'static Rule, most: usize) -> Diagnostic {
    let rule = first.rule;
    let message = format!(
        "there are more than {most} problems of the rule `{}` ({}); from here on, they are not shown",
        rule.name, rule.code
    );
    Diagnostic::new(too_many, first.span, message).with_help("correct the shown problems first")
}

/// Compares two problems by a total order. Problems that compare as equal are equal, so the sorted result does not
/// depend on the order in which they were found.
fn compare(one: &Diagnostic, other: &Diagnostic, sources: &Sources) -> Ordering {
    compare_spans(one.span, other.span, sources)
        .then_with(|| one.rule.code.cmp(other.rule.code))
        .then_with(|| one.message.cmp(&other.message))
        .then_with(|| other.severity.cmp(&one.severity))
        .then_with(|| one.help.cmp(&other.help))
        .then_with(|| {
            let places = one.related.iter().zip(&other.related);
            let differences = places.map(|(one, other)| {
                compare_spans(one.span, other.span, sources).then_with(|| one.message.cmp(&other.message))
            });
            differences.fold(Ordering::Equal, Ordering::then).then(one.related.len().cmp(&other.related.len()))
        })
        .then_with(|| one.is_unavailable.cmp(&other.is_unavailable))
}

fn compare_spans(one: Span, other: Span, sources: &Sources) -> Ordering {
    let key = |span: Span| (sources.rank(span.source).unwrap_or(usize::MAX), span.source, span.start, span.end);
    if one.source == other.source {
        // This saves the lookup if many problems are in the same source.
        return (one.start, one.end).cmp(&(other.start, other.end));
    }
    key(one).cmp(&key(other))
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: I) {
        for diagnostic in diagnostics {
            self.push(diagnostic);
        }
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(diagnostics: I) -> Self {
        let mut collected = Self::new();
        collected.extend(diagnostics);
        collected
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Level, Rule, SourceId};
    use crate::text::Source;

    static FIRST: Rule = Rule { code: "T1", name: "first", level: Level::Error, summary: "" };
    static SECOND: Rule = Rule { code: "T2", name: "second", level: Level::Warning, summary: "" };
    static THIRD: Rule = Rule { code: "T3", name: "third", level: Level::Warning, summary: "" };

    fn span(source: u32, start: u32, end: u32) -> Span {
        Span { source: SourceId(source), start, end }
    }

    fn sources() -> Sources {
        [Source::new(SourceId(9), "root.yaml", ""), Source::new(SourceId(1), "base.yaml", "")].into_iter().collect()
    }

    #[test]
    fn problems_are_counted() {
        let mut diagnostics = Diagnostics::new();
        assert!(diagnostics.is_empty());
        diagnostics.push(Diagnostic::new(&SECOND, span(1, 0, 1), "doubtful"));
        assert!(!diagnostics.has_errors());
        diagnostics.extend([Diagnostic::new(&FIRST, span(1, 0, 1), "wrong")]);
        assert!(diagnostics.has_errors());
        assert_eq!(diagnostics.len(), 2);
        assert_eq!(diagnostics.counts(), Summary { errors: 1, warnings: 1, files: 1 });
    }

    #[test]
    fn problems_beyond_the_limit_are_summarized() {
        let mut diagnostics = Diagnostics::new();
        let numbers = || 0..2 * MAX_PER_RULE as u32;
        diagnostics.extend(numbers().map(|at| Diagnostic::new(&SECOND, span(1, at, at), "doubtful")));
        diagnostics.extend(numbers().map(|at| Diagnostic::new(&FIRST, span(1, at, at), "wrong")));
        assert_eq!(diagnostics.len(), 2 * (MAX_PER_RULE + 1));
        assert!(diagnostics.push(Diagnostic::new(&FIRST, span(1, 0, 0), "wrong")).is_none());

        let shown = Diagnostics::bound(diagnostics.into_sorted(&sources()), &THIRD, MAX_PER_RULE);
        assert_eq!(shown.len(), 2 * (MAX_PER_RULE + 1));
        let reported: Vec<&str> = shown
            .iter()
            .filter(|problem| problem.rule.code == THIRD.code)
            .map(|problem| problem.message.as_str())
            .collect();
        assert_eq!(
            reported,
            ["first` (T1)", "second` (T2)"].map(|rule| format!(
                "there are more than 1000 problems of the rule `{rule}; from here on, they are not shown"
            ))
        );
    }

    #[test]
    fn the_first_problems_of_each_source_are_kept_in_any_order() {
        let found = |order: &dyn Fn(u32) -> u32| {
            let mut first = FirstDiagnostics::up_to(10);
            for number in 0..1000 {
                let at = order(number);
                first.extend([
                    Diagnostic::new(&FIRST, span(at % 2, at, at), "wrong"),
                    Diagnostic::new(&SECOND, span(1, at, at), "doubtful"),
                ]);
            }
            first.into_list()
        };
        let expected = found(&|number| number);
        let places = |source, code| {
            let here =
                expected.iter().filter(move |problem| problem.span.source == source && problem.rule.code == code);
            here.map(|problem| problem.span.start).collect::<Vec<_>>()
        };
        assert_eq!(places(SourceId(0), "T1"), (0..11).map(|number| 2 * number).collect::<Vec<_>>());
        assert_eq!(places(SourceId(1), "T1"), (0..11).map(|number| 2 * number + 1).collect::<Vec<_>>());
        assert_eq!(places(SourceId(1), "T2"), (0..11).collect::<Vec<_>>());
        assert_eq!(found(&|number| 999 - number), expected);
        assert_eq!(found(&|number| number * 7 % 1000), expected);
    }

    #[test]
    fn problems_are_sorted_by_source_position_code_and_message() {
        let expected = vec![
            Diagnostic::new(&SECOND, span(9, 0, 1), "a"),
            Diagnostic::new(&FIRST, span(9, 0, 2), "a"),
            Diagnostic::new(&FIRST, span(9, 0, 2), "b"),
            Diagnostic::new(&SECOND, span(9, 0, 2), "a"),
            Diagnostic::new(&FIRST, span(9, 5, 6), "a"),
            Diagnostic::new(&FIRST, span(1, 0, 1), "a"),
            Diagnostic::new(&FIRST, span(4, 0, 1), "in no known source"),
        ];
        let backwards: Diagnostics = expected.iter().rev().cloned().collect();
        assert_eq!(backwards.into_sorted(&sources()), expected);
    }

    #[test]
    fn only_equal_problems_are_merged() {
        let problem = || Diagnostic::new(&FIRST, span(9, 0, 1), "a");
        let expected = vec![
            problem(),
            problem().with_related(span(9, 3, 4), "here"),
            problem().with_related(span(9, 3, 4), "there"),
            problem().with_related(span(9, 3, 4), "there").with_related(span(1, 0, 0), "and there"),
            problem().with_help("remove it"),
        ];
        let mut twice = Diagnostics::from_iter(expected.clone());
        twice.extend(expected.iter().rev().cloned());
        assert_eq!(twice.into_sorted(&sources()), expected);
    }
}
