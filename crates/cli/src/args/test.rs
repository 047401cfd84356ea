//! The arguments of `new` and `test`.

use std::path::PathBuf;

use clap::Args;
use tosca_parse::entity::LanguageVersion;

use super::murano::TestFormat;
use super::sources::SourceArgs;
use super::{Appearance, latest_version, versions};

#[derive(Debug, Args)]
pub(crate) struct New {
    /// The folder for the new files, or the path of the new template, which ends in `.yaml` or `.yml`
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) path: PathBuf,
    /// The version of TOSCA
    #[arg(long, value_name = "VERSION", value_parser = versions(), default_value = latest_version())]
    pub(crate) tosca: LanguageVersion,
}

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Test files, or folders that are searched for them
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,
    /// Run only the cases whose names contain TEXT
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,
    /// The format of the report
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(crate) format: TestFormat,
    /// Write the report to a file instead of standard output
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) appearance: Appearance,
    /// Search a folder for imported files by name
    #[arg(long, value_name = "FOLDER", help_heading = "Sources")]
    pub(crate) import_path: Vec<PathBuf>,
    /// Search a folder, file or archive for profiles
    #[arg(long, value_name = "PATH", help_heading = "Sources")]
    pub(crate) profile_path: Vec<PathBuf>,
    /// Allow templates only in the test file's folder, and imports only by path from inside the
    /// template's folder
    #[arg(long, help_heading = "Sources")]
    pub(crate) sandbox: bool,
    #[command(flatten)]
    pub(crate) access: SourceArgs,
    /// The number of threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Phases")]
    pub(crate) jobs: Option<u16>,
}
