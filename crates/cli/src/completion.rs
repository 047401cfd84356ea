//! Completion of arguments in shells.
//!
//! A script, which `tosca-parse completions SHELL` writes, runs the command with the words of the line whenever the user
//! asks for completions. Thus rules, quirks, limits, entities, profiles and inputs can be offered too.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::sync::OnceLock;

use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter as _};
use clap_complete::env::{CompleteEnv, Shells};

use super::ExitStatus;
use super::args::{Cli, SourceArgs};
use super::config;
use super::parsers::accessing;
use super::streams::Streams;
use tosca_parse::Entry;
use tosca_parse::entity::LanguageVersion;
use tosca_parse::form::Form;
use tosca_parse::source::Address;
use tosca_parse_config::{Settings, here, languages};

/// The environment variable with which scripts ask for completions. Its value is the shell.
const VARIABLE: &str = "TOSCA_PARSE_COMPLETE";

/// The names of values that are paths, or addresses in their place.
const PATHS: [&str; 9] = ["FILE", "FOLDER", "PATH", "SOURCE", "ARCHIVE", "INDEX", "PACKAGE", "OLD", "NEW"];

/// Whether the script that asks for completions is that of bash.
static IS_BASH: OnceLock<bool> = OnceLock::new();

/// Answers a script that asks for completions; `None` if none asks.
pub(super) fn answer(arguments: &[OsString]) -> Option<ExitStatus> {
    let directory = std::env::current_dir().ok();
    // The variable is removed before candidates are collected.
    IS_BASH.get_or_init(|| std::env::var_os(VARIABLE).is_some_and(|shell| shell == "bash"));
    let environment = CompleteEnv::with_factory(|| with_paths(Cli::command())).var(VARIABLE);
    match environment.try_complete(arguments, directory.as_deref()) {
        Ok(false) => None,
        Ok(true) => Some(ExitStatus::Valid),
        Err(error) => {
            let _ = error.print();
            Some(ExitStatus::Misused)
        }
    }
}

/// Returns a command that completes paths for all arguments that are files, folders or addresses.
fn with_paths(command: Command) -> Command {
    let is_path = |arg: &Arg| {
        let names = arg.get_value_names().unwrap_or_default();
        names.iter().any(|name| PATHS.contains(&name.as_str())) && arg.get::<ArgValueCompleter>().is_none()
    };
    let command = command.mut_args(|arg| if is_path(&arg) { arg.add(paths()) } else { arg });
    command.mut_subcommands(with_paths)
}

/// Completes files and folders.
fn paths() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        if !is_bash() {
            return PathCompleter::any().complete(current);
        }
        let Some(current) = current.to_str() else { return Vec::new() };
        let found = PathCompleter::any().complete(OsStr::new(&unquoted(current)));
        let found = found.iter().filter_map(|found| Some((found.get_value().to_str()?, found.is_hide_set())));
        found.map(|(path, is_hidden)| CompletionCandidate::new(quoted(path)).hide(is_hidden)).collect()
    })
}

/// Writes the script for a shell.
pub(super) fn write_script(shell: Shell, streams: &mut Streams) -> io::Result<ExitStatus> {
    const NAME: &str = "tosca-parse";
    let shells = Shells::builtins();
    let shell = shells.completer(&shell.to_string()).ok_or_else(|| io::Error::other("the shell is not supported"))?;
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, NAME, NAME, NAME, &mut script)?;
    streams.rendered_out().write_all(&script)?;
    Ok(ExitStatus::Valid)
}

/// Completes rules by code or name.
pub(super) fn rules() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let rules = languages().rules().iter().map(|docs| docs.rule);
        let codes = rules.clone().filter(|rule| rule.has_code()).map(|rule| (rule.code, rule.summary));
        let names = rules.map(|rule| (rule.name, rule.summary));
        // Nobody types the code of a rule whose name they remember, so codes are offered only if one is begun.
        let begins_code = current.as_encoded_bytes().first().is_some_and(u8::is_ascii_uppercase);
        if begins_code { candidates(current, codes) } else { candidates(current, names) }
    })
}

/// Completes queries of an index.
#[cfg(feature = "tables")]
pub(super) fn queries() -> ArgValueCompleter {
    let queries = || tosca_parse_tables::QUERIES.iter().map(|query| (query.name, query.summary));
    ArgValueCompleter::new(move |current: &OsStr| candidates(current, queries()))
}

/// Completes quirks and sets of quirks.
pub(super) fn quirks() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let of_languages = languages().iter().flat_map(|language| {
            let quirks = language.quirks.iter().map(|known| (known.quirk.name(), known.summary));
            quirks.chain(language.quirk_sets.iter().map(|set| (set.name, "a set of quirks")))
        });
        candidates(current, of_languages)
    })
}

/// Completes limits, up to the equals sign.
pub(super) fn limits() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        candidates(
            current,
            tosca_parse_config::limits().iter().map(|known| (format!("{}=", known.name), known.summary)),
        )
    })
}

/// Completes entities of the latest version of the main language.
pub(super) fn entities() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let language = languages().main();
        let latest = LanguageVersion(language.versions.len().saturating_sub(1) as u8);
        let entities = tosca_parse::reference_docs::entities(language, latest);
        candidates(current, entities.iter().map(|entity| (entity.title, tosca_parse::reference_docs::summary(entity))))
    })
}

/// Completes the profiles that can be imported by name.
pub(super) fn profiles() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let access = SourceArgs { offline: true, ..SourceArgs::default() };
        let settings = config::of(&access, &here()).unwrap_or_default();
        let Ok(parser) = accessing(&access, &settings, &[]).build() else { return Vec::new() };
        let (found, _) = parser.profiles();
        candidates(current, found.iter().map(|(name, _)| (&**name, "")))
    })
}

/// Completes the inputs of the first file on the line, up to the equals sign.
pub(super) fn inputs() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let form = std::env::args_os().skip_while(|word| word != "--").skip(2).find_map(|word| form(Path::new(&word)));
        let properties = form.as_ref().and_then(|form| form.schema.get("properties")?.as_object());
        let inputs = properties.into_iter().flatten().map(|(name, schema)| {
            let description = schema.get("description").and_then(|description| description.as_str());
            (format!("{name}="), description.unwrap_or_default())
        });
        candidates(current, inputs)
    })
}

/// Returns the form for the inputs of a file, without access to the network and to files outside its folder.
fn form(file: &Path) -> Option<Form> {
    if !file.is_file() {
        return None;
    }
    let access = SourceArgs { offline: true, ..SourceArgs::default() };
    let parser = accessing(&access, &Settings::default(), &[]).sandbox(true).build().ok()?;
    let outcome = parser.parse_entry(Entry::at(Address::from_path(file, &std::env::current_dir().ok()?)));
    tosca_parse::form::of_entry(&outcome.program)
}

fn is_bash() -> bool {
    IS_BASH.get().is_some_and(|is_bash| *is_bash)
}

/// Returns a word as it is typed in bash.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-+=.,:/@%".contains(letter);
    // The home folder is not quoted.
    let home = usize::from(word.starts_with("~/"));
    word.char_indices().fold(String::with_capacity(word.len()), |mut text, (at, letter)| {
        if !is_plain(letter) && at >= home {
            text.push('\\');
        }
        text.push(letter);
        text
    })
}

/// Returns a word as bash reads it, if backslashes quote it.
fn unquoted(word: &str) -> String {
    let mut letters = word.chars();
    let next = || match letters.next()? {
        '\\' => letters.next(),
        letter => Some(letter),
    };
    std::iter::from_fn(next).collect()
}

/// Returns the candidates that begin with the current word.
fn candidates<N: AsRef<str>, H: Into<String>>(
    current: &OsStr,
    all: impl Iterator<Item = (N, H)>,
) -> Vec<CompletionCandidate> {
    let current = current.to_string_lossy();
    // Other shells quote candidates themselves.
    all.map(|(name, help)| (if is_bash() { quoted(name.as_ref()) } else { name.as_ref().to_owned() }, help))
        .filter(|(name, _)| name.starts_with(&*current))
        .map(|(name, help)| {
            let help = help.into();
            CompletionCandidate::new(name).help((!help.is_empty()).then(|| help.into()))
        })
        .collect()
}
