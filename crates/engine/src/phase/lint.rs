//! Optional checks of complete programs, beyond what a language requires: the language's lints, which are a matter of
//! taste, and users' custom rules.
//!
//! A lint runs only if one of its rules is enabled, so that disabled lints cost nothing.

use super::context::Context;
use super::inheritance::Complete;
use super::program::Program;
use crate::diagnostic::{Diagnostic, Levels, Rule};

/// The maximum number of names that are compared with each other for suggestions.
const SUGGESTION_BUDGET: usize = 50;

/// An optional check of complete programs.
///
/// ```
/// # extern crate tosca_parse_engine as tosca_parse;
/// use tosca_parse::diagnostic::{Level, Rule};
/// use tosca_parse::phase::{Context, DiagnosticExt, Lint};
///
/// static LONG_FILE: Rule =
///     Rule { code: "OWN1", name: "long-file", level: Level::Warning, summary: "a file has more than 1000 lines" };
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
///             let message = format!("the file has {lines} lines");
///             context.problem(&LONG_FILE, Some(root.span()), message).help("split the file");
///         }
///     }
/// }
/// ```
pub trait Lint: Send + Sync {
    /// Returns the rules whose problems the lint reports. The lint runs if one of them is enabled.
    fn rules(&self) -> Vec<&'static Rule>;

    /// Checks a program, whose first unit is the entry, and reports problems.
    fn look(&self, context: &mut Context<'_>);
}

/// Runs the lints whose rules are enabled. Also returns the number of names that were compared to suggest one.
pub(crate) fn run<'l>(
    program: &Program<Complete>,
    lints: impl Iterator<Item = &'l dyn Lint>,
    levels: &Levels,
) -> (Vec<Diagnostic>, usize) {
    let (mut found, mut compared) = (Vec::new(), 0);
    for lint in lints.filter(|lint| lint.rules().iter().any(|rule| levels.is_enabled(rule))) {
        let mut context = Context::new(program, SUGGESTION_BUDGET);
        lint.look(&mut context);
        compared += context.suggestions.spent();
        found.extend(context.into_diagnostics());
    }
    (found, compared)
}
