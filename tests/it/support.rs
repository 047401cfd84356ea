//! Helpers for several tests.

use std::collections::BTreeSet;

use tosca_parse::Outcome;
use tosca_parse::diagnostic::render::{Concise, Document, Terminal};
use tosca_parse::diagnostic::{Severity, Span};
use tosca_parse::normal::Service;
use tosca_parse::rules;

/// Returns the codes of all problems, each once, in order.
pub(crate) fn codes(outcome: &Outcome) -> Vec<&'static str> {
    let codes: BTreeSet<&str> = outcome.diagnostics.iter().map(|problem| problem.rule.code).collect();
    codes.into_iter().collect()
}

/// Checks invariants of any outcome.
pub(crate) fn check(outcome: &Outcome) {
    for problem in &outcome.diagnostics {
        assert!(
            rules::find(problem.rule.code).is_some_and(|known| known.rule.code == problem.rule.code),
            "{}",
            problem.message
        );
        assert!(!problem.message.is_empty() && !problem.message.contains('\n'), "{}", problem.message);
        check_span(outcome, problem.span);
        for related in &problem.related {
            check_span(outcome, related.span);
        }
    }
    let starts = outcome.diagnostics.iter().map(|problem| {
        let rank = outcome.sources.rank(problem.span.source);
        (rank, problem.span.start)
    });
    assert!(starts.is_sorted(), "the order of the text");

    // Every problem can be shown, and a model can be created.
    let (problems, sources) = (&outcome.diagnostics, &outcome.sources);
    let lines = Concise::new(problems, sources).to_string();
    assert_eq!(lines.lines().count(), problems.len(), "{lines}");
    assert!(problems.is_empty() || !Terminal::new(problems, sources).to_string().is_empty());
    serde_json::to_string(&Document::new(problems, sources)).unwrap();
    serde_json::to_string(&Service::of(&outcome.program)).unwrap();
    let has_error = problems.iter().any(|problem| problem.severity == Severity::Error);
    assert_eq!(outcome.is_valid(), !has_error);
}

fn check_span(outcome: &Outcome, span: Span) {
    let source = outcome.sources.get(span.source).unwrap_or_else(|| panic!("{span:?} is in no source"));
    assert!(source.text().get(span.start as usize..span.end as usize).is_some(), "{span:?} is no range of characters");
}

/// Checks that a generated file in `docs` is up to date, or updates it on request.
pub(crate) fn is_up_to_date(file: &str, text: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(file);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(written == text, "docs/{file} is out of date: UPDATE_DOCS=1 cargo test renews it");
}
