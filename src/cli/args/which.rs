//! Rules, as arguments and configurations name them.

use crate::diagnostic::{Level, Levels, Override, Rule, Scope};
use crate::rules::{self, UnknownRule};

pub(super) fn rule(argument: &str) -> Result<&'static Rule, UnknownRule> {
    rules::parse(argument).map(|explained| explained.rule)
}

/// What a wish about rules is about.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) enum Which {
    /// What would be a warning.
    Warnings,
    /// All that may be looked for besides.
    Lints,
    One(&'static Rule),
}

impl Which {
    /// Sets what is wanted.
    pub(in crate::cli) fn set(self, levels: &mut Levels, wanted: Override) {
        if let Self::Warnings = self {
            levels.set_warnings(wanted);
        }
        self.rules().for_each(|rule| levels.set(rule, wanted));
    }

    /// The same, in some sources.
    pub(in crate::cli) fn set_in(self, levels: &mut Levels, scope: Scope, wanted: Override) {
        if let Self::Warnings = self {
            levels.set_warnings_in(scope, wanted);
        }
        self.rules().for_each(|rule| levels.set_in(scope, rule, wanted));
    }

    /// The rules that are meant one by one.
    fn rules(self) -> impl Iterator<Item = &'static Rule> {
        let all = rules::ALL.iter().map(|explained| explained.rule);
        all.filter(move |rule| match self {
            Self::Warnings => false,
            Self::Lints => rule.level == Level::Optional && rule.code.starts_with("T7"),
            Self::One(one) => *rule == one,
        })
    }
}

pub(in crate::cli) fn which(argument: &str) -> Result<Which, UnknownRule> {
    match argument {
        "warnings" => Ok(Which::Warnings),
        "lints" => Ok(Which::Lints),
        argument => rule(argument).map(Which::One),
    }
}

/// What can be made a warning: what is one already need not be.
pub(super) fn warned(argument: &str) -> Result<Which, UnknownRule> {
    if argument == "lints" { Ok(Which::Lints) } else { rule(argument).map(Which::One) }
}
