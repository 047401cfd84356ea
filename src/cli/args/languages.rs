//! The commands of other languages, and of editors.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Appearance;
use super::outputs::{FormFormat, Picture};
use super::sources::{Access, Input, Reading, input};

#[cfg(feature = "murano")]
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum Murano {
    /// Run a model builder of a class, and write the model that it makes
    Build {
        /// The name of the class
        class: String,
        /// The name of the builder
        builder: String,
        /// What it is called with: a map in JSON or YAML, as the page of the builder writes it
        arguments: Option<PathBuf>,
        /// The model that it changes, in JSON or YAML; by default an object of the class
        #[arg(long)]
        model: Option<PathBuf>,
        /// Folders of packages, or with packages in them
        #[arg(long, value_name = "FOLDER")]
        package_path: Vec<PathBuf>,
    },
    /// Load every class of packages, and say what is wrong with them
    Check {
        /// Folders of packages, or with packages in them
        #[arg(value_name = "PACKAGE", required = true)]
        packages: Vec<PathBuf>,
    },
    /// Load an object model, and write it with all that its classes say
    Dump {
        /// The model, in JSON or YAML
        model: PathBuf,
        /// The values of properties with the usage `Config`: a map by classes of maps by properties, in JSON or YAML
        #[arg(long, value_name = "FILE")]
        class_config: Option<PathBuf>,
        /// Folders of packages, or with packages in them
        #[arg(long, value_name = "FOLDER")]
        package_path: Vec<PathBuf>,
    },
    /// Call a method of an object of a model, and write what it returns
    Run {
        /// The model, in JSON or YAML
        model: PathBuf,
        /// The id of the object and the name of the method, with a point between them
        #[arg(value_name = "OBJECT.METHOD")]
        call: String,
        /// Arguments, in JSON or YAML
        #[arg(value_name = "ARGUMENT")]
        arguments: Vec<String>,
        /// The values of properties with the usage `Config`: a map by classes of maps by properties, in JSON or YAML
        #[arg(long, value_name = "FILE")]
        class_config: Option<PathBuf>,
        /// Folders of packages, or with packages in them
        #[arg(long, value_name = "FOLDER")]
        package_path: Vec<PathBuf>,
    },
    /// Answer requests for JSON Schemas of classes over HTTP
    #[cfg(feature = "serve")]
    Serve {
        /// Where to listen; port 0 is any that is free
        #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8082")]
        listen: std::net::SocketAddr,
        /// Make the schemas that Murano makes, with its mistakes
        #[arg(long)]
        reference_compatible: bool,
        /// Folders of packages, or with packages in them
        #[arg(long, value_name = "FOLDER")]
        package_path: Vec<PathBuf>,
    },
    /// Write the JSON Schemas of a class and of its model builders
    Schema {
        /// The name of the class
        class: String,
        /// Only those of these methods; the empty name is that of the class itself
        #[arg(value_name = "METHOD")]
        methods: Vec<String>,
        /// JSON Schemas; or a page on which an object of the class, or what a builder takes, is filled in
        #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
        format: FormFormat,
        /// Make the schemas that Murano makes, with its mistakes
        #[arg(long)]
        reference_compatible: bool,
        /// Folders of packages, or with packages in them
        #[arg(long, value_name = "FOLDER")]
        package_path: Vec<PathBuf>,
    },
}

#[cfg(feature = "server")]
#[derive(Debug, Args)]
pub(in crate::cli) struct Server {
    /// Does nothing: the standard input and output are always used
    #[arg(long, hide = true)]
    pub(in crate::cli) stdio: bool,
    #[command(flatten)]
    pub(in crate::cli) reading: Reading,
}

#[cfg(feature = "murano")]
#[derive(Debug, Args)]
pub(in crate::cli) struct Yaql {
    /// The expression, such as `$.users.where($.age > 26).name`
    #[arg(allow_hyphen_values = true)]
    pub(in crate::cli) expression: String,
    /// What `$` is: a file in YAML or JSON, or `-` for the standard input
    #[arg(value_name = "FILE")]
    pub(in crate::cli) data: Option<OsString>,
    /// Give functions the meaning that they had in YAQL 0.2
    #[arg(long)]
    pub(in crate::cli) legacy: bool,
}

/// What to do with documents in Yay.
#[cfg(feature = "yay")]
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum Yay {
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
    /// Evaluate everything and show nothing but problems
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
#[cfg(feature = "yay")]
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub(in crate::cli) enum YayPhase {
    #[default]
    Initial,
    Normalized,
    Folded,
}

/// Documents in Yay, and how they are read.
#[cfg(feature = "yay")]
#[derive(Debug, Args)]
pub(in crate::cli) struct YayFiles {
    /// Documents, paths or URLs; each is a layer over those before it
    #[arg(value_name = "FILE", required = true)]
    pub(in crate::cli) files: Vec<String>,
    /// Look for included documents in a folder
    #[arg(long, value_name = "FOLDER", help_heading = "Sources")]
    pub(in crate::cli) search: Vec<String>,
    /// Give a value to a name in the documents, in YAML
    #[arg(long, value_name = "NAME=VALUE", value_parser = input)]
    pub(in crate::cli) input: Vec<Input>,
    /// Give the values of a file in YAML or JSON to names in the documents
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) inputs: Vec<String>,
    /// Label everything in the documents; what is labelled `secret` is shown as `*****`
    #[arg(long, value_name = "LABEL")]
    pub(in crate::cli) label: Vec<String>,
    /// Show secrets
    #[arg(long)]
    pub(in crate::cli) reveal: bool,
    /// Decrypt documents whose names end with `.gpg`, with the program `gpg`
    #[arg(long, help_heading = "Sources")]
    pub(in crate::cli) gpg: bool,
    #[command(flatten)]
    pub(in crate::cli) appearance: Appearance,
    #[command(flatten)]
    pub(in crate::cli) access: Access,
}
