//! The arguments of commands that write diagrams, forms and plans.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Appearance;
use super::sources::ReadArgs;

/// Arguments that control problem reports, for commands whose output is something else.
#[derive(Debug, Args)]
pub(crate) struct Problems {
    /// Report errors only
    #[arg(long, short, help_heading = "Problems")]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) appearance: Appearance,
}

#[derive(Debug, Args)]
pub(crate) struct Graph {
    /// A service template: a path or a URL, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: OsString,

    /// The format of the diagram
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(crate) format: DiagramFormat,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// Draw several nodes as one box; repeat the option to combine both values
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    pub(crate) collapse: Vec<Collapse>,
    /// The maximum number of properties shown per node
    #[arg(long, value_name = "N", default_value_t = tosca_parse::graph::Options::default().properties)]
    pub(crate) properties: usize,
    #[command(flatten)]
    pub(crate) problems: Problems,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Form {
    /// A service template: a path or a URL, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: OsString,
    /// The format: a JSON Schema of the inputs, or an HTML page to fill in
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(crate) format: FormFormat,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) problems: Problems,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
}

/// The format of a form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormFormat {
    /// A JSON Schema
    #[default]
    Json,
    /// A self-contained HTML page
    Html,
}

#[derive(Debug, Args)]
pub(crate) struct Plan {
    /// A service template: a path or a URL, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: OsString,
    /// The template of the currently deployed service, to plan an upgrade from it
    #[arg(long, value_name = "OLD")]
    pub(crate) from: Option<OsString>,
    /// The format of the plan
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(crate) format: PlanFormat,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) problems: Problems,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// The older service template: a path or a URL
    #[arg(value_name = "OLD")]
    pub(crate) old: OsString,
    /// The newer service template: a path or a URL
    #[arg(value_name = "NEW")]
    pub(crate) new: OsString,
    /// The output format; diagrams show the upgrade plan
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(crate) format: PlanFormat,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// Exit with 1 if there are differences, and with 2 if a template is invalid
    #[arg(long)]
    pub(crate) exit_code: bool,
    #[command(flatten)]
    pub(crate) problems: Problems,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
}

/// The format of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanFormat {
    /// Text
    #[default]
    Text,
    /// JSON
    Json,
    /// Graphviz diagram
    Dot,
    /// Mermaid diagram
    Mermaid,
    /// SVG image
    Svg,
}

/// The format of a diagram.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiagramFormat {
    /// SVG image
    #[default]
    Svg,
    /// Graphviz diagram
    Dot,
    /// Mermaid diagram, for Markdown
    Mermaid,
}

/// The nodes that are drawn as one box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Collapse {
    /// Each outermost group
    Groups,
    /// Nodes of the same type and group
    Types,
}
