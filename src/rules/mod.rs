//! Every kind of problem that can be reported, with its stable code: the rules of the engine, of TOSCA, and of the
//! other languages of the library.
//!
//! Each rule is explained, with a wrong and a right example, in the Markdown file in this folder that is named after
//! its code. For a rule of the engine, the file only adds to the explanation in the engine. The output of
//! `tosca-parse explain CODE` and `docs/rules.md` are generated from these files, and the tests run every example.

mod engine;
mod table;
pub mod test_file;

use std::sync::LazyLock;

use engine::ADDITIONS;
pub use table::EXPLAINED;
pub use table::*;
use tosca_parse_engine::rules as generic;
pub use tosca_parse_engine::rules::*;

use crate::diagnostic::RuleDocs;

/// The tables of the rules of TOSCA.
pub(crate) static TOSCA: &[&[RuleDocs]] = &[ADDITIONS, EXPLAINED];

/// Every rule, in the order of the codes.
pub static ALL: LazyLock<Vec<RuleDocs>> = LazyLock::new(|| {
    let tables = crate::LANGUAGES.iter().flat_map(|language| language.rules.iter().copied());
    #[cfg(feature = "yay")]
    let tables = tables.chain([crate::yay::host::rules::EXPLAINED]);
    explained(tables.chain([test_file::EXPLAINED]))
});

/// Returns the rule with the given code (`T1201`) or name (`unknown-keyname`).
pub fn find(code_or_name: &str) -> Option<&'static RuleDocs> {
    generic::find(&ALL, code_or_name)
}

/// Finds a rule like [`find`], with an error that names the rule that was probably meant.
///
/// ```
/// use tosca_parse::rules;
///
/// assert_eq!(rules::parse("t1101")?.rule.name, "yaml-syntax");
/// let error = rules::parse("yaml-sintax").unwrap_err();
/// assert_eq!(error.to_string(), "no rule is called `yaml-sintax`; did you mean `yaml-syntax` (T1101)?");
/// # Ok::<(), rules::UnknownRule>(())
/// ```
pub fn parse(code_or_name: &str) -> Result<&'static RuleDocs, UnknownRule> {
    generic::parse(&ALL, code_or_name)
}

const INTRODUCTION: &str = "\
<!-- Generated from crates/engine/src/rules and src/rules by the tests, which fail if it is outdated. Update it with `cargo xtask renew rules`. -->

# Rules

All rules of `tosca-parse`. The first digit of a code is the phase that finds the problem; a code never changes its
meaning. Phase 6 is resolving and running, after the other phases (`tosca-parse resolve`, `--evaluate`, `tosca-parse
murano`). 7 stands for lints, and 8 for `tosca-parse migrate`. `tosca-parse explain CODE` shows the same text in a
terminal.

An *error* makes the input invalid. A *warning* does not. A *warning, error in strict mode* is a deviation from the
letter of the standard, which `--strict` reports as an error. A rule that is *optional* is off by default,
because it is a matter of taste or depends on the purpose of a template. `--allow`, `--warn` and `--deny` with a code or
a name set the level of a single rule; `lints` means all lints.
";

/// The tables on the page of rules: titles and prefixes of codes.
const TABLES: &[(&str, &str)] = &[
    ("Phase 1: reading", "T1"),
    ("Phase 2: names", "T2"),
    ("Phase 3: hierarchies", "T3"),
    ("Phase 4: inheritance", "T4"),
    ("Phase 5: rendering", "T5"),
    ("Phase 6: resolving", "T6"),
    ("Lints, off by default", "T7"),
    ("Migration to a later version", "T8"),
    ("Cloudify", "C"),
    ("Heat", "H"),
    ("MuranoPL", "M"),
    ("Yay: evaluation, before the phases", "Y"),
    ("Test files", "X"),
];

/// Returns the page of all rules in Markdown: tables by phase, then each rule with its explanation.
pub fn page() -> String {
    generic::page(INTRODUCTION, TABLES, &ALL)
}

#[cfg(test)]
mod tests;
