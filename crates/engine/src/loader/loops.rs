//! Reports sources that import each other in a loop.

use crate::diagnostic::Diagnostic;
use crate::phase::{Units, cycle};
use crate::rules;

/// Reports every import that closes a loop, with the whole chain of sources. Imports are followed depth-first.
pub(super) fn report(units: &Units) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut states = vec![State::New; units.list.len()];
    // The depth of each unit in the current path, which is empty at each new start.
    let mut depths = vec![0; units.list.len()];
    for start in 0..units.list.len() {
        if states[start] != State::New {
            continue;
        }
        states[start] = State::Open;
        let mut path = vec![(start, 0)];
        while let Some((unit, next)) = path.last_mut() {
            let Some(link) = units.links[*unit].get(*next) else {
                states[*unit] = State::Done;
                path.pop();
                continue;
            };
            *next += 1;
            let importer = *unit;
            match states[link.unit] {
                State::New => {
                    states[link.unit] = State::Open;
                    depths[link.unit] = path.len();
                    path.push((link.unit, 0));
                }
                State::Open if is_reference(units, importer, &path[depths[link.unit]..], link.import) => {}
                State::Open => {
                    diagnostics.push(diagnostic(units, &path[depths[link.unit]..], importer, link.import));
                }
                State::Done => {}
            }
        }
    }
    diagnostics
}

/// Returns whether an import in the loop is a reference to a name rather than an actual import.
fn is_reference(units: &Units, importer: usize, cycle: &[(usize, usize)], import: usize) -> bool {
    let of = |unit: usize, import: usize| units.list[unit].imports[import].is_reference;
    let along = cycle.iter().zip(cycle.iter().skip(1)).any(|((unit, next), _)| {
        // The path contains the index of the next link to follow, so the link that was followed is the one before it.
        units.links[*unit].get(next - 1).is_some_and(|link| of(*unit, link.import))
    });
    along || of(importer, import)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

fn diagnostic(units: &Units, cycle: &[(usize, usize)], importer: usize, import: usize) -> Diagnostic {
    let unit = &units.list[importer];
    let names = cycle::describe(cycle.len(), |index| units.list[cycle[index].0].source.name());
    let span = unit.document.node(unit.imports[import].node).span();
    let rule = &rules::IMPORT_LOOP;
    if cycle.len() == 1 {
        return Diagnostic::new(rule, span, "the file imports itself").with_help("remove the import");
    }
    let message = format!("this import closes a loop: {names}");
    Diagnostic::new(rule, span, message)
        .with_help("remove the import, or move the shared declarations to a file that all of them import")
}
