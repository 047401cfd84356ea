//! Rule selectors in arguments and configurations.

use crate::{DeclaredRule, languages};
use tosca_parse::diagnostic::{Level, Levels, Override, Rule, Scope};
use tosca_parse::rules::UnknownRule;

/// The rules that a setting applies to.
#[derive(Clone, Debug)]
pub enum RuleSelector {
    /// All warnings.
    Warnings,
    /// All lints.
    Lints,
    /// A built-in rule.
    One(&'static Rule),
    /// A custom rule. Which configuration declares it depends on the file.
    Custom(String),
}

impl RuleSelector {
    /// Sets the level of the rules; `own` finds custom rules.
    pub(crate) fn set(&self, levels: &mut Levels, wanted: Override, own: impl Fn(&str) -> Option<&'static Rule>) {
        if let Self::Warnings = self {
            levels.set_warnings(wanted);
        }
        self.rules(own).into_iter().for_each(|rule| levels.set(rule, wanted));
    }

    /// Sets the level of the rules in the given sources.
    pub(crate) fn set_in(
        &self,
        levels: &mut Levels,
        scope: Scope,
        wanted: Override,
        own: impl Fn(&str) -> Option<&'static Rule>,
    ) {
        if let Self::Warnings = self {
            levels.set_warnings_in(scope, wanted);
        }
        self.rules(own).into_iter().for_each(|rule| levels.set_in(scope, rule, wanted));
    }

    /// Returns the individual rules.
    fn rules(&self, own: impl Fn(&str) -> Option<&'static Rule>) -> Vec<&'static Rule> {
        match self {
            Self::Warnings => Vec::new(),
            Self::Lints => {
                let all = languages().rules().iter().map(|explained| explained.rule);
                all.filter(|rule| {
                    rule.level == Level::Optional && rule.code.get(1..).is_some_and(|number| number.starts_with('7'))
                })
                .collect()
            }
            Self::One(rule) => vec![rule],
            Self::Custom(name) => own(name).into_iter().collect(),
        }
    }
}

/// The rule settings of the caller.
#[derive(Clone, Debug, Default)]
pub struct RuleOverrides {
    /// Whether deviations from the standard are errors.
    pub strict: bool,
    /// The levels of rules; the last one for a rule wins.
    pub rules: Vec<(RuleSelector, Override)>,
}

/// Parses a selector. A valid name that no built-in rule has selects a custom rule.
///
/// # Errors
///
/// Returns an error if the name can't be that of a custom rule.
pub fn which(argument: &str) -> Result<RuleSelector, UnknownRule> {
    match argument {
        "warnings" => Ok(RuleSelector::Warnings),
        "lints" => Ok(RuleSelector::Lints),
        // Searching for a similar name takes far longer than finding one.
        name if DeclaredRule::is_name(name) && languages().find_rule(name).is_none() => {
            Ok(RuleSelector::Custom(name.to_owned()))
        }
        _ => languages().parse_rule(argument).map(|known| RuleSelector::One(known.rule)),
    }
}

/// Parses a selector of rules to report as warnings, which can't be `warnings`.
///
/// # Errors
///
/// Returns an error if there is no such rule.
pub fn warned(argument: &str) -> Result<RuleSelector, UnknownRule> {
    match which(argument)? {
        RuleSelector::Warnings => Err(UnknownRule { given: argument.to_owned(), nearest: None }),
        which => Ok(which),
    }
}
