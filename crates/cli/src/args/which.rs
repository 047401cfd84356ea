//! Rules, as arguments and configurations name them.

use super::super::config::Own;
use super::super::languages::languages;
use tosca_parse::diagnostic::{Level, Levels, Override, Rule, Scope};
use tosca_parse::rules::UnknownRule;

/// What a wish about rules is about.
#[derive(Clone, Debug)]
pub(crate) enum Which {
    /// What would be a warning.
    Warnings,
    /// All that may be looked for besides.
    Lints,
    One(&'static Rule),
    /// A rule that a configuration may declare; which one does is known when a file is.
    Own(String),
}

impl Which {
    /// Sets what is wanted. What is meant of the rules of one's own, `own` finds.
    pub(crate) fn set(&self, levels: &mut Levels, wanted: Override, own: impl Fn(&str) -> Option<&'static Rule>) {
        if let Self::Warnings = self {
            levels.set_warnings(wanted);
        }
        self.rules(own).into_iter().for_each(|rule| levels.set(rule, wanted));
    }

    /// The same, in some sources.
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

    /// The rules that are meant one by one.
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
            Self::Own(name) => own(name).into_iter().collect(),
        }
    }
}

/// What a word means. What no rule is called, but could be, is taken for a rule of one's own.
pub(crate) fn which(argument: &str) -> Result<Which, UnknownRule> {
    match (argument, languages().parse_rule(argument)) {
        ("warnings", _) => Ok(Which::Warnings),
        ("lints", _) => Ok(Which::Lints),
        (_, Ok(known)) => Ok(Which::One(known.rule)),
        (name, Err(_)) if Own::is_name(name) => Ok(Which::Own(name.to_owned())),
        (_, Err(unknown)) => Err(unknown),
    }
}

/// What can be made a warning: what is one already need not be.
pub(super) fn warned(argument: &str) -> Result<Which, UnknownRule> {
    match which(argument)? {
        Which::Warnings => Err(UnknownRule { given: argument.to_owned(), nearest: None }),
        which => Ok(which),
    }
}
