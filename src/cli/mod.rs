//! The command: arguments in, problems and models out.
//!
//! Nothing else in the library prints. Problems go to the standard error, since they are for the person at the
//! terminal; what was asked for (a model, a dump, an explanation) goes to the standard output, where it can be piped
//! on.

mod abreast;
mod args;
mod argv;
mod baseline;
mod config;
#[cfg(feature = "archive")]
mod csar;
mod dump;
mod fix;
mod folder;
mod form;
mod graph;
mod limits;
mod migrate;
#[cfg(feature = "murano")]
mod murano;
mod overview;
mod places;
mod plan;
mod profiles;
mod progress;
mod readers;
mod reference;
mod report;
#[cfg(feature = "server")]
mod server;
mod streams;
mod validate;
mod watch;
#[cfg(feature = "murano")]
mod yaql;
#[cfg(feature = "yay")]
mod yay;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

#[cfg(feature = "archive")]
use args::Csar;
use args::{Cli, Command, Config};
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
    let command = Cli::command();
    let arguments = argv::in_order(&command, arguments);
    let parsed = command.try_get_matches_from(arguments).and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches)?;
        Ok((cli, matches))
    });
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(mut error) => {
            argv::explain(&mut error, &Cli::command());
            // Help and the version are errors to clap too; both have the exit code 0.
            let _ = error.print();
            return if error.use_stderr() { Verdict::Misused } else { Verdict::Valid }.into();
        }
    };
    let mut streams = Streams::new();
    let result = match cli.command {
        None => validate::run(&cli.validate, &args::wishes(&cli.validate, &matches), Mode::Validate, &mut streams),
        Some(Command::Validate(validate)) => {
            let matches = matches.subcommand_matches("validate").unwrap_or(&matches);
            validate::run(&validate, &args::wishes(&validate, matches), Mode::Validate, &mut streams)
        }
        Some(Command::Resolve(validate)) => {
            let matches = matches.subcommand_matches("resolve").unwrap_or(&matches);
            validate::run(&validate, &args::wishes(&validate, matches), Mode::Resolve, &mut streams)
        }
        #[cfg(feature = "archive")]
        Some(Command::Csar(Csar::Check(validate))) => {
            let matches = matches.subcommand_matches("csar").and_then(|csar| csar.subcommand_matches("check"));
            let wishes = matches.map(|matches| args::wishes(&validate, matches)).unwrap_or_default();
            validate::run(&validate, &wishes, Mode::Verify, &mut streams)
        }
        #[cfg(feature = "archive")]
        Some(Command::Csar(csar)) => csar::run(&csar, &mut streams),
        Some(Command::Profiles(profiles)) => profiles::run(&profiles, &mut streams),
        Some(Command::Graph(graph)) => graph::run(&graph, &mut streams),
        Some(Command::Plan(plan)) => plan::run(&plan, &mut streams),
        Some(Command::Form(form)) => form::run(&form, &mut streams),
        Some(Command::Diff(diff)) => plan::diff(&diff, &mut streams),
        Some(Command::Migrate(arguments)) => migrate::run(&arguments, &mut streams),
        #[cfg(feature = "yay")]
        Some(Command::Yay(command)) => yay::run(&command, &mut streams),
        Some(Command::Explain(explain)) => reference::explain(&explain, &mut streams),
        Some(Command::Reference(asked)) => reference::reference(&asked, &mut streams),
        Some(Command::Rules(rules)) => reference::rules(&rules, &mut streams),
        Some(Command::Limits) => limits::list(&mut streams),
        Some(Command::Quirks) => reference::quirks(&mut streams),
        Some(Command::Config(Config::Show { file, access })) => config::show(&file, &access, &mut streams),
        Some(Command::Schema { of }) => reference::schema(of, &mut streams),
        #[cfg(feature = "server")]
        Some(Command::Server(arguments)) => self::server::run(&arguments, &mut streams),
        #[cfg(feature = "murano")]
        Some(Command::Murano(command)) => murano::run(&command, &mut streams),
        #[cfg(feature = "murano")]
        Some(Command::Yaql(yaql)) => yaql::run(&yaql, &mut streams),
        Some(Command::Completions { shell }) => reference::completions(shell, &mut streams),
        Some(Command::Man) => reference::man(&mut streams),
        Some(Command::Version) => reference::version(&mut streams),
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
