//! The command, for any list of languages.
//!
//! [`run`] is the whole command. Problems are written to standard output, unless it carries another result, such as a
//! model or a diagram. They are then written to standard error, so that the result can be piped.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     tosca_parse_cli::run(&[&tosca_parse::TOSCA], std::env::args_os())
//! }
//! ```

mod args;
mod argv;
mod baseline;
mod columns;
mod completion;
mod config;
mod csar;
mod dirs;
mod doc;
mod dump;
mod entries;
mod fix;
mod fmt;
mod folder;
mod form;
mod graph;
#[cfg(feature = "tables")]
mod index;
mod limits;
mod migrate;
mod murano;
mod new;
mod objects;
mod ordered_parallel;
mod output;
mod overview;
mod parsers;
mod plan;
#[cfg(feature = "tables")]
mod problem_table;
mod problems;
mod profiles;
mod progress;
#[cfg(feature = "tables")]
mod query;
mod reference;
mod report;
mod result_cache;
mod serve;
mod server;
mod streams;
mod test;
mod total_imports;
mod validate;
mod watch;
mod yaql;
mod yay;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches};

use args::Csar;
use args::{Cli, Command, Config, ValidateOnly};
use streams::Streams;
use tosca_parse::diagnostic::render::sanitize;
use tosca_parse::diagnostic::{Color, Diagnostic, Severity};
use tosca_parse::entity::Language;
use validate::Mode;

/// The exit status of the command, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ExitStatus {
    /// No errors.
    Valid,
    /// The only errors are named files, or sources on the network, that can't be read.
    Unavailable,
    /// There are errors, or the output could not be written.
    Invalid,
    /// Wrong usage of the command.
    Misused,
}

impl ExitStatus {
    /// Returns the status after a run with the given problems.
    fn of<'d>(problems: impl IntoIterator<Item = &'d Diagnostic>) -> Self {
        let errors = problems.into_iter().filter(|problem| problem.severity == Severity::Error);
        let status = |error: &Diagnostic| if error.is_unavailable() { Self::Unavailable } else { Self::Invalid };
        errors.map(status).max().unwrap_or(Self::Valid)
    }

    /// Returns the status after a run that has no result, possibly because of the given problems.
    fn of_failure<'d>(problems: impl IntoIterator<Item = &'d Diagnostic>) -> Self {
        let status = Self::of(problems);
        if status == Self::Valid { Self::Invalid } else { status }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(verdict: ExitStatus) -> Self {
        Self::from(match verdict {
            ExitStatus::Valid => 0,
            ExitStatus::Invalid => 1,
            ExitStatus::Misused => 2,
            ExitStatus::Unavailable => 3,
        })
    }
}

/// The reason why a command has no result, with its exit status.
struct Refusal {
    status: ExitStatus,
    message: String,
}

impl Refusal {
    /// Creates the reason for a command whose file can't be read.
    fn unavailable(message: String) -> Self {
        Self { status: ExitStatus::Unavailable, message }
    }

    /// Reports the reason, and returns the status.
    fn report(&self, streams: &mut Streams) -> io::Result<ExitStatus> {
        // Otherwise, a line break in a name could make part of the name look like a separate message.
        writeln!(streams.err(), "error: {}", sanitize(&self.message))?;
        Ok(self.status)
    }
}

impl From<String> for Refusal {
    /// Creates the reason for wrong usage.
    fn from(message: String) -> Self {
        Self { status: ExitStatus::Misused, message }
    }
}

/// Parses the arguments if they are only files and options, which is the usual case. This saves describing all commands
/// to the argument parser, which takes as long as validating a small file.
fn parse_without_commands(arguments: &[OsString]) -> Option<(Cli, ArgMatches)> {
    if !arguments.iter().skip(1).all(|argument| argv::is_no_command(argument)) {
        return None;
    }
    let matches = ValidateOnly::command().try_get_matches_from(arguments).ok()?;
    let ValidateOnly { validate } = ValidateOnly::from_arg_matches(&matches).ok()?;
    Some((Cli { command: None, validate }, matches))
}

fn parse(arguments: Vec<OsString>) -> clap::error::Result<(Cli, ArgMatches)> {
    let command = Cli::command().term_width(streams::width());
    let arguments = argv::in_order(&command, arguments);
    let matches = command.try_get_matches_from(arguments)?;
    Ok((Cli::from_arg_matches(&matches)?, matches))
}

/// Runs the command with the arguments of the process, starting with the program name.
///
/// The first language is used for files that no other language claims. Validation, fixes, baselines, configuration,
/// watching, reports, rules, reference pages, and the language server work for every language; models, diagrams, plans,
/// forms and migration work for each language that supports them; upgrade plans and archives are only available for
/// TOSCA.
///
/// The languages are set for the whole process: a second call uses the same ones.
///
/// # Panics
///
/// Panics if there is no language.
pub fn run(languages: &[&'static Language], arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    assert!(!languages.is_empty(), "the command needs a language");
    tosca_parse_config::Languages::set(languages);
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let Some(status) = completion::answer(&arguments) {
        return status.into();
    }
    if arguments.len() <= 1 {
        let mut streams = Streams::new();
        // A closed stream doesn't matter: there is nothing else to say.
        let _ = writeln!(streams.err(), "{}", args::SHORT_HELP);
        let _ = streams.finish();
        return ExitStatus::Misused.into();
    }
    let parsed = parse_without_commands(&arguments).map_or_else(|| parse(arguments), Ok);
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(mut error) => {
            argv::explain(&mut error, &Cli::command());
            // clap treats help and version as errors; both have exit code 0.
            let is_mistake = error.use_stderr();
            // It also reads fewer environment variables for color.
            let text = error.render();
            let is_colored = streams::is_colored(Color::Auto, is_mistake);
            let text = if is_colored { text.ansi().to_string() } else { text.to_string() };
            let mut streams = Streams::new();
            let _ = write!(streams.report(is_mistake), "{text}");
            let _ = streams.finish();
            return if is_mistake { ExitStatus::Misused } else { ExitStatus::Valid }.into();
        }
    };
    let mut streams = Streams::new();
    let result = match cli.command {
        None => validate::run(cli.validate, &matches, Mode::Validate, &mut streams),
        Some(Command::Validate(validate)) => {
            let matches = matches.subcommand_matches("validate").unwrap_or(&matches);
            validate::run(validate, matches, Mode::Validate, &mut streams)
        }
        Some(Command::Resolve(validate)) => {
            let matches = matches.subcommand_matches("resolve").unwrap_or(&matches);
            validate::run(validate, matches, Mode::Resolve, &mut streams)
        }
        Some(Command::Csar(Csar::Check(validate))) => {
            let matches = matches.subcommand_matches("csar").and_then(|csar| csar.subcommand_matches("check"));
            validate::run(*validate, matches.unwrap_or(&ArgMatches::default()), Mode::Verify, &mut streams)
        }
        Some(Command::Csar(csar)) => csar::run(&csar, &mut streams),
        Some(Command::Profiles(profiles)) => profiles::run(&profiles, &mut streams),
        Some(Command::Graph(graph)) => graph::run(&graph, &mut streams),
        Some(Command::Plan(plan)) => plan::run(&plan, &mut streams),
        Some(Command::Form(form)) => form::run(&form, &mut streams),
        Some(Command::Diff(diff)) => plan::diff(&diff, &mut streams),
        Some(Command::Doc(arguments)) => doc::run(&arguments, &mut streams),
        Some(Command::New(arguments)) => new::run(&arguments, &mut streams),
        Some(Command::Test(arguments)) => test::run(&arguments, &mut streams),
        Some(Command::Fmt(arguments)) => fmt::run(&arguments, &mut streams),
        Some(Command::Migrate(arguments)) => migrate::run(&arguments, &mut streams),
        #[cfg(feature = "tables")]
        Some(Command::Index(arguments)) => index::run(&arguments, &mut streams),
        #[cfg(feature = "tables")]
        Some(Command::Query(arguments)) => query::run(&arguments, &mut streams),
        Some(Command::Yay(command)) => yay::run(&command, &mut streams),
        Some(Command::Explain(explain)) => reference::explain(&explain, &mut streams),
        Some(Command::Reference(asked)) => reference::reference(&asked, &mut streams),
        Some(Command::Rules(rules)) => reference::rules(&rules, &mut streams),
        Some(Command::Limits(listed)) => limits::list(listed, &mut streams),
        Some(Command::Quirks(listed)) => reference::quirks(listed, &mut streams),
        Some(Command::Config(Config::Show { file, access })) => config::show(&file, &access, &mut streams),
        Some(Command::Schema { of }) => reference::schema(of, &mut streams),
        Some(Command::Serve(arguments)) => self::serve::run(arguments, &mut streams),
        Some(Command::Server(arguments)) => {
            let matches = matches.subcommand_matches("server").unwrap_or(&matches);
            self::server::run(&arguments, &arguments.rules.overrides(matches), &mut streams)
        }
        Some(Command::Murano(command)) => murano::run(&command, &mut streams),
        Some(Command::Yaql(yaql)) => yaql::run(&yaql, &mut streams),
        Some(Command::Completions { shell }) => completion::write_script(shell, &mut streams),
        Some(Command::Man { command }) => reference::man(&command, &mut streams),
        Some(Command::Version { verbose }) => reference::version(verbose, &mut streams),
    };
    let result = result.and_then(|verdict| streams.finish().map(|()| verdict));
    result.unwrap_or_else(|error| failed(&error)).into()
}

/// Reports a failed write.
fn failed(error: &io::Error) -> ExitStatus {
    use std::io::Write;
    let _ = writeln!(io::stderr(), "error: can't write the output: {error}");
    ExitStatus::Invalid
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn split(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn nothing_depends_on_whether_commands_are_described() {
        for line in [
            "tosca-parse a.yaml",
            "tosca-parse --quiet ./a b.yaml",
            "tosca-parse -q -- ./graph -x.yaml",
            "tosca-parse --format=json --input=port=1.5 a.yaml",
            "tosca-parse a.yaml --import-path ../shared",
        ] {
            let (found, _) = parse_without_commands(&split(line)).unwrap();
            let (expected, _) = parse(split(line)).unwrap();
            assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{line}");
        }
    }

    #[test]
    fn what_may_be_a_command_or_is_wrong_is_told_by_all_that_is_known() {
        for line in ["tosca-parse", "tosca-parse --help", "tosca-parse -V", "tosca-parse --quite a.yaml"] {
            assert!(parse_without_commands(&split(line)).is_none(), "{line}");
        }
        for command in Cli::command().get_subcommands() {
            assert!(!argv::is_no_command(command.get_name().as_ref()), "{}", command.get_name());
        }
        assert!(parse_without_commands(&split("tosca-parse graph a.yaml")).is_none());
    }
}
