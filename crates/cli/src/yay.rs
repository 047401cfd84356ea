//! Evaluates Yay.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::args::{self, ReadArgs, SourceArgs, Yay, YayFiles, YayPhase};
use super::config;
use super::streams::Streams;
use super::validate::models::write_yaml;
use super::{ExitStatus, Refusal};
use tosca_parse::diagnostic::render::{Terminal, escaped};
use tosca_parse::graph::{self, Graph, text};
use tosca_parse::source::{Address, FileProvider, MappedProvider, Provider};
use tosca_parse::yay::host::{self, Provided, Report, inputs};
use tosca_parse::yay::{Config, Data, Error, Limits, LoadedDocument, Node, OpenError, Opener, Stage};
use tosca_parse_config::{Settings, here};

/// Evaluates the documents and prints the requested result.
pub(super) fn run(command: &Yay, streams: &mut Streams) -> io::Result<ExitStatus> {
    let (Yay::Json(files)
    | Yay::Yaml(files)
    | Yay::Check(files)
    | Yay::Fold(files)
    | Yay::Get { files, .. }
    | Yay::Expr { files, .. }
    | Yay::Dot { files, .. }) = command;
    let config = match configuration(files) {
        Ok(config) => config,
        Err(refusal) => return refusal.report(streams),
    };
    if let Yay::Dot { phase, format, output, .. } = command {
        return draw(&config, *phase, (*format, output.as_deref()), files, streams);
    }
    if let Yay::Fold(_) = command {
        let folded = config.fold(!files.reveal);
        let invalid = report_problems(&config, folded.as_ref().err(), files, streams)?;
        write!(streams.rendered_out(), "{}", escaped(&folded.unwrap_or_default()))?;
        return Ok(if invalid { ExitStatus::Invalid } else { ExitStatus::Valid });
    }
    if let Yay::Check(_) = command {
        let invalid = report(&Report::of_check(&config), files, streams)?;
        return Ok(if invalid { ExitStatus::Invalid } else { ExitStatus::Valid });
    }
    let node = match command {
        Yay::Get { path, .. } => at(config.root(), path),
        Yay::Expr { expression, .. } => config.expression(expression),
        _ => config.root(),
    };
    let evaluated = if files.reveal { node.resolve() } else { node.resolve_safe() };
    let invalid = report_problems(&config, evaluated.as_ref().err(), files, streams)?;
    if let Ok(data) = &evaluated {
        show(data, matches!(command, Yay::Json(_)), streams)?;
    }
    Ok(if invalid { ExitStatus::Invalid } else { ExitStatus::Valid })
}

/// Draws the structure of the documents.
fn draw(
    config: &Config<'_>,
    phase: YayPhase,
    (format, output): (args::DiagramFormat, Option<&Path>),
    files: &YayFiles,
    streams: &mut Streams,
) -> io::Result<ExitStatus> {
    let stage = match phase {
        YayPhase::Initial => Stage::Initial,
        YayPhase::Normalized => Stage::Normalized,
        YayPhase::Folded => Stage::Folded,
    };
    let diagram = config.diagram(stage);
    let invalid = report_problems(config, diagram.as_ref().err(), files, streams)?;
    let Ok(diagram) = diagram else { return Ok(ExitStatus::Invalid) };
    let graph =
        || Graph { title: text::line(&files.files.join(", ")), ..Graph::of(&diagram, graph::Options::default()) };
    let text = match format {
        args::DiagramFormat::Dot => diagram.dot().into_bytes(),
        format => match super::graph::written(&graph(), format) {
            Ok(text) => text,
            Err(error) => {
                writeln!(streams.err(), "error: {error}")?;
                writeln!(streams.err(), "help: use a different `--format`")?;
                return Ok(ExitStatus::Invalid);
            }
        },
    };
    let verdict = super::graph::put(&text, output, streams)?;
    Ok(if invalid { ExitStatus::Invalid } else { verdict })
}

/// Returns the Yay syntax that the validator uses to read templates.
pub(super) fn syntax(reading: &ReadArgs) -> Result<host::Yay, String> {
    let limits = limits(&config::of(&reading.access, &here())?);
    let mut syntax = host::Yay::default().limits(limits).gpg(reading.gpg).environment(!reading.sandbox);
    for folder in &reading.search {
        syntax = syntax.search(&address(&folder.to_string_lossy())?);
    }
    let files: Vec<String> = reading.inputs.iter().map(|file| file.to_string_lossy().into_owned()).collect();
    if files.is_empty() && reading.input.is_empty() {
        return Ok(syntax);
    }
    let mut opener = opener(&reading.access)?;
    // A file that can't be read is reported when its values are given to the inputs of the service.
    for (name, value) in files.iter().filter_map(|file| given(&mut opener, file).ok()).flatten() {
        syntax = syntax.input(name, value);
    }
    for (name, value) in reading.input.iter().flat_map(|input| inputs(&input.yaml())) {
        syntax = syntax.input(name, value);
    }
    Ok(syntax)
}

/// Returns the evaluation limits.
fn limits(settings: &Settings) -> Limits {
    Limits { budget: settings.bounds.models.evaluation, ..Limits::default() }
}

/// Opens documents according to the arguments and the user's configuration.
fn opener(access: &SourceArgs) -> Result<Provided, String> {
    let settings = config::of(access, &here())?;
    let mut providers: Vec<Arc<dyn Provider>> = Vec::new();
    for (prefix, folder) in settings.map_url() {
        providers.push(Arc::new(MappedProvider::new(&prefix, folder)));
    }
    providers.push(Arc::new(FileProvider));
    providers.extend(config::remote_providers(&settings, access));
    Ok(Provided::new(providers, settings.bounds.sources.bytes))
}

fn address(argument: &str) -> Result<Address, String> {
    let here = std::env::current_dir().unwrap_or_default();
    Address::from_argument(argument, &here).map_err(|error| error.to_string())
}

fn open(opener: &mut Provided, file: &str) -> Result<LoadedDocument, Refusal> {
    opener.open(&address(file)?.to_string()).map_err(|error| match error {
        OpenError::Missing => Refusal::unavailable(format!("there is no file `{file}`")),
        OpenError::Failed(message) => Refusal::unavailable(message),
        OpenError::Refused(message) => message.into(),
    })
}

/// Returns the input values of a file.
fn given(opener: &mut Provided, file: &str) -> Result<Vec<(String, Data)>, Refusal> {
    open(opener, file).map(|opened| inputs(&String::from_utf8_lossy(&opened.text)))
}

fn configuration(files: &YayFiles) -> Result<Config<'static>, Refusal> {
    let mut opener = opener(&files.access)?.with_gpg(files.gpg);
    let mut opened = Vec::new();
    for file in &files.files {
        let mut document = open(&mut opener, file)?;
        document.labels.extend(files.label.iter().cloned());
        opened.push(document);
    }
    let mut values = Vec::new();
    for file in &files.inputs {
        values.extend(given(&mut opener, file)?);
    }
    values.extend(files.input.iter().flat_map(|input| inputs(&input.yaml())));
    let search = files.search.iter().map(|folder| Ok(address(folder)?.as_directory()));
    let search: Vec<Address> = search.collect::<Result<_, String>>()?;
    if files.sandbox {
        let own: Vec<Address> = files.files.iter().map(|file| address(file)).collect::<Result<_, String>>()?;
        let own = own.iter().map(Address::directory);
        // Documents from the network include nothing.
        opener = opener.within(own.chain(search.iter().cloned()).filter(|folder| !folder.is_remote()));
    }
    let mut config = Config::with_limits(opener, limits(&config::of(&files.access, &here())?));
    if files.sandbox {
        config.refuse_environment();
    } else {
        config.environment(|name| std::env::var(name).ok());
    }
    for (name, value) in &values {
        config.input(name, value);
    }
    for folder in &search {
        config.search(&folder.to_string());
    }
    for document in &opened {
        config.load_document(document);
    }
    Ok(config)
}

/// Returns the value at a path of keys and indices.
fn at<'o>(root: Node<'o>, path: &str) -> Node<'o> {
    path.split('.').filter(|step| !step.is_empty()).fold(root, |node, step| match step.parse() {
        Ok(number) if node.is_list() => node.index(number),
        _ => node.get(step),
    })
}

/// Shows the problems of an evaluation; returns whether there are errors.
fn report_problems(
    config: &Config<'_>,
    error: Option<&Error>,
    files: &YayFiles,
    streams: &mut Streams,
) -> io::Result<bool> {
    report(&Report::of_evaluation(config, error), files, streams)
}

/// Shows problems; returns whether there are errors.
fn report(report: &Report, files: &YayFiles, streams: &mut Streams) -> io::Result<bool> {
    if !report.problems.is_empty() {
        let color = files.appearance.color.enabled(&io::stderr());
        write!(streams.rendered_err(), "{}", Terminal::new(&report.problems, &report.sources).color(color))?;
    }
    Ok(report.has_errors())
}

fn show(data: &Data, json: bool, streams: &mut Streams) -> io::Result<()> {
    let text = if json {
        serde_json::to_string_pretty(data).map(|text| escaped(&text).into_owned() + "\n").map_err(io::Error::other)?
    } else {
        return write_yaml(streams.rendered_out(), data, 0);
    };
    write!(streams.rendered_out(), "{text}")
}
