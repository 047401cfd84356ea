//! The models of valid files, as JSON or YAML.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Write};

use serde::Serialize;
use tosca_parse::diagnostic::render::is_harmless;
use tosca_parse::normal::{Options, Service};
use tosca_parse::phase::Program;
use tosca_parse::phase::inheritance::Complete;
use tosca_parse_clout::Clout;

use super::super::args::{Emit, Format};
use super::super::murano;
use super::super::overview::text_size;
use super::super::streams::{Json, Streams};
use super::Run;

impl Run<'_> {
    /// Writes the model of a valid program.
    pub(super) fn write_model(
        &mut self,
        program: &Program<Complete>,
        evaluated: Option<Service>,
        options: Options<'_>,
        format: Emit,
        streams: &mut Streams,
    ) -> io::Result<()> {
        if format == Emit::Clout {
            return match evaluated.or_else(|| Service::with(program, options)) {
                Some(service) => self.write(&Clout::of(&service), program, format, streams),
                None => self.lacks_model(program, streams),
            };
        }
        if let Some(model) = program.language().and_then(|language| (language.model)(program)) {
            return self.write_or_fail(model, program, format, streams);
        }
        if let Some(model) = murano::model(program) {
            return self.write_or_fail(model, program, format, streams);
        }
        if let Some(service) = evaluated {
            return self.write(&service, program, format, streams);
        }
        match Service::stream(program, options) {
            Some(service) if self.is_compact(format) => {
                self.separate(format, streams)?;
                buffered_json(streams.rendered_out(), |out| service.write_json(out))
            }
            Some(service) => self.write(&service, program, format, streams),
            None => self.lacks_model(program, streams),
        }
    }

    /// Writes a model, or the reason why there is none.
    fn write_or_fail(
        &mut self,
        model: Result<impl Serialize, impl Display>,
        program: &Program<Complete>,
        format: Emit,
        streams: &mut Streams,
    ) -> io::Result<()> {
        match model {
            Ok(model) => self.write(&model, program, format, streams),
            Err(error) => writeln!(streams.err(), "error: {error}"),
        }
    }

    /// Reports that a file has no service, unless the format of problems is for programs.
    fn lacks_model(&self, program: &Program<Complete>, streams: &mut Streams) -> io::Result<()> {
        if self.validate.format != Format::Full && self.validate.format != Format::Concise {
            return Ok(());
        }
        let file = program.list.first().map_or("the file", |unit| unit.source.name());
        writeln!(streams.err(), "{file} has no service template, so there is no model to write")
    }

    /// Writes a model, which may be one of several.
    fn write(
        &mut self,
        model: &impl Serialize,
        program: &Program<Complete>,
        format: Emit,
        streams: &mut Streams,
    ) -> io::Result<()> {
        self.separate(format, streams)?;
        match format {
            Emit::Yaml => write_yaml(streams.rendered_out(), model, text_size(program)),
            _ => write_json(streams.rendered_out(), model, !self.is_compact(format)),
        }
    }

    /// Returns whether models are written as JSON without white space.
    fn is_compact(&self, format: Emit) -> bool {
        let is_shown = || self.validate.output.is_none() && io::stdout().is_terminal();
        match format {
            Emit::Json | Emit::Clout => !self.validate.pretty && !is_shown(),
            Emit::Jsonl => true,
            Emit::Yaml => false,
        }
    }

    /// Counts a model and writes the separator before it: in JSON, several models form a list.
    fn separate(&mut self, format: Emit, streams: &mut Streams) -> io::Result<()> {
        self.models += 1;
        match (format, self.is_alone) {
            (Emit::Jsonl, _) | (_, true) => Ok(()),
            (Emit::Json | Emit::Clout, false) => {
                writeln!(streams.out(), "{}", if self.models == 1 { "[" } else { "," })
            }
            (Emit::Yaml, false) => writeln!(streams.out(), "---"),
        }
    }

    /// Writes the end of a list of models.
    pub(super) fn close(&self, streams: &mut Streams) -> io::Result<()> {
        match (self.validate.emit, self.is_alone, self.models) {
            (Some(Emit::Json | Emit::Clout), false, 0) => writeln!(streams.out(), "[]"),
            (Some(Emit::Json | Emit::Clout), false, _) => writeln!(streams.out(), "]"),
            _ => Ok(()),
        }
    }
}

/// The size of the buffer for the many small writes of a serializer, in bytes.
const BUFFER: usize = 1 << 16;

fn write_json(out: impl Write, model: &impl Serialize, is_pretty: bool) -> io::Result<()> {
    buffered_json(out, |out| {
        if is_pretty { serde_json::to_writer_pretty(out, model) } else { serde_json::to_writer(out, model) }
    })
}

/// Writes JSON and a line break in large pieces.
fn buffered_json<W: Write>(
    out: W,
    write: impl FnOnce(&mut BufWriter<Json<W>>) -> serde_json::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(BUFFER, Json(out));
    write(&mut out)?;
    writeln!(out)?;
    out.flush()
}

/// The maximum size of a model that is written as YAML, in bytes, plus a number for each byte of its sources. 20 MB of
/// YAML are written per second.
const MAX_YAML: usize = 8 << 20;
const YAML_PER_BYTE: usize = 8;

/// Writes a model of sources with the given size as YAML. If it would contain nonprintable characters, or lines that a
/// workflow runner interprets as commands, JSON is written instead, which is valid YAML and can escape them. The same
/// applies to a model that is very large compared with its sources.
pub(in super::super) fn write_yaml(mut out: impl Write, model: &impl Serialize, text_size: usize) -> io::Result<()> {
    let room = MAX_YAML.saturating_add(text_size.saturating_mul(YAML_PER_BYTE));
    // JSON is written ten times as fast, so its size is checked first.
    let mut json = Limited { out: io::sink(), room: Some(room) };
    let mut yaml = Limited { out: Vec::new(), room: Some(room) };
    let _ = serde_json::to_writer(&mut json, model);
    let written = if json.room.is_some() { serde_yaml::to_writer(&mut yaml, model) } else { Ok(()) };
    if json.room.is_none() || yaml.room.is_none() {
        writeln!(out, "# The data is very large, so it is written as JSON, which is valid YAML.")?;
        return write_json(out, model, false);
    }
    written.map_err(io::Error::other)?;
    if !is_harmless(&String::from_utf8_lossy(&yaml.out)) {
        return write_json(out, model, true);
    }
    out.write_all(&yaml.out)?;
    out.flush()
}

/// A writer with a limit.
struct Limited<W> {
    out: W,
    /// The number of bytes that may still be written; `None` if there were more.
    room: Option<usize>,
}

impl<W: Write> Write for Limited<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.room = self.room.and_then(|room| room.checked_sub(bytes.len()));
        if self.room.is_none() {
            return Err(io::ErrorKind::Other.into());
        }
        self.out.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
