//! Sources that import each other in a loop.

use crate::diagnostic::Diagnostic;
use crate::phase::{Units, chain};
use crate::rules;

/// Reports every import that closes a loop, with the whole chain of sources, going through imports depth first.
pub(super) fn report(units: &Units) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut states = vec![State::New; units.list.len()];
    // The places in the path, which is empty whenever another start is taken.
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
                State::Open => {
                    diagnostics.push(diagnostic(units, &path[depths[link.unit]..], importer, link.import));
                }
                State::Done => {}
            }
        }
    }
    diagnostics
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

fn diagnostic(units: &Units, chain: &[(usize, usize)], importer: usize, import: usize) -> Diagnostic {
    let unit = &units.list[importer];
    let names = chain::shown(chain.len(), |index| units.list[chain[index].0].source.name());
    let span = unit.document.node(unit.imports[import].node).span();
    let may_loop = unit.language.import_loops.contains(unit.version);
    let rule = if may_loop { &rules::PROFILE_LOOP } else { &rules::IMPORT_LOOP };
    if chain.len() == 1 {
        return Diagnostic::new(rule, span, "the file imports itself").with_help("remove the import");
    }
    let message = format!("this import closes a loop: {names}");
    Diagnostic::new(rule, span, message)
        .with_help("remove it, or move what the files need of each other into a file that they all import")
}
