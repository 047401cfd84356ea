//! Drawing a service.

use std::io;

use super::Verdict;
use super::args::{self, Picture};
use super::streams::Streams;
use super::validate::{builder, entries, misused};
use crate::diagnostic::render::Terminal;
use crate::graph::{Collapse, Graph, Options};

/// Draws a service. Problems are told, but keep nobody from seeing what there is.
pub(super) fn run(arguments: &args::Graph, streams: &mut Streams) -> io::Result<Verdict> {
    let parser = match builder(&arguments.reading) {
        Ok(builder) => builder.build(),
        Err(message) => return misused(streams, &message),
    };
    let parser = match parser {
        Ok(parser) => parser,
        Err(error) => return misused(streams, &format!("can't start the threads: {error}")),
    };
    let entry = match entries(std::slice::from_ref(&arguments.file), &arguments.reading, &parser)? {
        Ok(entries) if entries.has_folders && entries.list.len() > 1 => {
            return misused(streams, "there are several templates in the folder: name the one to draw");
        }
        Ok(entries) => entries.list.into_iter().next(),
        Err(message) => return misused(streams, &message),
    };
    let Some(entry) = entry else { return Ok(Verdict::Misused) };
    let outcome = parser.parse_entry(entry);
    if !outcome.diagnostics.is_empty() {
        let color = arguments.appearance.color.enabled(&io::stderr());
        write!(streams.err(), "{}", Terminal::new(&outcome.diagnostics, &outcome.sources).color(color))?;
    }
    let Some(service) = outcome.service() else {
        let file = outcome.sources.iter().next().map_or("the file", |source| source.name());
        writeln!(streams.err(), "{file} has no service template, so there is nothing to draw")?;
        return Ok(Verdict::Invalid);
    };
    if !outcome.is_valid() {
        writeln!(streams.err(), "the picture shows what could be made of the template, which is not valid")?;
    }
    let collapse = Collapse {
        groups: arguments.collapse.contains(&args::Collapse::Groups),
        types: arguments.collapse.contains(&args::Collapse::Types),
    };
    let graph = Graph::of(&service, Options { properties: arguments.properties, collapse });
    let picture = match arguments.format {
        Picture::Dot => graph.dot(),
        Picture::Mermaid => graph.mermaid(),
        Picture::Svg => match graph.svg() {
            Ok(picture) => picture,
            Err(error) => {
                writeln!(streams.err(), "error: {error}")?;
                writeln!(streams.err(), "help: use `--collapse types`, `--collapse groups`, or another `--format`")?;
                return Ok(Verdict::Invalid);
            }
        },
    };
    match &arguments.output {
        None => streams.out().write_all(picture.as_bytes())?,
        Some(path) => {
            if let Err(error) = std::fs::write(path, picture) {
                writeln!(streams.err(), "error: can't write {}: {error}", path.display())?;
                return Ok(Verdict::Invalid);
            }
        }
    }
    Ok(Verdict::Valid)
}
