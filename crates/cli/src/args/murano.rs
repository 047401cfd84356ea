//! The arguments of `murano` and `yaql`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::outputs::FormFormat;
use tosca_parse_config::Limit;

#[derive(Debug, Subcommand)]
pub(crate) enum Murano {
    /// Run a model builder of a class and write the resulting model
    Build {
        /// The name of the class
        class: String,
        /// The name of the builder
        builder: String,
        /// The builder's arguments: a map in JSON or YAML, as written by the builder's HTML page
        arguments: Option<PathBuf>,
        /// The model to change, in JSON or YAML; by default, a new object of the class
        #[arg(long)]
        model: Option<PathBuf>,
        /// Set an evaluation limit; `tosca-parse limits` lists the names
        #[arg(long, value_name = "NAME=VALUE", value_parser = Limit::parse)]
        limit: Vec<Limit>,
        /// Search a package (a folder or an archive), or a folder that contains packages, for classes
        #[arg(long, value_name = "FOLDER")]
        package_path: Vec<PathBuf>,
    },
    /// Load every class of the given packages and report problems
    Check {
        /// Packages (folders or archives), folders that contain packages, or files with classes
        #[arg(value_name = "PACKAGE", required = true)]
        packages: Vec<PathBuf>,
        /// Search a package (a folder or an archive), or a folder that contains packages, for classes
        #[arg(long, value_name = "FOLDER")]
        package_path: Vec<PathBuf>,
    },
    /// Load an object model and write it with all values that its classes define, such as defaults
    Dump {
        /// The model, in JSON or YAML
        model: PathBuf,
        /// The values of `Config` properties: a file in JSON or YAML with a map of classes to maps of properties
        #[arg(long, value_name = "FILE")]
        class_config: Option<PathBuf>,
        /// Set an evaluation limit; `tosca-parse limits` lists the names
        #[arg(long, value_name = "NAME=VALUE", value_parser = Limit::parse)]
        limit: Vec<Limit>,
        /// Search a package (a folder or an archive), or a folder that contains packages, for classes
        #[arg(long, value_name = "FOLDER")]
        package_path: Vec<PathBuf>,
    },
    /// Call a method of an object in a model and write the result
    Run {
        /// The model, in JSON or YAML
        model: PathBuf,
        /// The object's id and the method's name, separated by a dot; a class name instead of the id calls a static
        /// method
        #[arg(value_name = "OBJECT.METHOD")]
        call: String,
        /// The arguments of the method, each in JSON or YAML
        #[arg(value_name = "ARGUMENT", allow_negative_numbers = true)]
        arguments: Vec<String>,
        /// Write the result and all requests to clouds and agents, as JSON or a diagram
        #[arg(long, value_name = "FORMAT", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "json")]
        record: Option<Record>,
        /// The values of `Config` properties: a file in JSON or YAML with a map of classes to maps of properties
        #[arg(long, value_name = "FILE")]
        class_config: Option<PathBuf>,
        /// Set an evaluation limit; `tosca-parse limits` lists the names
        #[arg(long, value_name = "NAME=VALUE", value_parser = Limit::parse)]
        limit: Vec<Limit>,
        /// Search a package (a folder or an archive), or a folder that contains packages, for classes
        #[arg(long, value_name = "FOLDER")]
        package_path: Vec<PathBuf>,
    },
    /// Serve JSON Schemas for classes over HTTP
    Serve {
        /// The address to listen on; port 0 means any free port
        #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8082")]
        listen: std::net::SocketAddr,
        /// Generate the same schemas as Murano, including its mistakes
        #[arg(long)]
        reference_compatible: bool,
        /// Search a package (a folder or an archive), or a folder that contains packages, for classes
        #[arg(long, value_name = "FOLDER")]
        package_path: Vec<PathBuf>,
    },
    /// Write the JSON Schemas for a class, its model builders and its actions
    Schema {
        /// The name of the class
        class: String,
        /// Write only the schemas for these model builders or actions; the empty name means the class itself
        #[arg(value_name = "METHOD")]
        methods: Vec<String>,
        /// The format: JSON Schemas, or an HTML page for an object of the class or for the arguments of a model builder
        /// or action
        #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
        format: FormFormat,
        /// Generate the same schemas as Murano, including its mistakes
        #[arg(long)]
        reference_compatible: bool,
        /// Search a package (a folder or an archive), or a folder that contains packages, for classes
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
        /// Set an evaluation limit; `tosca-parse limits` lists the names
        #[arg(long, value_name = "NAME=VALUE", value_parser = Limit::parse)]
        limit: Vec<Limit>,
        /// Search a package (a folder or an archive), or a folder that contains packages, for classes
        #[arg(long, value_name = "FOLDER")]
        package_path: Vec<PathBuf>,
    },
}

/// Formats of recorded deployments.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Record {
    /// JSON
    Json,
    /// Graphviz diagram
    Dot,
    /// Mermaid diagram
    Mermaid,
    /// SVG image
    Svg,
}

/// Formats of test reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestFormat {
    /// A line for each test and the problems of failed tests
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
    /// The value of `$`: a YAML or JSON file, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) data: Option<OsString>,
    /// Use the functions of YAQL 0.2
    #[arg(long)]
    pub(crate) legacy: bool,
    /// Set an evaluation limit; `tosca-parse limits` lists the names
    #[arg(long, value_name = "NAME=VALUE", value_parser = Limit::parse)]
    pub(crate) limit: Vec<Limit>,
}
