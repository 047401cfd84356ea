//! Shows failures of package commands in the same format as problems.

use std::io;

use tosca_parse::murano::{category, language};
use tosca_parse::yaql::Error;

use super::super::ExitStatus;
use super::super::streams::{Streams, is_colored};
use tosca_parse::diagnostic::render::{Terminal, sanitize};
use tosca_parse::diagnostic::{Color, Diagnostic, SourceId};
use tosca_parse::source::Sources;

/// Returns whether problems are colored. `is_taken` says whether standard output carries a result.
pub(super) fn color(is_taken: bool) -> bool {
    is_colored(Color::Auto, is_taken)
}

/// The failures. Those in code have positions.
#[derive(Default)]
pub(super) struct Failures {
    elsewhere: Vec<String>,
    problems: Vec<Diagnostic>,
    sources: Sources,
    /// The files whose problems are reported already.
    reported: Vec<String>,
}

impl Failures {
    /// Returns a list that omits failures that involve the given files.
    pub(super) fn without(reported: Vec<String>) -> Self {
        Self { reported, ..Self::default() }
    }

    /// Adds an error, which may concern a class. If several classes fail because of the same code, the error is
    /// reported once.
    pub(super) fn add(&mut self, error: &Error, class: Option<&str>) {
        let Some((mut problem, sources)) = language::problem(error) else {
            let class = class.map(|class| format!("{class}: ")).unwrap_or_default();
            self.elsewhere.push(format!("error: {class}{}: {error}", category(error)));
            return;
        };
        let names = problem.related.iter().map(|related| related.span.source).chain([problem.span.source]);
        let mut names = names.filter_map(|source| sources.get(source)).map(|source| source.name().to_owned());
        if names.any(|name| self.reported.contains(&name)) {
            return;
        }
        let known = &mut self.sources;
        problem.renumber(|source| {
            let Some(source) = sources.get(source) else { return source };
            let id = known.iter().find(|other| other.name() == source.name()).map(|other| other.id());
            id.unwrap_or_else(|| {
                let id = SourceId(known.len() as u32);
                known.add(source.renumbered(id));
                id
            })
        });
        if !self.problems.iter().any(|other| other.span == problem.span && other.message == problem.message) {
            self.problems.push(problem);
        }
    }

    /// Reports the problems. `is_taken` says whether standard output carries a result.
    pub(super) fn write(&self, is_taken: bool, streams: &mut Streams) -> io::Result<ExitStatus> {
        if self.elsewhere.is_empty() && self.problems.is_empty() {
            return Ok(ExitStatus::Valid);
        }
        for line in &self.elsewhere {
            writeln!(streams.report(is_taken), "{}", sanitize(line))?;
        }
        if self.problems.is_empty() {
            return Ok(ExitStatus::Invalid);
        }
        let terminal = Terminal::new(&self.problems, &self.sources).color(color(is_taken));
        write!(streams.report(is_taken), "{terminal}")?;
        Ok(ExitStatus::Invalid)
    }
}
