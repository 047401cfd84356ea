//! Imports as document links.

use tosca_parse::diagnostic::Span;

use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{DocumentLink, Uri};

/// Returns the resolved imports of the entry; `uri` returns the file of a built-in source.
pub(crate) fn links(parsed: &Parsed, uri: impl Fn(Span) -> Option<Uri>) -> Vec<DocumentLink> {
    let program = &parsed.outcome.program;
    let Some(unit) = parsed.unit() else { return Vec::new() };
    let mut links = Vec::new();
    for link in program.links.first().into_iter().flatten() {
        let (Some(import), Some(target)) = (unit.imports.get(link.import), program.list.get(link.unit)) else {
            continue;
        };
        let span = unit.document.node(import.node).span();
        let start = Span { source: target.id, start: 0, end: 0 };
        if let Some(target) = uri(start).filter(|_| span.source == unit.id && !import.is_reference) {
            let range = place::range(&unit.source, span.start, span.end);
            links.push(DocumentLink { range, target: Some(target), tooltip: None, data: None });
        }
    }
    links
}
