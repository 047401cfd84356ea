//! Tables of templates, types and problems, as `SQLite` and Parquet.
//!
//! The crate knows neither a language nor how templates are read: the caller adds rows, which are plain structs.
//!
//! ```text
//! rows ─▶ Writer ─▶ a SQLite file ─▶ Index ─▶ Parquet, a file for each table
//!                                      └────▶ results of named queries
//! problems ─▶ ProblemTable ─▶ Parquet
//! ```
//!
//! - [`table`] has the schema: a struct for each table, whose fields are the columns.
//! - [`Writer`] writes an index, and [`Index`] reads one.
//! - [`QUERIES`] are the named queries of an index.
//! - [`ProblemTable`] is the table of problems of a run, with the schema of `tosca_parse.arrow` in Python.
//!
//! **Invariants**
//!
//! - The same rows in the same order result in the same bytes.
//! - An index may be untrusted: [`Index::open`] accepts only a file with exactly the expected tables, and neither
//!   changes it nor creates files next to it.
//! - Columns may be added to a table in later versions; none is removed, renamed or given a different meaning.

mod index;
mod parquet;
mod problems;
mod query;
pub mod table;

pub use index::{Error, Index, Writer, is_index};
pub use problems::ProblemTable;
pub use query::{Answer, Cell, Parameter, QUERIES, Query};
