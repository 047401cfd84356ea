//! Forms for the inputs of a service.

use std::io;

use super::args::{self, FormFormat};
use super::plan::{json, one_entry, show, write};
use super::streams::Streams;
use super::validate::misused;
use super::{ExitStatus, output};
use tosca_parse::form;

/// Writes the form of a service as a JSON Schema or as a page.
pub(super) fn run(arguments: &args::Form, streams: &mut Streams) -> io::Result<ExitStatus> {
    if let Some(message) = output::replaced_input(arguments.output.as_deref(), [&arguments.file]) {
        return misused(streams, &message);
    }
    let (parser, entry) = match one_entry(&arguments.file, &arguments.reading, streams)? {
        Ok(found) => found,
        Err(verdict) => return Ok(verdict),
    };
    let outcome = parser.parse_entry(entry);
    show(&outcome, &arguments.problems, true, streams)?;
    if !outcome.is_valid() {
        return Ok(ExitStatus::of(&outcome.diagnostics));
    }
    let Some(form) = form::of_entry(&outcome.program) else {
        let file = outcome.sources.iter().next().map_or("the file", |source| source.name());
        writeln!(streams.err(), "{file} has no service template, so there is nothing to ask for")?;
        if super::murano::is_spoken(&outcome.program) {
            writeln!(streams.err(), "help: `tosca-parse murano schema CLASS` generates forms for classes of MuranoPL")?;
        }
        return Ok(ExitStatus::Invalid);
    };
    write(streams, arguments.output.as_deref(), |out| match arguments.format {
        FormFormat::Json => json(out, &form.schema),
        FormFormat::Html => out.write_all(form.page().as_bytes()),
    })
}
