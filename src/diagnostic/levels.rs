//! What the user makes of rules: strict mode, and rules that are allowed, warned about or denied.

use rustc_hash::FxHashMap;

use super::{Diagnostic, Level, Rule, Severity};

/// What the user wants of one rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Override {
    /// Its problems are not shown.
    Allow,
    /// Its problems are warnings.
    Warn,
    /// Its problems are errors.
    Deny,
}

impl Override {
    /// The severity of the rule's problems; none if they are not shown.
    pub const fn severity(self) -> Option<Severity> {
        match self {
            Self::Allow => None,
            Self::Warn => Some(Severity::Warning),
            Self::Deny => Some(Severity::Error),
        }
    }
}

/// How much each rule matters to the user.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    strict: bool,
    overrides: FxHashMap<&'static str, Override>,
}

impl Levels {
    /// Every rule at its default.
    pub fn new() -> Self {
        Self::default()
    }

    /// In strict mode, warnings about the text of the standard ([`Level::StrictError`]) are errors.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Sets one rule, whatever its default and strict mode say. The last word about a rule counts.
    pub fn set(&mut self, rule: &'static Rule, wanted: Override) {
        self.overrides.insert(rule.code, wanted);
    }

    /// The severity of a problem of a rule; none if it is not to be shown.
    pub fn severity(&self, rule: &Rule) -> Option<Severity> {
        self.adjusted(rule, rule.level.severity())
    }

    /// The problems that are to be shown, with the severities that the user wants. Their order stays.
    ///
    /// A severity that a phase chose for a single problem stays too, unless strict mode or an override decides.
    pub fn apply(&self, mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        diagnostics.retain_mut(|diagnostic| {
            let severity = self.adjusted(diagnostic.rule, diagnostic.severity);
            diagnostic.severity = severity.unwrap_or(diagnostic.severity);
            severity.is_some()
        });
        diagnostics
    }

    fn adjusted(&self, rule: &Rule, otherwise: Severity) -> Option<Severity> {
        match self.overrides.get(rule.code) {
            Some(wanted) => wanted.severity(),
            None if self.strict && rule.level == Level::StrictError => Some(Severity::Error),
            None => Some(otherwise),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{SourceId, Span};

    static ERROR: Rule = Rule { code: "T1", name: "broken", level: Level::Error, summary: "", text: "" };
    static WARNING: Rule = Rule { code: "T2", name: "doubtful", level: Level::Warning, summary: "", text: "" };
    static LETTER: Rule = Rule { code: "T3", name: "letter", level: Level::StrictError, summary: "", text: "" };

    fn severities(levels: &Levels) -> [Option<Severity>; 3] {
        [&ERROR, &WARNING, &LETTER].map(|rule| levels.severity(rule))
    }

    #[test]
    fn rules_have_their_defaults() {
        use Severity::{Error, Warning};
        assert_eq!(severities(&Levels::new()), [Some(Error), Some(Warning), Some(Warning)]);
    }

    #[test]
    fn strict_mode_concerns_the_letter_of_the_standard_only() {
        use Severity::{Error, Warning};
        assert_eq!(severities(&Levels::new().strict(true)), [Some(Error), Some(Warning), Some(Error)]);
    }

    #[test]
    fn an_override_beats_everything_and_the_last_one_counts() {
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
    fn levels_are_applied_to_problems() {
        let span = Span { source: SourceId(0), start: 0, end: 0 };
        let mut chosen = Diagnostic::new(&ERROR, span, "an error only elsewhere");
        chosen.severity = Severity::Warning;
        let problems = vec![chosen, Diagnostic::new(&WARNING, span, "doubtful"), Diagnostic::new(&LETTER, span, "old")];

        let mut levels = Levels::new().strict(true);
        levels.set(&WARNING, Override::Allow);
        let shown: Vec<_> = levels.apply(problems).into_iter().map(|shown| (shown.rule.code, shown.severity)).collect();
        assert_eq!(shown, [("T1", Severity::Warning), ("T3", Severity::Error)]);
    }
}
