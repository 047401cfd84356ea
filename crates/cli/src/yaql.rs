//! Evaluates YAQL expressions.

use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::path::Path;

use tosca_parse::ard;
use tosca_parse::source::{ReadError, regular};
use tosca_parse::yaql::{Dialect, Engine, Error, ErrorKind, Limits, Value};

use super::ExitStatus;
use super::args::Yaql;
use super::murano::values;
use super::streams::{Json, Streams};
use tosca_parse_config::Bounds;

/// Evaluates an expression and writes its value as JSON.
pub(super) fn run(arguments: &Yaql, streams: &mut Streams) -> io::Result<ExitStatus> {
    let mut limits = Limits { budget: Bounds::of(&arguments.limit).models.evaluation, ..Limits::default() };
    let data = match arguments.data.as_deref().map(read) {
        None => Value::Null,
        Some(Ok(data)) => {
            limits.budget = limits.budget.for_input(data.weight());
            data
        }
        Some(Err(error)) => {
            writeln!(streams.err(), "error: {error}")?;
            return Ok(ExitStatus::Misused);
        }
    };
    let dialect = if arguments.legacy { Dialect::Legacy } else { Dialect::Standard };
    match Engine::new(dialect, limits).evaluate(&arguments.expression, data) {
        Ok(value) => {
            serde_json::to_writer_pretty(Json(streams.rendered_out()), &value.as_json())?;
            writeln!(streams.out())?;
            Ok(ExitStatus::Valid)
        }
        Err(error) => {
            explain(&arguments.expression, &error, &mut streams.err())?;
            Ok(ExitStatus::Invalid)
        }
    }
}

fn read(file: &OsStr) -> Result<Value, Error> {
    let failed = |error: &dyn std::fmt::Display| {
        Error::new(ErrorKind::Value, format!("can't read `{}`: {error}", file.display()))
    };
    let limit = ard::Limits::default().bytes;
    if file == "-" {
        let mut text = String::new();
        io::stdin().take(limit + 1).read_to_string(&mut text).map_err(|error| failed(&error))?;
        if text.len() as u64 > limit {
            return Err(failed(&ReadError::TooLarge { limit }));
        }
        return values::read("standard input", &text);
    }
    let text = regular::read_text(Path::new(file), limit).map_err(|error| failed(&error))?;
    values::read(&file.to_string_lossy(), &text)
}

/// Prints the problem and the line of the expression with the position underlined.
fn explain(expression: &str, error: &Error, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "error: {error}")?;
    let Some(span) = error.span() else { return Ok(()) };
    let (start, end) = (span.start as usize, (span.end as usize).max(span.start as usize + 1));
    let line_start = expression[..start].rfind('\n').map_or(0, |at| at + 1);
    let line = expression[line_start..].lines().next().unwrap_or_default();
    let before = unicode_width::UnicodeWidthStr::width(&expression[line_start..start]);
    let marked = expression.get(start..end.min(line_start + line.len())).unwrap_or_default();
    let marks = unicode_width::UnicodeWidthStr::width(marked).max(1);
    writeln!(out, "  {line}\n  {}{}", " ".repeat(before), "^".repeat(marks))
}
