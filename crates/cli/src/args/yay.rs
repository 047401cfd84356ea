//! The arguments of `yay`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Appearance;
use super::outputs::DiagramFormat;
use super::sources::{Input, SourceArgs, input};

/// The commands for Yay documents.
#[derive(Debug, Subcommand)]
pub(crate) enum Yay {
    /// Show everything as JSON
    Json(YayFiles),
    /// Show everything as YAML
    Yaml(YayFiles),
    /// Show one value as YAML; evaluates only its dependencies
    Get {
        /// The path to the value: keys and list indices (from 0), separated by dots
        path: String,
        #[command(flatten)]
        files: YayFiles,
    },
    /// Show the value of an expression in the scope of the document, as YAML
    Expr {
        /// The expression
        #[arg(allow_hyphen_values = true)]
        expression: String,
        #[command(flatten)]
        files: YayFiles,
    },
    /// Show everything as one Yay document; expressions with unknown names are kept
    Fold(YayFiles),
    /// Report all problems, even in branches that are not taken
    Check(YayFiles),
    /// Draw the structure of the documents
    Dot {
        /// The state to draw: `initial` (as written), `normalized` (each stanza linked to the layer below it) or
        /// `folded` (evaluated)
        #[arg(long, value_name = "PHASE", value_enum, default_value_t)]
        phase: YayPhase,
        /// The format of the diagram
        #[arg(long, value_name = "FORMAT", value_enum, default_value_t = DiagramFormat::Dot)]
        format: DiagramFormat,
        /// Write to a file instead of standard output
        #[arg(long, short, value_name = "PATH")]
        output: Option<PathBuf>,
        #[command(flatten)]
        files: YayFiles,
    },
}

/// The state in which a configuration is drawn.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub(crate) enum YayPhase {
    #[default]
    Initial,
    Normalized,
    Folded,
}

/// Yay documents and the arguments that control how they are read.
#[derive(Debug, Args)]
pub(crate) struct YayFiles {
    /// Documents: paths or URLs; each is a layer over the previous ones
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,
    /// Search a folder for included documents
    #[arg(long, value_name = "FOLDER", help_heading = "Sources")]
    pub(crate) search: Vec<String>,
    /// Set a name in the documents to a YAML value
    #[arg(long, value_name = "NAME=VALUE", value_parser = input)]
    pub(crate) input: Vec<Input>,
    /// Set names in the documents to the values in a YAML or JSON file
    #[arg(long, value_name = "FILE")]
    pub(crate) inputs: Vec<String>,
    /// Label everything in the documents; values labeled `secret` are shown as `*****`
    #[arg(long, value_name = "LABEL")]
    pub(crate) label: Vec<String>,
    /// Show secrets
    #[arg(long)]
    pub(crate) reveal: bool,
    /// Decrypt documents whose names end with `.gpg`, with the program `gpg`
    #[arg(long, help_heading = "Sources")]
    pub(crate) gpg: bool,
    /// Allow only includes by path from inside the folders of the documents, and no environment variables
    #[arg(long, help_heading = "Sources")]
    pub(crate) sandbox: bool,
    #[command(flatten)]
    pub(crate) appearance: Appearance,
    #[command(flatten)]
    pub(crate) access: SourceArgs,
}
