//! Validating files, and writing what they describe.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use rustc_hash::FxHashSet;

use super::Verdict;
use super::args::{Format, Input, Output, Reading, Validate};
use super::dump;
use super::overview::{self, Overview};
use super::streams::Streams;
use crate::diagnostic::render::{Concise, Document, Terminal};
use crate::diagnostic::{Diagnostic, Levels, Severity, Span};
use crate::normal::{self, Service};
use crate::source::{Address, AddressError, Sources};
use crate::{Entry, Parser, ParserBuilder, Phase, Progress, Stage};

/// Validates files.
pub(super) fn run(validate: &Validate, levels: &Levels, streams: &mut Streams) -> io::Result<Verdict> {
    let mut builder = builder(&validate.reading).levels(levels.clone());
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
    let mut run = Run { validate, all: Problems::default(), is_alone: entries.len() == 1, valid: 0, invalid: 0 };
    for entry in entries {
        let last = validate.stop_after.unwrap_or(Phase::Rendering);
        let progress = parser.parse_until(entry, last);
        run.one(last, progress, streams)?;
    }
    run.finish(streams)
}

/// A parser that reads as the arguments say.
pub(super) fn builder(reading: &Reading) -> ParserBuilder {
    let mut builder = Parser::builder().offline(reading.offline);
    for quirk in reading.quirk.iter().flat_map(|asked| &asked.0) {
        builder = builder.quirk(*quirk);
    }
    for path in &reading.profile_path {
        builder = builder.profile_path(path);
    }
    builder
}

pub(super) fn misused(streams: &mut Streams, message: &str) -> io::Result<Verdict> {
    writeln!(streams.err(), "error: {message}")?;
    Ok(Verdict::Misused)
}

/// The entries that the arguments name, each with the values for inputs; or what is wrong with the arguments.
pub(super) fn entries(
    files: &[OsString],
    reading: &Reading,
    parser: &Parser,
) -> io::Result<Result<Vec<Entry>, String>> {
    let mut entries = Vec::with_capacity(files.len());
    let mut stdin = None;
    for file in files {
        let entry = if file == "-" {
            if stdin.is_some() {
                return Ok(Err("the standard input can be read only once".to_owned()));
            }
            let mut text = Vec::new();
            io::stdin().lock().read_to_end(&mut text)?;
            stdin = Some(());
            address(parser, OsStr::new(&reading.stdin_name)).map(|address| Entry::text(address, text))
        } else {
            address(parser, file).map(Entry::at)
        };
        let entry = entry.and_then(|entry| with_inputs(entry, reading, parser));
        match entry {
            Ok(entry) => entries.push(entry),
            Err(error) => return Ok(Err(error.to_string())),
        }
    }
    Ok(Ok(entries))
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

/// A run over all files.
struct Run<'a> {
    validate: &'a Validate,
    all: Problems,
    is_alone: bool,
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
    fn one(&mut self, last: Phase, progress: Progress, streams: &mut Streams) -> io::Result<()> {
        let validate = self.validate;
        let is_valid = progress.is_valid();
        *(if is_valid { &mut self.valid } else { &mut self.invalid }) += 1;
        if validate.verbose {
            overview::times(streams.err(), &progress)?;
        }
        let Progress { diagnostics, sources, stage, .. } = progress;
        let shown = diagnostics.into_iter().filter(|shown| !validate.quiet || shown.severity == Severity::Error);
        self.all.add(shown.collect(), &sources);
        if validate.dump {
            dump::dump(streams.out(), &stage, last)?;
        } else if validate.stop_after.is_none() && is_valid {
            self.describe(&stage, streams)?;
        }
        // The process ends soon, and then all memory is free at once.
        if self.is_alone {
            std::mem::forget(stage);
        }
        Ok(())
    }

    /// Writes the model of a valid service, or what there is to see in it.
    fn describe(&self, stage: &Stage, streams: &mut Streams) -> io::Result<()> {
        let Stage::Complete(program) = stage else { return Ok(()) };
        let validate = self.validate;
        let options = normal::Options { positions: validate.positions };
        match validate.output {
            Some(format) => match normal::service(program, options) {
                Some(service) => write_model(streams.out(), &service, format, self.is_alone),
                None => writeln!(
                    streams.err(),
                    "{} has no service template, so there is no model to write",
                    program.list.first().map_or("the file", |unit| unit.source.name())
                ),
            },
            None if validate.quiet || validate.format == Format::Json => Ok(()),
            None => {
                let color = validate.appearance.color.enabled(&io::stdout());
                let overview = Overview::of(program).color(color);
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
