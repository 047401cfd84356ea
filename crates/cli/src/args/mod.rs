//! The arguments.

mod archive;
mod doc;
mod fmt;
#[cfg(feature = "tables")]
mod index;
mod migrate;
mod murano;
mod options;
mod outputs;
mod serve;
mod server;
mod sources;
mod test;
mod validate;
mod yay;

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub(super) use archive::*;
pub(super) use doc::*;
pub(super) use fmt::*;
#[cfg(feature = "tables")]
pub(super) use index::*;
pub(super) use migrate::*;
pub(super) use murano::*;
pub(super) use outputs::*;
pub(super) use serve::*;
pub(super) use server::*;
pub(super) use sources::*;
pub(super) use test::*;
pub(super) use validate::*;
pub(super) use yay::*;

use super::completion;
use tosca_parse::diagnostic::{Color, RuleDocs};
use tosca_parse::entity::{Language, LanguageVersion};
use tosca_parse_config::{here, languages};

const EXAMPLES: &str = "\
Examples:
  tosca-parse service.yaml                                validate and summarize the service
  tosca-parse a.yaml b.yaml --format concise              validate several files, one line per problem
  tosca-parse service.yaml --emit json                    write the complete model of the service
  tosca-parse service.yaml --input port=80                set an input
  tosca-parse service.yaml --stop-after hierarchies --dump
                                                          show the derivation of types
  tosca-parse resolve service.yaml                        find nodes for open requirements
  tosca-parse templates                                   validate everything in a folder
  tosca-parse csar create shop --output shop.csar         pack a folder into an archive
  tosca-parse graph service.yaml -o service.svg           draw the topology
  tosca-parse plan service.yaml                           plan the deployment
  tosca-parse doc types.yaml --output pages               document types
  tosca-parse new shop                                    write a template and its test file
  tosca-parse test shop                                   run the test files in a folder
  tosca-parse fmt templates                               format all templates in a folder
  tosca-parse migrate service.yaml --to tosca_2_0         migrate to TOSCA 2.0
  tosca-parse index templates -o index                    write tables of types and their uses
  tosca-parse explain unknown-keyname                     explain a problem and its fix
  tosca-parse reference node template --in 1.3            show the keynames of node templates

\
Environment variables: TOSCA_PARSE_FORMAT, TOSCA_PARSE_FAIL_ON, TOSCA_PARSE_JOBS and TOSCA_PARSE_CACHE_RESULTS replace the defaults of the options.

Exit codes: 0 if everything is valid, 1 if there are errors (see --fail-on and --exit-zero), 2 for usage errors, 3 if a named file or anything from the network can't be read and nothing else is wrong.";

/// The output of the command without arguments.
pub(super) const SHORT_HELP: &str = "\
Usage: tosca-parse [OPTIONS] FILE...
       tosca-parse COMMAND

  tosca-parse service.yaml    validate a service template
  tosca-parse templates       validate everything in a folder
  tosca-parse new shop        write a small template and its test file

`tosca-parse --help` lists all commands and options.";

/// Validates TOSCA service templates and writes their complete models.
#[derive(Debug, Parser)]
#[command(
    name = "tosca-parse",
    version,
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    override_usage = "tosca-parse [OPTIONS] FILE...\n       tosca-parse COMMAND"
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) validate: Validate,
}

/// The arguments of `validate`, parsed without describing the other commands.
#[derive(Debug, Parser)]
#[command(name = "tosca-parse", disable_help_flag = true)]
pub(super) struct ValidateOnly {
    #[command(flatten)]
    pub(super) validate: Validate,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Validate service templates (the default command)
    ///
    /// If a file has the same name as a command, write `./validate` or `-- validate`.
    Validate(Validate),
    /// Validate service templates and find nodes for open requirements
    ///
    /// Candidates are the nodes of the service itself. Reports requirements that no node fulfills, with the reason for
    /// each near miss, and requirements that several nodes could fulfill; the first of these nodes is chosen. With
    /// `--emit`, the model contains the fulfilled requirements.
    Resolve(Validate),
    /// Draw the topology of a service, even if it has problems
    Graph(Graph),
    /// Plan the deployment and undeployment of a service
    ///
    /// The plan lists the operations to call. Steps in the same stage can run in parallel. With `--from`, the plan
    /// upgrades a deployed service from an older template to this one.
    Plan(Plan),
    /// Generate a form for the inputs of a service (JSON Schema or HTML)
    Form(Form),
    /// Compare the services of two templates
    Diff(Diff),
    /// Document types: a page for each, with inheritance, members and usages (HTML or Markdown)
    ///
    /// The pages are those of the types that the file declares or imports by path, and of the types that they mention. The
    /// HTML pages need no server. Pages that an earlier run has written are replaced or removed, other files never.
    Doc(Doc),
    /// Write a small template and its test file
    ///
    /// The template declares its types and is valid. Existing files are never replaced.
    New(New),
    /// Run the test files next to templates
    ///
    /// The tests for `NAME.yaml` are in `NAME_test.yaml`. Each case lists the expected problems, outputs, plan and
    /// parts of the model for given inputs.
    Test(Test),
    /// Format files: indentation, spaces, quotes, order of keynames
    ///
    /// Data, comments, blank lines, anchors, line endings and line breaks are kept. A file that is not valid YAML is
    /// reported and not changed. The comments `# fmt: off`, `# fmt: on` and `# fmt: skip` exclude lines. Keynames are only
    /// ordered with `--keynames standard`. The style is set by `format` in the configuration.
    Fmt(Fmt),
    /// Migrate files to a later version of their language
    ///
    /// The files must be valid. Comments and layout are kept. Constructs without a counterpart in the later version are
    /// reported.
    Migrate(Migrate),
    /// Write tables of templates, types and their uses (`SQLite` and Parquet)
    ///
    /// The tables contain the files with their versions and profiles, the types, the uses of types, imports,
    /// substitutions and problems. `tosca-parse query` reads them. An earlier index is replaced, another file never.
    #[cfg(feature = "tables")]
    Index(Index),
    /// Query an index: the templates that depend on a type, unused types, and others
    ///
    /// Without a query, all of them are listed.
    #[cfg(feature = "tables")]
    Query(Query),
    /// Evaluate Yay: everything, one value, or an expression
    ///
    /// If several files are given, each is a layer, and later files override earlier ones.
    #[command(subcommand)]
    Yay(Yay),
    /// Explain a rule, with examples
    Explain(Explain),
    /// List all rules
    Rules(Rules),
    /// List the quirks, which accept common deviations from the standard
    Quirks(Listed),
    /// Pack, check, list and unpack template archives (CSAR)
    #[command(subcommand)]
    Csar(Csar),
    /// List the profiles that can be imported by name, or show one
    Profiles(Profiles),
    /// List the limits and their defaults
    Limits(Listed),
    /// Show the keynames of an entity and the values that they take
    Reference(Reference),
    /// Show the configuration
    #[command(subcommand)]
    Config(Config),
    /// Write a JSON Schema for models, problems, configurations or templates
    Schema {
        /// The subject of the schema
        #[arg(value_enum, default_value_t)]
        of: Schema,
    },
    /// Serve validation, models, diagrams, plans, forms and migration over HTTP
    ///
    /// Each path takes a template, several files, or an archive in a POST request: `/validate`, `/model`, `/graph`,
    /// `/plan`, `/form` and `/migrate`. `/openapi.json` describes the requests and answers. Imports by path are confined
    /// to the files of a request. The service has no authentication: use a proxy for that.
    Serve(Serve),
    /// Run the language server for editors
    ///
    /// The editor starts the server and communicates with it over standard input and output, using the Language Server
    /// Protocol.
    Server(Server),
    /// Check and run Murano packages, and generate schemas for their classes
    #[command(subcommand)]
    Murano(Murano),
    /// Evaluate a YAQL expression
    Yaql(Yaql),
    /// Write a completion script for a shell
    ///
    /// The script runs this command for each completion, so it need not be written again after an update.
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the manual page for the program or for a command
    Man {
        /// The command, such as `csar create`
        command: Vec<String>,
    },
    /// Print the version
    Version {
        /// Also print the languages, their versions, and the platform
        #[arg(long, short)]
        verbose: bool,
    },
}

#[derive(Debug, Args)]
pub(super) struct Explain {
    /// Rule codes (T1201) or names (unknown-keyname), including custom rules; the beginning of a name (unknown) lists
    /// all matching rules
    #[arg(value_name = "RULE", required = true, value_parser = explained, add = completion::rules())]
    pub(super) rules: Vec<Meant>,
    #[command(flatten)]
    pub(super) listed: Listed,
    #[command(flatten)]
    pub(super) appearance: Appearance,
}

#[derive(Debug, Args)]
pub(super) struct Reference {
    /// The entity, such as `node type`; lists all entities if omitted
    #[arg(value_name = "ENTITY", add = completion::entities())]
    pub(super) entity: Vec<String>,
    /// The version of TOSCA
    #[arg(long = "in", value_name = "VERSION", value_parser = versions(), default_value = latest_version())]
    pub(super) version: LanguageVersion,
    #[command(flatten)]
    pub(super) appearance: Appearance,
}

/// Returns a parser that maps each version number of the main language to its version.
fn versions() -> impl TypedValueParser<Value = LanguageVersion> {
    let numbers = || languages().version_numbers();
    PossibleValuesParser::new(numbers())
        .map(move |word| LanguageVersion(numbers().iter().position(|number| *number == word).unwrap_or_default() as u8))
}

/// Returns the number of the latest version of the main language.
fn latest_version() -> &'static str {
    languages().version_numbers().last().copied().unwrap_or_default()
}

/// The rules named by an argument.
#[derive(Clone, Debug)]
pub(super) enum Meant {
    One(RuleDocs),
    /// Rules whose names have a common prefix.
    Several(Vec<RuleDocs>),
}

/// The format of a list.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Listed {
    /// The output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(super) format: Listing,
}

/// The format of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Listing {
    /// Text
    #[default]
    Text,
    /// JSON
    Json,
}

#[derive(Debug, Args)]
pub(super) struct Rules {
    #[command(flatten)]
    pub(super) listed: Listed,
    #[command(flatten)]
    pub(super) appearance: Appearance,
}

/// How problems are reported.
#[derive(Debug, Args)]
pub(super) struct Report {
    /// The format of problems
    #[arg(long, value_name = "FORMAT", value_parser = text_formats(), default_value = "full", help_heading = "Problems")]
    pub(super) format: Format,
    /// Report errors only
    #[arg(long, short, help_heading = "Problems")]
    pub(super) quiet: bool,
    #[command(flatten)]
    pub(super) appearance: Appearance,
}

#[derive(Debug, Args)]
pub(super) struct Appearance {
    /// When to use color
    #[arg(long, value_name = "WHEN", value_parser = colors(), default_value = "auto", help_heading = "Problems")]
    pub(super) color: Color,
}

/// The subject of a JSON Schema.
#[derive(Clone, Copy, Default)]
pub(super) enum Schema {
    #[default]
    Model,
    Problems,
    Plan,
    Differences,
    Evaluation,
    Nested,
    Templates(&'static Language, LanguageVersion),
    Config,
}

impl std::fmt::Debug for Schema {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.to_possible_value().fmt(f)
    }
}

impl ValueEnum for Schema {
    fn value_variants<'a>() -> &'a [Self] {
        static VARIANTS: LazyLock<Vec<Schema>> = LazyLock::new(|| {
            let templates = languages().versions().map(|(language, version)| Schema::Templates(language, version));
            let outputs = [
                Schema::Model,
                Schema::Problems,
                Schema::Plan,
                Schema::Differences,
                Schema::Evaluation,
                Schema::Nested,
            ];
            outputs.into_iter().chain(templates).chain([Schema::Config]).collect()
        });
        &VARIANTS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            Self::Model => ("model".to_owned(), "The output of `--emit`".to_owned()),
            Self::Problems => ("problems".to_owned(), "The output of `--format json`".to_owned()),
            Self::Plan => ("plan".to_owned(), "The output of `tosca-parse plan --format json`".to_owned()),
            Self::Differences => {
                ("differences".to_owned(), "The output of `tosca-parse diff --format json`".to_owned())
            }
            Self::Evaluation => ("evaluation".to_owned(), "The result of `Outcome.evaluate` in Python".to_owned()),
            Self::Nested => ("nested".to_owned(), "The result of `Outcome.nested` in Python".to_owned()),
            Self::Templates(language, version) => {
                let title = language.version_title(*version);
                (title.to_lowercase().replace(' ', "-"), format!("Templates of {title}"))
            }
            Self::Config => ("config".to_owned(), "`tosca-parse.yaml` and the user's configuration".to_owned()),
        };
        Some(PossibleValue::new(name).help(help))
    }
}

#[derive(Debug, Subcommand)]
pub(super) enum Config {
    /// Show the settings for a file and where they come from
    Show {
        /// The file
        file: PathBuf,
        #[command(flatten)]
        access: SourceArgs,
    },
}

/// Finds the rules that an argument names, among the built-in rules and those of the current configuration.
fn explained(argument: &str) -> Result<Meant, String> {
    let settings = super::config::of(&SourceArgs::default(), &here()).unwrap_or_default();
    settings.rule(argument).map(Meant::One).or_else(|unknown| {
        let own = settings.custom_rules().into_iter().map(|own| &own.explained);
        let known = languages().rules().iter().chain(own);
        let found: Vec<RuleDocs> = known.filter(|known| known.rule.name.starts_with(argument)).cloned().collect();
        if found.is_empty() { Err(unknown.to_string()) } else { Ok(Meant::Several(found)) }
    })
}

/// Parses an output path. Rejects format names, which used to be the values of this option.
fn output(argument: &str) -> Result<PathBuf, String> {
    match argument {
        "json" | "jsonl" | "yaml" => Err(format!("it must be a path; to write a model, use `--emit {argument}`")),
        path => Ok(path.into()),
    }
}

/// Parses the reason for an ignore comment. It must be a single line, so that it does not end the comment.
fn reason(argument: &str) -> Result<String, String> {
    if argument.contains(|character: char| character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')) {
        return Err("a reason is a single line without control characters".to_owned());
    }
    Ok(argument.to_owned())
}

fn colors() -> impl TypedValueParser<Value = Color> {
    let auto = PossibleValue::new("auto").help("On a terminal, unless NO_COLOR is set");
    let words = [auto, PossibleValue::new("always"), PossibleValue::new("never")];
    PossibleValuesParser::new(words).map(|word| match &*word {
        "always" => Color::Always,
        "never" => Color::Never,
        _ => Color::Auto,
    })
}
