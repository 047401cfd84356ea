//! The table of all rules: every kind of problem that can be reported, with its stable code.
//!
//! The first digit of a code is the phase that finds the problem, the second groups related rules. A code is never
//! reused and never changes its meaning. What a rule means, and a wrong and a right example, stand in the Markdown
//! file beside this one that bears its code; `tosca-parse explain CODE` and `docs/rules.md` are made from them, and
//! the tests run every example.

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

/// The rule with the given code (`T1201`) or name (`unknown-keyname`).
pub fn find(code_or_name: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.code.eq_ignore_ascii_case(code_or_name) || rule.name == code_or_name)
}
