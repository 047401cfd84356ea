//! The table of all rules: every kind of problem that can be reported, with its stable code.
//!
//! The first digit of a code is the phase that finds the problem, the second groups related rules. A code is never
//! reused and never changes its meaning. What a rule means, and a wrong and a right example, stand in the Markdown
//! file beside this one that bears its code; `tosca-parse explain CODE` and `docs/rules.md` are made from them, and
//! the tests run every example.

mod lookup;
mod page;

pub use lookup::{UnknownRule, find, parse};
pub use page::page;

use crate::diagnostic::{Level, Rule};

macro_rules! rules {
    ($($constant:ident = $code:literal $name:literal $level:ident, $summary:literal;)*) => {
        $(
            #[doc = concat!("`", $code, "`: ", $summary)]
            pub static $constant: Rule = Rule {
                code: $code,
                name: $name,
                level: Level::$level,
                summary: $summary,
                text: include_str!(concat!($code, ".md")),
            };
        )*

        /// Every rule, in the order of the codes.
        pub static ALL: &[&Rule] = &[$(&$constant),*];
    };
}

rules! {
    INVALID_ENCODING = "T1003" "invalid-encoding" Error, "the bytes of a source are not text in a known encoding";
    SOURCE_TOO_LARGE = "T1004" "source-too-large" Error, "a source is larger than allowed";
    YAML_SYNTAX = "T1101" "yaml-syntax" Error, "the text is not well-formed YAML";
    DUPLICATE_KEY = "T1102" "duplicate-key" Error, "a key occurs twice in one map";
    UNDEFINED_ALIAS = "T1103" "undefined-alias" Error, "an alias has no anchor before it";
    RECURSIVE_ALIAS = "T1104" "recursive-alias" Error, "an alias stands inside the node that it refers to";
    SEVERAL_DOCUMENTS = "T1105" "several-documents" Error, "a source holds more than one YAML document";
    REFUSED_TAG = "T1106" "refused-tag" Error, "a YAML tag is not one of the core schema";
    NESTING_TOO_DEEP = "T1107" "nesting-too-deep" Error, "maps and lists are nested too deeply";
    ALIAS_EXPANSION = "T1108" "alias-expansion" Error, "aliases expand to too many nodes";
    INVALID_MERGE = "T1109" "invalid-merge" Error, "a merge key does not hold a map or a list of maps";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Verdict;

    #[test]
    fn codes_are_sorted_and_names_are_unique() {
        assert!(ALL.windows(2).all(|pair| pair[0].code < pair[1].code));
        let mut names: Vec<&str> = ALL.iter().map(|rule| rule.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
    }

    #[test]
    fn whoever_shows_the_wrong_shows_the_right() {
        for rule in ALL {
            let examples = rule.examples();
            let shows = |verdict| examples.iter().any(|example| example.verdict == verdict);
            assert_eq!(shows(Verdict::Wrong), shows(Verdict::Right), "{}", rule.code);
        }
    }

    #[test]
    fn codes_and_names_have_their_form() {
        for rule in ALL {
            let digits = rule.code.strip_prefix('T').unwrap_or_default();
            assert!(digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()), "{}", rule.code);
            assert!((b'1'..=b'5').contains(&digits.as_bytes()[0]), "{}: no such phase", rule.code);
            let words = rule.name.split('-');
            assert!(
                words.into_iter().all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()))
            );
            assert!(!rule.summary.ends_with('.'), "{}", rule.code);
        }
    }
}
