//! The arguments of `index` and `query`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::super::completion;
use super::Listed;
use super::sources::ReadArgs;

#[derive(Debug, Args)]
pub(crate) struct Index {
    /// Folders that are searched for templates, or templates and archives: paths or URLs
    #[arg(value_name = "FOLDER", required = true)]
    pub(crate) files: Vec<OsString>,
    /// The folder for the tables, or a file that ends with `.sqlite` or `.db`
    #[arg(long, short, value_name = "PATH", default_value = "index")]
    pub(crate) output: PathBuf,
    /// Don't show the progress
    #[arg(long, short, help_heading = "Problems")]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    /// The number of threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Phases")]
    pub(crate) jobs: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct Query {
    /// The folder or the file that `tosca-parse index` has written
    #[arg(value_name = "INDEX")]
    pub(crate) index: Option<PathBuf>,
    /// The query; lists all queries if omitted
    #[arg(value_name = "QUERY", add = completion::queries())]
    pub(crate) name: Option<String>,
    /// The argument of the query, such as a type
    #[arg(value_name = "ARGUMENT")]
    pub(crate) argument: Option<String>,
    #[command(flatten)]
    pub(crate) listed: Listed,
}
