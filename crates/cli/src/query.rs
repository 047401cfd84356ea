//! Answers named queries of an index.

use std::io;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::args::{Listing, Query as Arguments};
use super::dirs::shown;
use super::index::NAME;
use super::plan::json;
use super::streams::Streams;
use super::validate::misused;
use super::{ExitStatus, columns};
use tosca_parse::diagnostic::render::sanitize;
use tosca_parse::diagnostic::suggest::nearest;
use tosca_parse_tables::{Answer, Cell, Index, Parameter, QUERIES, Query};

/// Answers a query, or lists the queries.
pub(super) fn run(arguments: &Arguments, streams: &mut Streams) -> io::Result<ExitStatus> {
    let Arguments { index, name, argument, listed } = arguments;
    let Some((path, name)) = index.as_ref().zip(name.as_ref()) else {
        list(listed.format, streams)?;
        return Ok(ExitStatus::Valid);
    };
    let Some(query) = Query::named(name) else {
        let near = nearest(name, QUERIES.iter().map(|query| query.name));
        let help = near.map_or_else(
            || "`tosca-parse query` lists the queries".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        return misused(streams, &format!("there is no query `{name}`; {help}"));
    };
    match (query.parameter, argument) {
        (Parameter::Required(what), None) => {
            return misused(streams, &format!("the query `{name}` needs an argument: {what}"));
        }
        (Parameter::Absent, Some(_)) => return misused(streams, &format!("the query `{name}` has no argument")),
        _ => {}
    }
    let answer = open(path).and_then(|index| {
        let answer = query.run(&index, argument.as_deref()).map_err(|error| error.to_string())?;
        // An empty result for a misspelled name would be misleading.
        let is_unknown = answer.rows.is_empty() && query.parameter != Parameter::Absent;
        match argument.as_deref().filter(|_| is_unknown) {
            Some(argument) => unknown(&index, query.parameter, argument).map_or(Ok(answer), Err),
            None => Ok(answer),
        }
    });
    let answer = match answer {
        Ok(answer) => answer,
        Err(message) => {
            writeln!(streams.err(), "error: {}", sanitize(&format!("{}: {message}", shown(path))))?;
            return Ok(ExitStatus::Invalid);
        }
    };
    match listed.format {
        Listing::Text => text(&answer, streams)?,
        Listing::Json => json(streams.rendered_out(), &objects(answer))?,
    }
    Ok(ExitStatus::Valid)
}

fn open(path: &Path) -> Result<Index, String> {
    let path = if path.is_dir() { path.join(NAME) } else { path.to_owned() };
    Index::open(&path).map_err(|error| error.to_string())
}

/// Returns an error message if an argument names nothing in the index.
fn unknown(index: &Index, parameter: Parameter, argument: &str) -> Option<String> {
    let (Parameter::Required(what) | Parameter::Optional(what)) = parameter else { return None };
    let (noun, names) = match what {
        "TYPE" => ("type", index.type_names()),
        "FILE" => ("file or profile", index.file_names()),
        _ => return None,
    };
    let names = names.ok()?;
    if names.iter().any(|name| name == argument) {
        return None;
    }
    // A name may follow that of its profile.
    if argument.rsplit_once(':').is_some_and(|(_, name)| names.iter().any(|known| known == name)) {
        return None;
    }
    let help = nearest(argument, names.iter().map(String::as_str));
    let help = help.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Some(format!("there is no {noun} `{argument}` in the index{help}"))
}

/// Lists the queries with their arguments.
fn list(format: Listing, streams: &mut Streams) -> io::Result<()> {
    let parameter = |query: &Query| match query.parameter {
        Parameter::Absent => String::new(),
        Parameter::Optional(name) => format!(" [{name}]"),
        Parameter::Required(name) => format!(" {name}"),
    };
    if format == Listing::Json {
        let query = |query: &Query| json!({ "name": query.name, "argument": parameter(query).trim(), "summary": query.summary });
        return json(streams.rendered_out(), &QUERIES.iter().map(query).collect::<Vec<_>>());
    }
    let calls: Vec<String> = QUERIES.iter().map(|query| format!("{}{}", query.name, parameter(query))).collect();
    let width = calls.iter().map(String::len).max().unwrap_or(0);
    let mut out = streams.out();
    calls.iter().zip(QUERIES).try_for_each(|(call, query)| writeln!(out, "{call:width$}  {}", query.summary))
}

/// Writes an answer in columns.
fn text(answer: &Answer, streams: &mut Streams) -> io::Result<()> {
    let cell = |cell: &Cell| match cell {
        Cell::Null => String::new(),
        Cell::Text(text) => sanitize(text).into_owned(),
        Cell::Integer(number) => number.to_string(),
    };
    let head = std::iter::once(answer.columns.clone());
    let rows: Vec<Vec<String>> = head.chain(answer.rows.iter().map(|row| row.iter().map(cell).collect())).collect();
    let width = |column: usize| columns::width(rows.iter().map(|row| &*row[column]));
    let widths: Vec<usize> = (0..answer.columns.len()).map(width).collect();
    let mut out = streams.out();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.push_str(&columns::padding(cell, *width));
            line.push_str("  ");
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Returns an answer as a list of objects.
fn objects(answer: Answer) -> Vec<Map<String, Value>> {
    let Answer { columns, rows } = answer;
    let value = |cell: Cell| match cell {
        Cell::Null => Value::Null,
        Cell::Text(text) => text.into(),
        Cell::Integer(number) => number.into(),
    };
    let object = |row: Vec<Cell>| columns.iter().cloned().zip(row.into_iter().map(value)).collect();
    rows.into_iter().map(object).collect()
}
