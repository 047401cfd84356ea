//! The table of problems of a run, with the schema of `tosca_parse.arrow` in Python.

use std::fmt;
use std::io::Write;

use tosca_parse_engine::diagnostic::render::{Point, Problem};
use tosca_parse_engine::diagnostic::{Safety, Severity};

use crate::index::Error;
use crate::parquet::{Column, File, field, message};
use crate::table::{ColumnKind, Value};

/// The texts of a problem.
const TEXTS: [&str; 6] = ["code", "name", "url", "severity", "message", "file"];

/// The range of a problem. `end` alone is a keyword of SQL.
const RANGE: [&str; 6] = ["start_line", "start_column", "start_offset", "end_line", "end_column", "end_offset"];

/// The number of optional and repeated fields on the path of an item of `help`, and of a field of the other lists.
const ITEM: i16 = 3;
const OF_ITEM: i16 = 4;

/// The schema, with the names that the specification of Parquet prescribes for lists.
fn schema() -> String {
    let optional = |kind| move |name: &&str| field("OPTIONAL", kind, name);
    let texts = |names: &[&str]| names.iter().map(optional(ColumnKind::Text)).collect::<String>();
    let range: String = RANGE.iter().map(optional(ColumnKind::Integer)).collect();
    let list = |name: &str, item: &str| format!("OPTIONAL group {name} (LIST) {{ REPEATED group list {{ {item} }} }} ");
    let places = |name: &str, others: &[&str]| {
        list(name, &format!("OPTIONAL group element {{ {}{range}{} }}", texts(&["file"]), texts(others)))
    };
    let fields = [
        field("REQUIRED", ColumnKind::Text, "uri"),
        field("REQUIRED", ColumnKind::Boolean, "valid"),
        texts(&TEXTS),
        range.clone(),
        list("help", &texts(&["element"])),
        places("related", &["message"]),
        places("edits", &["text", "safety"]),
    ];
    message("problems", &fields.concat())
}

/// A table of problems that is being written as Parquet. Each problem is a row, and so is each template without
/// problems.
pub struct ProblemTable<W: Write + Send> {
    file: File<W>,
}

impl<W: Write + Send> fmt::Debug for ProblemTable<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProblemTable").finish_non_exhaustive()
    }
}

impl<W: Write + Send> ProblemTable<W> {
    /// Creates a table without rows.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` can't be written.
    pub fn new(out: W) -> Result<Self, Error> {
        let texts = |depth| move || Column::new(ColumnKind::Text, depth);
        let range = |depth| RANGE.map(|_| Column::new(ColumnKind::Integer, depth));
        let mut columns = vec![Column::new(ColumnKind::Text, 0), Column::new(ColumnKind::Boolean, 0)];
        columns.extend(TEXTS.map(|_| texts(1)()));
        columns.extend(range(1));
        columns.push(texts(ITEM)());
        for others in [1, 2] {
            columns.push(texts(OF_ITEM)());
            columns.extend(range(OF_ITEM));
            columns.extend(std::iter::repeat_with(texts(OF_ITEM)).take(others));
        }
        Ok(Self { file: File::new(out, &schema(), columns)? })
    }

    /// Adds the problems of a template.
    ///
    /// # Errors
    ///
    /// Returns an error if the table can't be written.
    pub fn add(&mut self, uri: &str, is_valid: bool, problems: &[Problem<'_>]) -> Result<(), Error> {
        if problems.is_empty() {
            self.add_row(uri, is_valid, None)?;
        }
        problems.iter().try_for_each(|problem| self.add_row(uri, is_valid, Some(problem)))
    }

    /// Completes the table and returns what it was written to.
    ///
    /// # Errors
    ///
    /// Returns an error if the table can't be written.
    pub fn finish(self) -> Result<W, Error> {
        self.file.finish()
    }

    fn add_row(&mut self, uri: &str, is_valid: bool, problem: Option<&Problem<'_>>) -> Result<(), Error> {
        let mut columns = Columns(self.file.columns.iter_mut());
        columns.push([Value::Text(uri), Value::Boolean(is_valid)]);
        columns.push(problem.map_or([Value::Null; 6], texts));
        columns.push(problem.map_or([Value::Null; 6], |problem| range(problem.start, problem.end)));
        columns.push_lists(problem.map(|problem| &*problem.help), |help| [Value::Text(help)]);
        columns.push_lists(problem.map(|problem| &*problem.related), |place| {
            let [line, column, offset, end_line, end_column, end_offset] = range(place.start, place.end);
            let (file, message) = (Value::Text(&place.file), Value::Text(&place.message));
            [file, line, column, offset, end_line, end_column, end_offset, message]
        });
        columns.push_lists(problem.map(|problem| &*problem.edits), |edit| {
            let [line, column, offset, end_line, end_column, end_offset] = range(edit.start, edit.end);
            let safety = match edit.safety {
                Safety::Safe => "safe",
                Safety::Unsafe => "unsafe",
            };
            let (file, text) = (Value::Text(&edit.file), Value::Text(&edit.text));
            [file, line, column, offset, end_line, end_column, end_offset, text, Value::Text(safety)]
        });
        self.file.end_row()
    }
}

/// Returns the values of [`TEXTS`].
fn texts<'p>(problem: &'p Problem<'_>) -> [Value<'p>; 6] {
    let severity = match problem.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    [
        Value::Text(&problem.code),
        Value::Text(&problem.name),
        problem.url.as_deref().map_or(Value::Null, Value::Text),
        Value::Text(severity),
        Value::Text(&problem.message),
        Value::Text(&problem.file),
    ]
}

/// Returns the values of [`RANGE`].
fn range(start: Point, end: Point) -> [Value<'static>; 6] {
    [start.line, start.column, start.offset, end.line, end.column, end.offset]
        .map(|number| Value::Integer(i64::from(number)))
}

/// The columns that have no value for the current row yet.
struct Columns<'c>(std::slice::IterMut<'c, Column>);

impl Columns<'_> {
    /// Adds values to the next columns.
    fn push<const N: usize>(&mut self, values: [Value<'_>; N]) {
        self.0.by_ref().take(N).zip(values).for_each(|(column, value)| column.push(value));
    }

    /// Adds lists to the next columns, one for each value of an item.
    fn push_lists<'i, I, const N: usize>(&mut self, items: Option<&'i [I]>, values: impl Fn(&'i I) -> [Value<'i>; N]) {
        for (at, column) in self.0.by_ref().take(N).enumerate() {
            column.push_list(items.map(|items| items.iter().map(|item| values(item)[at])));
        }
    }
}
