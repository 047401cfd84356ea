//! The arguments.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgMatches, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::limits::Limit;
use crate::Phase;
use crate::diagnostic::suggest::nearest;
use crate::diagnostic::{Color, Levels, Override, Rule};
use crate::entity::{QUIRK_SETS, QUIRKS, Quirk};
use crate::rules::{self, UnknownRule};

const EXAMPLES: &str = "\
Examples:
  tosca-parse service.yaml                                validate, and show what the service consists of
  tosca-parse a.yaml b.yaml --format concise              validate several, with one line for each problem
  tosca-parse service.yaml --output json                  write the complete model of the service
  tosca-parse service.yaml --input port=80                with a value for an input
  tosca-parse service.yaml --stop-after hierarchies --dump
                                                          show how types are derived from each other
  tosca-parse resolve service.yaml                        find nodes for the requirements that are left open
  tosca-parse templates                                   validate everything in a folder
  tosca-parse csar create shop --output shop.csar         pack a folder with a template
  tosca-parse graph service.yaml -o service.svg           draw what the service consists of
  tosca-parse explain unknown-keyname                     what a problem means, and what to do

Exit codes: 0 if everything is valid, 1 if there are errors, 2 if the command was not used as it must be.";

/// Validates TOSCA service templates and writes complete models of them.
#[derive(Debug, Parser)]
#[command(
    name = "tosca-parse",
    version,
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    override_usage = "tosca-parse [OPTIONS] FILE...\n       tosca-parse COMMAND"
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) validate: Validate,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Validate service templates: what happens without any command
    ///
    /// For files whose names are those of commands there is also `./validate` and `-- validate`.
    Validate(Validate),
    /// Validate service templates, and find nodes for the requirements that they leave open
    ///
    /// The nodes are those of the service itself. Reported are requirements that no node fits, with the reason why each
    /// of the nodes that come near was refused, and requirements that several nodes fit, of which the first one is
    /// taken. With `--output`, the model has the requirements fulfilled.
    Resolve(Validate),
    /// Draw the topology of a service, also of one with problems
    Graph(Graph),
    /// Explain a kind of problem, with examples
    Explain(Explain),
    /// List all kinds of problems
    Rules(Rules),
    /// List the quirks, which let pass what is common and not allowed
    Quirks,
    /// Pack, check, list and unpack archives of templates (CSAR)
    #[cfg(feature = "archive")]
    #[command(subcommand)]
    Csar(Csar),
    /// List the profiles that can be imported by name
    Profiles(Profiles),
    /// List the limits on what is read, with what they are if nothing else is said
    Limits,
    /// Write the JSON Schema of models, or of problems
    Schema {
        /// What the schema is of
        #[arg(value_enum, default_value_t)]
        of: Schema,
    },
    /// Write a script with which a shell completes arguments
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the manual page
    Man,
}

#[derive(Debug, Args)]
pub(super) struct Validate {
    /// Service templates, profiles, archives: paths or URLs, or `-` for the standard input; or folders, in which all
    /// of these are looked for
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<OsString>,

    /// Write the complete model of each valid service
    #[arg(long, short, value_name = "FORMAT", conflicts_with_all = ["dump", "stop_after"], help_heading = "Models")]
    pub(super) output: Option<Output>,
    /// Write with the model where everything stands
    #[arg(long, requires = "output", help_heading = "Models")]
    pub(super) positions: bool,
    /// How problems are shown
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Problems")]
    pub(super) format: Format,
    /// Make errors of warnings about the letter of the standard
    #[arg(long, help_heading = "Problems")]
    pub(super) strict: bool,
    /// Don't report problems of a rule, given by its code or name
    #[arg(long, value_name = "RULE", value_parser = rule, help_heading = "Problems")]
    pub(super) allow: Vec<&'static Rule>,
    /// Report problems of a rule as warnings
    #[arg(long, value_name = "RULE", value_parser = rule, help_heading = "Problems")]
    pub(super) warn: Vec<&'static Rule>,
    /// Report problems of a rule as errors; of several wishes about a rule, the last one counts
    #[arg(long, value_name = "RULE", value_parser = rule, help_heading = "Problems")]
    pub(super) deny: Vec<&'static Rule>,
    /// Show errors only
    #[arg(long, short, help_heading = "Problems")]
    pub(super) quiet: bool,
    #[command(flatten)]
    pub(super) appearance: Appearance,

    #[command(flatten)]
    pub(super) reading: Reading,

    /// Stop after a phase
    #[arg(long, value_name = "PHASE", value_enum, help_heading = "Phases")]
    pub(super) stop_after: Option<Phase>,
    /// Show what the last phase has made
    #[arg(long, help_heading = "Phases")]
    pub(super) dump: bool,
    /// Tell how long each phase took
    #[arg(long, short, help_heading = "Phases")]
    pub(super) verbose: bool,
    /// How many threads to use
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Phases")]
    pub(super) jobs: Option<u16>,
}

/// How sources are got at.
#[derive(Debug, Default, Args)]
pub(super) struct Access {
    /// Leave the network alone
    #[arg(long, help_heading = "Sources")]
    pub(super) offline: bool,
    /// Read what is below a URL from a folder
    #[arg(long, value_name = "PREFIX=FOLDER", value_parser = mapping, help_heading = "Sources")]
    pub(super) map_url: Vec<(String, PathBuf)>,
    /// Don't keep what comes from the network, nor use what has been kept
    #[arg(long, help_heading = "Sources")]
    pub(super) no_cache: bool,
    /// Read at most so much; `tosca-parse limits` lists the names
    #[arg(long, value_name = "NAME=VALUE", value_parser = Limit::parse, help_heading = "Sources")]
    pub(super) limit: Vec<Limit>,
    /// The configuration to use instead of that of the user
    #[arg(long, value_name = "FILE", help_heading = "Sources", conflicts_with = "no_config")]
    pub(super) config: Option<PathBuf>,
    /// Use no configuration
    #[arg(long, help_heading = "Sources")]
    pub(super) no_config: bool,
}

#[derive(Debug, Args)]
pub(super) struct Profiles {
    /// Look for profiles in a folder, file or archive
    #[arg(long, value_name = "PATH", help_heading = "Sources")]
    pub(super) profile_path: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) access: Access,
}

#[cfg(feature = "archive")]
#[derive(Debug, Subcommand)]
pub(super) enum Csar {
    /// Pack a folder; the same files always make the same archive
    Create(Create),
    /// Read every file of an archive, and validate its templates
    Check(Box<Validate>),
    /// List the files of an archive
    List {
        /// Archives: paths or URLs
        #[arg(value_name = "ARCHIVE", required = true)]
        archives: Vec<OsString>,
        #[command(flatten)]
        access: Access,
    },
    /// Unpack an archive
    Extract {
        /// The archive: a path or URL
        archive: OsString,
        /// The folder to unpack to, which is made if there is none; by default one with the name of the archive
        folder: Option<PathBuf>,
        /// Replace files that are there already
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        access: Access,
    },
}

#[cfg(feature = "archive")]
#[derive(Debug, Args)]
pub(super) struct Create {
    /// The folder to pack, but for hidden files; or the template in it
    pub(super) folder: PathBuf,
    /// The archive, whose name says the format: .zip, .csar, .tar, .tar.gz, .tgz
    #[arg(long, short, value_name = "ARCHIVE")]
    pub(super) output: Option<PathBuf>,
    /// The path of the template in the folder
    #[arg(long, value_name = "PATH")]
    pub(super) entry: Option<String>,
    /// The path of a further template in the folder
    #[arg(long, value_name = "PATH")]
    pub(super) other: Vec<String>,
    /// Who has made the archive
    #[arg(long, value_name = "NAME")]
    pub(super) created_by: Option<String>,
}

/// How templates are read.
#[derive(Debug, Args)]
pub(super) struct Reading {
    /// Give a value to an input, in YAML; wins over --inputs
    #[arg(long, value_name = "NAME=VALUE", value_parser = input, help_heading = "Models")]
    pub(super) input: Vec<Input>,
    /// Give the values of a file in YAML or JSON to inputs
    #[arg(long, value_name = "FILE", help_heading = "Models")]
    pub(super) inputs: Vec<OsString>,

    /// Let something pass that the language does not allow; see `tosca-parse quirks`
    #[arg(long, value_name = "NAME", value_parser = quirk, help_heading = "Problems")]
    pub(super) quirk: Vec<Asked>,

    /// Let a function be called that nothing defines, since the orchestrator has it; its arguments are not checked
    #[arg(long, value_name = "NAME", value_parser = function, help_heading = "Problems")]
    pub(super) allow_function: Vec<String>,

    /// Look for profiles in a folder, file or archive
    #[arg(long, value_name = "PATH", help_heading = "Sources")]
    pub(super) profile_path: Vec<PathBuf>,
    /// The path or URL as which the standard input is treated
    #[arg(long, value_name = "NAME", default_value = "stdin.yaml", help_heading = "Sources")]
    pub(super) stdin_name: String,
    /// Import by path only what is in the folder of the template, and nothing by URL
    #[arg(long, help_heading = "Sources")]
    pub(super) sandbox: bool,
    #[command(flatten)]
    pub(super) access: Access,
}

#[derive(Debug, Args)]
pub(super) struct Graph {
    /// A service template: a path or a URL, or `-` for the standard input
    #[arg(value_name = "FILE")]
    pub(super) file: OsString,

    /// The form of the picture
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(super) format: Picture,
    /// Write to a file instead of the standard output
    #[arg(long, short, value_name = "PATH")]
    pub(super) output: Option<PathBuf>,
    /// Make one box of several; may be given for both
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    pub(super) collapse: Vec<Collapse>,
    /// How many properties of a node are shown at most
    #[arg(long, value_name = "N", default_value_t = crate::graph::Options::default().properties)]
    pub(super) properties: usize,
    #[command(flatten)]
    pub(super) appearance: Appearance,
    #[command(flatten)]
    pub(super) reading: Reading,
}

#[derive(Debug, Args)]
pub(super) struct Explain {
    /// Codes (T1201) or names (unknown-keyname) of rules
    #[arg(value_name = "RULE", required = true, value_parser = rule)]
    pub(super) rules: Vec<&'static Rule>,
    #[command(flatten)]
    pub(super) appearance: Appearance,
}

#[derive(Debug, Args)]
pub(super) struct Rules {
    #[command(flatten)]
    pub(super) appearance: Appearance,
}

#[derive(Debug, Args)]
pub(super) struct Appearance {
    /// Whether to use colour
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, help_heading = "Problems")]
    pub(super) color: Color,
}

/// How a model is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Output {
    /// JSON
    Json,
    /// YAML
    Yaml,
}

/// The form of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Picture {
    /// To be looked at as it is, in a browser or an editor
    #[default]
    Svg,
    /// For Graphviz
    Dot,
    /// For Markdown
    Mermaid,
}

/// What becomes one box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Collapse {
    /// Every group that is in no other one
    Groups,
    /// Nodes of the same type in the same group
    Types,
}

/// How problems are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// With the lines of the source
    #[default]
    Full,
    /// One line each
    Concise,
    /// One JSON document on the standard output
    Json,
}

/// What there is a schema of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Schema {
    /// What `--output` writes
    #[default]
    Model,
    /// What `--format json` writes
    Problems,
}

/// A value for an input.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub(super) name: String,
    pub(super) value: String,
}

fn input(argument: &str) -> Result<Input, String> {
    match argument.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok(Input { name: name.to_owned(), value: value.to_owned() }),
        _ => Err("it must be `NAME=VALUE`".to_owned()),
    }
}

fn mapping(argument: &str) -> Result<(String, PathBuf), String> {
    // What follows the last sign of equality is the folder: a URL may have some in its query.
    match argument.rsplit_once('=') {
        Some((prefix, folder)) if prefix.contains("://") && !folder.is_empty() => {
            Ok((prefix.to_owned(), folder.into()))
        }
        _ => Err("it must be `URL=FOLDER`".to_owned()),
    }
}

/// What `--quirk` asks for: one quirk, or those of a set.
#[derive(Clone, Debug)]
pub(super) struct Asked(pub(super) Vec<Quirk>);

fn quirk(argument: &str) -> Result<Asked, String> {
    Quirk::find(argument).map(Asked).ok_or_else(|| {
        let names = || QUIRKS.iter().map(|known| known.name).chain(QUIRK_SETS.iter().map(|(set, _)| *set));
        match nearest(argument, names()) {
            Some(near) => format!("there is no such quirk; did you mean `{near}`?"),
            None => format!("there is no such quirk; there are {}", names().collect::<Vec<_>>().join(", ")),
        }
    })
}

/// The name of a function; the dollar sign with which it is called may be left out.
fn function(argument: &str) -> Result<String, String> {
    match argument.strip_prefix('$').unwrap_or(argument) {
        "" => Err("a function has a name".to_owned()),
        name => Ok(name.to_owned()),
    }
}

fn rule(argument: &str) -> Result<&'static Rule, UnknownRule> {
    rules::parse(argument)
}

impl ValueEnum for Phase {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.name()))
    }
}

impl ValueEnum for Color {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Auto, Self::Always, Self::Never]
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(match self {
            Self::Auto => clap::builder::PossibleValue::new("auto").help("On a terminal, unless NO_COLOR is set"),
            Self::Always => clap::builder::PossibleValue::new("always"),
            Self::Never => clap::builder::PossibleValue::new("never"),
        })
    }
}

/// What the user wants of rules, in the order of the arguments.
pub(super) fn levels(validate: &Validate, matches: &ArgMatches) -> Levels {
    let mut wishes: Vec<(usize, &'static Rule, Override)> = Vec::new();
    for (id, wanted) in [("allow", Override::Allow), ("warn", Override::Warn), ("deny", Override::Deny)] {
        let indices = matches.indices_of(id).into_iter().flatten();
        let rules = matches.get_many::<&'static Rule>(id).into_iter().flatten();
        wishes.extend(indices.zip(rules).map(|(index, rule)| (index, *rule, wanted)));
    }
    wishes.sort_unstable_by_key(|(index, ..)| *index);
    let mut levels = Levels::new().strict(validate.strict);
    wishes.into_iter().for_each(|(_, rule, wanted)| levels.set(rule, wanted));
    levels
}
