//! Imports, and references to files, as document links.

use tosca_parse::diagnostic::Span;
use tosca_parse::phase::Unit;

use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{DocumentLink, Uri};

/// Returns the resolved imports of the entry: the positions of their addresses and the imported units.
pub(crate) fn imports(parsed: &Parsed) -> impl Iterator<Item = (Span, &Unit)> {
    let program = &parsed.outcome.program;
    let links = parsed.unit().into_iter().flat_map(move |unit| {
        let links = program.links.first().into_iter().flatten();
        links.map(move |link| (unit, link))
    });
    links.filter_map(move |(unit, link)| {
        let import = unit.imports.get(link.import).filter(|import| !import.is_reference)?;
        Some((unit.document.node(import.node).span(), &**program.list.get(link.unit)?))
    })
}

/// Returns the references of the entry to other templates by their paths, such as nested templates: the positions of the
/// paths and the units.
fn files(parsed: &Parsed) -> impl Iterator<Item = (Span, &Unit)> {
    let program = &parsed.outcome.program;
    let links = parsed.unit().into_iter().flat_map(move |unit| {
        let links = program.links.first().into_iter().flatten();
        links.map(move |link| (unit, link))
    });
    links.filter_map(move |(unit, link)| {
        let import = unit.imports.get(link.import).filter(|import| import.is_reference)?;
        let (node, target) = (unit.document.node(import.node), &**program.list.get(link.unit)?);
        // A name of a class leads to a file, too, but it is no path.
        let found = parsed.address(unit.id)?.join(node.text()).ok()?;
        (parsed.address(target.id) == Some(&found)).then(|| (node.span(), target))
    })
}

/// Returns the resolved imports of the entry, and its references to other templates, as links; `uri` returns the file of a built-in source.
pub(crate) fn links(parsed: &Parsed, uri: impl Fn(Span) -> Option<Uri>) -> Vec<DocumentLink> {
    let Some(unit) = parsed.unit() else { return Vec::new() };
    let own = imports(parsed).chain(files(parsed)).filter(|(span, _)| span.source == unit.id);
    let links = own.filter_map(|(span, target)| {
        let target = uri(Span { source: target.id, start: 0, end: 0 })?;
        let range = place::range(&unit.source, span.start, span.end);
        Some(DocumentLink { range, target: Some(target), tooltip: None, data: None })
    });
    links.collect()
}
