//! Draws services, types, imports, substitutions, and plans.

#[cfg(feature = "images")]
mod image;

use std::io;
use std::path::Path;

use super::ExitStatus;
use super::args::{self, DiagramFormat, DiagramSubject, RuleOverrides};
use super::entries::entries;
use super::output;
use super::parsers::Readers;
use super::plan::{show, show_all};
use super::problems::Problems;
use super::streams::Streams;
use super::total_imports::{TotalImports, counting_imports};
use super::validate::misused;
use tosca_parse::graph::{
    Collapse, Direction, Filter, Format, Graph, Imports, Inheritance, Marked, Options, Subject, Substitutions, Theme,
    Timeline, ToGraph, View,
};
use tosca_parse::murano::graph::Drawing;
use tosca_parse::normal::{self, Plan, Service};
use tosca_parse::resolve::resolve_program;
use tosca_parse::{Entry, Outcome};
use tosca_parse_config::here;

/// Draws a file. Problems are reported and marked but don't prevent the drawing.
pub(super) fn run(arguments: &args::Graph, streams: &mut Streams) -> io::Result<ExitStatus> {
    if let Some(message) = output::replaced_input(arguments.output.as_deref(), &arguments.files) {
        return misused(streams, &message);
    }
    let wishes = RuleOverrides::default();
    let mut readers = Readers::new(&arguments.reading, &wishes, None);
    let takes_several = arguments.show == DiagramSubject::Substitutions;
    let found = match entries(&arguments.files, &mut readers)? {
        Ok(entries) if !takes_several && entries.has_folders && entries.list.len() > 1 => {
            return misused(streams, "there are several templates in the folder: name the one to draw");
        }
        Ok(_) if !takes_several && arguments.files.len() > 1 => {
            return misused(streams, "only `--show substitutions` draws several files");
        }
        Ok(entries) => entries.list,
        Err(refusal) => return refusal.report(streams),
    };
    readers.report(streams)?;
    let graph = if takes_several {
        let total = match readers.settings(&here()) {
            Ok(settings) => TotalImports::new(settings.bounds.run.imports),
            Err(message) => return misused(streams, &message),
        };
        let (services, unread) = services(found, &mut readers, (arguments, &total), streams)?;
        if unread > 0 {
            writeln!(streams.err(), "error: {}", total.left(unread, "drawn"))?;
            return Ok(ExitStatus::Invalid);
        }
        viewed(&Substitutions(&services), None, arguments, streams)?
    } else {
        let Some((reader, entry)) = found.into_iter().next() else { return Ok(ExitStatus::Misused) };
        let outcome = readers.parser(reader).parse_entry(entry);
        show(&outcome, &arguments.problems, true, streams)?;
        graph(&outcome, arguments, streams)?
    };
    // A diagram of thousands of arrows needs the memory.
    drop(readers);
    match graph {
        Ok(graph) => draw(&graph, arguments, streams),
        Err(verdict) => Ok(verdict),
    }
}

/// Returns the services of all files and of the templates in archives, and the number of those that were not read,
/// because the others import too much.
fn services(
    found: Vec<(usize, Entry)>,
    readers: &mut Readers<'_>,
    (arguments, total): (&args::Graph, &TotalImports),
    streams: &mut Streams,
) -> io::Result<(Vec<Service>, usize)> {
    let (mut services, mut problems, mut unread) = (Vec::new(), Problems::default(), 0);
    for (reader, entry) in found {
        let parser = readers.parser(reader);
        let address = entry.address().clone();
        let mut read = |entry: Entry| {
            if total.is_exceeded() {
                unread += 1;
                return;
            }
            let outcome = parser.parse_entry(entry);
            total.count(counting_imports(outcome.import_cost, &outcome.program));
            let service = Service::with(&outcome.program, with_positions());
            services.extend(service.map(|service| service.masked(&outcome.program.secrets())));
            problems.add(reader, outcome.diagnostics, &outcome.sources);
        };
        read(entry);
        parser.additional_templates(&address).into_iter().map(Entry::at).for_each(read);
    }
    show_all((&problems.list, &problems.sources), &arguments.problems, true, streams)?;
    Ok((services, unread))
}

/// Returns the graph of the requested subject.
fn graph(outcome: &Outcome, arguments: &args::Graph, streams: &mut Streams) -> io::Result<Result<Graph, ExitStatus>> {
    let program = &outcome.program;
    match arguments.show {
        DiagramSubject::Types => viewed(&Inheritance(program), Some(outcome), arguments, streams),
        DiagramSubject::Imports => viewed(&Imports(program), Some(outcome), arguments, streams),
        DiagramSubject::Plan => match plan(outcome) {
            Some(plan) => viewed(&Timeline(&plan), Some(outcome), arguments, streams),
            None => nothing(outcome, "plan", streams).map(Err),
        },
        DiagramSubject::Topology | DiagramSubject::Substitutions => topology(outcome, arguments, streams),
    }
}

/// Returns the graph of the nodes of a service, or of what the file describes in another language.
fn topology(
    outcome: &Outcome,
    arguments: &args::Graph,
    streams: &mut Streams,
) -> io::Result<Result<Graph, ExitStatus>> {
    if super::murano::is_spoken(&outcome.program) {
        return viewed(&Drawing(&outcome.program), Some(outcome), arguments, streams);
    }
    let Some(subject) = Subject::of(&outcome.program) else { return nothing(outcome, "draw", streams).map(Err) };
    if matches!(subject, Subject::Service(_)) && !outcome.is_valid() {
        writeln!(streams.err(), "the template is not valid, so the diagram may be incomplete")?;
    }
    viewed(&subject, Some(outcome), arguments, streams)
}

/// The options of models with positions, to which the boxes of a diagram link.
fn with_positions<'a>() -> normal::Options<'a> {
    normal::Options { positions: true, ..normal::Options::default() }
}

/// Returns the plan to deploy what a file describes.
fn plan(outcome: &Outcome) -> Option<Plan> {
    let program = &outcome.program;
    let resolution = resolve_program(program).map(|(resolution, _)| resolution);
    let options = normal::Options { resolution: resolution.as_ref(), ..with_positions() };
    Plan::of(program, options).map(|(plan, _)| plan)
}

fn nothing(outcome: &Outcome, verb: &str, streams: &mut Streams) -> io::Result<ExitStatus> {
    let file = outcome.sources.iter().next().map_or("the file", |source| source.name());
    writeln!(streams.err(), "{file} has no service template, so there is nothing to {verb}")?;
    Ok(ExitStatus::of_failure(&outcome.diagnostics))
}

/// Returns the graph of a source, with marks for the problems of its nodes in a file.
fn viewed(
    source: &impl ToGraph,
    outcome: Option<&Outcome>,
    arguments: &args::Graph,
    streams: &mut Streams,
) -> io::Result<Result<Graph, ExitStatus>> {
    let selection = &arguments.selection;
    let collapse = Collapse {
        groups: selection.collapse.contains(&args::Collapse::Groups),
        types: selection.collapse.contains(&args::Collapse::Types),
    };
    let options = Options { properties: selection.properties, collapse };
    let view = view(arguments);
    let graph = match outcome {
        Some(outcome) => {
            let marked = Marked { source, units: &outcome.program, problems: &outcome.diagnostics };
            Graph::viewed(&marked, options, &view)
        }
        None => Graph::viewed(source, options, &view),
    };
    match graph {
        Ok(graph) => Ok(Ok(graph)),
        Err(error) => misused(streams, &error.to_string()).map(Err),
    }
}

/// Draws a graph in the requested format.
fn draw(graph: &Graph, arguments: &args::Graph, streams: &mut Streams) -> io::Result<ExitStatus> {
    match written(graph, arguments.format) {
        Ok(diagram) => put(&diagram, arguments.output.as_deref(), streams),
        Err(error) => {
            writeln!(streams.err(), "error: {error}")?;
            writeln!(streams.err(), "help: use `--collapse types`, `--collapse groups`, or another `--format`")?;
            Ok(ExitStatus::Invalid)
        }
    }
}

fn view(arguments: &args::Graph) -> View {
    let (selection, look) = (&arguments.selection, &arguments.look);
    let filter = |only: &[String], hidden: &[String]| Filter { only: only.to_vec(), hidden: hidden.to_vec() };
    View {
        types: filter(&selection.types, &selection.hide_type),
        relationships: filter(&selection.relationship, &selection.hide_relationship),
        focus: selection.focus.clone(),
        depth: selection.depth,
        nest: look.nest.is_some(),
        hosting: look.nest.clone().unwrap_or_default(),
        legend: look.legend,
        direction: look.direction.map(|direction| match direction {
            args::Direction::Down => Direction::Down,
            args::Direction::Up => Direction::Up,
            args::Direction::Right => Direction::Right,
            args::Direction::Left => Direction::Left,
        }),
        theme: match look.theme {
            args::Theme::Auto => Theme::Auto,
            args::Theme::Light => Theme::Light,
            args::Theme::Dark => Theme::Dark,
        },
        links: look.links.clone(),
    }
}

/// Writes a graph in a format.
pub(super) fn written(graph: &Graph, format: DiagramFormat) -> Result<Vec<u8>, String> {
    let format = match format {
        DiagramFormat::Svg => Format::Svg,
        DiagramFormat::Html => Format::Html,
        DiagramFormat::Dot => Format::Dot,
        DiagramFormat::Mermaid => Format::Mermaid,
        DiagramFormat::D2 => Format::D2,
        DiagramFormat::Plantuml => Format::PlantUml,
        DiagramFormat::Graphml => Format::GraphMl,
        #[cfg(feature = "images")]
        DiagramFormat::Png => return image::png(graph),
        #[cfg(feature = "images")]
        DiagramFormat::Pdf => return image::pdf(graph),
    };
    graph.written(format).map(String::into_bytes).map_err(|error| error.to_string())
}

/// Writes a diagram to the requested output.
pub(super) fn put(diagram: &[u8], output: Option<&Path>, streams: &mut Streams) -> io::Result<ExitStatus> {
    match output {
        None => streams.rendered_out().write_all(diagram)?,
        Some(path) => {
            if let Err(error) = output::write(path, diagram) {
                writeln!(streams.err(), "error: can't write {error}")?;
                return Ok(ExitStatus::Invalid);
            }
        }
    }
    Ok(ExitStatus::Valid)
}
