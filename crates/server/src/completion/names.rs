//! Completion of names that are looked up: types, templates, and others.

use rustc_hash::FxHashMap;
use tosca_parse::diagnostic::SourceId;
use tosca_parse::entity::{AnyId, CandidateFilter, Precedence, Section};
use tosca_parse::phase::Program;
use tosca_parse::phase::inheritance::Complete;

use super::item::{Items, closeness};
use crate::enclosing::description;
use crate::markdown;
use crate::protocol::CompletionItemKind;

/// Proposes the names in sections, each entity by its best-matching name.
pub(super) fn propose(
    program: &Program<Complete>,
    unit: SourceId,
    sections: &[Section],
    fits: Option<&CandidateFilter>,
    items: &mut Items,
) {
    for (number, section) in sections.iter().enumerate() {
        let found = sorted(program, (unit, *section), fits, items.word_typed());
        for Found { name, id, rank, .. } in found {
            let rank = (number as u8) * 4 + rank;
            if items.is_full() {
                return items.cut();
            }
            items.name(&name, kind(program, id), rank, ancestry(program, id), || note(program, id));
        }
    }
}

/// Returns the entities that can be named in sections, with their best-matching names: the project's own ones first.
pub(crate) fn best_of(
    program: &Program<Complete>,
    unit: SourceId,
    sections: &[Section],
    word: &str,
) -> Vec<(String, AnyId)> {
    let found = sections.iter().flat_map(|section| sorted(program, (unit, *section), None, word));
    found.map(|found| (found.name, found.id)).collect()
}

fn sorted(
    program: &Program<Complete>,
    (unit, section): (SourceId, Section),
    fits: Option<&CandidateFilter>,
    word: &str,
) -> Vec<Found> {
    let mut found: Vec<Found> = best(program, unit, section, word).into_values().collect();
    for one in &mut found {
        let fits = fits.is_none_or(|fits| fits(program, one.id));
        // The project's own names come before built-in ones.
        let is_built_in = program.unit(one.id.unit).is_some_and(|unit| unit.implicit.is_some());
        one.rank = u8::from(!fits) * 2 + u8::from(is_built_in);
    }
    found.sort_unstable_by(|a, b| (a.rank, a.closeness, &a.name).cmp(&(b.rank, b.closeness, &b.name)));
    found
}

struct Found {
    name: String,
    id: AnyId,
    closeness: u8,
    rank: u8,
}

/// Returns the entities that can be named in a section, each with the shortest of its best-matching names.
fn best(program: &Program<Complete>, unit: SourceId, section: Section, word: &str) -> FxHashMap<AnyId, Found> {
    let mut best: FxHashMap<AnyId, Found> = FxHashMap::default();
    let mut meet = |name: &str, prefix: Option<&str>, id: AnyId| {
        let whole = prefix.map(|prefix| format!("{prefix}:{name}"));
        let name = whole.as_deref().unwrap_or(name);
        let Some(closeness) = closeness(word, name) else { return };
        let is_better = best
            .get(&id)
            .is_none_or(|known| (closeness, name.len(), name) < (known.closeness, known.name.len(), &known.name));
        if is_better {
            best.insert(id, Found { name: name.to_owned(), id, closeness, rank: 0 });
        }
    };
    for (name, id) in program.visible(unit, section) {
        meet(name, None, id);
    }
    let implicit = program.index(unit).and_then(|index| program.implicit.get(index)).into_iter().flatten();
    for unit in implicit.filter_map(|index| program.list.get(*index)) {
        // Entities that belong to a different version are never proposed.
        if unit.implicit != Some(Precedence::Tolerated) {
            program.visible(unit.id, section).into_iter().for_each(|(name, id)| meet(name, None, id));
        }
    }
    for (prefix, units) in program.prefixes(unit) {
        for (name, id) in units.into_iter().flat_map(|unit| program.visible(unit, section)) {
            // Names from the implicit units of an imported unit have no prefix.
            if program.unit(id.unit).is_some_and(|unit| unit.implicit.is_none()) {
                meet(name, Some(prefix), id);
            }
        }
    }
    best
}

fn kind(program: &Program<Complete>, id: AnyId) -> CompletionItemKind {
    if program.lineage(id).is_some() { CompletionItemKind::Class } else { CompletionItemKind::Reference }
}

/// Returns the names of the nearest ancestors of a type.
fn ancestry(program: &Program<Complete>, id: AnyId) -> String {
    program.ancestry(id).skip(1).take(3).map(|id| program.name(id)).collect::<Vec<_>>().join(" ← ")
}

/// Returns the kind of an entity and its description.
pub(crate) fn note(program: &Program<Complete>, id: AnyId) -> String {
    let about = description(program, id).map(|text| format!("\n\n{}", markdown::closed(text))).unwrap_or_default();
    format!("{}{about}", markdown::title(&program.describe(id), program.name(id)))
}
