//! References to a symbol: for navigation, lists, and renaming.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use tosca_parse::diagnostic::Span;
use tosca_parse::entity::AnyId;
use tosca_parse::phase::Unit;
use tosca_parse::source::Address;

use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{Location, Position, Range, TextEdit};
use crate::thing::Thing;

/// Identifies a symbol across programs: the file and offset of its name.
type Identity = (String, u32);

/// The symbol at a position.
#[derive(Debug)]
pub(crate) struct Subject {
    /// The name.
    pub(crate) name: String,
    /// The entities with this name that are meant.
    identities: Vec<Identity>,
    /// The range of the name at the position.
    pub(crate) range: Range,
    /// Whether all its declarations are in files that can be edited.
    pub(crate) is_ours: bool,
}

/// An occurrence of a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mention {
    pub(crate) file: String,
    /// The range of the name, without prefix and quotes.
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) is_declaration: bool,
}

fn identity(parsed: &Parsed, id: AnyId) -> Option<Identity> {
    let span = parsed.outcome.program.name_span(id)?;
    Some((parsed.address(span.source)?.to_string(), span.start))
}

/// Returns the symbol at a position in the entry.
pub(crate) fn subject(parsed: &Parsed, at: Position) -> Option<Subject> {
    let unit = parsed.unit()?;
    let program = &parsed.outcome.program;
    let thing = Thing::at(program, unit, place::offset(&unit.source, at))?;
    let name = program.name(*thing.targets().first()?).to_owned();
    let identities: Vec<Identity> = thing.targets().iter().filter_map(|id| identity(parsed, *id)).collect();
    let is_file = |(address, _): &Identity| Address::parse(address).is_ok_and(|address| address.to_path().is_some());
    let span = bare(unit, thing.span, &name)?;
    Some(Subject {
        is_ours: !identities.is_empty() && identities.iter().all(is_file),
        identities,
        range: place::range(&unit.source, span.start, span.end),
        name,
    })
}

/// Returns the span of a name within a key or value that may have a prefix and quotes.
fn bare(unit: &Unit, span: Span, name: &str) -> Option<Span> {
    let text = unit.source.text().get(span.start as usize..span.end as usize)?;
    let at = text.rfind(name).filter(|_| !name.is_empty())?;
    Some(Span { start: span.start + at as u32, end: span.start + (at + name.len()) as u32, ..span })
}

/// Returns the occurrences of a symbol in the sources of some programs.
pub(crate) fn mentions<'p>(programs: impl Iterator<Item = &'p Parsed>, subject: &Subject) -> Vec<Mention> {
    let mut units: BTreeMap<String, Vec<Mention>> = BTreeMap::new();
    for parsed in programs {
        for unit in parsed.outcome.program.list.iter().filter(|unit| unit.implicit.is_none() && !unit.is_data) {
            let Some(address) = parsed.address(unit.id) else { continue };
            let file = address.to_string();
            if let Entry::Vacant(vacant) = units.entry(file) {
                let found = of_unit(parsed, unit, subject, vacant.key());
                vacant.insert(found);
            }
        }
    }
    units.into_values().flatten().collect()
}

fn of_unit(parsed: &Parsed, unit: &Unit, subject: &Subject, file: &str) -> Vec<Mention> {
    let name = subject.name.as_str();
    let is_name = |text: &str| text.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with(':'));
    let mut found = Vec::new();
    for node in unit.document.nodes().filter(|node| !node.is_alias() && is_name(node.text())) {
        let span = node.span();
        if span.source != unit.id {
            continue;
        }
        let Some(thing) = Thing::at(&parsed.outcome.program, unit, span.start).filter(|thing| thing.span == span)
        else {
            continue;
        };
        let is_same = |id: &AnyId| identity(parsed, *id).is_some_and(|identity| subject.identities.contains(&identity));
        if let Some(place) = bare(unit, span, name).filter(|_| thing.targets().iter().any(is_same)) {
            let is_declaration = subject.identities.contains(&(file.to_owned(), span.start));
            found.push(Mention { file: file.to_owned(), start: place.start, end: place.end, is_declaration });
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Returns the location of an occurrence.
pub(crate) fn location<'p>(mut programs: impl Iterator<Item = &'p Parsed>, mention: &Mention) -> Option<Location> {
    let address = Address::parse(&mention.file).ok()?;
    let uri = place::uri(&address)?;
    let source =
        programs.find_map(|parsed| parsed.sources().find(|(known, _)| **known == address).map(|(_, source)| source))?;
    Some(Location { uri, range: place::range(source, mention.start, mention.end) })
}

/// Returns the edit that renames an occurrence.
pub(crate) fn edit(location: &Location, name: &str) -> TextEdit {
    TextEdit { range: location.range, new_text: name.to_owned() }
}
