//! The result of a phase as text.
//!
//! Dumps help to find out why a name is unknown or where a property comes from. They don't depend on the language: they
//! show the descriptions of entities, in an order that depends on the text alone.

mod hierarchies;
mod inheritance;
mod namespaces;
mod read;

use std::io::{self, Write};

use super::overview::text_size;
use super::streams::Streams;
use super::validate::models::write_yaml;
use tosca_parse::entity::AnyId;
use tosca_parse::normal::Service;
use tosca_parse::phase::{Unit, Units};
use tosca_parse::{Phase, Stage};

/// Prints the result of the last phase. Secrets are redacted.
pub(super) fn dump(streams: &mut Streams, stage: &Stage, last: Phase) -> io::Result<()> {
    // A model is written as harmless YAML or JSON. Sanitizing keeps lines in memory, and this JSON is a single one.
    if matches!(stage, Stage::Complete(_)) && last != Phase::Inheritance {
        redacted(streams.rendered_out(), stage, last)
    } else {
        redacted(&mut streams.out(), stage, last)
    }
}

fn redacted(out: &mut dyn Write, stage: &Stage, last: Phase) -> io::Result<()> {
    let units: &Units = match stage {
        Stage::Read(program) => program,
        Stage::Named(program) => program,
        Stage::Derived(program) => program,
        Stage::Complete(program) => program,
    };
    let secrets = units.secrets();
    if secrets.is_empty() {
        return write(out, stage, last);
    }
    let mut text = Vec::new();
    write(&mut text, stage, last)?;
    out.write_all(secrets.masked(&String::from_utf8_lossy(&text)).as_bytes())
}

fn write(out: &mut dyn Write, stage: &Stage, last: Phase) -> io::Result<()> {
    match stage {
        Stage::Read(program) => read::dump(out, program),
        Stage::Named(program) => namespaces::dump(out, program),
        Stage::Derived(program) => hierarchies::dump(out, program),
        Stage::Complete(program) if last == Phase::Inheritance => inheritance::dump(out, program),
        Stage::Complete(program) => match Service::of(program) {
            Some(service) => write_yaml(out, &service, text_size(program)),
            None => writeln!(out, "# there is no service template"),
        },
    }
}

/// Returns the title of a unit: its name and version.
fn title(unit: &Unit) -> String {
    let name = unit.source.name();
    match (unit.is_data, unit.implicit.is_some()) {
        (true, _) => format!("{name} (values of inputs)"),
        (_, true) => format!("{name} (implicit, {})", unit.language.version_title(unit.version)),
        _ => format!("{name} ({})", unit.language.version_title(unit.version)),
    }
}

/// Returns the position of an entity.
fn place(units: &Units, id: AnyId) -> String {
    let unit = units.unit(id.unit).zip(units.name_span(id));
    unit.map_or_else(String::new, |(unit, span)| {
        let position = unit.source.line_column(span.start);
        format!("{}:{}:{}", unit.source.name(), position.line, position.column)
    })
}

/// Returns the sort key of an entity. Entities are sorted by unit, then by their position in the file.
fn order(units: &Units, id: AnyId) -> impl Ord + use<> {
    (units.index(id.unit), units.header(id).map(|header| header.key), id.kind, id.index)
}

/// Writes a name and its text in columns.
fn row(out: &mut dyn Write, indent: usize, name: &str, text: &str) -> io::Result<()> {
    let line = format!("{:indent$}{name:<width$}  {text}", "", width = 32usize.saturating_sub(indent));
    writeln!(out, "{}", line.trim_end())
}
