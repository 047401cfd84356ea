//! Arguments that say where sources and values come from, and what is let pass in them.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::super::languages::languages;
use super::super::limits::Limit;
use super::options::LanguageOptions;
use tosca_parse::diagnostic::suggest::nearest;
use tosca_parse::entity::Quirk;
use tosca_parse::grammar::version;
use tosca_parse::normal::{Map, Value};

/// How sources are got at.
#[derive(Debug, Default, Args)]
pub(crate) struct Access {
    /// Leave the network alone
    #[arg(long, help_heading = "Sources")]
    pub(crate) offline: bool,
    /// Let files from the network, and redirects, lead to loopback, link-local and private addresses
    #[arg(long, help_heading = "Sources")]
    pub(crate) allow_private_network: bool,
    /// Read what is below a URL from a folder
    #[arg(long, value_name = "PREFIX=FOLDER", value_parser = mapping, help_heading = "Sources")]
    pub(crate) map_url: Vec<(String, PathBuf)>,
    /// Don't keep what comes from the network, nor use what has been kept
    #[arg(long, help_heading = "Sources")]
    pub(crate) no_cache: bool,
    /// Read at most so much; `tosca-parse limits` lists the names
    #[arg(long, value_name = "NAME=VALUE", value_parser = Limit::parse, help_heading = "Sources")]
    pub(crate) limit: Vec<Limit>,
    /// The configuration to use instead of that of the user; that of a project comes on top of it
    #[arg(long, value_name = "FILE", help_heading = "Sources", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,
    /// Use no configuration, neither of the user nor of projects
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
    /// Print the text of a profile
    Show {
        /// The name by which it is imported, or its address, as problems show it
        name: String,
        #[command(flatten)]
        places: ProfilePlaces,
    },
}

/// Where profiles are looked for.
#[derive(Debug, Args)]
pub(crate) struct ProfilePlaces {
    /// Look for profiles in a folder, file or archive
    #[arg(long, value_name = "PATH", help_heading = "Sources")]
    pub(crate) profile_path: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) access: Access,
}

/// How templates are read.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// Give a value to an input, in YAML; wins over --inputs
    #[arg(long, value_name = "NAME=VALUE", value_parser = input, help_heading = "Models")]
    pub(crate) input: Vec<Input>,
    /// Give the values of a file in YAML or JSON to inputs
    #[arg(long, value_name = "FILE", help_heading = "Models")]
    pub(crate) inputs: Vec<OsString>,

    /// For evaluation, give the values of a file to attributes: a map of nodes to maps of attributes, in YAML or JSON
    #[arg(long, value_name = "FILE", value_parser = attributes, help_heading = "Models")]
    pub(crate) attributes: Option<Attributes>,

    /// Let something pass that the language does not allow; see `tosca-parse quirks`
    #[arg(long, value_name = "NAME", value_parser = quirk, help_heading = "Problems")]
    pub(crate) quirk: Vec<Asked>,

    /// Read files whose version is unknown, or this one, as files of a version, such as `tosca_simple_yaml_1_3`
    #[arg(long, value_name = "[WORD=]VERSION", value_parser = read_version, help_heading = "Problems")]
    pub(crate) read_version: Vec<ReadVersion>,

    /// Let a function be called that nothing defines, since the orchestrator has it; its arguments are not checked
    #[arg(long, value_name = "NAME", value_parser = function, help_heading = "Problems")]
    pub(crate) allow_function: Vec<String>,

    /// Find imports by the names of their files in a folder, for packages whose libraries lie elsewhere
    #[arg(long, value_name = "FOLDER", help_heading = "Sources")]
    pub(crate) import_path: Vec<PathBuf>,
    /// Look for profiles in a folder, file or archive
    #[arg(long, value_name = "PATH", help_heading = "Sources")]
    pub(crate) profile_path: Vec<PathBuf>,
    /// Look for packages of Murano in a folder or a zip file
    #[arg(long, value_name = "PATH", help_heading = "Sources")]
    pub(crate) package_path: Vec<PathBuf>,
    /// The path or URL as which the standard input is treated
    #[arg(long, value_name = "NAME", default_value = "stdin.yaml", help_heading = "Sources")]
    pub(crate) stdin_name: String,
    /// Look for the documents that Yay includes in a folder
    #[arg(long, value_name = "FOLDER", help_heading = "Sources")]
    pub(crate) search: Vec<PathBuf>,
    /// Decrypt documents in Yay whose names end with `.gpg`, with the program `gpg`
    #[arg(long, help_heading = "Sources")]
    pub(crate) gpg: bool,
    /// Import by path only what is in the folder of the template, and nothing by URL
    #[arg(long, help_heading = "Sources")]
    pub(crate) sandbox: bool,
    #[command(flatten)]
    pub(crate) options: LanguageOptions,
    #[command(flatten)]
    pub(crate) access: Access,
}

/// A value for an input.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) value: String,
}

impl Input {
    /// A map with one entry. Nothing after `=` is the empty text, as in every other command.
    pub(crate) fn yaml(&self) -> String {
        let key = serde_json::Value::from(self.name.as_str());
        let value = if self.value.is_empty() { "\"\"" } else { &self.value };
        format!("{key}: {value}\n")
    }
}

/// The values of attributes, by nodes and names.
#[derive(Clone, Debug)]
pub(crate) struct Attributes(pub(crate) Map<Map<Value>>);

fn attributes(path: &str) -> Result<Attributes, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    if text.trim().is_empty() {
        return Ok(Attributes(Map::new()));
    }
    serde_yaml::from_str(&text).map(Attributes).map_err(|error| format!("it is not a map of nodes to maps: {error}"))
}

pub(super) fn input(argument: &str) -> Result<Input, String> {
    match argument.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok(Input { name: name.to_owned(), value: value.to_owned() }),
        _ => Err("it must be `NAME=VALUE`".to_owned()),
    }
}

pub(super) fn mapping(argument: &str) -> Result<(String, PathBuf), String> {
    // What follows the last sign of equality is the folder: a URL may have some in its query.
    match argument.rsplit_once('=') {
        Some((prefix, folder)) if prefix.contains("://") && !folder.is_empty() => {
            Ok((prefix.to_owned(), folder.into()))
        }
        _ => Err("it must be `URL=FOLDER`".to_owned()),
    }
}

/// A word for a version, or all unknown ones, and the version that it is read as.
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

/// A word for a version of TOSCA.
pub(crate) fn version_word(word: &str) -> Result<String, String> {
    if version::of_word(word).is_some() {
        return Ok(word.to_owned());
    }
    match nearest(word, version::words()) {
        Some(near) => Err(format!("`{word}` is not a version; did you mean `{near}`?")),
        None => {
            Err(format!("`{word}` is not a version; there are {}", version::words().collect::<Vec<_>>().join(", ")))
        }
    }
}

/// What `--quirk` asks for: one quirk, or those of a set.
#[derive(Clone, Debug)]
pub(crate) struct Asked(pub(crate) Vec<Quirk>);

pub(super) fn quirk(argument: &str) -> Result<Asked, String> {
    quirks_of(argument).map(Asked)
}

/// The quirk of a name, or those of a set.
pub(crate) fn quirks_of(name: &str) -> Result<Vec<Quirk>, String> {
    languages().quirks_of(name).ok_or_else(|| {
        let names = || languages().quirk_names();
        match nearest(name, names()) {
            Some(near) => format!("there is no such quirk; did you mean `{near}`?"),
            None => format!("there is no such quirk; there are {}", names().collect::<Vec<_>>().join(", ")),
        }
    })
}

/// The name of a function; the dollar sign with which it is called may be left out.
pub(super) fn function(argument: &str) -> Result<String, String> {
    match argument.strip_prefix('$').unwrap_or(argument) {
        "" => Err("a function has a name".to_owned()),
        name => Ok(name.to_owned()),
    }
}
