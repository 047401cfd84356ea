//! Phase 2: the names that each unit can use and their meanings.

use std::io::{self, Write};

use super::{place, row, title};
use tosca_parse::entity::Section;
use tosca_parse::phase::Program;
use tosca_parse::phase::namespace::Named;

pub(super) fn dump(out: &mut dyn Write, program: &Program<Named>) -> io::Result<()> {
    let units = program.list.iter().filter(|unit| !unit.is_data);
    for (index, unit) in units.enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}", title(unit))?;
        for (number, section) in unit.language.sections.iter().enumerate() {
            let names = program.visible(unit.id, Section(number as u8));
            if names.is_empty() {
                continue;
            }
            writeln!(out, "  {}", section.title)?;
            for (name, id) in names {
                let imported = if id.unit == unit.id { "" } else { ", imported" };
                row(out, 4, name, &format!("{}{imported}", place(program, id)))?;
            }
        }
        let prefixes = program.prefixes(unit.id);
        if !prefixes.is_empty() {
            writeln!(out, "  prefix")?;
        }
        for (prefix, units) in prefixes {
            let names: Vec<&str> =
                units.iter().filter_map(|id| program.unit(*id)).map(|unit| unit.source.name()).collect();
            row(out, 4, &format!("{prefix}:"), &names.join(", "))?;
        }
        if program.is_open(unit.id) {
            writeln!(out, "  more names may be missing, because something could not be read")?;
        }
    }
    Ok(())
}
