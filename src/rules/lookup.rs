//! Rules by what users call them.

use thiserror::Error;

use super::ALL;
use crate::diagnostic::{Rule, suggest};

/// The rule with the given code (`T1201`) or name (`unknown-keyname`).
pub fn find(code_or_name: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.code.eq_ignore_ascii_case(code_or_name) || rule.name == code_or_name)
}

/// Like [`find`], with an error that says which rule was probably meant.
///
/// ```
/// use tosca_parse::rules;
///
/// assert_eq!(rules::parse("t1101")?.name, "yaml-syntax");
/// let error = rules::parse("yaml-sintax").unwrap_err();
/// assert_eq!(error.to_string(), "no rule is called `yaml-sintax`; did you mean `yaml-syntax` (T1101)?");
/// # Ok::<(), rules::UnknownRule>(())
/// ```
pub fn parse(code_or_name: &str) -> Result<&'static Rule, UnknownRule> {
    let given = code_or_name.trim();
    find(given).ok_or_else(|| {
        let known = ALL.iter().flat_map(|rule| [rule.code, rule.name]);
        UnknownRule { given: given.to_owned(), nearest: suggest::nearest(given, known).and_then(find) }
    })
}

/// No rule has the given code or name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no rule is called `{given}`{}", suggestion(*.nearest))]
pub struct UnknownRule {
    /// What was given.
    pub given: String,
    /// The rule with the most similar code or name, if any is similar.
    pub nearest: Option<&'static Rule>,
}

fn suggestion(nearest: Option<&Rule>) -> String {
    nearest.map_or(String::new(), |rule| format!("; did you mean `{}` ({})?", rule.name, rule.code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::YAML_SYNTAX;

    #[test]
    fn rules_are_found_by_code_and_name() {
        assert_eq!(find("T1101"), Some(&YAML_SYNTAX));
        assert_eq!(find("t1101"), Some(&YAML_SYNTAX));
        assert_eq!(find("yaml-syntax"), Some(&YAML_SYNTAX));
        assert_eq!(find("T9999"), None);
        assert_eq!(find(""), None);
        assert_eq!(parse(" T1101 "), Ok(&YAML_SYNTAX));
    }

    #[test]
    fn unknown_rules_are_guessed() {
        let message = |given: &str| parse(given).map_err(|error| error.to_string());
        let meant = "did you mean `yaml-syntax` (T1101)?";
        assert_eq!(message("YAML_Syntax"), Err(format!("no rule is called `YAML_Syntax`; {meant}")));
        assert_eq!(message("1101"), Err(format!("no rule is called `1101`; {meant}")));
        assert_eq!(message("beauty"), Err("no rule is called `beauty`".to_owned()));
    }
}
