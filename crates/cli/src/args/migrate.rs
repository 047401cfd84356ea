//! The arguments of `migrate`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::Report;
use super::sources::ReadArgs;
use tosca_parse_config::languages;

#[derive(Debug, Args)]
pub(crate) struct Migrate {
    /// Templates and profiles, or folders that are searched for them; files that they import by path are migrated too
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<OsString>,
    /// The target version, as declared in files; by default the latest version of the language of each file
    #[arg(long, value_name = "VERSION", value_parser = words())]
    pub(crate) to: Option<String>,
    /// Show a diff and change nothing; exit with 1 if it is not empty
    #[arg(long, help_heading = "Changes")]
    pub(crate) diff: bool,
    /// Write the migrated file to this path instead of replacing the original; requires a single file
    #[arg(long, short, value_name = "PATH", conflicts_with = "diff", help_heading = "Changes")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) report: Report,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
}

/// Returns a parser for the words that declare a version to which files can be migrated.
fn words() -> PossibleValuesParser {
    let migrated = languages().iter().filter(|language| language.migrate.is_some());
    let words: Vec<_> = migrated.flat_map(|language| language.versions).map(|version| version.word).collect();
    PossibleValuesParser::new(words)
}
