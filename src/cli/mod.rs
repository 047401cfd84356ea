//! The command: arguments in, problems and models out.
//!
//! Nothing else in the library prints. Problems go to the standard error, since they are for the person at the
//! terminal; what was asked for (a model, a dump, an explanation) goes to the standard output, where it can be piped
//! on.

mod args;
mod config;
#[cfg(feature = "archive")]
mod csar;
mod dump;
mod folder;
mod graph;
mod limits;
mod overview;
mod places;
mod profiles;
mod progress;
mod reference;
mod streams;
mod validate;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

#[cfg(feature = "archive")]
use args::Csar;
use args::{Cli, Command};
use streams::Streams;
use validate::Mode;

/// What the command says with its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// There is no error.
    Valid,
    /// There are errors, or the output could not be written.
    Invalid,
    /// The command was not used as it must be.
    Misused,
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> Self {
        Self::from(match verdict {
            Verdict::Valid => 0,
            Verdict::Invalid => 1,
            Verdict::Misused => 2,
        })
    }
}

/// Runs the command with the arguments of the process, its own name first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let parsed = Cli::command().try_get_matches_from(arguments).and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches)?;
        Ok((cli, matches))
    });
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            // Help and the version are errors to clap too; both have the exit code 0.
            let _ = error.print();
            return if error.use_stderr() { Verdict::Misused } else { Verdict::Valid }.into();
        }
    };
    let mut streams = Streams::new();
    let result = match cli.command {
        None => validate::run(&cli.validate, &args::levels(&cli.validate, &matches), Mode::Validate, &mut streams),
        Some(Command::Validate(validate)) => {
            let matches = matches.subcommand_matches("validate").unwrap_or(&matches);
            validate::run(&validate, &args::levels(&validate, matches), Mode::Validate, &mut streams)
        }
        Some(Command::Resolve(validate)) => {
            let matches = matches.subcommand_matches("resolve").unwrap_or(&matches);
            validate::run(&validate, &args::levels(&validate, matches), Mode::Resolve, &mut streams)
        }
        #[cfg(feature = "archive")]
        Some(Command::Csar(Csar::Check(validate))) => {
            let matches = matches.subcommand_matches("csar").and_then(|csar| csar.subcommand_matches("check"));
            let levels = matches.map(|matches| args::levels(&validate, matches)).unwrap_or_default();
            validate::run(&validate, &levels, Mode::Verify, &mut streams)
        }
        #[cfg(feature = "archive")]
        Some(Command::Csar(csar)) => csar::run(&csar, &mut streams),
        Some(Command::Profiles(profiles)) => profiles::run(&profiles, &mut streams),
        Some(Command::Graph(graph)) => graph::run(&graph, &mut streams),
        Some(Command::Explain(explain)) => reference::explain(&explain, &mut streams),
        Some(Command::Rules(rules)) => reference::rules(&rules, &mut streams),
        Some(Command::Limits) => limits::list(&mut streams),
        Some(Command::Quirks) => reference::quirks(&mut streams),
        Some(Command::Schema { of }) => reference::schema(of, &mut streams),
        Some(Command::Completions { shell }) => reference::completions(shell, &mut streams),
        Some(Command::Man) => reference::man(&mut streams),
    };
    let result = result.and_then(|verdict| streams.finish().map(|()| verdict));
    result.unwrap_or_else(|error| failed(&error)).into()
}

/// Tells that something could not be written.
fn failed(error: &io::Error) -> Verdict {
    use std::io::Write;
    let _ = writeln!(io::stderr(), "error: can't write the output: {error}");
    Verdict::Invalid
}
