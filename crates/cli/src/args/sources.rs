//! Arguments about sources, values and accepted deviations.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::super::completion;
use super::options::LanguageOptions;
use tosca_parse::ard;
use tosca_parse::diagnostic::render::sanitize;
use tosca_parse::entity::Quirk;
use tosca_parse::normal::{Map, Value};
use tosca_parse::source::{Address, regular};
use tosca_parse_config::{Data, Limit, quirks_of, version_word};

/// The arguments that control access to sources.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SourceArgs {
    /// Don't access the network
    #[arg(long, help_heading = "Sources")]
    pub(crate) offline: bool,
    /// Allow remote files and redirects to refer to loopback, link-local and private addresses
    #[arg(long, help_heading = "Sources")]
    pub(crate) allow_private_network: bool,
    /// Allow remote files to refer to this bucket, such as `s3://types`, with your credentials
    #[arg(long, value_name = "URL", value_parser = bucket, help_heading = "Sources")]
    pub(crate) allow_bucket: Vec<String>,
    /// Read URLs that start with PREFIX from FOLDER instead
    #[arg(long, value_name = "PREFIX=FOLDER", value_parser = mapping, help_heading = "Sources")]
    pub(crate) map_url: Vec<(String, PathBuf)>,
    /// Don't use the cache of remote files
    #[arg(long, help_heading = "Sources")]
    pub(crate) no_cache: bool,
    /// Set a limit; `tosca-parse limits` lists the names
    #[arg(long, value_name = "NAME=VALUE", value_parser = Limit::parse, add = completion::limits(), help_heading = "Sources")]
    pub(crate) limit: Vec<Limit>,
    /// The configuration to use instead of the user's; the project's configuration still applies
    #[arg(long, value_name = "FILE", help_heading = "Sources", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,
    /// Ignore the user's and the project's configuration
    #[arg(long, help_heading = "Sources")]
    pub(crate) no_config: bool,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Profiles {
    #[command(subcommand)]
    pub(crate) show: Option<ShowProfile>,
    #[command(flatten)]
    pub(crate) places: ProfilePlaces,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ShowProfile {
    /// Print the source of a profile
    Show {
        /// The profile's name in imports or its address in problems
        #[arg(add = completion::profiles())]
        name: String,
        #[command(flatten)]
        places: ProfilePlaces,
    },
}

/// The search paths of profiles.
#[derive(Debug, Args)]
pub(crate) struct ProfilePlaces {
    /// Search a folder, file or archive for profiles
    #[arg(long, value_name = "PATH", help_heading = "Sources")]
    pub(crate) profile_path: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) access: SourceArgs,
}

/// The arguments that control how templates are read.
#[derive(Debug, Default, Args)]
pub(crate) struct ReadArgs {
    /// Set an input to a YAML value; overrides --inputs
    #[arg(long, value_name = "NAME=VALUE", value_parser = input, add = completion::inputs(), help_heading = "Models")]
    pub(crate) input: Vec<Input>,
    /// Set inputs to the values in a YAML or JSON file
    #[arg(long, value_name = "FILE", help_heading = "Models")]
    pub(crate) inputs: Vec<OsString>,

    /// For evaluation, set attributes to the values in a YAML or JSON file: a map of nodes to maps of attributes
    #[arg(long, value_name = "FILE", value_parser = attributes, help_heading = "Models")]
    pub(crate) attributes: Option<Attributes>,

    /// Accept a common deviation from the standard; see `tosca-parse quirks`
    #[arg(long, value_name = "NAME", value_parser = quirk, add = completion::quirks(), help_heading = "Problems")]
    pub(crate) quirk: Vec<QuirkSelection>,

    /// Read files that declare the version WORD, or any unknown version if WORD is omitted, as VERSION, such as
    /// `tosca_simple_yaml_1_3`
    #[arg(long, value_name = "[WORD=]VERSION", value_parser = read_version, help_heading = "Problems")]
    pub(crate) read_version: Vec<ReadVersion>,

    /// Accept calls to an undefined function that the orchestrator provides; its arguments are not checked
    #[arg(long, value_name = "NAME", value_parser = function, help_heading = "Problems")]
    pub(crate) allow_function: Vec<String>,

    /// Search a folder for imported files by file name, for packages that lack their libraries
    #[arg(long, value_name = "FOLDER", help_heading = "Sources")]
    pub(crate) import_path: Vec<PathBuf>,
    /// Search a folder, file or archive for profiles
    #[arg(long, value_name = "PATH", help_heading = "Sources")]
    pub(crate) profile_path: Vec<PathBuf>,
    /// Search a folder or a zip file for Murano packages
    #[arg(long, value_name = "PATH", help_heading = "Sources")]
    pub(crate) package_path: Vec<PathBuf>,
    /// The path or URL to assume for standard input
    #[arg(long, value_name = "NAME", default_value = "stdin.yaml", help_heading = "Sources")]
    pub(crate) stdin_name: String,
    /// Search a folder for documents that Yay documents include
    #[arg(long, value_name = "FOLDER", help_heading = "Sources")]
    pub(crate) search: Vec<PathBuf>,
    /// Decrypt Yay documents whose names end with `.gpg`, with the program `gpg`
    #[arg(long, help_heading = "Sources")]
    pub(crate) gpg: bool,
    /// Allow only imports by path from inside the template's folder, and no environment variables in Yay documents
    #[arg(long, help_heading = "Sources")]
    pub(crate) sandbox: bool,
    #[command(flatten)]
    pub(crate) options: LanguageOptions,
    #[command(flatten)]
    pub(crate) access: SourceArgs,
}

/// A value for an input.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) value: String,
}

impl Input {
    /// Returns a map with one entry. A missing value after `=` is the empty string, as in other programs.
    pub(crate) fn yaml(&self) -> String {
        let key = serde_json::Value::from(self.name.as_str());
        let value = if self.value.is_empty() { "\"\"" } else { &self.value };
        format!("{key}: {value}\n")
    }
}

/// The attribute values, by node and attribute name.
#[derive(Clone, Debug)]
pub(crate) struct Attributes(pub(crate) Map<Map<Value>>);

fn attributes(path: &str) -> Result<Attributes, String> {
    let limit = ard::Limits::default().bytes;
    let text = regular::read_text(Path::new(path), limit).map_err(|error| error.to_string())?;
    let read = || {
        let data = Data::read(path, &text, Data::ALIASES)?;
        data.get().map_err(|fault| data.complaint(path, &fault))
    };
    let values: Option<_> =
        read().map_err(|error: tosca_parse_config::Error| sanitize(&error.to_string()).into_owned())?;
    Ok(Attributes(values.unwrap_or_default()))
}

pub(super) fn input(argument: &str) -> Result<Input, String> {
    match argument.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok(Input { name: name.to_owned(), value: value.to_owned() }),
        _ => Err("it must be `NAME=VALUE`".to_owned()),
    }
}

fn bucket(argument: &str) -> Result<String, String> {
    let address = Address::parse(argument).ok();
    let is_whole = |address: &Address| address.url().is_some_and(|url| matches!(url.path(), "" | "/"));
    let bucket = address.filter(is_whole).and_then(|address| address.bucket());
    bucket.ok_or_else(|| "it must be `s3://BUCKET`, `gs://BUCKET` or `az://CONTAINER`".to_owned())
}

pub(super) fn mapping(argument: &str) -> Result<(String, PathBuf), String> {
    // The folder starts after the last equals sign, because the query of a URL may contain others.
    match argument.rsplit_once('=') {
        Some((prefix, folder)) if prefix.contains("://") && !folder.is_empty() => {
            Ok((prefix.to_owned(), folder.into()))
        }
        _ => Err("it must be `URL=FOLDER`".to_owned()),
    }
}

/// A declared version, or any unknown one, and the version that it is read as.
#[derive(Clone, Debug)]
pub(crate) struct ReadVersion {
    pub(crate) word: Option<String>,
    pub(crate) version: String,
}

fn read_version(argument: &str) -> Result<ReadVersion, String> {
    let (word, version) = argument.split_once('=').map_or((None, argument), |(word, version)| (Some(word), version));
    if word == Some("") {
        return Err("it must be `VERSION` or `WORD=VERSION`".to_owned());
    }
    Ok(ReadVersion { word: word.map(str::to_owned), version: version_word(version)? })
}

/// The quirks that `--quirk` selects: one, or those of a set.
#[derive(Clone, Debug)]
pub(crate) struct QuirkSelection(pub(crate) Vec<Quirk>);

pub(super) fn quirk(argument: &str) -> Result<QuirkSelection, String> {
    quirks_of(argument).map(QuirkSelection)
}

/// Parses the name of a function, with or without its dollar sign.
pub(super) fn function(argument: &str) -> Result<String, String> {
    match argument.strip_prefix('$').unwrap_or(argument) {
        "" => Err("a function has a name".to_owned()),
        name => Ok(name.to_owned()),
    }
}
