//! The problems of a run as a Parquet table.

use std::io;
use std::path::Path;

use super::output;
use super::streams::Streams;
use tosca_parse::diagnostic::Diagnostic;
use tosca_parse::diagnostic::render::Document;
use tosca_parse::source::Sources;
use tosca_parse::source::replace::Draft;
use tosca_parse_tables::{Error, ProblemTable};

/// A table that is being written.
pub(super) enum ProblemFile {
    File(ProblemTable<Draft>),
    /// For standard output, which must not be locked until the table is complete.
    Out(ProblemTable<Vec<u8>>),
}

impl ProblemFile {
    /// Creates a table in a file, or on standard output.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be written.
    pub(super) fn new(path: Option<&Path>) -> io::Result<Self> {
        match path {
            Some(path) => ProblemTable::new(output::draft(path)?).map(Self::File).map_err(written),
            None => ProblemTable::new(Vec::new()).map(Self::Out).map_err(written),
        }
    }

    /// Adds the problems of a template.
    pub(super) fn add(
        &mut self,
        name: &str,
        is_valid: bool,
        problems: &[Diagnostic],
        sources: &Sources,
    ) -> io::Result<()> {
        let problems = Document::new(problems, sources).diagnostics;
        let result = match self {
            Self::File(table) => table.add(name, is_valid, &problems),
            Self::Out(table) => table.add(name, is_valid, &problems),
        };
        result.map_err(written)
    }

    /// Completes the table and replaces the file.
    pub(super) fn finish(self, streams: &mut Streams) -> io::Result<()> {
        match self {
            Self::File(table) => table.finish().map_err(written)?.replace(),
            Self::Out(table) => streams.rendered_out().write_all(&table.finish().map_err(written)?),
        }
    }
}

/// Returns a failed write as such.
pub(super) fn written(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error,
        error => io::Error::other(error),
    }
}
