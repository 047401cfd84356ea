//! Hides the content of files that may not be templates: a template may import any file on the system.

use super::Diagnostic;
use crate::text::Sources;

/// Removes quoted text from problems in sources whose lines must not be [shown](crate::text::Source::is_shown).
pub fn hide_foreign_text(diagnostics: &mut [Diagnostic], sources: &Sources) {
    for problem in diagnostics {
        if sources.get(problem.span.source).is_some_and(|source| !source.is_shown()) {
            problem.message = without_quoted(&problem.message);
            problem.help.iter_mut().for_each(|help| *help = without_quoted(help));
            problem.fix = None;
        }
    }
}

/// Replaces everything in back-quotes with an ellipsis.
pub fn without_quoted(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(number, part)| if number % 2 == 1 { "…" } else { part });
    parts.collect::<Vec<_>>().join("`")
}
