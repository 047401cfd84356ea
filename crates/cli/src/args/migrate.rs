//! The arguments of `migrate`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::Report;
use super::sources::Reading;
use tosca_parse::entity::LanguageVersion;
use tosca_parse::grammar::version;

#[derive(Debug, Args)]
pub(crate) struct Migrate {
    /// Service templates and profiles, or folders in which they are looked for; files that they import by path are migrated
    /// with them
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<OsString>,
    /// The version of TOSCA, as files say it
    #[arg(long, value_name = "VERSION", value_parser = words(), default_value = "tosca_2_0")]
    pub(crate) to: LanguageVersion,
    /// Show what would be changed, and change nothing; exit with 1 if there is something
    #[arg(long, help_heading = "Changes")]
    pub(crate) diff: bool,
    /// Write to a file instead of the one that is migrated, which must be the only one
    #[arg(long, short, value_name = "PATH", conflicts_with = "diff", help_heading = "Changes")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) report: Report,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// The versions of TOSCA, by the words that files say them with.
fn words() -> impl TypedValueParser<Value = LanguageVersion> {
    PossibleValuesParser::new(version::words()).map(|word| version::of_word(&word).unwrap_or(LanguageVersion::LAST))
}
