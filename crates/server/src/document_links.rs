//! Imports, and references to files, as document links.

use tosca_parse::diagnostic::Span;
use tosca_parse::phase::Unit;

use crate::file_references::{self, FileKind, FileReference};
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

/// Returns the resolved imports of the entry, and its references to other files, as links; `uri` returns the file of a
/// built-in source. Editors can't open folders.
pub(crate) fn links(parsed: &Parsed, uri: impl Fn(Span) -> Option<Uri>) -> Vec<DocumentLink> {
    let Some(unit) = parsed.unit() else { return Vec::new() };
    let of_source = |unit: &Unit| uri(Span { source: unit.id, start: 0, end: 0 });
    let of_reference = |reference: &FileReference<'_>| match &reference.kind {
        FileKind::Source { unit, .. } if !reference.is_copy(parsed) => of_source(unit),
        _ if reference.target.to_path().is_some_and(|path| path.is_dir()) => None,
        _ => place::uri(&reference.target),
    };
    let references = file_references::of(parsed, unit);
    let files = references.iter().filter_map(|reference| Some((reference.node.span(), of_reference(reference)?)));
    let imports = imports(parsed).filter_map(|(span, target)| Some((span, of_source(target)?)));
    let mut links: Vec<(Span, Uri)> = files.chain(imports).collect();
    links.retain(|(span, _)| span.source == unit.id);
    links.sort_by_key(|(span, _)| (span.start, span.end));
    links.dedup_by_key(|(span, _)| *span);
    let link = |(span, target): (Span, Uri)| {
        let range = place::range(&unit.source, span.start, span.end);
        DocumentLink { range, target: Some(target), tooltip: None, data: None }
    };
    links.into_iter().map(link).collect()
}
