//! The arguments of validation, and what they say of rules together.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, ValueEnum};

use super::super::baseline;
use super::sources::Reading;
use super::which::{Which, warned, which};
use super::{Appearance, output, reason};
use tosca_parse::Phase;
use tosca_parse::diagnostic::Override;
use tosca_parse::rules;

#[derive(Debug, Args)]
pub(crate) struct Validate {
    /// Service templates, profiles, archives, packages of Murano: paths or URLs, or `-` for the standard input; or
    /// folders, in which all of these are looked for
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<OsString>,

    /// Write the complete model of each valid service; several models are one list
    #[arg(long, value_name = "FORMAT", conflicts_with_all = ["dump", "stop_after"], help_heading = "Models")]
    pub(crate) emit: Option<Emit>,
    /// Indent JSON; the default on a terminal
    #[arg(long, requires = "emit", help_heading = "Models")]
    pub(crate) pretty: bool,
    /// Write to a file instead of the standard output
    #[arg(long, short, value_name = "PATH", value_parser = output, help_heading = "Models")]
    pub(crate) output: Option<PathBuf>,
    /// Write with the model where everything stands
    #[arg(long, requires = "emit", help_heading = "Models")]
    pub(crate) positions: bool,
    /// Compute everything in the model that is known before deployment
    #[arg(long, requires = "emit", help_heading = "Models")]
    pub(crate) evaluate: bool,
    /// How problems are shown
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Problems")]
    pub(crate) format: Format,
    /// Write problems to a file
    #[arg(long, value_name = "PATH", help_heading = "Problems")]
    pub(crate) output_file: Option<PathBuf>,
    /// Show how many problems of which rules there are, instead of the problems
    #[arg(long, help_heading = "Problems")]
    pub(crate) statistics: bool,
    /// What makes the exit code 1: errors alone, or warnings too
    #[arg(long, value_name = "SEVERITY", value_enum, default_value_t, help_heading = "Problems")]
    pub(crate) fail_on: FailOn,
    /// Make the changes that problems name, if it is certain what is meant; then show what is left
    #[arg(long, help_heading = "Changes")]
    pub(crate) fix: bool,
    /// Make those changes too that should be looked at
    #[arg(long, help_heading = "Changes")]
    pub(crate) unsafe_fixes: bool,
    /// Show what --fix would change, and change nothing; exit with 1 if there is something
    #[arg(long, help_heading = "Changes")]
    pub(crate) diff: bool,
    /// Exempt every line that has a problem by a comment, which may give a reason; then show what is left
    #[arg(
        long,
        value_name = "REASON",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        value_parser = reason,
        conflicts_with_all = ["fix", "unsafe_fixes"],
        help_heading = "Changes"
    )]
    pub(crate) add_ignore: Option<String>,
    /// Report only what is not in a baseline, and what in it is settled
    #[arg(long, value_name = "FILE", help_heading = "Problems")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write a baseline of all problems that there are, and exit with 0
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = baseline::NAME,
        conflicts_with = "baseline",
        help_heading = "Problems"
    )]
    pub(crate) write_baseline: Option<PathBuf>,
    /// Remove from the baseline what is settled
    #[arg(long, conflicts_with = "write_baseline", help_heading = "Problems")]
    pub(crate) prune_baseline: bool,
    /// Exit with 0 even if there are errors
    #[arg(long, conflicts_with = "fail_on", help_heading = "Problems")]
    pub(crate) exit_zero: bool,
    /// Make errors of inputs that are required and have no value: this is what is going to be deployed
    #[arg(long, help_heading = "Problems")]
    pub(crate) complete: bool,
    /// Make errors of warnings about the letter of the standard
    #[arg(long, help_heading = "Problems")]
    pub(crate) strict: bool,
    /// Don't report problems of rules, given by their codes or names; `warnings` stands for all warnings
    #[arg(long, value_name = "RULE", value_parser = which, value_delimiter = ',', help_heading = "Problems")]
    pub(crate) allow: Vec<Which>,
    /// Report problems of rules as warnings; `lints` stands for all that is not reported otherwise
    #[arg(long, value_name = "RULE", value_parser = warned, value_delimiter = ',', help_heading = "Problems")]
    pub(crate) warn: Vec<Which>,
    /// Report problems of rules as errors; of several wishes about a rule, the last one counts
    #[arg(long, value_name = "RULE", value_parser = which, value_delimiter = ',', help_heading = "Problems")]
    pub(crate) deny: Vec<Which>,
    /// Show errors only
    #[arg(long, short, help_heading = "Problems")]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) appearance: Appearance,

    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Leave out what the configuration excludes, also when it is named
    #[arg(long, help_heading = "Sources")]
    pub(crate) force_exclude: bool,
    /// Leave out files that don't say a version of TOSCA, also when they are named
    #[arg(long, help_heading = "Sources")]
    pub(crate) skip_unversioned: bool,

    /// Validate again whenever a file changes that has been read
    #[arg(
        long,
        conflicts_with_all = ["fix", "unsafe_fixes", "diff", "add_ignore", "write_baseline", "prune_baseline", "output"],
        help_heading = "Problems"
    )]
    pub(crate) watch: bool,

    /// Stop after a phase
    #[arg(long, value_name = "PHASE", value_parser = phases(), help_heading = "Phases")]
    pub(crate) stop_after: Option<Phase>,
    /// Show what the last phase has made
    #[arg(long, help_heading = "Phases")]
    pub(crate) dump: bool,
    /// Tell how long each phase took
    #[arg(long, short, help_heading = "Phases")]
    pub(crate) verbose: bool,
    /// How many threads to use
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Phases")]
    pub(crate) jobs: Option<u16>,
}

/// How a model is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// JSON
    Json,
    /// YAML
    Yaml,
}

/// How problems are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// With the lines of the source
    #[default]
    Full,
    /// One line each
    Concise,
    /// One JSON document on the standard output
    Json,
    /// One JSON document in a line for each problem
    Jsonl,
    /// SARIF 2.1.0
    Sarif,
    /// Commands of a GitHub workflow, which become annotations
    Github,
    /// A report of code quality for GitLab
    Gitlab,
    /// Results of tests in XML, which most build servers show
    Junit,
    /// A Checkstyle report in XML
    Checkstyle,
    /// Commands of an Azure pipeline, which become issues
    Azure,
    /// One JSON document for reviewdog
    Rdjson,
    /// Generic issues for `SonarQube` 10.3 and later
    Sonarqube,
}

/// What makes the exit code 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Errors
    #[default]
    Error,
    /// Errors and warnings
    Warning,
}

pub(super) fn phases() -> impl TypedValueParser<Value = Phase> {
    let named = |name: String| Phase::ALL.into_iter().find(|phase| phase.name() == name).unwrap_or(Phase::Rendering);
    PossibleValuesParser::new(Phase::ALL.map(Phase::name)).map(named)
}

/// What the arguments say of rules.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wishes {
    pub(crate) strict: bool,
    /// What is wanted, in the order of the arguments.
    pub(crate) rules: Vec<(Which, Override)>,
}

/// What the user wants of rules, in the order of the arguments.
pub(crate) fn wishes(validate: &Validate, matches: &ArgMatches) -> Wishes {
    let places = |id| matches.indices_of(id).into_iter().flatten();
    let allowed = places("allow").zip(validate.allow.iter().map(|which| (which.clone(), Override::Allow)));
    let warned = places("warn").zip(validate.warn.iter().map(|which| (which.clone(), Override::Warn)));
    let denied = places("deny").zip(validate.deny.iter().map(|which| (which.clone(), Override::Deny)));
    let mut wished: Vec<_> = allowed.chain(warned).chain(denied).collect();
    wished.sort_unstable_by_key(|(place, _)| *place);
    let complete = validate.complete.then_some((Which::One(&rules::MISSING_INPUT), Override::Deny));
    let rules = complete.into_iter().chain(wished.into_iter().map(|(_, wish)| wish));
    Wishes { strict: validate.strict, rules: rules.collect() }
}
