//! The arguments of `migrate`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::Report;
use super::sources::ReadArgs;
use tosca_parse::entity::LanguageVersion;
use tosca_parse::grammar::version;

#[derive(Debug, Args)]
pub(crate) struct Migrate {
    /// Service templates and profiles, or folders that are searched for them; files that they import by path are
    /// migrated too
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<OsString>,
    /// The target version, as declared in files
    #[arg(long, value_name = "VERSION", value_parser = words(), default_value = "tosca_2_0")]
    pub(crate) to: LanguageVersion,
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

/// Returns a parser that maps each word that declares a version of TOSCA to that version.
fn words() -> impl TypedValueParser<Value = LanguageVersion> {
    PossibleValuesParser::new(version::words()).map(|word| version::of_word(&word).unwrap_or(LanguageVersion::LAST))
}
