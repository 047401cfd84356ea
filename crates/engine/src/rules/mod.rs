//! The rules of the engine: every kind of problem that the engine itself reports, in any language.
//!
//! The first digit of a code denotes the phase that reports the problem, and the second digit groups related rules. A
//! code is never reused and never changes its meaning. Each rule is explained, for any language, in the file `CODE.md`
//! in this folder. A language adds [its own rules](crate::entity::Language::rules) and may add examples and details to
//! these explanations.

mod lookup;
mod page;

pub use lookup::{UnknownRule, find, parse};
pub use page::page;

use crate::diagnostic::RuleDocs;

/// Declares rules as statics and a list `ALL` of them. With `explained in "FOLDER";` in front, it also declares a list
/// `EXPLAINED` with their explanations, which are the files `FOLDER/CODE.md`. The folder is relative to the file with
/// the macro call.
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// tosca_parse::rule_table! {
///     TOO_LATE = "E5001" "too-late" Warning, "an errand is done when the shops are closed";
/// }
/// # fn main() {
/// assert_eq!(ALL[0], &TOO_LATE);
/// # }
/// ```
#[macro_export]
macro_rules! rule_table {
    (explained in $folder:literal; $($constant:ident = $code:literal $name:literal $level:ident, $summary:literal;)*) => {
        $crate::rule_table! { $($constant = $code $name $level, $summary;)* }
        $crate::explained_rules! {
            /// Every rule in this table with its explanation.
            pub static EXPLAINED in $folder = [$($constant = $code,)*];
        }
    };
    ($($constant:ident = $code:literal $name:literal $level:ident, $summary:literal;)*) => {
        $(
            #[doc = concat!("`", $code, "`: ", $summary)]
            pub static $constant: $crate::diagnostic::Rule = $crate::diagnostic::Rule {
                code: $code,
                name: $name,
                level: $crate::diagnostic::Level::$level,
                summary: $summary,
            };
        )*

        /// Every rule in this table, sorted by code.
        pub static ALL: &[&$crate::diagnostic::Rule] = &[$(&$constant),*];
    };
}

/// Declares a list of rules with their explanations, which are files named after the codes of the rules.
#[macro_export]
macro_rules! explained_rules {
    ($(#[$doc:meta])* pub static $list:ident in $folder:literal = [$($constant:ident = $code:literal,)*];) => {
        $(#[$doc])*
        pub static $list: &[$crate::diagnostic::RuleDocs] = &[
            $($crate::diagnostic::RuleDocs {
                rule: &$constant,
                text: ::std::borrow::Cow::Borrowed(include_str!(concat!($folder, "/", $code, ".md"))),
            }),*
        ];
    };
}

rule_table! {
    explained in ".";
    NOT_FOUND = "T1001" "not-found" Error, "a source does not exist";
    UNREADABLE = "T1002" "unreadable" Error, "a source exists but can't be read";
    INVALID_ENCODING = "T1003" "invalid-encoding" Error, "the bytes of a source are not text in a known encoding";
    SOURCE_TOO_LARGE = "T1004" "source-too-large" Error, "a source exceeds the size limit";
    EMPTY_SOURCE = "T1005" "empty-source" Error, "a source has no content";
    YAML_SYNTAX = "T1101" "yaml-syntax" Error, "a source is not well-formed YAML";
    DUPLICATE_KEY = "T1102" "duplicate-key" Error, "a key occurs twice in one map";
    UNDEFINED_ALIAS = "T1103" "undefined-alias" Error, "an alias refers to an undefined anchor";
    RECURSIVE_ALIAS = "T1104" "recursive-alias" Error, "an alias is inside the node that it refers to";
    SEVERAL_DOCUMENTS = "T1105" "several-documents" Error, "a source contains several YAML documents";
    REFUSED_TAG = "T1106" "refused-tag" Error, "a YAML tag is not in the core schema";
    NESTING_TOO_DEEP = "T1107" "nesting-too-deep" Error, "maps and lists are nested too deeply";
    ALIAS_EXPANSION = "T1108" "alias-expansion" Error, "aliases expand to too many nodes";
    INVALID_MERGE = "T1109" "invalid-merge" Error, "the value of a merge key is neither a map nor a list of maps";
    UNKNOWN_KEYNAME = "T1201" "unknown-keyname" Error, "a key is not a keyname of the entity";
    UNSUPPORTED_KEYNAME = "T1202" "unsupported-keyname" Error, "a keyname does not exist in the version of the file";
    TOLERATED_KEYNAME = "T1203" "tolerated-keyname" StrictError, "a keyname is not in the version of the file, but is accepted";
    MISSING_KEYNAME = "T1204" "missing-keyname" Error, "a mandatory keyname is missing";
    WRONG_KIND = "T1205" "wrong-kind" Error, "a map, list or scalar is given where another kind of value is expected";
    NULL_VALUE = "T1206" "null-value" Error, "a keyname or name has no value";
    INVALID_NAME = "T1207" "invalid-name" Error, "a name is empty, not a string, or a misplaced keyname";
    NOT_ONE_ENTRY = "T1208" "not-one-entry" Error, "a map that must have exactly one entry has none or several";
    DUPLICATE_NAME = "T1209" "duplicate-name" Error, "a name occurs twice in a list";
    BOOLEAN_SPELLING = "T1210" "boolean-spelling" StrictError, "a boolean is not spelled `true` or `false`";
    KEYNAME_TWICE = "T1211" "keyname-twice" Error, "a keyname is given under two of its names";
    MAP_FOR_LIST = "T1212" "map-for-list" StrictError, "a map is given where a list of maps with one entry each is expected";
    MISSING_VERSION = "T1301" "missing-version" Error, "a file does not declare its version";
    UNKNOWN_VERSION = "T1302" "unknown-version" Error, "a file declares an unknown version";
    VERSION_NOT_FIRST = "T1303" "version-not-first" Error, "the version is not the first key of a file";
    INVALID_WORD = "T1313" "invalid-word" Error, "a word is not one of the allowed values";
    TOLERATED_WORD = "T1314" "tolerated-word" StrictError, "a word belongs to another version";
    INVALID_IMPORT = "T1401" "invalid-import" Error, "an import has an invalid address or is not permitted";
    UNKNOWN_PROFILE = "T1402" "unknown-profile" Error, "an imported profile is unknown";
    IMPORT_LOOP = "T1403" "import-loop" StrictError, "sources import each other in a loop";
    IMPORT_OUTSIDE = "T1405" "import-outside" Error, "an import leaves the folder or archive that it must stay in";
    TOO_MANY_IMPORTS = "T1406" "too-many-imports" Error, "imports exceed a limit on their number, their size or the time to read them";
    REPLACED_IMPORT = "T1407" "replaced-import" Warning, "an import can't be read, and another copy of the file is used";
    DAMAGED_ARCHIVE = "T1501" "damaged-archive" Error, "an archive is damaged, or the file is not an archive";
    WRONG_CHECKSUM = "T1502" "wrong-checksum" Error, "a file in an archive does not match its checksum";
    ENCRYPTED_ENTRY = "T1503" "encrypted-entry" Error, "a file in an archive is encrypted";
    ESCAPING_ENTRY = "T1504" "escaping-entry" Error, "the name of an entry leads out of the archive";
    ABSOLUTE_ENTRY = "T1505" "absolute-entry" Error, "the name of an entry is an absolute path";
    LINKED_ENTRY = "T1506" "linked-entry" Error, "an entry of an archive is a link or a device";
    DUPLICATE_ENTRY = "T1507" "duplicate-entry" Error, "two entries of an archive have the same name";
    ARCHIVE_TOO_LARGE = "T1508" "archive-too-large" Error, "an archive exceeds a limit on its size, entries or folder depth";
    ARCHIVE_BOMB = "T1509" "archive-bomb" Error, "an archive unpacks to far more bytes than it contains";
    UNSUPPORTED_ARCHIVE = "T1510" "unsupported-archive" Error, "an archive is packed in an unsupported way";
    SIMILAR_ENTRIES = "T1511" "similar-entries" Warning, "the names of two entries differ only in case or in Unicode normalization";
    UNPORTABLE_ENTRY = "T1512" "unportable-entry" Warning, "the name of an entry is not a valid file name on Windows";
    NO_ENTRY_DEFINITIONS = "T1525" "no-entry-definitions" Error, "an archive does not say which of its files is the template";
    UNUSED_IGNORE = "T1601" "unused-ignore" Warning, "an ignore comment applies to no problem";
    INVALID_IGNORE = "T1602" "invalid-ignore" Warning, "a comment for `tosca-parse` is malformed or names an unknown rule";
    UNKNOWN_NAME = "T2001" "unknown-name" Error, "a reference uses an unknown name";
    AMBIGUOUS_NAME = "T2002" "ambiguous-name" Error, "a name is ambiguous, because several imports declare it";
    SHADOWED_NAME = "T2003" "shadowed-name" StrictError, "a declared name shadows an imported one";
    NAME_TAKEN = "T2004" "name-taken" Error, "a declared name is already imported";
    RESERVED_NAME = "T2005" "reserved-name" Error, "a declared name is reserved for something built in";
    TOLERATED_NAME = "T2006" "tolerated-name" StrictError, "a name belongs to another version";
    SEPARATOR_IN_NAME = "T2007" "separator-in-name" StrictError, "a declared name contains the separator of a prefix";
    DERIVATION_LOOP = "T3001" "derivation-loop" Error, "a type is derived from itself";
    LARGE_PARENTS = "T3003" "large-parents" Error, "types inherit too much from several parents";
    CHANGED_FIXED = "T4001" "changed-fixed" Error, "a fixed value is changed";
    NOT_WITHIN = "T4002" "not-within" Error, "a refinement is not within the inherited bounds";
    NOT_NARROWER = "T4003" "not-narrower" Error, "a refinement names a type that is not derived from the refined one";
    NOTHING_TO_REFINE = "T4004" "nothing-to-refine" Error, "a refinement refers to a member that does not exist";
    GIVEN_AGAIN = "T4005" "given-again" Error, "an inherited member is given again";
    MISSING_KEYNAME_OR_INHERITED = "T4006" "missing-after-inheritance" Error, "a mandatory keyname is neither given nor inherited";
    INCOMPLETE_DEFINITION = "T4007" "incomplete-definition" Error, "a definition or template inherits from a type or template that could not be completed";
    DEPENDENCY_LOOP = "T4008" "dependency-loop" Error, "a type or template depends on itself";
    UNDECLARED = "T5001" "undeclared" Error, "an assigned member is not declared by the type";
    UNDECLARED_TOLERATED = "T5002" "undeclared-tolerated" StrictError, "an assigned member is not declared by the type but is accepted";
    WRONG_TYPE = "T5101" "wrong-type" Error, "a value does not have the declared type";
    MISSING_VALUE = "T5106" "missing-value" Error, "a required value is missing";
    TOO_MANY_PROBLEMS = "T5801" "too-many-problems" Warning, "there are more problems of one kind than are shown";
    UNCHECKED_USES = "T5803" "unchecked-uses" Warning, "a type is too large to be checked for each of its templates";
}

/// Returns the engine's rules and those in the given tables of languages, sorted by code. Text that a table adds to a
/// rule of the engine is appended to that rule's explanation.
pub fn explained(tables: impl IntoIterator<Item = &'static [RuleDocs]>) -> Vec<RuleDocs> {
    let mut all = EXPLAINED.to_vec();
    for added in tables.into_iter().flatten() {
        match all[..EXPLAINED.len()].iter_mut().find(|known| known.rule == added.rule) {
            Some(known) => known.text = format!("{}\n\n{}", known.text.trim_end(), added.text).into(),
            None => all.push(added.clone()),
        }
    }
    all.sort_by_key(|explained| explained.rule.code);
    all
}

/// Returns the inconsistencies in the given rules, one sentence each; empty if there are none. It is meant for tests of
/// languages.
pub fn check(rules: &[RuleDocs]) -> Vec<String> {
    let mut found = Vec::new();
    for (number, RuleDocs { rule, .. }) in rules.iter().enumerate() {
        if rules[..number].iter().any(|other| other.rule.code == rule.code || other.rule.name == rule.name) {
            found.push(format!("{} and `{}` are used more than once", rule.code, rule.name));
        }
        let digits = rule.code.get(1..).unwrap_or_default();
        if digits.len() != 4 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            found.push(format!("{} is not a letter and four digits", rule.code));
        }
        if rule.name.split('-').any(|word| word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_lowercase())) {
            found.push(format!("`{}` is not written in kebab case", rule.name));
        }
        if rule.summary.ends_with('.') {
            found.push(format!("the summary of {} ends with a period", rule.code));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::borrow::Cow;
    use std::path::Path;

    use super::*;
    use crate::diagnostic::{Level, Rule};

    #[test]
    fn rules_are_sorted_and_consistent() {
        assert!(ALL.windows(2).all(|pair| pair[0].code < pair[1].code));
        assert_eq!(check(EXPLAINED), [""; 0]);
    }

    #[test]
    fn inconsistencies_are_reported() {
        static ODD: Rule = Rule { code: "T12345", name: "odd_name", level: Level::Error, summary: "It is odd." };
        let odd = RuleDocs { rule: &ODD, text: Cow::Borrowed("") };
        assert_eq!(
            check(&[odd.clone(), odd]).len(),
            7,
            "each time the code, the name and the summary, and once that it is there already"
        );
    }

    #[test]
    fn tables_extend_explanations_of_the_engine() {
        static ODD: Rule = Rule { code: "E1000", name: "odd", level: Level::Error, summary: "it is odd" };
        static TABLE: &[RuleDocs] = &[
            RuleDocs { rule: &YAML_SYNTAX, text: Cow::Borrowed("An example.\n") },
            RuleDocs { rule: &ODD, text: Cow::Borrowed("Odd.\n") },
        ];
        let all = explained([TABLE]);
        assert_eq!(all.len(), ALL.len() + 1);
        assert_eq!((all[0].rule, &*all[0].text), (&ODD, "Odd.\n"));
        let text = |rules: &[RuleDocs]| parse(rules, "T1101").map(|explained| explained.text.clone().into_owned());
        let of_engine = text(EXPLAINED).unwrap();
        assert_eq!(text(&all), Ok(format!("{}\n\nAn example.\n", of_engine.trim_end())));
    }

    #[test]
    fn every_page_belongs_to_a_rule_of_the_engine() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
        let pages = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut codes: Vec<String> = pages
            .filter(|page| page.extension().is_some_and(|extension| extension == "md"))
            .map(|page| page.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        codes.sort();
        assert_eq!(codes, ALL.iter().map(|rule| rule.code).collect::<Vec<_>>());
    }
}
