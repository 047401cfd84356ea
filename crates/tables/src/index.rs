//! The `SQLite` file of an index.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql, params_from_iter};
use url::Url;

use crate::table::{Column, ColumnKind, Description, Row, TABLES, Value};

/// The number in the header of the file that distinguishes indexes from other databases: `tosc`.
const APPLICATION: u32 = 0x746f_7363;

/// The version of the tables. A reader accepts only its own version.
const VERSION: i64 = 1;

/// The maximum size of a string or row that is read from an index, in bytes.
const MAX_STRING: i32 = 16 << 20;

/// The columns that queries search.
const SEARCHED: &[(&str, &str)] = &[
    ("files", "file"),
    ("templates", "file"),
    ("types", "name"),
    ("types", "file, kind, name"),
    ("uses", "type_name, type_kind, type_file"),
    ("uses", "file, user_kind, user"),
    ("imports", "imported"),
    ("substitutions", "file"),
    ("problems", "code"),
];

/// The reason why an index can't be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file can't be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The database reports an error.
    #[error(transparent)]
    Database(rusqlite::Error),
    /// A Parquet file can't be written.
    #[error(transparent)]
    Parquet(#[from] parquet::errors::ParquetError),
    /// The file is not an index.
    #[error("it is not an index that `tosca-parse index` has written")]
    NotAnIndex,
    /// A query takes more time or memory than allowed for an index of this size, because rows repeat.
    #[error("the query takes too long or its answer is too large for an index of this size; write the index again")]
    TooCostly,
    /// The index was written by another version of the program.
    #[error("the index has the format {found}, but this version reads the format {VERSION}: write it again")]
    OtherVersion {
        /// The format of the index.
        found: i64,
    },
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted | ErrorCode::OutOfMemory | ErrorCode::TooBig) => Self::TooCostly,
            _ => Self::Database(error),
        }
    }
}

/// An index that is being written.
#[derive(Debug)]
pub struct Writer {
    connection: Connection,
    rows: u64,
}

impl Writer {
    /// Creates an index at a path without a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be written.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let connection = Connection::open_with_flags(
            path,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        // The file is copied when it is complete, so nothing can be lost.
        connection.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 8192;")?;
        connection.pragma_update(None, "application_id", APPLICATION)?;
        connection.pragma_update(None, "user_version", VERSION)?;
        connection.execute_batch("BEGIN;")?;
        for table in TABLES {
            connection.execute_batch(&definition(table))?;
        }
        Ok(Self { connection, rows: 0 })
    }

    /// Adds rows to their table.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be written.
    pub fn add<R: Row>(&mut self, rows: &[R]) -> Result<(), Error> {
        if rows.is_empty() {
            return Ok(());
        }
        let table = R::TABLE;
        let places = vec!["?"; table.columns.len()].join(", ");
        let mut insert = self.connection.prepare(&format!("INSERT INTO {} VALUES ({places})", table.name))?;
        for row in rows {
            insert.execute(params_from_iter(row.values()))?;
        }
        self.rows += rows.len() as u64;
        Ok(())
    }

    /// Returns the number of rows in all tables.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Completes the index.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be written.
    pub fn finish(self) -> Result<(), Error> {
        for (number, (table, columns)) in SEARCHED.iter().enumerate() {
            self.connection.execute_batch(&searched(number, table, columns))?;
        }
        self.connection.execute_batch("COMMIT;")?;
        self.connection.close().map_err(|(_, error)| error)?;
        Ok(())
    }
}

/// An index.
///
/// Its author may be a stranger, so queries have limits on their steps and memory. In an index that was written by
/// [`Writer`], a query takes a few steps for each row.
#[derive(Debug)]
pub struct Index {
    pub(crate) connection: Connection,
    /// The size of the file in bytes.
    size: u64,
}

impl Index {
    /// Opens an index, which is not changed.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no index at the path, or if it has other tables than expected.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() || !is_index(path) {
            return Err(Error::NotAnIndex);
        }
        let path = std::path::absolute(path)?;
        let mut url = Url::from_file_path(path).map_err(|()| Error::NotAnIndex)?;
        // Without it, journals next to the file could be read or created.
        url.set_query(Some("immutable=1"));
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(url.as_str(), flags)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_STRING)?;
        // Sorted rows are kept in memory, which is limited, instead of in a temporary file.
        let memory = (64 << 20) + 4 * metadata.len();
        connection.execute_batch(&format!(
            "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY; PRAGMA hard_heap_limit = {memory};"
        ))?;
        let index = Self { connection, size: metadata.len() };
        index.limit_steps()?;
        let found = index.connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if found != VERSION {
            return Err(Error::OtherVersion { found });
        }
        index.check()?;
        Ok(index)
    }

    /// Limits the steps of the next statement. A million steps take up to 90 ms. In an index of 5.5 MB whose 3 000 services
    /// all replace nodes of the others, the most costly query takes 24 million.
    pub(crate) fn limit_steps(&self) -> Result<(), Error> {
        /// The number of steps after which they are counted.
        const COUNTED: i32 = 10_000;
        let mut left = (3_000_000 + 7 * self.size) / COUNTED as u64;
        let is_over = move || {
            left = left.saturating_sub(1);
            left == 0
        };
        Ok(self.connection.progress_handler(COUNTED, Some(is_over))?)
    }

    /// Returns the maximum size of an answer, in bytes.
    pub(crate) fn bytes_of_answers(&self) -> u64 {
        (16 << 20) + 8 * self.size
    }

    /// Checks that the index has the expected tables, and nothing else: no views, triggers or constraints.
    fn check(&self) -> Result<(), Error> {
        let mut expected: Vec<String> = TABLES.iter().map(definition).collect();
        let indexes = SEARCHED.iter().enumerate().map(|(number, (table, columns))| searched(number, table, columns));
        expected.extend(indexes);
        let mut statement = self.connection.prepare("SELECT sql FROM sqlite_schema")?;
        let mut found = statement.query_map([], |row| row.get::<_, Option<String>>(0))?;
        let is_expected = expected.iter().all(|expected| {
            let found = found.next();
            found.is_some_and(|found| found.is_ok_and(|found| found.as_ref() == Some(expected)))
        });
        if is_expected && found.next().is_none() { Ok(()) } else { Err(Error::NotAnIndex) }
    }
}

/// Returns whether the file at a path begins like an index.
pub fn is_index(path: &Path) -> bool {
    const APPLICATION_AT: usize = 68;
    let mut header = [0; 100];
    let is_read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut header)).is_ok();
    is_read && header.starts_with(b"SQLite format 3\0") && header[APPLICATION_AT..][..4] == APPLICATION.to_be_bytes()
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => rusqlite::types::Null.into(),
            Self::Text(text) => (*text).into(),
            Self::Integer(number) => (*number).into(),
            Self::Boolean(value) => (*value).into(),
        })
    }
}

/// Returns the definition of a table in SQL.
fn definition(table: &Description) -> String {
    let column = |column: &Column| {
        let kind = match column.kind {
            ColumnKind::Text => "TEXT",
            ColumnKind::Integer | ColumnKind::Boolean => "INTEGER",
        };
        format!("{} {kind}{}", quoted(column.name), if column.is_nullable { "" } else { " NOT NULL" })
    };
    let columns: Vec<String> = table.columns.iter().map(column).collect();
    format!("CREATE TABLE {} ({}) STRICT", table.name, columns.join(", "))
}

/// Returns a name in quotes, because some columns have the names of keywords.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

fn searched(number: usize, table: &str, columns: &str) -> String {
    format!("CREATE INDEX {table}_{number} ON {table} ({columns})")
}

#[cfg(test)]
mod tests;
