//! Validating files, and writing what they describe.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::Verdict;
use super::args::{Access, Format, Input, Output, Reading, Validate};
use super::config::Settings;
use super::dump;
use super::folder;
use super::overview::{self, Overview};
use super::progress::Progress as Bar;
use super::streams::Streams;
use crate::diagnostic::render::{Concise, Document, Terminal};
use crate::diagnostic::{Diagnostic, Levels, Severity, Span, Summary};
use crate::grammar::tosca::resolve::Resolution;
use crate::normal::{self, Service};
use crate::source::{Address, AddressError, CatalogueProblem, Sources};
use crate::{Entry, Outcome, Parser, ParserBuilder, Phase, Progress, Stage};

/// What is done with files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// They are validated.
    Validate,
    /// They are validated, and of archives every file is read.
    #[cfg(feature = "archive")]
    Verify,
    /// They are validated, and the requirements that they leave open are fulfilled.
    Resolve,
}

impl Mode {
    fn reads_whole_archives(self) -> bool {
        !matches!(self, Self::Validate | Self::Resolve)
    }
}

/// Validates files.
pub(super) fn run(validate: &Validate, levels: &Levels, mode: Mode, streams: &mut Streams) -> io::Result<Verdict> {
    if mode == Mode::Resolve && (validate.dump || validate.stop_after.is_some()) {
        return misused(streams, "`resolve` needs all phases, so it takes neither `--dump` nor `--stop-after`");
    }
    let mut builder = match builder(&validate.reading) {
        Ok(builder) => builder.levels(levels.clone()),
        Err(message) => return misused(streams, &message),
    };
    if let Some(jobs) = validate.jobs {
        builder = builder.threads(usize::from(jobs));
    }
    let parser = match builder.build() {
        Ok(parser) => parser,
        Err(error) => return misused(streams, &format!("can't start the threads: {error}")),
    };
    let entries = match entries(&validate.files, &validate.reading, &parser)? {
        Ok(entries) => entries,
        Err(message) => return misused(streams, &message),
    };
    let Entries { list, has_folders } = entries;
    let mut run = Run {
        validate,
        all: Problems::default(),
        is_alone: list.len() == 1 && !has_folders,
        has_folders,
        lines: Vec::new(),
        valid: 0,
        invalid: 0,
    };
    let bar = Arc::new(Bar::new("files", !validate.quiet));
    let (mut done, mut list) = (0, VecDeque::from(list));
    while let Some(entry) = list.pop_front() {
        let mut entry = entry.verify(mode.reads_whole_archives());
        if has_folders {
            bar.show(done, done + 1 + list.len());
        } else {
            let bar = bar.clone();
            entry = entry.watch(move |done, all| bar.show(done, all));
        }
        let address = entry.address().clone();
        let last = validate.stop_after.unwrap_or(Phase::Rendering);
        let (progress, resolution) = if mode == Mode::Resolve {
            let Outcome { diagnostics, sources, program, times, resolution } = parser.resolve_entry(entry);
            (Progress { diagnostics, sources, stage: Stage::Complete(program), times }, resolution)
        } else {
            (parser.parse_until(entry, last), None)
        };
        // What else there is in an archive is known when it has been read. These are for substitution, and have other
        // inputs.
        let further: Vec<Entry> = parser.further(&address).into_iter().map(Entry::at).collect();
        run.is_alone &= further.is_empty();
        further.into_iter().rev().for_each(|entry| list.push_front(entry));
        run.one(last, progress, resolution.as_ref(), streams)?;
        done += 1;
    }
    drop(bar);
    run.finish(streams)
}

/// A parser that reads as the arguments and the configuration say; or what is wrong with the configuration.
pub(super) fn builder(reading: &Reading) -> Result<ParserBuilder, String> {
    // Who names a folder means one that there is; one of the configuration need not be on every computer.
    if let Some(path) = reading.profile_path.iter().find(|path| !path.exists()) {
        return Err(CatalogueProblem::Missing(path.clone()).to_string());
    }
    let mut builder = accessing(&reading.access, &reading.profile_path)?.sandbox(reading.sandbox);
    for quirk in reading.quirk.iter().flat_map(|asked| &asked.0) {
        builder = builder.quirk(*quirk);
    }
    for name in &reading.allow_function {
        builder = builder.function(name);
    }
    Ok(builder)
}

/// A parser that gets at sources and profiles as the arguments and the configuration say.
pub(super) fn accessing(access: &Access, profile_paths: &[PathBuf]) -> Result<ParserBuilder, String> {
    let settings = Settings::of(access)?;
    let mut builder = Parser::builder().offline(access.offline).limits(settings.bounds.sources.clone());
    #[cfg(feature = "archive")]
    {
        builder = builder.archive_limits(settings.bounds.archives.clone());
    }
    #[cfg(feature = "http")]
    {
        builder = builder.http(settings.http(access));
    }
    for (prefix, folder) in &settings.map_url {
        builder = builder.map_url(prefix, folder);
    }
    for path in profile_paths.iter().chain(&settings.profile_paths) {
        builder = builder.profile_path(path);
    }
    Ok(builder)
}

pub(super) fn misused(streams: &mut Streams, message: &str) -> io::Result<Verdict> {
    writeln!(streams.err(), "error: {message}")?;
    Ok(Verdict::Misused)
}

/// The entries that the arguments name, each with the values for inputs; or what is wrong with the arguments.
pub(super) fn entries(files: &[OsString], reading: &Reading, parser: &Parser) -> io::Result<Result<Entries, String>> {
    let mut entries = Vec::with_capacity(files.len());
    let mut has_folders = false;
    let mut stdin = None;
    for file in files {
        if file != "-" && Path::new(file).is_dir() && !folder::is_archive_folder(Path::new(file)) {
            has_folders = true;
            let found = folder::find(Path::new(file));
            if found.is_empty() {
                let message = format!("there is no TOSCA file in the folder `{}`", Path::new(file).display());
                return Ok(Err(message));
            }
            for path in found {
                match at(path.as_os_str(), reading, parser) {
                    Ok(found) => entries.push(found),
                    Err(error) => return Ok(Err(error.to_string())),
                }
            }
            continue;
        }
        let entry = if file == "-" {
            if stdin.is_some() {
                return Ok(Err("the standard input can be read only once".to_owned()));
            }
            let mut text = Vec::new();
            io::stdin().lock().read_to_end(&mut text)?;
            stdin = Some(());
            let entry = address(parser, OsStr::new(&reading.stdin_name)).map(|address| Entry::text(address, text));
            entry.and_then(|entry| with_inputs(entry, reading, parser))
        } else {
            at(file, reading, parser)
        };
        match entry {
            Ok(found) => entries.push(found),
            Err(error) => return Ok(Err(error.to_string())),
        }
    }
    Ok(Ok(Entries { list: entries, has_folders }))
}

/// What an argument names.
fn at(file: &OsStr, reading: &Reading, parser: &Parser) -> Result<Entry, AddressError> {
    with_inputs(Entry::at(address(parser, file)?), reading, parser)
}

/// The address of an argument. A path need not be text.
fn address(parser: &Parser, argument: &OsStr) -> Result<Address, AddressError> {
    match argument.to_str() {
        Some(text) => parser.address(text),
        None => Ok(Address::from_path(Path::new(argument), &std::env::current_dir().unwrap_or_default())),
    }
}

fn with_inputs(mut entry: Entry, reading: &Reading, parser: &Parser) -> Result<Entry, AddressError> {
    for file in &reading.inputs {
        entry = entry.inputs_at(address(parser, file)?);
    }
    for input in &reading.input {
        entry = entry.inputs(format!("--input {}", input.name), yaml(input));
    }
    Ok(entry)
}

/// A map with one entry. Nothing after `=` is the empty text, as in every other command.
fn yaml(Input { name, value }: &Input) -> String {
    let key = serde_json::Value::from(name.as_str());
    let value = if value.is_empty() { "\"\"" } else { value };
    format!("{key}: {value}\n")
}

/// What the arguments name.
pub(super) struct Entries {
    pub(super) list: Vec<Entry>,
    /// Whether some have been found in a folder.
    pub(super) has_folders: bool,
}

/// A run over all files.
struct Run<'a> {
    validate: &'a Validate,
    all: Problems,
    is_alone: bool,
    has_folders: bool,
    /// What there is to say of each file, if there are folders.
    lines: Vec<String>,
    valid: usize,
    invalid: usize,
}

/// The problems of all files. Files share sources, whose problems are told once.
#[derive(Default)]
struct Problems {
    list: Vec<Diagnostic>,
    seen: FxHashSet<(&'static str, Span, String)>,
    sources: Sources,
}

impl Problems {
    fn add(&mut self, diagnostics: Vec<Diagnostic>, sources: &Sources) {
        self.sources.extend(sources.iter().cloned());
        for diagnostic in diagnostics {
            if self.seen.insert((diagnostic.rule.code, diagnostic.span, diagnostic.message.clone())) {
                self.list.push(diagnostic);
            }
        }
    }
}

impl Run<'_> {
    fn one(
        &mut self,
        last: Phase,
        progress: Progress,
        resolution: Option<&Resolution>,
        streams: &mut Streams,
    ) -> io::Result<()> {
        let validate = self.validate;
        let is_valid = progress.is_valid();
        *(if is_valid { &mut self.valid } else { &mut self.invalid }) += 1;
        if validate.verbose {
            overview::times(streams.err(), &progress)?;
        }
        let Progress { diagnostics, sources, stage, .. } = progress;
        if self.has_folders {
            let summary = Summary::of(&diagnostics);
            let entry = stage.units().list.first().map(|unit| unit.source.name().to_owned()).unwrap_or_default();
            let counts = [(summary.errors, "error"), (summary.warnings, "warning")];
            let counts: Vec<String> = counts
                .iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, what)| format!("{count} {what}{}", if *count == 1 { "" } else { "s" }))
                .collect();
            let verdict = if is_valid { "valid  " } else { "invalid" };
            let counts = if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) };
            self.lines.push(format!("{verdict}  {entry}{counts}"));
        }
        let shown = diagnostics.into_iter().filter(|shown| !validate.quiet || shown.severity == Severity::Error);
        self.all.add(shown.collect(), &sources);
        if validate.dump {
            dump::dump(streams.out(), &stage, last)?;
        } else if validate.stop_after.is_none() && (is_valid || resolution.is_some() && validate.output.is_none()) {
            self.describe(&stage, resolution, streams)?;
        }
        // The process ends soon, and then all memory is free at once.
        if self.is_alone {
            std::mem::forget(stage);
        }
        Ok(())
    }

    /// Writes the model of a valid service, or what there is to see in it.
    fn describe(&self, stage: &Stage, resolution: Option<&Resolution>, streams: &mut Streams) -> io::Result<()> {
        let Stage::Complete(program) = stage else { return Ok(()) };
        let validate = self.validate;
        let options = normal::Options { positions: validate.positions };
        match validate.output {
            Some(format) => match normal::service(program, resolution, options) {
                Some(service) => write_model(streams.out(), &service, format, self.is_alone),
                None => writeln!(
                    streams.err(),
                    "{} has no service template, so there is no model to write",
                    program.list.first().map_or("the file", |unit| unit.source.name())
                ),
            },
            None if validate.quiet || validate.format == Format::Json || self.has_folders => Ok(()),
            None => {
                let color = validate.appearance.color.enabled(&io::stdout());
                let overview = Overview::of(program, resolution).color(color);
                if self.is_alone {
                    write!(streams.out(), "{overview}")
                } else {
                    writeln!(streams.out(), "{overview:#}")
                }
            }
        }
    }

    /// Shows all problems.
    fn finish(self, streams: &mut Streams) -> io::Result<Verdict> {
        let validate = self.validate;
        let Problems { list, sources, .. } = &self.all;
        match validate.format {
            Format::Full => {
                let color = validate.appearance.color.enabled(&io::stderr());
                if !list.is_empty() {
                    write!(streams.err(), "{}", Terminal::new(list, sources).color(color))?;
                }
                for line in self.lines.iter().filter(|_| !validate.quiet) {
                    writeln!(streams.out(), "{line}")?;
                }
                let number = self.valid + self.invalid;
                if number > 1 && !validate.quiet {
                    let verb = if self.valid == 1 { "is" } else { "are" };
                    writeln!(streams.err(), "{} of {number} files {verb} valid", self.valid)?;
                }
            }
            Format::Concise => write!(streams.err(), "{}", Concise::new(list, sources))?,
            Format::Json => {
                let document = Document::new(list, sources);
                // Where a model or a dump is written, nothing else may stand.
                let is_taken = validate.dump || validate.output.is_some();
                write!(if is_taken { streams.err() } else { streams.out() }, "{document}")?;
            }
        }
        let verdict = if self.invalid == 0 { Verdict::Valid } else { Verdict::Invalid };
        std::mem::forget(self);
        Ok(verdict)
    }
}

/// Writes a model; several models are several documents.
pub(super) fn write_model(out: &mut dyn Write, service: &Service, format: Output, is_alone: bool) -> io::Result<()> {
    // Millions of small pieces are written; most must not get further than to this buffer.
    let mut out = BufWriter::with_capacity(1 << 16, out);
    match format {
        Output::Json => {
            serde_json::to_writer_pretty(&mut out, service)?;
            writeln!(out)?;
        }
        Output::Yaml => {
            if !is_alone {
                writeln!(out, "---")?;
            }
            serde_yaml::to_writer(&mut out, service).map_err(io::Error::other)?;
        }
    }
    out.flush()
}
