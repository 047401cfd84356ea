//! The arguments of `doc`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::outputs::Problems;
use super::sources::ReadArgs;

#[derive(Debug, Args)]
pub(crate) struct Doc {
    /// A file, a folder, a URL, the name of a profile, or a version, such as `tosca_simple_yaml_1_3`
    #[arg(value_name = "SOURCE")]
    pub(crate) source: OsString,
    /// The format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(crate) format: DocFormat,
    /// The folder for the pages
    #[arg(long, short, value_name = "FOLDER", default_value = "doc")]
    pub(crate) output: PathBuf,
    /// Write into a folder that contains other files, which are kept
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) problems: Problems,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    /// The number of threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Phases")]
    pub(crate) jobs: Option<u16>,
}

/// The format of a documentation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DocFormat {
    /// HTML pages with a search
    #[default]
    Html,
    /// Markdown files, for repositories
    Markdown,
}
