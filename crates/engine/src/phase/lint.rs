//! What is looked for in a program that is complete, besides what a language demands: lints of the language, which are a
//! matter of taste, and rules that users have of their own.
//!
//! None runs unless one of its rules is wanted, so that they cost nothing where nobody asks for them.

use super::context::Context;
use super::inheritance::Complete;
use super::program::Program;
use crate::diagnostic::{Diagnostic, Levels, Rule};

/// How many names are compared with each other, to say which is meant.
const LOOKS: usize = 50;

/// Something that is looked for in complete programs.
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// use tosca_parse::diagnostic::{Level, Rule};
/// use tosca_parse::phase::{Context, Explain, Lint};
///
/// static LONG_FILE: Rule =
///     Rule { code: "OWN1", name: "long-file", level: Level::Warning, summary: "a file is longer than ours should be" };
///
/// struct LongFile;
///
/// impl Lint for LongFile {
///     fn rules(&self) -> Vec<&'static Rule> {
///         vec![&LONG_FILE]
///     }
///
///     fn look(&self, context: &mut Context<'_>) {
///         let Some(root) = context.program.list.first().and_then(|unit| unit.document.root()) else { return };
///         let lines = root.document().text().lines().count();
///         if lines > 1000 {
///             context.problem(&LONG_FILE, Some(root.span()), format!("the file has {lines} lines")).help("divide it");
///         }
///     }
/// }
/// ```
pub trait Lint: Send + Sync {
    /// The rules of the problems that it reports. It runs if one of them is wanted.
    fn rules(&self) -> Vec<&'static Rule>;

    /// Looks at a program, whose first unit is the entry, and reports what it finds.
    fn look(&self, context: &mut Context<'_>);
}

/// Runs those lints whose rules are wanted.
pub(crate) fn run<'l>(
    program: &Program<Complete>,
    lints: impl Iterator<Item = &'l dyn Lint>,
    levels: &Levels,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for lint in lints.filter(|lint| lint.rules().iter().any(|rule| levels.wants(rule))) {
        let mut context = Context::new(program, LOOKS);
        lint.look(&mut context);
        found.extend(context.into_diagnostics());
    }
    found
}
