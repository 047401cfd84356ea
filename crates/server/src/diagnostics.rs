//! Problems as LSP diagnostics.

use std::collections::BTreeMap;

use tosca_parse::diagnostic::{self, Severity, Span, rule_url};

use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{
    Client, Code, CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    Location, Range, Text, Uri,
};

/// Returns the problems of a program, grouped by file.
pub(crate) fn by_file(parsed: &Parsed, client: Client, name: &str) -> BTreeMap<String, Vec<Diagnostic>> {
    let mut files: BTreeMap<String, Vec<Diagnostic>> = BTreeMap::new();
    for problem in &parsed.outcome.diagnostics {
        let file = parsed.address(problem.span.source).filter(|address| address.to_path().is_some());
        if let Some((file, shown)) = file.zip(shown(problem, parsed, client, name)) {
            files.entry(file.to_string()).or_default().push(shown);
        }
    }
    files
}

/// Converts a problem to an LSP diagnostic.
pub(crate) fn shown(
    problem: &diagnostic::Diagnostic,
    parsed: &Parsed,
    client: Client,
    name: &str,
) -> Option<Diagnostic> {
    let source = parsed.outcome.sources.get(problem.span.source)?;
    let related = problem.related.iter().filter_map(|related| {
        Some(DiagnosticRelatedInformation {
            location: location(parsed, related.span)?,
            message: related.message.clone(),
        })
    });
    let related: Vec<_> = if client.related { related.collect() } else { Vec::new() };
    Some(Diagnostic {
        range: place::range(source, problem.span.start, problem.span.end),
        related_information: Some(related).filter(|related| !related.is_empty()),
        ..at_start(problem, name)
    })
}

/// Converts a problem of a file that has not been read to an LSP diagnostic.
pub(crate) fn at_start(problem: &diagnostic::Diagnostic, name: &str) -> Diagnostic {
    let severity = match problem.severity {
        Severity::Error => DiagnosticSeverity::Error,
        Severity::Warning => DiagnosticSeverity::Warning,
    };
    let mut message = problem.message.clone();
    for help in &problem.help {
        message.push_str("\nhelp: ");
        message.push_str(help);
    }
    Diagnostic {
        range: Range::default(),
        severity: Some(severity),
        code: Some(Code::String(problem.rule.code.to_owned())),
        code_description: rule_url(problem.rule).map(|url| CodeDescription { href: url.into() }),
        source: Some(name.to_owned()),
        message: Text::String(message),
        tags: tags(problem.rule.name).map(|tag| vec![tag]),
        related_information: None,
        data: None,
    }
}

/// Returns the tag for the problems of a rule: deprecated names are struck through, and unused ones are faded.
fn tags(rule: &str) -> Option<DiagnosticTag> {
    if rule.starts_with("unused-") {
        Some(DiagnosticTag::Unnecessary)
    } else {
        rule.starts_with("deprecated-").then_some(DiagnosticTag::Deprecated)
    }
}

/// Returns the location of a span, if it is in a file.
pub(crate) fn location(parsed: &Parsed, span: Span) -> Option<Location> {
    let source = parsed.outcome.sources.get(span.source)?;
    let uri: Uri = place::uri(parsed.address(span.source)?)?;
    Some(Location { uri, range: place::range(source, span.start, span.end) })
}

/// Adds problems of a file that other programs have found, unless the same problem is already listed.
pub(crate) fn add(all: &mut Vec<Diagnostic>, others: &[Diagnostic]) {
    for other in others {
        if !all.iter().any(|known| known.range == other.range && known.code == other.code) {
            all.push(other.clone());
        }
    }
}
