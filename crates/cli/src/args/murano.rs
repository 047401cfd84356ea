//! The commands for packages of Murano, and for the expressions in them.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::super::limits::Limit;
use super::outputs::FormFormat;

#[derive(Debug, Subcommand)]
pub(crate) enum Murano {
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
        /// Set a limit of the evaluation; `tosca-parse limits` lists the names
        #[arg(long, value_name = "NAME=VALUE", value_parser = Limit::parse)]
        limit: Vec<Limit>,
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
        /// Set a limit of the evaluation; `tosca-parse limits` lists the names
        #[arg(long, value_name = "NAME=VALUE", value_parser = Limit::parse)]
        limit: Vec<Limit>,
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
        /// Set a limit of the evaluation; `tosca-parse limits` lists the names
        #[arg(long, value_name = "NAME=VALUE", value_parser = Limit::parse)]
        limit: Vec<Limit>,
        /// Folders of packages, or with packages in them
        #[arg(long, value_name = "FOLDER")]
        package_path: Vec<PathBuf>,
    },
    /// Answer requests for JSON Schemas of classes over HTTP
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

#[derive(Debug, Args)]
pub(crate) struct Yaql {
    /// The expression, such as `$.users.where($.age > 26).name`
    #[arg(allow_hyphen_values = true)]
    pub(crate) expression: String,
    /// What `$` is: a file in YAML or JSON, or `-` for the standard input
    #[arg(value_name = "FILE")]
    pub(crate) data: Option<OsString>,
    /// Give functions the meaning that they had in YAQL 0.2
    #[arg(long)]
    pub(crate) legacy: bool,
    /// Set a limit of the evaluation; `tosca-parse limits` lists the names
    #[arg(long, value_name = "NAME=VALUE", value_parser = Limit::parse)]
    pub(crate) limit: Vec<Limit>,
}
