//! Tables as Parquet.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;

use crate::index::{Error, Index, quoted};
use crate::table::{ColumnKind, Description, Value};

/// The maximum number of rows in memory, which form a row group, and of the bytes of their strings.
const MAX_ROWS: usize = 1 << 16;
const MAX_BYTES: usize = 32 << 20;

impl Index {
    /// Writes a table as Parquet, in the order in which its rows were added.
    ///
    /// # Errors
    ///
    /// Returns an error if the index can't be read or `out` can't be written.
    pub fn write_parquet<W: Write + Send>(&self, table: &Description, out: W) -> Result<W, Error> {
        let fields: Vec<String> = table
            .columns
            .iter()
            .map(|column| field(if column.is_nullable { "OPTIONAL" } else { "REQUIRED" }, column.kind, column.name))
            .collect();
        let columns = table.columns.iter().map(|column| Column::new(column.kind, i16::from(column.is_nullable)));
        let mut file = File::new(out, &message(table.name, &fields.concat()), columns.collect())?;
        let names: Vec<String> = table.columns.iter().map(|column| quoted(column.name)).collect();
        let select = format!("SELECT {} FROM {} ORDER BY rowid", names.join(", "), table.name);
        let mut statement = self.connection.prepare(&select)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            for (at, (column, described)) in file.columns.iter_mut().zip(table.columns).enumerate() {
                let value = match described.kind {
                    ColumnKind::Text => {
                        let text = row.get_ref(at)?.as_str_or_null().map_err(rusqlite::Error::from)?;
                        text.map_or(Value::Null, Value::Text)
                    }
                    ColumnKind::Integer => row.get::<_, Option<i64>>(at)?.map_or(Value::Null, Value::Integer),
                    ColumnKind::Boolean => row.get::<_, Option<bool>>(at)?.map_or(Value::Null, Value::Boolean),
                };
                column.push(value);
            }
            file.end_row()?;
        }
        file.finish()
    }
}

/// Returns a message type of Parquet.
pub(crate) fn message(name: &str, fields: &str) -> String {
    format!("message {name} {{ {fields} }}")
}

/// Returns a field of a message type.
pub(crate) fn field(repetition: &str, kind: ColumnKind, name: &str) -> String {
    let (physical, logical) = match kind {
        ColumnKind::Text => ("BYTE_ARRAY", " (STRING)"),
        ColumnKind::Integer => ("INT64", ""),
        ColumnKind::Boolean => ("BOOLEAN", ""),
    };
    format!("{repetition} {physical} {name}{logical}; ")
}

/// A file that is being written.
pub(crate) struct File<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    /// The columns without parts, in the order of the schema.
    pub(crate) columns: Vec<Column>,
    rows: usize,
}

impl<W: Write + Send> File<W> {
    pub(crate) fn new(out: W, schema: &str, columns: Vec<Column>) -> Result<Self, Error> {
        // A name is repeated in many rows, so compression makes files several times smaller.
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("tosca-parse ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let writer = SerializedFileWriter::new(out, Arc::new(parse_message_type(schema)?), Arc::new(properties))?;
        Ok(Self { writer, columns, rows: 0 })
    }

    /// Ends a row, for which each column has got a value or a list.
    pub(crate) fn end_row(&mut self) -> Result<(), Error> {
        self.rows += 1;
        let bytes = || self.columns.iter().map(|column| column.bytes).sum::<usize>();
        if self.rows == MAX_ROWS || bytes() >= MAX_BYTES { self.write_rows() } else { Ok(()) }
    }

    pub(crate) fn finish(mut self) -> Result<W, Error> {
        self.write_rows()?;
        Ok(self.writer.into_inner()?)
    }

    fn write_rows(&mut self) -> Result<(), Error> {
        if std::mem::take(&mut self.rows) == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            let Some(mut writer) = group.next_column()? else { break };
            column.write(&mut writer)?;
            writer.close()?;
        }
        group.close()?;
        Ok(())
    }
}

/// The values of a column in a row group.
pub(crate) struct Column {
    values: Values,
    /// For each value, the number of optional or repeated fields on its path that are present.
    definitions: Vec<i16>,
    /// For each value, 1 if it continues a list.
    repetitions: Vec<i16>,
    /// The number of such fields if the value is present.
    depth: i16,
    /// The size of the strings.
    bytes: usize,
}

enum Values {
    Text(Vec<ByteArray>),
    Integer(Vec<i64>),
    Boolean(Vec<bool>),
}

impl Column {
    /// Creates a column. `depth` is the number of optional and repeated fields on its path.
    pub(crate) fn new(kind: ColumnKind, depth: i16) -> Self {
        let values = match kind {
            ColumnKind::Text => Values::Text(Vec::new()),
            ColumnKind::Integer => Values::Integer(Vec::new()),
            ColumnKind::Boolean => Values::Boolean(Vec::new()),
        };
        Self { values, definitions: Vec::new(), repetitions: Vec::new(), depth, bytes: 0 }
    }

    /// Adds the value of a row.
    pub(crate) fn push(&mut self, value: Value<'_>) {
        let depth = if value == Value::Null { 0 } else { self.depth };
        self.add(value, depth, 0);
    }

    /// Adds the list of a row; `None` adds no list.
    pub(crate) fn push_list<'v>(&mut self, list: Option<impl Iterator<Item = Value<'v>>>) {
        let Some(list) = list else { return self.add(Value::Null, 0, 0) };
        let mut repetition = 0;
        for value in list {
            self.add(value, self.depth, repetition);
            repetition = 1;
        }
        if repetition == 0 {
            // The list is present, but empty.
            self.add(Value::Null, 1, 0);
        }
    }

    fn add(&mut self, value: Value<'_>, definition: i16, repetition: i16) {
        self.definitions.push(definition);
        self.repetitions.push(repetition);
        match (&mut self.values, value) {
            (Values::Text(values), Value::Text(text)) => {
                self.bytes += text.len();
                values.push(text.into());
            }
            (Values::Integer(values), Value::Integer(number)) => values.push(number),
            (Values::Boolean(values), Value::Boolean(value)) => values.push(value),
            (_, Value::Null) => {}
            _ => debug_assert!(false, "a value has another type than its column"),
        }
    }

    /// Writes and removes the values.
    fn write(&mut self, writer: &mut SerializedColumnWriter<'_>) -> Result<(), Error> {
        let (definitions, repetitions) = (Some(&*self.definitions), Some(&*self.repetitions));
        match &mut self.values {
            Values::Text(values) => {
                writer.typed::<ByteArrayType>().write_batch(values, definitions, repetitions)?;
                values.clear();
            }
            Values::Integer(values) => {
                writer.typed::<Int64Type>().write_batch(values, definitions, repetitions)?;
                values.clear();
            }
            Values::Boolean(values) => {
                writer.typed::<BoolType>().write_batch(values, definitions, repetitions)?;
                values.clear();
            }
        }
        self.definitions.clear();
        self.repetitions.clear();
        self.bytes = 0;
        Ok(())
    }
}
