//! The commands for Yay.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Appearance;
use super::outputs::Picture;
use super::sources::{Access, Input, input};

/// What to do with documents in Yay.
#[derive(Debug, Subcommand)]
pub(crate) enum Yay {
    /// Show everything as JSON
    Json(YayFiles),
    /// Show everything as YAML
    Yaml(YayFiles),
    /// Show one value, as YAML; only what it needs is evaluated
    Get {
        /// The way to the value: keys and numbers of items, with dots between them
        path: String,
        #[command(flatten)]
        files: YayFiles,
    },
    /// Show what an expression is, in the scope of the whole document, as YAML
    Expr {
        /// The expression
        expression: String,
        #[command(flatten)]
        files: YayFiles,
    },
    /// Show everything as one document in Yay, in which what depends on unknown names is left
    Fold(YayFiles),
    /// Report all problems, even in branches that are not taken
    Check(YayFiles),
    /// Draw what the documents are made of
    Dot {
        /// In which state: as it is written, with every stanza pointing at what lies under it, or as it comes out
        #[arg(long, value_name = "PHASE", value_enum, default_value_t)]
        phase: YayPhase,
        /// The form of the picture
        #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Picture::Dot)]
        format: Picture,
        /// Write to a file instead of the standard output
        #[arg(long, short, value_name = "PATH")]
        output: Option<PathBuf>,
        #[command(flatten)]
        files: YayFiles,
    },
}

/// In which state a configuration is drawn.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub(crate) enum YayPhase {
    #[default]
    Initial,
    Normalized,
    Folded,
}

/// Documents in Yay, and how they are read.
#[derive(Debug, Args)]
pub(crate) struct YayFiles {
    /// Documents, paths or URLs; each is a layer over those before it
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,
    /// Look for included documents in a folder
    #[arg(long, value_name = "FOLDER", help_heading = "Sources")]
    pub(crate) search: Vec<String>,
    /// Give a value to a name in the documents, in YAML
    #[arg(long, value_name = "NAME=VALUE", value_parser = input)]
    pub(crate) input: Vec<Input>,
    /// Give the values of a file in YAML or JSON to names in the documents
    #[arg(long, value_name = "FILE")]
    pub(crate) inputs: Vec<String>,
    /// Label everything in the documents; what is labelled `secret` is shown as `*****`
    #[arg(long, value_name = "LABEL")]
    pub(crate) label: Vec<String>,
    /// Show secrets
    #[arg(long)]
    pub(crate) reveal: bool,
    /// Decrypt documents whose names end with `.gpg`, with the program `gpg`
    #[arg(long, help_heading = "Sources")]
    pub(crate) gpg: bool,
    #[command(flatten)]
    pub(crate) appearance: Appearance,
    #[command(flatten)]
    pub(crate) access: Access,
}
