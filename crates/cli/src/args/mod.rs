//! The arguments.

mod archive;
mod fmt;
mod migrate;
mod murano;
mod options;
mod outputs;
mod server;
mod sources;
mod validate;
mod which;
mod yay;

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub(super) use archive::*;
pub(super) use fmt::*;
pub(super) use migrate::*;
pub(super) use murano::*;
pub(super) use outputs::*;
pub(super) use server::*;
pub(super) use sources::*;
pub(super) use validate::*;
pub(super) use which::*;
pub(super) use yay::*;

use super::languages::languages;
use tosca_parse::diagnostic::{Color, Explained};
use tosca_parse::entity::{Language, LanguageVersion};

const EXAMPLES: &str = "\
Examples:
  tosca-parse service.yaml                                validate, and show what the service consists of
  tosca-parse a.yaml b.yaml --format concise              validate several, with one line for each problem
  tosca-parse service.yaml --emit json                    write the complete model of the service
  tosca-parse service.yaml --input port=80                with a value for an input
  tosca-parse service.yaml --stop-after hierarchies --dump
                                                          show how types are derived from each other
  tosca-parse resolve service.yaml                        find nodes for the requirements that are left open
  tosca-parse templates                                   validate everything in a folder
  tosca-parse csar create shop --output shop.csar         pack a folder with a template
  tosca-parse graph service.yaml -o service.svg           draw what the service consists of
  tosca-parse plan service.yaml                           in which order it is deployed
  tosca-parse fmt templates                               format all templates in a folder
  tosca-parse migrate service.yaml --to tosca_2_0         write it anew in a later version
  tosca-parse explain unknown-keyname                     what a problem means, and what to do
  tosca-parse reference node template --in 1.3            what can be written in a node template

Exit codes: 0 if everything is valid, 1 if there are errors (see --fail-on and --exit-zero), 2 if the command was not used as it must be.";

/// Validates TOSCA service templates and writes complete models of them.
#[derive(Debug, Parser)]
#[command(
    name = "tosca-parse",
    version,
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    arg_required_else_help = true,
    override_usage = "tosca-parse [OPTIONS] FILE...\n       tosca-parse COMMAND"
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) validate: Validate,
}

/// The same without commands.
#[derive(Debug, Parser)]
#[command(name = "tosca-parse", arg_required_else_help = true, disable_help_flag = true)]
pub(super) struct Alone {
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
    /// taken. With `--emit`, the model has the requirements fulfilled.
    Resolve(Validate),
    /// Draw the topology of a service, also of one with problems
    Graph(Graph),
    /// Write in which order a service is deployed and undeployed, with the operations that are called
    ///
    /// Steps of one stage can be taken in parallel. With `--from`, the plan is what makes the service of an older
    /// template this one.
    Plan(Plan),
    /// Make a form for the inputs of a service: a JSON Schema, or a page
    Form(Form),
    /// Write what is different between the services of two templates
    Diff(Diff),
    /// Format files: indentation, spaces, quotes
    ///
    /// Data, comments, blank lines, anchors, line endings and line breaks are kept. A file that is not valid YAML is
    /// reported and not changed. The comments `# fmt: off`, `# fmt: on` and `# fmt: skip` exclude lines. The style is set by
    /// `format` in the configuration.
    Fmt(Fmt),
    /// Write files anew in a later version of TOSCA
    ///
    /// The files must be valid. Comments and layout stay, and what the later version can't say is told.
    Migrate(Migrate),
    /// Evaluate Yay: show all of it, a part, or an expression
    ///
    /// Several files are layers: what is later is put over what is earlier.
    #[command(subcommand)]
    Yay(Yay),
    /// Explain a kind of problem, with examples
    Explain(Explain),
    /// List all kinds of problems
    Rules(Rules),
    /// List the quirks, which let pass what is common and not allowed
    Quirks(Listed),
    /// Pack, check, list and unpack archives of templates (CSAR)
    #[command(subcommand)]
    Csar(Csar),
    /// List the profiles that can be imported by name, or show one
    Profiles(Profiles),
    /// List the limits on what is read, with what they are if nothing else is said
    Limits(Listed),
    /// Show what can be written in a template: which keynames entities have, and what stands below them
    Reference(Reference),
    /// Show what the configuration says
    #[command(subcommand)]
    Config(Config),
    /// Write the JSON Schema of models, of problems, of configurations, or of templates, for editors
    Schema {
        /// What the schema is of
        #[arg(value_enum, default_value_t)]
        of: Schema,
    },
    /// Serve an editor: problems, completion and more while templates are written
    ///
    /// The editor starts it and talks to it over the standard input and output, as the Language Server Protocol says.
    Server(Server),
    /// Check packages of Murano, load and write object models, call methods, make schemas
    #[command(subcommand)]
    Murano(Murano),
    /// Evaluate a YAQL expression
    Yaql(Yaql),
    /// Write a script with which a shell completes arguments
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the manual page, or that of a command
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
    /// Codes (T1201) or names (unknown-keyname) of rules, those of the project included; the beginning of a name (unknown)
    /// lists the rules that have it
    #[arg(value_name = "RULE", required = true, value_parser = explained)]
    pub(super) rules: Vec<Meant>,
    #[command(flatten)]
    pub(super) listed: Listed,
    #[command(flatten)]
    pub(super) appearance: Appearance,
}

#[derive(Debug, Args)]
pub(super) struct Reference {
    /// What to show, such as `node type`; without it, what there is
    #[arg(value_name = "ENTITY")]
    pub(super) entity: Vec<String>,
    /// The version of TOSCA
    #[arg(long = "in", value_name = "VERSION", value_parser = versions(), default_value = latest_version())]
    pub(super) version: LanguageVersion,
    #[command(flatten)]
    pub(super) appearance: Appearance,
}

/// The versions of the main language, by number.
fn versions() -> impl TypedValueParser<Value = LanguageVersion> {
    let numbers = || languages().version_numbers();
    PossibleValuesParser::new(numbers())
        .map(move |word| LanguageVersion(numbers().iter().position(|number| *number == word).unwrap_or_default() as u8))
}

/// The latest version of the main language.
fn latest_version() -> &'static str {
    languages().version_numbers().last().copied().unwrap_or_default()
}

/// The rules that an argument names.
#[derive(Clone, Debug)]
pub(super) enum Meant {
    One(Explained),
    /// Rules whose names have a common beginning.
    Several(Vec<Explained>),
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
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Problems")]
    pub(super) format: Format,
    /// Report errors only
    #[arg(long, short, help_heading = "Problems")]
    pub(super) quiet: bool,
    #[command(flatten)]
    pub(super) appearance: Appearance,
}

#[derive(Debug, Args)]
pub(super) struct Appearance {
    /// Whether to use colour
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
            let outputs = [Schema::Model, Schema::Problems, Schema::Plan, Schema::Differences];
            outputs.into_iter().chain(templates).chain([Schema::Config]).collect()
        });
        &VARIANTS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            Self::Model => ("model".to_owned(), "What `--emit` writes".to_owned()),
            Self::Problems => ("problems".to_owned(), "What `--format json` writes".to_owned()),
            Self::Plan => ("plan".to_owned(), "What `tosca-parse plan --format json` writes".to_owned()),
            Self::Differences => ("differences".to_owned(), "What `tosca-parse diff --format json` writes".to_owned()),
            Self::Templates(language, version) => {
                let title = language.version_title(*version);
                (title.to_lowercase().replace(' ', "-"), format!("Templates of {title}"))
            }
            Self::Config => ("config".to_owned(), "`tosca-parse.yaml`, and the configuration of the user".to_owned()),
        };
        Some(PossibleValue::new(name).help(help))
    }
}

#[derive(Debug, Subcommand)]
pub(super) enum Config {
    /// Show what holds for a file, and which configuration says so
    Show {
        /// The file
        file: PathBuf,
        #[command(flatten)]
        access: Access,
    },
}

/// The rules that are meant, among those that are built in and those of the current configuration.
fn explained(argument: &str) -> Result<Meant, String> {
    let settings = super::config::Settings::of(&Access::default(), &super::config::here()).unwrap_or_default();
    settings.rule(argument).map(Meant::One).or_else(|unknown| {
        let own = settings.own_rules().into_iter().map(|own| &own.explained);
        let known = languages().rules().iter().chain(own);
        let found: Vec<Explained> = known.filter(|known| known.rule.name.starts_with(argument)).cloned().collect();
        if found.is_empty() { Err(unknown.to_string()) } else { Ok(Meant::Several(found)) }
    })
}

/// The path of an output. It used to be the kind of it, which would silently become the name of a file.
fn output(argument: &str) -> Result<PathBuf, String> {
    match argument {
        "json" | "yaml" => Err(format!("it must be a path; to write a model, use `--emit {argument}`")),
        path => Ok(path.into()),
    }
}

/// The reason that a comment gives, which must not go on after the comment.
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
