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
    /// A service template: a path or a URL, or `-` for standard input; for substitutions, several or a folder
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<OsString>,

    /// The subject of the diagram
    #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
    pub(crate) show: DiagramSubject,
    /// The format of the diagram
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(crate) format: DiagramFormat,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) selection: GraphSelection,
    #[command(flatten)]
    pub(crate) look: GraphLook,
    #[command(flatten)]
    pub(crate) problems: Problems,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
}

/// The nodes and arrows to draw.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(crate) struct GraphSelection {
    /// Draw this node and the nodes around it; repeatable
    #[arg(long, value_name = "NODE")]
    pub(crate) focus: Vec<String>,
    /// The maximum number of arrows between a node and one in focus
    #[arg(long, value_name = "N", default_value_t = 1, requires = "focus")]
    pub(crate) depth: usize,
    /// Draw only nodes of this type or a derived one; `*` matches any characters; repeatable
    #[arg(long = "type", value_name = "TYPE", value_delimiter = ',')]
    pub(crate) types: Vec<String>,
    /// Omit nodes of this type or a derived one; repeatable
    #[arg(long, value_name = "TYPE", value_delimiter = ',')]
    pub(crate) hide_type: Vec<String>,
    /// Draw only arrows with this name, of this type or a derived one; repeatable
    #[arg(long, value_name = "TYPE", value_delimiter = ',')]
    pub(crate) relationship: Vec<String>,
    /// Omit arrows with this name, of this type or a derived one; repeatable
    #[arg(long, value_name = "TYPE", value_delimiter = ',')]
    pub(crate) hide_relationship: Vec<String>,
    /// Draw several nodes as one box; repeat the option to combine both values
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    pub(crate) collapse: Vec<Collapse>,
    /// The maximum number of properties shown per node
    #[arg(long, value_name = "N", default_value_t = tosca_parse::graph::Options::default().properties)]
    pub(crate) properties: usize,
}

/// The arrangement of a diagram.
#[derive(Debug, Args)]
#[command(next_help_heading = "Appearance")]
pub(crate) struct GraphLook {
    /// Draw nodes inside the nodes that host them: `HostedOn`, requirements named `host`, or these relationship types
    #[arg(long, value_name = "TYPE", value_delimiter = ',', num_args = 0.., require_equals = true)]
    pub(crate) nest: Option<Vec<String>>,
    /// The direction of arrows; types point up, and plans to the right, unless the option is given
    #[arg(long, value_name = "DIRECTION", value_enum)]
    pub(crate) direction: Option<Direction>,
    /// Explain labels that several arrows share once, in a legend
    #[arg(long)]
    pub(crate) legend: bool,
    /// Link boxes to their sources: a URL with `{file}`, `{line}` and `{column}`
    #[arg(long, value_name = "URL")]
    pub(crate) links: Option<String>,
    /// The colors of SVG, PNG and PDF: those of the page that shows the diagram, or fixed ones
    #[arg(long, value_name = "THEME", value_enum, default_value_t)]
    pub(crate) theme: Theme,
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
    /// Exit with 1 if the upgrade has steps, and with 2 if a template is invalid
    #[arg(long, requires = "from")]
    pub(crate) exit_code: bool,
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
    /// HTML page with zoom, search and the details of nodes
    Html,
    /// Graphviz diagram
    Dot,
    /// Mermaid diagram, for Markdown
    Mermaid,
    /// D2 diagram
    D2,
    #[value(help = "PlantUML diagram")]
    Plantuml,
    #[value(help = "GraphML, for graph editors")]
    Graphml,
    /// PNG image
    #[cfg(feature = "images")]
    Png,
    /// PDF document
    #[cfg(feature = "images")]
    Pdf,
}

/// The subject of a diagram.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiagramSubject {
    /// The nodes of a service, or what the file describes in another language
    #[default]
    Topology,
    /// The types that the files define, and their parents
    Types,
    /// The files and their imports
    Imports,
    /// Several services, and the services that substitute their nodes
    Substitutions,
    /// The stages of the deployment, from left to right
    Plan,
}

/// The direction of arrows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Direction {
    /// From top to bottom
    Down,
    /// From bottom to top
    Up,
    /// From left to right
    Right,
    /// From right to left
    Left,
}

/// The colors of a diagram.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Theme {
    /// Light or dark, like the page
    #[default]
    Auto,
    /// For light backgrounds
    Light,
    /// For dark backgrounds
    Dark,
}

/// The nodes that are drawn as one box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Collapse {
    /// Each outermost group
    Groups,
    /// Nodes of the same type and group
    Types,
}
