//! Sources that import each other in a loop.

use crate::diagnostic::Diagnostic;
use crate::phase::Units;
use crate::rules;

/// Reports every import that closes a loop, with the whole chain of sources, going through imports depth first.
pub(super) fn report(units: &Units) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut states = vec![State::New; units.list.len()];
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
                    path.push((link.unit, 0));
                }
                State::Open => {
                    let begin = path.iter().position(|(unit, _)| *unit == link.unit).unwrap_or_default();
                    let chain: Vec<usize> = path[begin..].iter().map(|(unit, _)| *unit).collect();
                    diagnostics.push(diagnostic(units, &chain, importer, link.import));
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

fn diagnostic(units: &Units, chain: &[usize], importer: usize, import: usize) -> Diagnostic {
    let unit = &units.list[importer];
    let names: Vec<String> =
        chain.iter().chain(chain.first()).map(|unit| format!("`{}`", units.list[*unit].source.name())).collect();
    let span = unit.document.node(unit.imports[import].node).span();
    let may_loop = unit.language.import_loops.contains(unit.version);
    let rule = if may_loop { &rules::PROFILE_LOOP } else { &rules::IMPORT_LOOP };
    if chain.len() == 1 {
        return Diagnostic::new(rule, span, "the file imports itself").with_help("remove the import");
    }
    let message = format!("this import closes a loop: {}", names.join(" → "));
    Diagnostic::new(rule, span, message)
        .with_help("remove it, or move what the files need of each other into a file that they all import")
}
