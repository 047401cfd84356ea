//! Prints deployment plans and differences between templates.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use serde::Serializer as _;
use serde::ser::SerializeSeq as _;

use super::ExitStatus;
use super::args::{self, PlanFormat, Problems, ReadArgs, RuleOverrides};
use super::entries::entries;
use super::output;
use super::parsers::Readers;
use super::streams::{Json, Streams, is_colored};
use super::validate::misused;
use tosca_parse::diagnostic::render::Terminal;
use tosca_parse::diagnostic::{Diagnostic, Secrets, Severity};
use tosca_parse::entity::Model;
use tosca_parse::graph::{self, Graph};
use tosca_parse::normal::{Difference, Options, Plan, Service, each_difference};
use tosca_parse::resolve::{resolve_entry, resolve_program};
use tosca_parse::source::Sources;
use tosca_parse::{Entry, Outcome, Parser};

/// Prints the plan to deploy a service or to upgrade to it from an older one.
pub(super) fn run(arguments: &args::Plan, streams: &mut Streams) -> io::Result<ExitStatus> {
    let inputs = std::iter::once(&arguments.file).chain(&arguments.from);
    if let Some(message) = output::replaced_input(arguments.output.as_deref(), inputs) {
        return misused(streams, &message);
    }
    match planned(arguments, streams)? {
        Ok(has_steps) if arguments.exit_code && has_steps => Ok(ExitStatus::Invalid),
        Ok(_) => Ok(ExitStatus::Valid),
        Err(status) => Ok(trouble(status, arguments.exit_code)),
    }
}

/// Returns the status after a run without a result. As in git, 1 means that there are differences if the exit code
/// tells whether there are any.
fn trouble(status: ExitStatus, has_exit_code: bool) -> ExitStatus {
    if has_exit_code { ExitStatus::Misused } else { status }
}

/// Prints a plan, and returns whether something changes.
fn planned(arguments: &args::Plan, streams: &mut Streams) -> io::Result<Result<bool, ExitStatus>> {
    let new = match subject(&arguments.file, &arguments.reading, &arguments.problems, streams)? {
        Ok(subject) => subject,
        Err(verdict) => return Ok(Err(verdict)),
    };
    let old = match &arguments.from {
        None => None,
        Some(old) => match subject(old, &arguments.reading, &arguments.problems, streams)? {
            Ok(old) => Some(old),
            Err(verdict) => return Ok(Err(verdict)),
        },
    };
    let plan = match (&new, &old) {
        (Subject::Service(new, _), None) => new.plan(),
        (Subject::Service(new, _), Some(Subject::Service(old, _))) => new.plan_from(old),
        (Subject::Other(outcome), None) => {
            let file = name(outcome);
            let topology = outcome.program.language().and_then(|language| (language.topology)(&outcome.program));
            let Some(topology) = topology else {
                let message = format!("{file} describes nothing that is deployed, so there is nothing to plan");
                return failed(streams, &message).map(Err);
            };
            Plan::of_topology(file, &topology)
        }
        _ => {
            let message = "changes are only planned between service templates\nhelp: use `tosca-parse diff`";
            return failed(streams, message).map(Err);
        }
    };
    let plan = std::iter::once(&new).chain(&old).fold(plan, |plan, subject| plan.masked(&subject.secrets()));
    drop((new, old));
    let has_steps = !plan.removal.is_empty() || !plan.deployment.is_empty();
    let output = arguments.output.as_deref();
    let status = match arguments.format {
        // Each line of a plan is sanitized.
        PlanFormat::Text if arguments.from.is_some() => {
            write(streams, output, |out| write!(out, "{}", plan.changes()))?
        }
        PlanFormat::Text => write(streams, output, |out| write!(out, "{plan}"))?,
        PlanFormat::Json => write(streams, output, |out| json(out, &plan))?,
        format => match diagram(plan, format) {
            Ok(diagram) => write(streams, output, |out| out.write_all(diagram.as_bytes()))?,
            Err(message) => return failed(streams, &message).map(Err),
        },
    };
    Ok(if status == ExitStatus::Valid { Ok(has_steps) } else { Err(status) })
}

/// Prints the differences between two services.
pub(super) fn diff(arguments: &args::Diff, streams: &mut Streams) -> io::Result<ExitStatus> {
    if let Some(message) = output::replaced_input(arguments.output.as_deref(), [&arguments.old, &arguments.new]) {
        return misused(streams, &message);
    }
    let trouble = |status| trouble(status, arguments.exit_code);
    let failed = |streams: &mut Streams, message: &str| failed(streams, message).map(trouble);
    let mut subjects = Vec::with_capacity(2);
    for file in [&arguments.old, &arguments.new] {
        match subject(file, &arguments.reading, &arguments.problems, streams)? {
            Ok(subject) => subjects.push(subject),
            Err(status) => return Ok(trouble(status)),
        }
    }
    let differences = match &subjects[..] {
        [Subject::Service(old, _), Subject::Service(new, _)] => Differences::Services(old, new),
        [Subject::Other(old), Subject::Other(new)] => match (model(old), model(new)) {
            (Some(Ok(old)), Some(Ok(new))) => Differences::Models(Box::new([old, new])),
            (Some(Err(error)), _) | (_, Some(Err(error))) => return failed(streams, &error),
            _ => return failed(streams, NO_MODELS),
        },
        _ => return failed(streams, NO_MODELS),
    };
    let secrets: Vec<Secrets<'_>> = subjects.iter().map(Subject::secrets).collect();
    let drawn = match (arguments.format, &differences) {
        (PlanFormat::Text | PlanFormat::Json, _) => String::new(),
        (format, Differences::Services(old, new)) => {
            let plan = secrets.iter().fold(new.plan_from(old), Plan::masked);
            match diagram(plan, format) {
                Ok(diagram) => diagram,
                Err(message) => return failed(streams, &message),
            }
        }
        _ => return failed(streams, "these differences can't be drawn\nhelp: use a different `--format`"),
    };
    let mut count = 0;
    let written = write(streams, arguments.output.as_deref(), |out| {
        count = match arguments.format {
            PlanFormat::Text => differences.write_text(&secrets, out)?,
            PlanFormat::Json => differences.write_json(&secrets, out)?,
            _ => {
                out.write_all(drawn.as_bytes())?;
                differences.count()
            }
        };
        Ok(())
    });
    match written? {
        ExitStatus::Valid if arguments.exit_code && count > 0 => Ok(ExitStatus::Invalid),
        ExitStatus::Valid => Ok(ExitStatus::Valid),
        status => Ok(trouble(status)),
    }
}

/// The differences between two files, which are found while they are written, because they can take more memory than
/// the models.
enum Differences<'s> {
    Services(&'s Service, &'s Service),
    Models(Box<[Model<'s>; 2]>),
}

impl Differences<'_> {
    /// Calls a function with each difference, without secrets, until it fails, and returns the number of differences.
    fn each(&self, secrets: &[Secrets<'_>], mut call: impl FnMut(Difference) -> io::Result<()>) -> io::Result<usize> {
        let (mut count, mut result) = (0, Ok(()));
        let mut call = |difference| {
            count += 1;
            if result.is_ok() {
                result = call(secrets.iter().fold(difference, Difference::masked));
            }
        };
        match self {
            Self::Services(old, new) => new.each_difference(old, &mut call),
            Self::Models(models) => each_difference(&models[0], &models[1], &mut call),
        }
        result.map(|()| count)
    }

    fn count(&self) -> usize {
        self.each(&[], |_| Ok(())).unwrap_or_default()
    }

    fn write_text(&self, secrets: &[Secrets<'_>], out: &mut dyn Write) -> io::Result<usize> {
        self.each(secrets, |difference| writeln!(out, "{difference}"))
    }

    fn write_json(&self, secrets: &[Secrets<'_>], out: &mut dyn Write) -> io::Result<usize> {
        let mut serializer = serde_json::Serializer::pretty(Json(&mut *out));
        let mut list = serializer.serialize_seq(None)?;
        let count = self.each(secrets, |difference| Ok(list.serialize_element(&difference)?))?;
        list.end()?;
        writeln!(out)?;
        Ok(count)
    }
}

/// Returns the plan to deploy what a file describes, as text.
///
/// # Errors
///
/// Returns an error if there is nothing to plan: one line for the user.
pub(super) fn of_outcome(outcome: &Outcome) -> Result<String, String> {
    if !outcome.is_valid() {
        return Err("the file is not valid, so there is no plan".to_owned());
    }
    let program = &outcome.program;
    let resolution = resolve_program(program).map(|(resolution, _)| resolution);
    let options = Options { resolution: resolution.as_ref(), ..Options::default() };
    let plan = Plan::of(program, options).map(|(plan, _)| plan.to_string());
    plan.ok_or_else(|| "there is no service template, so there is nothing to plan".to_owned())
}

/// The subject of a plan or a comparison.
enum Subject {
    /// A service without its secrets in values, and these secrets.
    Service(Box<Service>, Vec<String>),
    /// A valid file in a language other than TOSCA.
    Other(Box<Outcome>),
}

impl Subject {
    fn secrets(&self) -> Secrets<'_> {
        match self {
            Self::Service(_, secrets) => Secrets::of(secrets.iter().map(String::as_str)),
            Self::Other(outcome) => outcome.program.secrets(),
        }
    }
}

/// The error for files without models.
const NO_MODELS: &str = "the files have no models that can be compared";

/// Returns the model of a file in a language other than TOSCA.
fn model(outcome: &Outcome) -> Option<Result<Model<'_>, String>> {
    outcome.program.language().and_then(|language| (language.model)(&outcome.program))
}

/// Returns the name of a file.
fn name(outcome: &Outcome) -> &str {
    outcome.sources.iter().next().map_or("the file", |source| source.name())
}

/// Returns the evaluated model of a valid template, with its requirements resolved, or the content of a file in another
/// language.
fn subject(
    file: &OsString,
    reading: &ReadArgs,
    problems: &Problems,
    streams: &mut Streams,
) -> io::Result<Result<Subject, ExitStatus>> {
    let (parser, entry) = match one_entry(file, reading, streams)? {
        Ok(found) => found,
        Err(verdict) => return Ok(Err(verdict)),
    };
    let (mut outcome, resolution) = resolve_entry(&parser, entry);
    let attributes = reading.attributes.as_ref().map(|attributes| &attributes.0);
    let options = Options { resolution: resolution.as_ref(), positions: true, attributes };
    // A template whose requirements can't be fulfilled can still be planned.
    let is_valid = outcome.is_valid() || resolution.is_some();
    let evaluated = if is_valid { Service::evaluated(&outcome.program, options) } else { None };
    let (service, found) = evaluated.map_or((None, Vec::new()), |(service, found)| (Some(service), found));
    outcome.diagnostics.extend(found);
    show(&outcome, problems, true, streams)?;
    if let Some(service) = service {
        let secrets = outcome.program.list.iter().flat_map(|unit| unit.document.secrets());
        let secrets = secrets.map(str::to_owned).collect();
        return Ok(Ok(Subject::Service(Box::new(service.masked(&outcome.program.secrets())), secrets)));
    }
    let Some(language) = outcome.program.language().filter(|_| is_valid) else {
        return Ok(Err(ExitStatus::of_failure(&outcome.diagnostics)));
    };
    if (language.topology)(&outcome.program).is_none() && model(&outcome).is_none() {
        let file = name(&outcome);
        writeln!(streams.err(), "{file} has no service template, so there is nothing to plan")?;
        return Ok(Err(ExitStatus::Invalid));
    }
    Ok(Ok(Subject::Other(Box::new(outcome))))
}

/// Reports the problems with a template. `is_taken` says whether standard output carries a result.
pub(super) fn show(outcome: &Outcome, arguments: &Problems, is_taken: bool, streams: &mut Streams) -> io::Result<()> {
    show_all((&outcome.diagnostics, &outcome.sources), arguments, is_taken, streams)
}

/// Reports the problems with one or more templates. `is_taken` says whether standard output carries a result.
pub(super) fn show_all(
    (problems, sources): (&[Diagnostic], &Sources),
    arguments: &Problems,
    is_taken: bool,
    streams: &mut Streams,
) -> io::Result<()> {
    let is_shown = |problem: &&Diagnostic| !arguments.quiet || problem.severity == Severity::Error;
    let shown: Vec<Diagnostic> = problems.iter().filter(is_shown).cloned().collect();
    if shown.is_empty() {
        return Ok(());
    }
    let color = is_colored(arguments.appearance.color, is_taken);
    write!(streams.report(is_taken), "{}", Terminal::new(&shown, sources).color(color))
}

/// Returns the single template that an argument names, and the parser for it.
pub(super) fn one_entry(
    file: &OsString,
    reading: &ReadArgs,
    streams: &mut Streams,
) -> io::Result<Result<(Parser, Entry), ExitStatus>> {
    let wishes = RuleOverrides::default();
    let mut readers = Readers::new(reading, &wishes, None);
    let entry = match entries(std::slice::from_ref(file), &mut readers)? {
        Ok(entries) if entries.has_folders && entries.list.len() > 1 => {
            return misused(streams, "there are several templates in the folder: name one of them").map(Err);
        }
        Ok(entries) => entries.list.into_iter().next(),
        Err(refusal) => return refusal.report(streams).map(Err),
    };
    readers.report(streams)?;
    Ok(entry.map(|(reader, entry)| (readers.parser(reader).clone(), entry)).ok_or(ExitStatus::Misused))
}

/// Writes a document as JSON.
pub(super) fn json(out: &mut dyn Write, document: &impl serde::Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(Json(&mut *out), document)?;
    writeln!(out)
}

fn diagram(plan: Plan, format: PlanFormat) -> Result<String, String> {
    let graph = Graph::of(&plan, graph::Options::default());
    drop(plan);
    match format {
        PlanFormat::Dot => Ok(graph.dot()),
        PlanFormat::Mermaid => Ok(graph.mermaid()),
        _ => graph.svg().map_err(|error| format!("{error}\nhelp: use a different `--format`")),
    }
}

/// Writes a result to standard output or to the given file.
pub(super) fn write(
    streams: &mut Streams,
    output: Option<&Path>,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<ExitStatus> {
    match output {
        None => content(streams.rendered_out())?,
        Some(path) => {
            if let Err(error) = output::write_with(path, content) {
                return failed(streams, &format!("can't write {error}"));
            }
        }
    }
    Ok(ExitStatus::Valid)
}

fn failed(streams: &mut Streams, message: &str) -> io::Result<ExitStatus> {
    writeln!(streams.err(), "error: {message}")?;
    Ok(ExitStatus::Invalid)
}
