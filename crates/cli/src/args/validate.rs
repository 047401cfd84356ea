//! The arguments of validation and their rule settings.

use std::ffi::OsString;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, ValueEnum};

use super::super::{baseline, completion};
use super::sources::ReadArgs;
use super::{Appearance, output, reason};
use tosca_parse::Phase;
use tosca_parse::diagnostic::Override;
use tosca_parse::rules;
pub(crate) use tosca_parse_config::{FailOn, Format, RuleOverrides, RuleSelector};
use tosca_parse_config::{Settings, warned, which};

#[derive(Debug, Args)]
pub(crate) struct Validate {
    /// Service templates, profiles, archives or Murano packages: paths or URLs, `-` for standard input, or folders that
    /// are searched for them
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<OsString>,

    /// Write the complete model of each valid service; several models form a JSON list, lines, or separate YAML documents
    #[arg(long, value_name = "FORMAT", conflicts_with_all = ["dump", "stop_after"], help_heading = "Models")]
    pub(crate) emit: Option<Emit>,
    /// Indent JSON; the default on a terminal
    #[arg(long, requires = "emit", help_heading = "Models")]
    pub(crate) pretty: bool,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "PATH", value_parser = output, help_heading = "Models")]
    pub(crate) output: Option<PathBuf>,
    /// Include source positions in the model
    #[arg(long, requires = "emit", help_heading = "Models")]
    pub(crate) positions: bool,
    /// Compute all values that are known before deployment
    #[arg(long, requires = "emit", help_heading = "Models")]
    pub(crate) evaluate: bool,
    /// The format of problems
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Problems")]
    pub(crate) format: Format,
    /// Write problems to a file
    #[arg(long, value_name = "PATH", help_heading = "Problems")]
    pub(crate) output_file: Option<PathBuf>,
    /// Show at most N problems with the same message, or all with 0; by default, 3 in folders and all in files
    #[arg(long, value_name = "N", help_heading = "Problems")]
    pub(crate) max_same: Option<usize>,
    /// Show the number of problems per rule instead of the problems
    #[arg(long, help_heading = "Problems")]
    pub(crate) statistics: bool,
    /// The lowest severity for which the exit code is 1
    #[arg(long, value_name = "SEVERITY", value_enum, default_value_t, help_heading = "Problems")]
    pub(crate) fail_on: FailOn,
    /// Apply safe fixes, then report the remaining problems
    #[arg(long, help_heading = "Changes")]
    pub(crate) fix: bool,
    /// Also apply fixes that need review
    #[arg(long, help_heading = "Changes")]
    pub(crate) unsafe_fixes: bool,
    /// Show the changes of --fix without applying them; exit with 1 if there are any
    #[arg(long, help_heading = "Changes")]
    pub(crate) diff: bool,
    /// Add an ignore comment to every line with a problem, with an optional reason; then report the remaining problems
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
    /// Report only problems that are not in the baseline, and baseline entries that are fixed
    #[arg(long, value_name = "FILE", help_heading = "Problems")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write a baseline of all current problems and exit with 0
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
    /// Remove fixed problems from the baseline
    #[arg(long, conflicts_with = "write_baseline", help_heading = "Problems")]
    pub(crate) prune_baseline: bool,
    /// Exit with 0 even if there are errors
    #[arg(long, conflicts_with = "fail_on", help_heading = "Problems")]
    pub(crate) exit_zero: bool,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// Report errors only
    #[arg(long, short, help_heading = "Problems")]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) appearance: Appearance,

    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    /// Omit files that the configuration excludes, even if they are named
    #[arg(long, help_heading = "Sources")]
    pub(crate) force_exclude: bool,
    /// Omit files that no supported language recognizes, even if they are named
    #[arg(long, help_heading = "Sources")]
    pub(crate) skip_unversioned: bool,

    /// Keep the results of files in a folder, and parse only the files that have changed, or whose imports have changed
    #[arg(long, value_name = "FOLDER", help_heading = "Sources")]
    pub(crate) cache_results: Option<PathBuf>,

    /// Validate again whenever one of the files changes
    #[arg(
        long,
        conflicts_with_all = ["fix", "unsafe_fixes", "diff", "add_ignore", "write_baseline", "prune_baseline", "output"],
        help_heading = "Problems"
    )]
    pub(crate) watch: bool,

    /// Stop after a phase: `read` (files and imports), `namespaces` (names), `hierarchies` (derivation of types),
    /// `inheritance` (completed types) or `rendering` (service templates)
    #[arg(long, value_name = "PHASE", value_parser = phases(), help_heading = "Phases")]
    pub(crate) stop_after: Option<Phase>,
    /// Show the result of the last phase
    #[arg(long, help_heading = "Phases")]
    pub(crate) dump: bool,
    /// List the valid files of folders, too, and show the duration of each phase
    #[arg(long, short, help_heading = "Phases")]
    pub(crate) verbose: bool,
    /// The number of threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Phases")]
    pub(crate) jobs: Option<u16>,
}

/// The format of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// JSON
    Json,
    /// One JSON document per model, each on its own line
    Jsonl,
    /// YAML
    Yaml,
    /// Clout 1.0, the output format of Puccini, as JSON
    Clout,
}

impl Validate {
    /// Sets the options that are not given as arguments to the values of environment variables and of the configuration.
    ///
    /// # Errors
    ///
    /// Returns an error, as one line for the user, if a variable has an invalid value.
    pub(crate) fn set_defaults(&mut self, matches: &ArgMatches, settings: &Settings) -> Result<(), String> {
        let is_given =
            |id| matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine);
        if !is_given("format") {
            self.format = variable("FORMAT", word)?.or(settings.problem_format()).unwrap_or_default();
        }
        if !is_given("fail_on") {
            self.fail_on = variable("FAIL_ON", word)?.or(settings.fail_on()).unwrap_or_default();
        }
        if !is_given("jobs") {
            let number = |text: &str| text.parse().map_err(|_| "a number from 1 to 65535".to_owned());
            let number = variable("JOBS", number)?.or(settings.jobs());
            self.jobs = number.map(NonZero::get);
        }
        if !is_given("cache_results") {
            let folder = variable("CACHE_RESULTS", |text| Ok(PathBuf::from(text)))?;
            self.cache_results = folder.or_else(|| settings.cache_results());
        }
        Ok(())
    }
}

/// Returns the value of an environment variable, if it is set.
fn variable<T>(name: &str, parse: impl Fn(&str) -> Result<T, String>) -> Result<Option<T>, String> {
    let name = format!("TOSCA_PARSE_{name}");
    let value = std::env::var_os(&name).filter(|value| !value.is_empty());
    let parse = |value: OsString| {
        let text = value.to_string_lossy();
        parse(&text).map_err(|expected| format!("{name}: `{text}` is not {expected}"))
    };
    value.map(parse).transpose()
}

/// Parses the word for a variant.
fn word<T: ValueEnum>(text: &str) -> Result<T, String> {
    T::from_str(text, false).map_err(|_| {
        let values = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let words: Vec<String> = values.map(|value| format!("`{}`", value.get_name())).collect();
        format!("one of {}", words.join(", "))
    })
}

/// Parses a format that is text.
pub(super) fn text_formats() -> impl TypedValueParser<Value = Format> {
    let texts = Format::value_variants().iter().filter(|format| !format.is_table());
    let known = PossibleValuesParser::new(texts.filter_map(ValueEnum::to_possible_value));
    known.map(|word| Format::from_str(&word, false).unwrap_or_default())
}

pub(super) fn phases() -> impl TypedValueParser<Value = Phase> {
    let named = |name: String| Phase::ALL.into_iter().find(|phase| phase.name() == name).unwrap_or(Phase::Rendering);
    PossibleValuesParser::new(Phase::ALL.map(Phase::name)).map(named)
}

/// The arguments that set the levels of rules.
#[derive(Debug, Default, Args)]
pub(crate) struct RuleArgs {
    /// Report required inputs without a value as errors, as before a deployment
    #[arg(long, help_heading = "Problems")]
    complete: bool,
    /// Report deviations from the standard as errors instead of warnings
    #[arg(long, help_heading = "Problems")]
    strict: bool,
    /// Don't report problems of these rules, given by code or name; `warnings` and `lints` mean all warnings and all
    /// lints
    #[arg(long, value_name = "RULE", value_parser = which, add = completion::rules(), value_delimiter = ',', help_heading = "Problems")]
    allow: Vec<RuleSelector>,
    /// Report problems of these rules as warnings; `lints` means all lints
    #[arg(long, value_name = "RULE", value_parser = warned, add = completion::rules(), value_delimiter = ',', help_heading = "Problems")]
    warn: Vec<RuleSelector>,
    /// Report problems of these rules as errors; `warnings` and `lints` are allowed too, and the last setting for a
    /// rule wins
    #[arg(long, value_name = "RULE", value_parser = which, add = completion::rules(), value_delimiter = ',', help_heading = "Problems")]
    deny: Vec<RuleSelector>,
}

impl RuleArgs {
    /// Returns the rule settings, in the order of the arguments.
    pub(crate) fn overrides(&self, matches: &ArgMatches) -> RuleOverrides {
        let places = |id| matches.indices_of(id).into_iter().flatten();
        let allowed = places("allow").zip(self.allow.iter().map(|which| (which.clone(), Override::Allow)));
        let warned = places("warn").zip(self.warn.iter().map(|which| (which.clone(), Override::Warn)));
        let denied = places("deny").zip(self.deny.iter().map(|which| (which.clone(), Override::Deny)));
        let mut wished: Vec<_> = allowed.chain(warned).chain(denied).collect();
        wished.sort_unstable_by_key(|(place, _)| *place);
        let complete = self.complete.then_some((RuleSelector::One(&rules::MISSING_INPUT), Override::Deny));
        let rules = complete.into_iter().chain(wished.into_iter().map(|(_, wish)| wish));
        RuleOverrides { strict: self.strict, rules: rules.collect() }
    }
}

impl Validate {
    /// Returns the file for the problems. Without models, `--output` names it, too.
    pub(crate) fn problem_file(&self) -> Option<&Path> {
        let has_models = self.emit.is_some() || self.dump;
        self.output_file.as_deref().or_else(|| self.output.as_deref().filter(|_| !has_models))
    }
}
