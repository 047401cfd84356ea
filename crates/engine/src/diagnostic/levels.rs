//! Strict mode, and the levels that users set for rules: allow, warn or deny.

use std::fmt;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Diagnostic, Level, Rule, Severity, SourceId};
use crate::text::Sources;

/// The level that the user sets for one rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Override {
    /// The rule's problems are not shown.
    Allow,
    /// The rule's problems are warnings.
    Warn,
    /// The rule's problems are errors.
    Deny,
}

impl Override {
    /// Returns the severity of the rule's problems; `None` if they are not shown.
    pub const fn severity(self) -> Option<Severity> {
        match self {
            Self::Allow => None,
            Self::Warn => Some(Severity::Warning),
            Self::Deny => Some(Severity::Error),
        }
    }
}

/// Returns the scopes of the source with a name, as indices within their group, in ascending order.
type Find = dyn Fn(&str) -> Vec<usize> + Send + Sync;

#[derive(Clone)]
struct FindScopes(Arc<Find>);

impl fmt::Debug for FindScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FindScopes").finish_non_exhaustive()
    }
}

/// The levels of all rules.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    strict: bool,
    warnings: Option<Override>,
    overrides: FxHashMap<&'static str, Override>,
    scopes: Vec<ScopeLevels>,
    /// For groups of scopes, the number of the first one, and the function that finds those of a source.
    groups: Vec<(usize, FindScopes)>,
    /// The codes of the rules that a scope may show.
    shown_in_scopes: FxHashSet<&'static str>,
    /// The custom rules.
    own: Vec<&'static Rule>,
}

/// The ID of a subset of the sources, in [`Levels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope(usize);

/// The levels for a subset of the sources.
#[derive(Clone, Debug, Default)]
struct ScopeLevels {
    warnings: Option<Override>,
    overrides: FxHashMap<&'static str, Override>,
}

impl Levels {
    /// Creates the default levels.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether warnings about deviations from the standard ([`Level::StrictError`]) are errors.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Sets the level of a rule, overriding its default and strict mode. The last setting wins.
    pub fn set(&mut self, rule: &'static Rule, wanted: Override) {
        for scope in &mut self.scopes {
            scope.overrides.remove(rule.code);
        }
        self.overrides.insert(rule.code, wanted);
        self.shown_in_scopes.remove(rule.code);
    }

    /// Adds custom rules.
    pub(crate) fn know(&mut self, own: impl IntoIterator<Item = &'static Rule>) {
        self.own.extend(own);
    }

    /// Returns the custom rules.
    pub(crate) fn own(&self) -> &[&'static Rule] {
        &self.own
    }

    /// Adds scopes. For the displayed name of a source, `find` returns the indices of those that contain it, in
    /// ascending order.
    pub fn scopes(&mut self, number: usize, find: impl Fn(&str) -> Vec<usize> + Send + Sync + 'static) -> Vec<Scope> {
        let first = self.scopes.len();
        self.scopes.resize_with(first + number, ScopeLevels::default);
        self.groups.push((first, FindScopes(Arc::new(find))));
        (first..first + number).map(Scope).collect()
    }

    /// Sets the level of a rule in a scope. If several scopes cover a source, the last one wins.
    pub fn set_in(&mut self, scope: Scope, rule: &'static Rule, wanted: Override) {
        if let Some(scope) = self.scopes.get_mut(scope.0) {
            scope.overrides.insert(rule.code, wanted);
            if wanted.severity().is_some() {
                self.shown_in_scopes.insert(rule.code);
            }
        }
    }

    /// Sets the level of all warnings in a scope.
    pub fn set_warnings_in(&mut self, scope: Scope, wanted: Override) {
        if let Some(scope) = self.scopes.get_mut(scope.0) {
            scope.warnings = Some(wanted);
        }
    }

    /// Sets the level of all warnings, except for rules that have their own setting.
    pub fn set_warnings(&mut self, wanted: Override) {
        self.scopes.iter_mut().for_each(|scope| scope.warnings = None);
        self.warnings = Some(wanted);
    }

    /// Returns whether problems of a rule may be shown in at least one source.
    pub fn is_enabled(&self, rule: &Rule) -> bool {
        self.severity(rule).is_some() || self.shown_in_scopes.contains(rule.code)
    }

    /// Returns the severity of a rule's problems outside all scopes; `None` if they are not shown.
    pub fn severity(&self, rule: &Rule) -> Option<Severity> {
        self.adjusted(rule, rule.level.severity(), &[])
    }

    /// Removes the problems that are not shown and sets the severities of the others. The order is kept.
    ///
    /// A severity that a phase has chosen for a single problem is also kept, unless strict mode or an override applies.
    pub fn apply(&self, mut diagnostics: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
        let mut scopes: FxHashMap<SourceId, Vec<&ScopeLevels>> = FxHashMap::default();
        diagnostics.retain_mut(|diagnostic| {
            let scopes: &[&ScopeLevels] = if self.scopes.is_empty() {
                &[]
            } else {
                let source = diagnostic.span.source;
                scopes
                    .entry(source)
                    .or_insert_with(|| self.covering(sources.get(source).map_or("", |source| source.name())))
            };
            let severity = self.adjusted(diagnostic.rule, diagnostic.severity, scopes);
            diagnostic.severity = severity.unwrap_or(diagnostic.severity);
            severity.is_some()
        });
        diagnostics
    }

    /// Returns the scopes that cover the source with the given name, highest precedence first.
    fn covering(&self, name: &str) -> Vec<&ScopeLevels> {
        let groups = self.groups.iter().rev();
        let numbers = groups.flat_map(|(first, find)| find.0(name).into_iter().rev().map(move |number| first + number));
        numbers.filter_map(|number| self.scopes.get(number)).collect()
    }

    fn adjusted(&self, rule: &Rule, otherwise: Severity, scopes: &[&ScopeLevels]) -> Option<Severity> {
        let special = scopes.iter().find_map(|scope| scope.overrides.get(rule.code));
        if let Some(wanted) = special.or_else(|| self.overrides.get(rule.code)) {
            return wanted.severity();
        }
        match rule.level {
            Level::StrictError if self.strict => return Some(Severity::Error),
            Level::Optional => return None,
            _ => {}
        }
        match scopes.iter().find_map(|scope| scope.warnings).or(self.warnings) {
            Some(wanted) if otherwise == Severity::Warning => wanted.severity(),
            _ => Some(otherwise),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{SourceId, Span};

    static ERROR: Rule = Rule { code: "T1", name: "broken", level: Level::Error, summary: "" };
    static WARNING: Rule = Rule { code: "T2", name: "doubtful", level: Level::Warning, summary: "" };
    static LETTER: Rule = Rule { code: "T3", name: "letter", level: Level::StrictError, summary: "" };

    fn severities(levels: &Levels) -> [Option<Severity>; 3] {
        [&ERROR, &WARNING, &LETTER].map(|rule| levels.severity(rule))
    }

    #[test]
    fn rules_have_their_defaults() {
        use Severity::{Error, Warning};
        assert_eq!(severities(&Levels::new()), [Some(Error), Some(Warning), Some(Warning)]);
    }

    #[test]
    fn strict_mode_only_affects_deviations_from_the_standard() {
        use Severity::{Error, Warning};
        assert_eq!(severities(&Levels::new().strict(true)), [Some(Error), Some(Warning), Some(Error)]);
    }

    #[test]
    fn last_override_takes_precedence() {
        use Severity::{Error, Warning};
        let mut levels = Levels::new().strict(true);
        levels.set(&ERROR, Override::Warn);
        levels.set(&WARNING, Override::Allow);
        levels.set(&WARNING, Override::Deny);
        levels.set(&LETTER, Override::Warn);
        assert_eq!(severities(&levels), [Some(Warning), Some(Error), Some(Warning)]);
        levels.set(&LETTER, Override::Allow);
        assert_eq!(levels.severity(&LETTER), None);
    }

    #[test]
    fn rule_setting_overrides_setting_for_warnings() {
        use Severity::{Error, Warning};
        let mut levels = Levels::new();
        levels.set(&LETTER, Override::Warn);
        levels.set_warnings(Override::Deny);
        assert_eq!(severities(&levels), [Some(Error), Some(Error), Some(Warning)]);
        levels.set_warnings(Override::Allow);
        assert_eq!(severities(&levels), [Some(Error), None, Some(Warning)]);
        assert_eq!(severities(&levels.strict(true)), [Some(Error), None, Some(Warning)]);
    }

    #[test]
    fn optional_rules_must_be_enabled() {
        static TASTE: Rule = Rule { code: "T4", name: "taste", level: Level::Optional, summary: "" };
        let mut levels = Levels::new().strict(true);
        levels.set_warnings(Override::Deny);
        assert!(levels.severity(&TASTE).is_none() && !levels.is_enabled(&TASTE));
        let some = levels.scopes(1, |_| Vec::new())[0];
        levels.set_in(some, &TASTE, Override::Warn);
        assert!(levels.severity(&TASTE).is_none() && levels.is_enabled(&TASTE));
        levels.set(&TASTE, Override::Deny);
        assert_eq!(levels.severity(&TASTE), Some(Severity::Error));
    }

    #[test]
    fn scopes_have_separate_levels() {
        use crate::text::Source;
        use Severity::{Error, Warning};
        let names = ["a/one.yaml", "b/two.yaml"];
        let sources: Sources = names.iter().zip(0..).map(|(name, id)| Source::new(SourceId(id), *name, "")).collect();
        let severities = |levels: &Levels| {
            let problems = (0..2).flat_map(|source| {
                let span = Span { source: SourceId(source), start: 0, end: 0 };
                [&ERROR, &WARNING].map(|rule| Diagnostic::new(rule, span, ""))
            });
            let shown = levels.apply(problems.collect(), &sources);
            shown.iter().map(|shown| (shown.span.source.0, shown.rule.code, shown.severity)).collect::<Vec<_>>()
        };
        let mut levels = Levels::new();
        levels.set(&ERROR, Override::Allow);
        let find = |name: &str| if name.starts_with("b/") { vec![0, 1] } else { vec![0] };
        let [all, some] = levels.scopes(2, find)[..] else { panic!("there are two scopes") };
        levels.set_in(all, &ERROR, Override::Deny);
        levels.set_in(some, &ERROR, Override::Warn);
        levels.set_warnings_in(some, Override::Allow);
        assert_eq!(severities(&levels), [(0, "T1", Error), (0, "T2", Warning), (1, "T1", Warning)]);
        // A later setting for all sources overrides scopes.
        levels.set(&ERROR, Override::Warn);
        levels.set_warnings(Override::Deny);
        let everywhere = [(0, "T1", Warning), (0, "T2", Error), (1, "T1", Warning), (1, "T2", Error)];
        assert_eq!(severities(&levels), everywhere);
    }

    #[test]
    fn levels_are_applied_to_problems() {
        let span = Span { source: SourceId(0), start: 0, end: 0 };
        let mut chosen = Diagnostic::new(&ERROR, span, "an error only elsewhere");
        chosen.severity = Severity::Warning;
        let problems = vec![chosen, Diagnostic::new(&WARNING, span, "doubtful"), Diagnostic::new(&LETTER, span, "old")];

        let mut levels = Levels::new().strict(true);
        levels.set(&WARNING, Override::Allow);
        let shown: Vec<_> = levels
            .apply(problems, &Sources::new())
            .into_iter()
            .map(|shown| (shown.rule.code, shown.severity))
            .collect();
        assert_eq!(shown, [("T1", Severity::Warning), ("T3", Severity::Error)]);
    }
}
