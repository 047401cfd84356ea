//! The commands that write something: pictures, forms, plans.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Appearance;
use super::sources::Reading;

/// How problems are shown by commands that write something else.
#[derive(Debug, Args)]
pub(crate) struct Problems {
    /// Show errors only
    #[arg(long, short, help_heading = "Problems")]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) appearance: Appearance,
}

#[derive(Debug, Args)]
pub(crate) struct Graph {
    /// A service template: a path or a URL, or `-` for the standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: OsString,

    /// The form of the picture
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(crate) format: Picture,
    /// Write to a file instead of the standard output
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// Make one box of several; may be given for both
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    pub(crate) collapse: Vec<Collapse>,
    /// How many properties of a node are shown at most
    #[arg(long, value_name = "N", default_value_t = tosca_parse::graph::Options::default().properties)]
    pub(crate) properties: usize,
    #[command(flatten)]
    pub(crate) problems: Problems,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, Args)]
pub(crate) struct Form {
    /// A service template: a path or a URL, or `-` for the standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: OsString,
    /// A JSON Schema of the inputs, or a page on which they are filled in
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(crate) format: FormFormat,
    /// Write to a file instead of the standard output
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) problems: Problems,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// What a form is written as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormFormat {
    /// A JSON Schema
    #[default]
    Json,
    /// One page of HTML, without scripts from elsewhere
    Html,
}

#[derive(Debug, Args)]
pub(crate) struct Plan {
    /// A service template: a path or a URL, or `-` for the standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: OsString,
    /// The template by which the service is deployed now
    #[arg(long, value_name = "OLD")]
    pub(crate) from: Option<OsString>,
    /// The form of the plan
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(crate) format: PlanFormat,
    /// Write to a file instead of the standard output
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) problems: Problems,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// The older service template: a path or a URL
    #[arg(value_name = "OLD")]
    pub(crate) old: OsString,
    /// The newer one
    #[arg(value_name = "NEW")]
    pub(crate) new: OsString,
    /// The form of what is written; pictures show the plan that leads from one to the other
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(crate) format: PlanFormat,
    /// Write to a file instead of the standard output
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// Exit with 1 if there are differences, and with 2 if a template is invalid
    #[arg(long)]
    pub(crate) exit_code: bool,
    #[command(flatten)]
    pub(crate) problems: Problems,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// The form of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanFormat {
    /// Text for people
    #[default]
    Text,
    /// JSON
    Json,
    /// A picture in the language of Graphviz
    Dot,
    /// A picture in the language of Mermaid
    Mermaid,
    /// A picture
    Svg,
}

/// The form of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Picture {
    /// To be looked at as it is, in a browser or an editor
    #[default]
    Svg,
    /// For Graphviz
    Dot,
    /// For Markdown
    Mermaid,
}

/// What becomes one box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Collapse {
    /// Every group that is in no other one
    Groups,
    /// Nodes of the same type in the same group
    Types,
}
