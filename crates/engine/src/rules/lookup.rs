//! Finds rules by code or name.

use thiserror::Error;

use crate::diagnostic::{Rule, RuleDocs, suggest};

/// Returns the rule with the given code (`T1201`) or name (`unknown-keyname`).
pub fn find<'a>(rules: &'a [RuleDocs], code_or_name: &str) -> Option<&'a RuleDocs> {
    let is_meant = |rule: &Rule| rule.code.eq_ignore_ascii_case(code_or_name) || rule.name == code_or_name;
    rules.iter().find(|explained| is_meant(explained.rule))
}

/// Like [`find`], but returns an error that names the rule that was probably meant.
///
/// # Errors
///
/// Returns an error if there is no such rule.
pub fn parse<'a>(rules: &'a [RuleDocs], code_or_name: &str) -> Result<&'a RuleDocs, UnknownRule> {
    let given = code_or_name.trim();
    find(rules, given).ok_or_else(|| {
        let known = rules.iter().flat_map(|explained| [explained.rule.code, explained.rule.name]);
        let nearest = suggest::nearest(given, known).and_then(|near| find(rules, near));
        UnknownRule { given: given.to_owned(), nearest: nearest.map(|explained| explained.rule) }
    })
}

/// The error that no rule has the given code or name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no rule is called `{given}`{}", suggestion(*.nearest))]
pub struct UnknownRule {
    /// The given code or name.
    pub given: String,
    /// The rule with the most similar code or name, if there is a similar one.
    pub nearest: Option<&'static Rule>,
}

fn suggestion(nearest: Option<&Rule>) -> String {
    let code = |rule: &Rule| if rule.has_code() { format!(" ({})", rule.code) } else { String::new() };
    nearest.map_or(String::new(), |rule| format!("; did you mean `{}`{}?", rule.name, code(rule)))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::rules::{NOT_FOUND, YAML_SYNTAX};

    static RULES: &[RuleDocs] = &[
        RuleDocs { rule: &NOT_FOUND, text: Cow::Borrowed("") },
        RuleDocs { rule: &YAML_SYNTAX, text: Cow::Borrowed("why") },
    ];

    fn code(given: &str) -> Option<&'static str> {
        find(RULES, given).map(|explained| explained.rule.code)
    }

    #[test]
    fn rules_are_found_by_code_and_name() {
        assert_eq!(code("T1101"), Some("T1101"));
        assert_eq!(code("t1101"), Some("T1101"));
        assert_eq!(code("yaml-syntax"), Some("T1101"));
        assert_eq!(code("T9999"), None);
        assert_eq!(code(""), None);
        assert_eq!(parse(RULES, " T1101 ").map(|explained| &*explained.text), Ok("why"));
    }

    #[test]
    fn unknown_rules_have_suggestions() {
        let message = |given: &str| parse(RULES, given).map(|_| ()).map_err(|error| error.to_string());
        let meant = "did you mean `yaml-syntax` (T1101)?";
        assert_eq!(message("YAML_Syntax"), Err(format!("no rule is called `YAML_Syntax`; {meant}")));
        assert_eq!(message("1101"), Err(format!("no rule is called `1101`; {meant}")));
        assert_eq!(message("beauty"), Err("no rule is called `beauty`".to_owned()));
    }
}
