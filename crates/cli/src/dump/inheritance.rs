//! Phase 4: the tasks in an executable order, and completed types with the origins of their members.

use std::io::{self, Write};

use foldhash::HashMap;
use petgraph::Direction;
use rustc_hash::FxHashMap;

use super::{order, place, row};
use crate::overview::plural;
use tosca_parse::entity::{AnyId, Inherit};
use tosca_parse::phase::Program;
use tosca_parse::phase::inheritance::Complete;

/// The maximum number of levels of nested members shown.
const LEVELS: usize = 8;

/// The maximum size of the shown types in bytes, because each type is shown with everything that it inherits.
const MAX_SHOWN: usize = 32 << 20;

pub(super) fn dump(out: &mut dyn Write, program: &Program<Complete>) -> io::Result<()> {
    tasks(out, program)?;
    let mut shown = 0;
    let mut types = program.list.iter().flat_map(|unit| unit.types());
    while let Some(id) = types.next() {
        let mut text = Vec::new();
        members(&mut text, program, id, id, 1)?;
        shown += text.len();
        if shown > MAX_SHOWN {
            return writeln!(out, "\n… and {}", plural(1 + types.count(), "more type"));
        }
        if program.is_acyclic(id) && !text.is_empty() {
            writeln!(out, "\n{} ({})", program.describe(id), place(program, id))?;
            out.write_all(&text)?;
        }
    }
    Ok(())
}

fn tasks(out: &mut dyn Write, program: &Program<Complete>) -> io::Result<()> {
    let tasks = program.tasks();
    let mut numbers: FxHashMap<AnyId, usize> = FxHashMap::default();
    let nodes: FxHashMap<AnyId, _> = tasks.graph.node_indices().map(|node| (tasks.graph[node], node)).collect();
    writeln!(out, "tasks")?;
    for (number, id) in tasks.in_order().enumerate() {
        numbers.insert(id, number + 1);
        let needed = nodes.get(&id).into_iter().flat_map(|node| {
            tasks.graph.neighbors_directed(*node, Direction::Incoming).map(|needed| tasks.graph[needed])
        });
        let mut needed: Vec<usize> = needed.filter_map(|id| numbers.get(&id).copied()).collect();
        needed.sort_unstable();
        needed.dedup();
        let after: Vec<String> = needed.iter().map(ToString::to_string).collect();
        let after = if after.is_empty() { String::new() } else { format!(", after {}", after.join(", ")) };
        writeln!(out, "{:>5}  {} ({}){after}", number + 1, program.describe(id), place(program, id))?;
    }
    for stuck in &tasks.stuck {
        let mut stuck = stuck.clone();
        stuck.sort_by_key(|id| order(program, *id));
        let names: Vec<String> = stuck.iter().map(|id| program.describe(*id)).collect();
        writeln!(out, "never, because they wait for each other: {}", names.join(", "))?;
    }
    Ok(())
}

/// Writes the members of an entity by keyname, each with the type that contains it.
///
/// Stops if the text exceeds [`MAX_SHOWN`]: a type can repeat the members of its capabilities.
fn members(out: &mut Vec<u8>, program: &Program<Complete>, of: AnyId, id: AnyId, level: usize) -> io::Result<()> {
    let (Some(entity), Some(unit)) = (program.entity(id), program.unit(id.unit)) else { return Ok(()) };
    for (index, field) in entity.description().fields.iter().enumerate() {
        let is_shared = matches!(field.inherit, Some(Inherit::Refine | Inherit::Replace | Inherit::Extend));
        let mut children = Vec::new();
        if is_shared {
            entity.field(index).visit_children(&mut |child| children.push(child));
        }
        if children.is_empty() {
            continue;
        }
        let is_own = |child: &AnyId| level == 1 && program.owners(*child).next() == Some(of);
        let refined = if children.iter().any(is_own) { refined(program, of, index) } else { HashMap::default() };
        let keyname = field.keyname(unit.version);
        writeln!(out, "{:indent$}{keyname}", "", indent = 4 * level - 2)?;
        for child in children {
            if out.len() > MAX_SHOWN {
                return Ok(());
            }
            let name = match program.name(child) {
                "" => "·",
                name => name,
            };
            let parent = refined.get(name).filter(|_| is_own(&child));
            let parent = parent.map(|parent| format!(", refines that of {}", program.describe(*parent)));
            let text = format!("{}{}", origin(program, of, child), parent.unwrap_or_default());
            row(out, 4 * level, name, &text)?;
            if level < LEVELS {
                members(out, program, of, child, level + 1)?;
            }
        }
    }
    Ok(())
}

/// Returns the names of the members that a type inherits in a field, each with the first parent that has it.
fn refined(program: &Program<Complete>, of: AnyId, field: usize) -> HashMap<&str, AnyId> {
    let mut refined = HashMap::default();
    for parent in program.lineage(of).map_or(&[][..], |lineage| lineage.parents()) {
        if let Some(entity) = program.entity(*parent) {
            entity.field(field).visit_children(&mut |child| {
                refined.entry(program.name(child)).or_insert(*parent);
            });
        }
    }
    refined.remove("");
    refined
}

/// Returns the type that contains a member.
fn origin(program: &Program<Complete>, of: AnyId, member: AnyId) -> String {
    let written_in = program.owners(member).find(|owner| program.lineage(*owner).is_some());
    match written_in {
        Some(owner) if owner == of => format!("here ({})", place(program, member)),
        Some(owner) => format!("from {} ({})", program.describe(owner), place(program, member)),
        None => format!("({})", place(program, member)),
    }
}
