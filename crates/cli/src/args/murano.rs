//! The commands for packages of Murano, and for the expressions in them.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

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
        #[arg(value_name = "ARGUMENT", allow_negative_numbers = true)]
        arguments: Vec<String>,
        /// Write the result and the requests to clouds and agents, in order, as JSON or a diagram
        #[arg(long, value_name = "FORMAT", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "json")]
        record: Option<Record>,
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
    /// Write the JSON Schemas of a class, its model builders and its actions
    Schema {
        /// The name of the class
        class: String,
        /// Only those of these model builders or actions; the empty name is that of the class itself
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
    /// Run the tests of a package: classes that extend `io.murano.test.TestFixture`
    Test {
        /// The folder of the package
        package: PathBuf,
        /// Run only these tests: `CLASS`, `METHOD` or `CLASS.METHOD`
        #[arg(value_name = "TEST")]
        tests: Vec<String>,
        /// The format of the report
        #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
        format: TestFormat,
        /// Set a limit of the evaluation; `tosca-parse limits` lists the names
        #[arg(long, value_name = "NAME=VALUE", value_parser = Limit::parse)]
        limit: Vec<Limit>,
        /// Folders of packages, or with packages in them
        #[arg(long, value_name = "FOLDER")]
        package_path: Vec<PathBuf>,
    },
}

/// Formats of recorded deployments.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Record {
    /// JSON
    Json,
    /// DOT, the language of Graphviz
    Dot,
    /// Mermaid diagram
    Mermaid,
    /// SVG image
    Svg,
}

/// Formats of test reports.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum TestFormat {
    /// A line for each test, and the problems of those that fail
    #[default]
    Text,
    /// `JUnit` XML
    Junit,
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
