//! Phase 3: types as trees, below their first parents.

use std::io::{self, Write};

use rustc_hash::FxHashMap;

use super::{order, place};
use tosca_parse::entity::AnyId;
use tosca_parse::phase::Program;
use tosca_parse::phase::hierarchy::Derived;

/// The maximum number of levels drawn; deeper ones are counted.
const LEVELS: usize = 40;

pub(super) fn dump(out: &mut dyn Write, program: &Program<Derived>) -> io::Result<()> {
    let mut children: FxHashMap<AnyId, Vec<AnyId>> = FxHashMap::default();
    let mut roots: Vec<AnyId> = Vec::new();
    let mut loops: Vec<AnyId> = Vec::new();
    for id in program.list.iter().flat_map(|unit| unit.types()) {
        let Some(lineage) = program.lineage(id) else { continue };
        match lineage.parents().first() {
            _ if lineage.cycle.is_some() => loops.push(id),
            Some(parent) => children.entry(*parent).or_default().push(id),
            None => roots.push(id),
        }
    }
    for types in children.values_mut().chain([&mut roots, &mut loops]) {
        types.sort_by_key(|id| order(program, *id));
    }
    let Some(language) = program.list.first().map(|unit| unit.language) else { return Ok(()) };
    let mut is_first = true;
    for kind in language.types() {
        let of_kind = |types: &[AnyId]| types.iter().copied().filter(|id| id.kind == kind).collect::<Vec<_>>();
        let (roots, loops) = (of_kind(&roots), of_kind(&loops));
        if roots.is_empty() && loops.is_empty() {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            writeln!(out)?;
        }
        writeln!(out, "{}", language.kinds[usize::from(kind.0)].description().title)?;
        for root in roots {
            tree(out, program, &children, root)?;
        }
        for id in loops {
            writeln!(
                out,
                "  {} ({}) is derived from itself, or from a type that is",
                program.name(id),
                place(program, id)
            )?;
        }
    }
    Ok(())
}

/// Draws a type and its descendants, iteratively because derivation chains can have any length.
fn tree(
    out: &mut dyn Write,
    program: &Program<Derived>,
    children: &FxHashMap<AnyId, Vec<AnyId>>,
    root: AnyId,
) -> io::Result<()> {
    // Each entry: the type, its level, and whether it is its parent's last child.
    let mut stack = vec![(root, 0, true)];
    let mut last: Vec<bool> = Vec::new();
    while let Some((id, level, is_last)) = stack.pop() {
        last.truncate(level);
        last.push(is_last);
        write!(out, "  ")?;
        for is_last in last.iter().take(level).skip(1).take(LEVELS) {
            write!(out, "{}", if *is_last { "   " } else { "│  " })?;
        }
        if level > LEVELS {
            write!(out, "… {level} levels down: ")?;
        } else if level > 0 {
            write!(out, "{}", if is_last { "└─ " } else { "├─ " })?;
        }
        write!(out, "{} ({})", program.name(id), place(program, id))?;
        let others = program.lineage(id).map_or(&[][..], |lineage| lineage.parents().get(1..).unwrap_or_default());
        for other in others {
            write!(out, ", also derived from {}", program.name(*other))?;
        }
        writeln!(out)?;
        let derived = children.get(&id).map_or(&[][..], Vec::as_slice);
        let pushed = derived.iter().enumerate().rev();
        stack.extend(pushed.map(|(index, id)| (*id, level + 1, index + 1 == derived.len())));
    }
    Ok(())
}
