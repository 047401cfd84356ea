//! The entities of a text, as an outline and by their names; and which lines belong together.

use tosca_parse::ard::{Kind, Style};
use tosca_parse::entity::AnyId;
use tosca_parse::phase::Unit;

use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{
    BaseSymbolInformation, DocumentSymbol, FoldingRange, FoldingRangeKind, Location, SymbolInformation, SymbolKind, Uri,
};

/// More symbols are not told at a time.
const MOST: usize = 500;

/// The entities of the entry, each with what it holds.
pub(crate) fn symbols(parsed: &Parsed) -> Vec<DocumentSymbol> {
    let root = parsed.unit().and_then(|unit| Some((unit, unit.root?)));
    root.map(|(unit, root)| children(parsed, unit, root)).unwrap_or_default()
}

fn children(parsed: &Parsed, unit: &Unit, id: AnyId) -> Vec<DocumentSymbol> {
    let Some(entity) = unit.arenas.entity(id.local()) else { return Vec::new() };
    let mut symbols = Vec::new();
    for (index, field) in entity.description().fields.iter().enumerate() {
        let keyname = field.keyname(unit.version);
        entity.field(index).visit_children(&mut |child| symbols.extend(symbol(parsed, unit, child, keyname)));
    }
    symbols.sort_by_key(|symbol| (symbol.range.start, symbol.range.end));
    symbols
}

#[allow(deprecated, reason = "the protocol has such a field")]
fn symbol(parsed: &Parsed, unit: &Unit, id: AnyId, keyname: &str) -> Option<DocumentSymbol> {
    let program = &parsed.outcome.program;
    let header = unit.arenas.header(id.local()).filter(|_| id.unit == unit.id)?;
    let (key, value) = (unit.document.node(header.key).span(), unit.document.node(header.node).span());
    // What is made of something else stands anywhere.
    if key.source != unit.id || value.source != unit.id || key.start > value.end {
        return None;
    }
    let title = unit.language.kinds[usize::from(id.kind.0)].description().title;
    let name = Some(program.name(id)).filter(|name| !name.is_empty()).unwrap_or(keyname);
    let nested = children(parsed, unit, id);
    Some(DocumentSymbol {
        name: name.to_owned(),
        detail: Some(title.to_owned()),
        kind: kind(program.lineage(id).is_some(), !nested.is_empty()),
        tags: None,
        deprecated: None,
        range: place::range(&unit.source, key.start, value.end),
        selection_range: place::range(&unit.source, key.start, key.end),
        children: Some(nested).filter(|nested| !nested.is_empty()),
    })
}

fn kind(is_type: bool, has_parts: bool) -> SymbolKind {
    match (is_type, has_parts) {
        (true, _) => SymbolKind::Class,
        (false, true) => SymbolKind::Object,
        (false, false) => SymbolKind::Field,
    }
}

/// The entities of some programs that other texts can name, by a part of their names; each once.
pub(crate) fn find<'p>(programs: impl Iterator<Item = &'p Parsed>, query: &str) -> Vec<SymbolInformation> {
    let query = query.to_lowercase();
    let mut found: Vec<SymbolInformation> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for parsed in programs {
        let program = &parsed.outcome.program;
        for unit in program.list.iter().filter(|unit| unit.implicit.is_none()) {
            let Some(uri) = parsed.address(unit.id).and_then(place::uri) else { continue };
            if !seen.insert(uri.0.clone()) {
                continue;
            }
            for (section, description) in unit.language.sections.iter().enumerate() {
                let section = tosca_parse::entity::Section(section as u8);
                let names = program.visible(unit.id, section).into_iter().filter(|(_, id)| id.unit == unit.id);
                for (name, id) in names.filter(|(name, _)| name.to_lowercase().contains(&query)) {
                    if found.len() >= MOST {
                        return found;
                    }
                    found.extend(information(parsed, unit, (name, id), description.title, &uri));
                }
            }
        }
    }
    found
}

#[allow(deprecated, reason = "the protocol has such a field")]
fn information(
    parsed: &Parsed,
    unit: &Unit,
    (name, id): (&str, AnyId),
    title: &str,
    uri: &Uri,
) -> Option<SymbolInformation> {
    let span = parsed.outcome.program.name_span(id)?;
    let base = BaseSymbolInformation {
        name: name.to_owned(),
        kind: kind(parsed.outcome.program.lineage(id).is_some(), true),
        tags: None,
        container_name: Some(title.to_owned()),
    };
    let range = place::range(&unit.source, span.start, span.end);
    Some(SymbolInformation {
        deprecated: None,
        location: Location { uri: uri.clone(), range },
        base_symbol_information: base,
    })
}

/// The lines that belong to a key, and comments of several lines.
pub(crate) fn folding(parsed: &Parsed) -> Vec<FoldingRange> {
    let Some(unit) = parsed.unit() else { return Vec::new() };
    let line = |offset: u32| place::position(&unit.source, offset).line;
    let mut ranges = Vec::new();
    let blocks = unit.document.nodes().filter(|node| node.kind() == Kind::Map && node.style() == Style::Block);
    for entry in blocks.flat_map(|map| map.entries().filter(|entry| !entry.merged)) {
        let (key, value) = (entry.key.span(), entry.value.span());
        if key.source != unit.id || value.source != unit.id || entry.value.is_alias() {
            continue;
        }
        let (start, end) = (line(key.start), line(value.end));
        if end > start {
            ranges.push(fold(start, end, None));
        }
    }
    let mut comments = unit.document.remarks().map(|(span, _)| line(span.start)).peekable();
    while let Some(start) = comments.next() {
        let mut end = start;
        while comments.next_if(|next| *next == end + 1).is_some() {
            end += 1;
        }
        if end > start {
            ranges.push(fold(start, end, Some(FoldingRangeKind::Comment)));
        }
    }
    ranges
}

fn fold(start_line: u32, end_line: u32, kind: Option<FoldingRangeKind>) -> FoldingRange {
    FoldingRange { start_line, start_character: None, end_line, end_character: None, kind, collapsed_text: None }
}
