//! Errors as diagnostics.

use std::rc::Rc;

use foldhash::HashMap;
use tosca_parse_engine::diagnostic::{self, Diagnostic, Help, Rule, Severity, hide_foreign_text};

use super::rules;
use crate::config::Config;
use crate::error::{Category, Error};
use crate::source::{Source, SourceId, Sources, Span};
use crate::value::SECRET;
use crate::warning::{Warning, WarningKind};

/// The numbers of sources in diagnostics.
pub struct Numbers {
    by: By,
    /// The source for problems without a position.
    default: diagnostic::SourceId,
}

enum By {
    Address(HashMap<Rc<str>, diagnostic::SourceId>),
    /// Sources keep their numbers.
    Number,
}

impl Numbers {
    /// Creates an instance that knows only the number of the document itself.
    pub fn new(default: diagnostic::SourceId) -> Self {
        Numbers { by: By::Address(HashMap::default()), default }
    }

    /// Creates an instance in which sources keep their numbers, for the sources that [`shown`] returns.
    pub(super) fn same() -> Self {
        Numbers { by: By::Number, default: diagnostic::SourceId(0) }
    }

    /// Records the number of a source.
    pub fn note(&mut self, address: &str, number: diagnostic::SourceId) {
        if let By::Address(known) = &mut self.by {
            known.insert(address.into(), number);
        }
    }

    /// Returns the number of a source; `None` for data of the host.
    pub(super) fn of(&self, id: SourceId, source: &Source) -> Option<diagnostic::SourceId> {
        match &self.by {
            By::Address(known) => known.get(source.address.as_ref()?).copied(),
            By::Number => Some(diagnostic::SourceId(id.0)),
        }
    }

    /// Returns the position for problems that have no position of their own.
    pub(super) fn nowhere(&self) -> diagnostic::Span {
        diagnostic::Span { source: self.default, start: 0, end: 0 }
    }

    /// Converts a span to that of a diagnostic.
    pub fn span(&self, sources: &Sources, span: Span) -> diagnostic::Span {
        self.find(sources, span).unwrap_or_else(|| self.nowhere())
    }

    fn find(&self, sources: &Sources, span: Span) -> Option<diagnostic::Span> {
        let source = self.of(span.source, sources.get(span.source))?;
        Some(diagnostic::Span { source, start: span.start, end: span.end })
    }
}

/// Returns all sources for displaying diagnostics and their numbers. The text of secret sources is replaced with
/// spaces, so that lines and columns stay the same.
pub fn shown(sources: &Sources) -> (tosca_parse_engine::source::Sources, Numbers) {
    let mut shown = tosca_parse_engine::source::Sources::new();
    for id in sources.ids() {
        let source = sources.get(id);
        let number = diagnostic::SourceId(id.0);
        let is_secret = source.labels & SECRET != 0;
        let text = if is_secret { blanked(&source.text) } else { source.text.to_string() };
        let is_shown = !is_secret && !source.hidden;
        shown.add(tosca_parse_engine::source::Source::new(number, &*source.name, text).shown(is_shown));
    }
    (shown, Numbers::same())
}

/// Replaces the characters of the text with spaces of the same length in bytes, so that lines and columns stay the
/// same.
fn blanked(text: &str) -> String {
    let blank = |c: char| match (c, c.len_utf8()) {
        ('\n' | '\r' | '\u{feff}', _) => c,
        (_, 1) => ' ',
        (_, 2) => '\u{a0}',
        (_, 3) => '\u{2002}',
        _ => '\u{10000}',
    };
    text.chars().map(blank).collect()
}

/// The problems of a configuration, with the sources for displaying them.
pub struct Report {
    /// The problems.
    pub problems: Vec<Diagnostic>,
    /// The sources. The text of secret ones is replaced with spaces.
    pub sources: tosca_parse_engine::source::Sources,
}

impl Report {
    /// Returns the problems of an evaluation: its errors, and tolerated syntax.
    pub fn of_evaluation(config: &Config<'_>, error: Option<&Error>) -> Self {
        Self::new(config, error, &[])
    }

    /// Evaluates and checks a configuration; returns all problems, even in branches that are not taken.
    pub fn of_check(config: &Config<'_>) -> Self {
        let evaluated = config.root().resolve_safe();
        Self::new(config, evaluated.as_ref().err(), &config.check())
    }

    fn new(config: &Config<'_>, error: Option<&Error>, checked: &[Warning]) -> Self {
        let sources = config.sources();
        let (shown, numbers) = shown(&sources);
        let mut problems = diagnostics(error, &sources, &numbers);
        problems.extend(warnings(checked, &sources, &numbers));
        // Evaluation fails as soon as it reaches the unknown name.
        for problem in problems.iter_mut().filter(|problem| problem.rule.code == rules::YAY_UNKNOWN_NAME.code) {
            problem.severity = Severity::Error;
        }
        problems.extend(tolerated(config, &sources, &numbers));
        hide_foreign_text(&mut problems, &shown);
        Self { problems, sources: shown }
    }

    /// Returns whether there are errors.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|problem| problem.severity == Severity::Error)
    }
}

/// Returns the warnings about tolerated syntax.
pub(super) fn tolerated<'c>(
    config: &Config<'_>,
    sources: &'c Sources,
    numbers: &'c Numbers,
) -> impl Iterator<Item = Diagnostic> + 'c {
    let warnings = config.warnings().into_iter();
    warnings.map(|(at, message)| Diagnostic::new(&rules::YAY_TOLERATED, numbers.span(sources, at), message))
}

/// Converts errors, and those that were found with them, to diagnostics.
pub fn diagnostics<'a>(
    errors: impl IntoIterator<Item = &'a Error>,
    sources: &Sources,
    numbers: &Numbers,
) -> Vec<Diagnostic> {
    errors.into_iter().flat_map(Error::each).map(|error| diagnostic(error, sources, numbers)).collect()
}

fn diagnostic(error: &Error, sources: &Sources, numbers: &Numbers) -> Diagnostic {
    let mut places = error.places().iter().filter_map(|at| numbers.find(sources, *at));
    let at = places.next().unwrap_or_else(|| numbers.nowhere());
    let mut made = Diagnostic::new(rule(error.category()), at, error.message());
    for used in places {
        made = made.with_related(used, "used here");
    }
    for step in error.steps() {
        made = made.with_related(numbers.span(sources, step.at), step.what.trim_end_matches(':'));
    }
    match error.likely_name().map(Help::did_you_mean).or_else(|| error.advice().map(Help::from)) {
        Some(help) => made.with_help(help),
        None => made,
    }
}

/// Converts warnings of [`Config::check`](crate::Config::check) to diagnostics.
pub fn warnings(warnings: &[Warning], sources: &Sources, numbers: &Numbers) -> Vec<Diagnostic> {
    let diagnostic = |warning: &Warning| {
        let rule = match warning.kind {
            WarningKind::UnknownName => &rules::YAY_UNKNOWN_NAME,
            WarningKind::UnusedArgument => &rules::YAY_UNUSED_ARGUMENT,
            WarningKind::DuplicateKey => &rules::YAY_DUPLICATE_KEY,
            WarningKind::ChangedType => &rules::YAY_CHANGED_TYPE,
        };
        let mut made = Diagnostic::new(rule, numbers.span(sources, warning.at), &*warning.message);
        if let Some((at, label)) = warning.related {
            made = made.with_related(numbers.span(sources, at), label);
        }
        let meant = warning.meant.as_ref().map(Help::did_you_mean);
        match meant.or_else(|| warning.help.as_deref().map(Help::from)) {
            Some(help) => made.with_help(help),
            None => made,
        }
    };
    warnings.iter().map(diagnostic).collect()
}

fn rule(category: Category) -> &'static Rule {
    match category {
        Category::Syntax => &rules::YAY_SYNTAX,
        Category::NoMatching => &rules::YAY_NO_MATCHING,
        Category::Type => &rules::YAY_WRONG_TYPE,
        Category::ZeroDivision => &rules::YAY_ZERO_DIVISION,
        Category::Cycle => &rules::YAY_CYCLE,
        Category::Paradox => &rules::YAY_PARADOX,
        Category::NotFound => &rules::YAY_NOT_FOUND,
        Category::Limit => &rules::YAY_LIMIT,
        Category::Denied => &rules::YAY_DENIED,
    }
}
