//! Draws services.

use std::io;
use std::path::Path;

use super::ExitStatus;
use super::args::{self, DiagramFormat, RuleOverrides};
use super::output;
use super::parsers::Readers;
use super::plan::show;
use super::streams::Streams;
use super::validate::{entries, misused};
use tosca_parse::graph::{Collapse, Graph, Options};
use tosca_parse::murano::graph::Drawing;
use tosca_parse::normal::Service;

/// Draws a service. Problems are reported but don't prevent the drawing.
pub(super) fn run(arguments: &args::Graph, streams: &mut Streams) -> io::Result<ExitStatus> {
    let wishes = RuleOverrides::default();
    let mut readers = Readers::new(&arguments.reading, &wishes, None);
    let entry = match entries(std::slice::from_ref(&arguments.file), &mut readers)? {
        Ok(entries) if entries.has_folders && entries.list.len() > 1 => {
            return misused(streams, "there are several templates in the folder: name the one to draw");
        }
        Ok(entries) => entries.list.into_iter().next(),
        Err(message) => return misused(streams, &message),
    };
    readers.report(streams)?;
    let Some((reader, entry)) = entry else { return Ok(ExitStatus::Misused) };
    let outcome = readers.parser(reader).parse_entry(entry);
    show(&outcome, &arguments.problems, true, streams)?;
    let collapse = Collapse {
        groups: arguments.collapse.contains(&args::Collapse::Groups),
        types: arguments.collapse.contains(&args::Collapse::Types),
    };
    let options = Options { properties: arguments.properties, collapse };
    if super::murano::is_spoken(&outcome.program) {
        let graph = Graph::of(&Drawing(&outcome.program), options);
        return draw(&graph, arguments, streams);
    }
    let language = outcome.program.language();
    if let Some(topology) = language.and_then(|language| (language.topology)(&outcome.program)) {
        return draw(&Graph::of(&topology, options), arguments, streams);
    }
    let Some(service) = Service::of(&outcome.program) else {
        let file = outcome.sources.iter().next().map_or("the file", |source| source.name());
        writeln!(streams.err(), "{file} has no service template, so there is nothing to draw")?;
        return Ok(ExitStatus::of_failure(&outcome.diagnostics));
    };
    let service = service.masked(&outcome.program.secrets());
    if !outcome.is_valid() {
        writeln!(streams.err(), "the template is not valid, so the diagram may be incomplete")?;
    }
    let graph = Graph::of(&service, options);
    draw(&graph, arguments, streams)
}

/// Draws a graph in the requested format.
fn draw(graph: &Graph, arguments: &args::Graph, streams: &mut Streams) -> io::Result<ExitStatus> {
    let diagram = match arguments.format {
        DiagramFormat::Dot => graph.dot(),
        DiagramFormat::Mermaid => graph.mermaid(),
        DiagramFormat::Svg => match graph.svg() {
            Ok(diagram) => diagram,
            Err(error) => {
                writeln!(streams.err(), "error: {error}")?;
                writeln!(streams.err(), "help: use `--collapse types`, `--collapse groups`, or another `--format`")?;
                return Ok(ExitStatus::Invalid);
            }
        },
    };
    put(&diagram, arguments.output.as_deref(), streams)
}

/// Writes a diagram to the requested output.
pub(super) fn put(diagram: &str, output: Option<&Path>, streams: &mut Streams) -> io::Result<ExitStatus> {
    match output {
        None => streams.rendered_out().write_all(diagram.as_bytes())?,
        Some(path) => {
            if let Err(error) = output::write(path, diagram) {
                writeln!(streams.err(), "error: can't write {error}")?;
                return Ok(ExitStatus::Invalid);
            }
        }
    }
    Ok(ExitStatus::Valid)
}
