//! The named queries of an index.

use rusqlite::types::ValueRef;

use crate::index::{Error, Index};

/// A named query.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// The name.
    pub name: &'static str,
    /// The argument.
    pub parameter: Parameter,
    /// The purpose, as one line.
    pub summary: &'static str,
    sql: &'static str,
}

/// The argument of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// None.
    Absent,
    /// An argument with the given name, which may be omitted.
    Optional(&'static str),
    /// An argument with the given name.
    Required(&'static str),
}

/// A value in a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// No value.
    Null,
    /// A string.
    Text(String),
    /// An integer.
    Integer(i64),
}

/// The result of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, each with a value for each column.
    pub rows: Vec<Vec<Cell>>,
}

/// The types that `?1` names: by their names, or by the profile and the name.
macro_rules! wanted {
    () => {
        "WITH RECURSIVE wanted(file, kind, name) AS (
            SELECT DISTINCT file, kind, name FROM types
            WHERE name = ?1 OR (instr(?1, name) AND EXISTS (
                SELECT 1 FROM files WHERE files.file = types.file AND profile || ':' || name = ?1
            ))
        )"
    };
}

/// The queries, sorted by name.
pub const QUERIES: &[Query] = &[
    Query {
        name: "dependents",
        parameter: Parameter::Required("TYPE"),
        summary: "The templates that depend on a type: directly, or through a type, a substitution or an import",
        sql: concat!(
            wanted!(),
            ",
            -- The type, and the types that are derived from it or mention it.
            related(file, kind, name) AS (
                SELECT file, kind, name FROM wanted
                UNION
                SELECT types.file, types.kind, types.name FROM related
                JOIN uses ON type_file = related.file AND type_kind = related.kind AND type_name = related.name
                JOIN types ON types.file = uses.file AND types.kind = user_kind AND types.name = user
            ),
            users(file, step) AS (
                SELECT uses.file, CASE WHEN (related.file, related.kind, related.name) IN wanted THEN 1 ELSE 2 END
                FROM related
                JOIN uses ON type_file = related.file AND type_kind = related.kind AND type_name = related.name
            ),
            -- The types whose nodes a service can replace: the type that it names, and the ancestors of this type.
            replaceable(service, file, name) AS (
                SELECT file, type_file, type_name FROM substitutions
                UNION
                SELECT service, type_file, type_name FROM replaceable
                JOIN uses ON uses.file = replaceable.file AND user_kind = 'node type' AND user = replaceable.name
                WHERE is_derivation
            ),
            substituting(file) AS (
                SELECT file FROM users
                UNION
                SELECT uses.file FROM substituting
                JOIN replaceable ON service = substituting.file
                -- SQLite would create an index without the name.
                JOIN uses INDEXED BY uses_4
                ON type_file = replaceable.file AND type_kind = 'node type' AND type_name = replaceable.name
                WHERE is_substituted AND uses.file <> service
            ),
            importing(file) AS (
                SELECT file FROM wanted
                UNION
                SELECT file FROM substituting
                UNION
                SELECT imports.file FROM importing JOIN imports ON imported = importing.file
            ),
            steps(file, step) AS (
                SELECT file, step FROM users
                UNION ALL
                SELECT file, 3 FROM substituting
                UNION ALL
                SELECT file, 4 FROM importing WHERE file NOT IN (SELECT file FROM wanted)
            )
            SELECT file AS template,
                CASE min(step) WHEN 1 THEN 'direct' WHEN 2 THEN 'type' WHEN 3 THEN 'substitution' ELSE 'import' END
                AS through
            FROM steps WHERE file IN (SELECT file FROM templates) GROUP BY file ORDER BY file"
        ),
    },
    Query {
        name: "importers",
        parameter: Parameter::Required("FILE"),
        summary: "The files that import a file or a profile, directly or indirectly",
        sql: "WITH RECURSIVE wanted(file) AS (SELECT DISTINCT file FROM files WHERE file = ?1 OR profile = ?1),
            importing(file) AS (
                SELECT file FROM wanted
                UNION
                SELECT imports.file FROM importing JOIN imports ON imported = importing.file
            ),
            direct(file) AS (SELECT file FROM imports WHERE imported IN wanted)
            SELECT file, CASE WHEN file IN direct THEN 'direct' ELSE 'indirect' END AS import
            FROM importing WHERE file IN direct OR file NOT IN wanted ORDER BY file",
    },
    Query {
        name: "invalid",
        parameter: Parameter::Absent,
        summary: "The templates with errors, with the numbers of errors and warnings",
        sql: "SELECT file AS template, errors, warnings FROM templates WHERE errors > 0 ORDER BY file",
    },
    Query {
        name: "problems",
        parameter: Parameter::Absent,
        summary: "The rules with problems, most frequent first",
        sql: "SELECT code, name, severity, count(DISTINCT template) AS templates, count(*) AS problems FROM problems
            GROUP BY code, name, severity ORDER BY templates DESC, problems DESC, code, severity",
    },
    Query {
        name: "profiles",
        parameter: Parameter::Absent,
        summary: "The profiles, with the numbers of files that import them directly",
        sql: "SELECT profile, file,
                (SELECT count(DISTINCT imports.file) FROM imports WHERE imported = files.file) AS importers
            FROM files WHERE profile IS NOT NULL AND (NOT is_built_in OR importers > 0) ORDER BY profile, file",
    },
    Query {
        name: "substitutions",
        parameter: Parameter::Optional("TYPE"),
        summary: "The services that can replace nodes, with the types of these nodes",
        sql: "SELECT file AS service, line, type_name AS type, type_file AS declared_in FROM substitutions
            WHERE ?1 IS NULL OR type_name = ?1 ORDER BY file, line",
    },
    Query {
        name: "types",
        parameter: Parameter::Optional("TEXT"),
        summary: "The types, except built-in ones, or those whose names contain a text",
        sql: "SELECT file, line, kind, name FROM types
            WHERE file IN (SELECT file FROM files WHERE NOT is_built_in) AND (?1 IS NULL OR instr(name, ?1))
            ORDER BY file, line, name, kind",
    },
    Query {
        name: "unused",
        parameter: Parameter::Absent,
        summary: "The types, except built-in ones, that no file uses",
        sql: "SELECT file, line, kind, name FROM types
            WHERE file IN (SELECT file FROM files WHERE NOT is_built_in) AND NOT EXISTS (
                SELECT 1 FROM uses WHERE type_file = types.file AND type_kind = kind AND type_name = name
            )
            ORDER BY file, line, name, kind",
    },
    Query {
        name: "users",
        parameter: Parameter::Required("TYPE"),
        summary: "The places that name a type",
        sql: concat!(
            wanted!(),
            "SELECT uses.file, line, user_kind AS kind, user AS name, member, keyname FROM wanted
            JOIN uses ON type_file = wanted.file AND type_kind = wanted.kind AND type_name = wanted.name
            ORDER BY uses.file, line, user, member, keyname"
        ),
    },
    Query {
        name: "versions",
        parameter: Parameter::Absent,
        summary: "The versions of languages, with the numbers of files, except built-in ones",
        sql: "SELECT language, version, count(*) AS files FROM files WHERE NOT is_built_in
            GROUP BY language, version ORDER BY language, version",
    },
];

impl Query {
    /// Returns the query with the given name.
    pub fn named(name: &str) -> Option<&'static Self> {
        QUERIES.iter().find(|query| query.name == name)
    }

    /// Runs the query.
    ///
    /// # Errors
    ///
    /// Returns an error if the index can't be read, or if the answer is too costly for an index of its size.
    pub fn run(&self, index: &Index, argument: Option<&str>) -> Result<Answer, Error> {
        index.limit_steps()?;
        let mut statement = index.connection.prepare(self.sql)?;
        let columns: Vec<String> = statement.column_names().into_iter().map(str::to_owned).collect();
        if statement.parameter_count() > 0 {
            statement.raw_bind_parameter(1, argument)?;
        }
        let mut found = statement.raw_query();
        let mut rows = Vec::new();
        let mut bytes = index.bytes_of_answers();
        while let Some(row) = found.next()? {
            let cells = (0..columns.len()).map(|at| row.get_ref(at).map(Cell::from));
            let row: Vec<Cell> = cells.collect::<Result<_, _>>()?;
            let size = row.iter().map(Cell::bytes).sum();
            bytes = bytes.checked_sub(size).ok_or(Error::TooCostly)?;
            rows.push(row);
        }
        Ok(Answer { columns, rows })
    }
}

/// The maximum number of names for suggestions.
const MAX_NAMES: usize = 100_000;

impl Index {
    /// Returns the names of types, for suggestions.
    ///
    /// # Errors
    ///
    /// Returns an error if the index can't be read.
    pub fn type_names(&self) -> Result<Vec<String>, Error> {
        self.names("SELECT DISTINCT name FROM types")
    }

    /// Returns the names of files and profiles, for suggestions.
    ///
    /// # Errors
    ///
    /// Returns an error if the index can't be read.
    pub fn file_names(&self) -> Result<Vec<String>, Error> {
        self.names("SELECT file FROM files UNION SELECT profile FROM files WHERE profile IS NOT NULL")
    }

    fn names(&self, sql: &str) -> Result<Vec<String>, Error> {
        self.limit_steps()?;
        let mut statement = self.connection.prepare(&format!("{sql} LIMIT {MAX_NAMES}"))?;
        let names = statement.query_map([], |row| row.get(0))?;
        Ok(names.collect::<Result<_, _>>()?)
    }
}

impl Cell {
    /// Returns the size in memory, in bytes.
    fn bytes(&self) -> u64 {
        let text = if let Self::Text(text) = self { text.len() } else { 0 };
        (size_of::<Self>() + text) as u64
    }
}

impl From<ValueRef<'_>> for Cell {
    fn from(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Integer(number) => Self::Integer(number),
            ValueRef::Text(text) => Self::Text(String::from_utf8_lossy(text).into_owned()),
            // The tables have no other types.
            ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => Self::Null,
        }
    }
}
