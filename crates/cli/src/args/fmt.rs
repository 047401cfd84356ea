//! The arguments of `fmt`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tosca_parse_fmt::Keynames;

use super::Report;

#[derive(Debug, Args)]
pub(crate) struct Fmt {
    /// Files, or folders that are searched for templates; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<OsString>,
    /// List files that are not formatted, without changing them; exit with 1 if there are any
    #[arg(long, help_heading = "Changes")]
    pub(crate) check: bool,
    /// Show a diff without changing files; exit with 1 if it is not empty
    #[arg(long, help_heading = "Changes")]
    pub(crate) diff: bool,
    /// Format only the given lines of a single file, such as 10-20; the first line is 1
    #[arg(long, value_name = "LINES", value_parser = lines, help_heading = "Changes")]
    pub(crate) range: Option<(u32, u32)>,
    /// The order of keynames: `source` (as written) or `standard` (as in the reference)
    #[arg(long, value_name = "ORDER", conflicts_with = "range", help_heading = "Changes")]
    pub(crate) keynames: Option<Order>,
    #[command(flatten)]
    pub(crate) report: Report,
    /// The configuration to use instead of the user's; the project's configuration still applies
    #[arg(long, value_name = "FILE", help_heading = "Sources", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,
    /// Ignore the user's and the project's configuration
    #[arg(long, help_heading = "Sources")]
    pub(crate) no_config: bool,
    /// Omit files that the configuration excludes, even if they are named
    #[arg(long, help_heading = "Sources")]
    pub(crate) force_exclude: bool,
    /// The path to assume for standard input; it determines which configuration applies
    #[arg(long, value_name = "NAME", default_value = "stdin.yaml", help_heading = "Sources")]
    pub(crate) stdin_name: OsString,
    /// The number of threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Phases")]
    pub(crate) jobs: Option<u16>,
}

/// The order of keynames, as an argument.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Order {
    Source,
    Standard,
}

impl From<Order> for Keynames {
    fn from(order: Order) -> Self {
        match order {
            Order::Source => Self::Source,
            Order::Standard => Self::Standard,
        }
    }
}

/// Parses a line range: returns the first and last line of `10-20`, or the line `10` twice.
fn lines(argument: &str) -> Result<(u32, u32), String> {
    let (first, last) = argument.split_once('-').unwrap_or((argument, argument));
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|number| *number > 0);
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok((first, last)),
        _ => Err("it must be a line or a range of lines, such as `10-20`".to_owned()),
    }
}
