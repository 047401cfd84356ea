//! Phase 1: units, their imports, and the number of their entities of each kind.

use std::io::{self, Write};

use super::{row, title};
use tosca_parse::entity::Kind;
use tosca_parse::phase::Program;
use tosca_parse::phase::read::Read;

pub(super) fn dump(out: &mut dyn Write, program: &Program<Read>) -> io::Result<()> {
    for (index, unit) in program.list.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}", title(unit))?;
        if !unit.imports.is_empty() {
            writeln!(out, "  imports")?;
        }
        for (number, import) in unit.imports.iter().enumerate() {
            let written = unit.document.node(import.node).label();
            let prefix = import.prefix.map(|prefix| format!(", as `{}`", program.text(prefix))).unwrap_or_default();
            let link = program.links[index].iter().find(|link| link.import == number);
            let target = match link {
                Some(link) => program.list[link.unit].source.name(),
                None => "could not be read",
            };
            row(out, 4, &written, &format!("{target}{prefix}"))?;
        }
        let kinds = unit.language.kinds.iter().enumerate();
        let kinds: Vec<(&str, u32)> = kinds
            .map(|(kind, any)| (any.description().title, unit.arenas.count(Kind(kind as u8))))
            .filter(|(_, count)| *count > 0)
            .collect();
        if !kinds.is_empty() {
            writeln!(out, "  entities")?;
        }
        for (kind, count) in kinds {
            row(out, 4, kind, &format!("{count:>6}"))?;
        }
    }
    Ok(())
}
