//! Normalizes the order of arguments before they are parsed.

use std::ffi::{OsStr, OsString};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use tosca_parse::diagnostic::suggest::{and_list, nearest};

/// Moves options from before a command to after it: `--quiet graph a.yaml` means `graph --quiet a.yaml`.
pub(super) fn in_order(command: &Command, arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if let Some(place) = first_word(command, &arguments)
        && command.find_subcommand(&arguments[place]).is_some()
    {
        arguments[1..=place].rotate_right(1);
    }
    arguments
}

/// Names the commands that have the unknown option, instead of suggesting an option with a similar name.
pub(super) fn explain(error: &mut clap::Error, command: &Command) {
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else { return };
    let Some(option) = argument.strip_prefix("--").map(|option| option.split('=').next().unwrap_or(option)) else {
        return;
    };
    let has = |command: &&Command| command.get_arguments().any(|arg| arg.get_long() == Some(option));
    if error.kind() != ErrorKind::UnknownArgument || !has(&command) {
        return;
    }
    let commands: Vec<&str> = command.get_subcommands().filter(has).map(Command::get_name).collect();
    let tip = format!("`--{option}` is an option of {}", and_list(&commands));
    error.remove(ContextKind::SuggestedArg);
    error.remove(ContextKind::SuggestedValue);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
}

/// Returns whether an argument can't be the name of a command because it is evidently a path or an option.
pub(super) fn is_no_command(argument: &OsStr) -> bool {
    let bytes = argument.as_encoded_bytes();
    bytes.first() == Some(&b'-') && bytes.len() > 1 || bytes.iter().any(|byte| matches!(byte, b'.' | b'/' | b'\\'))
}

/// Returns the first argument after the program name that is neither an option nor the value of one.
fn first_word(command: &Command, arguments: &[OsString]) -> Option<usize> {
    let mut place = 1;
    while let Some(argument) = arguments.get(place) {
        let text = argument.to_str().unwrap_or_default();
        match text.as_bytes() {
            b"--" => return None,
            [b'-', _, ..] => place += if wants_value(command, text) { 2 } else { 1 },
            _ => return Some(place),
        }
    }
    None
}

/// Returns whether an option takes the following argument as its value. Considers the options of all commands, because
/// commands may have different options.
fn wants_value(command: &Command, option: &str) -> bool {
    let takes_values = |arg: &Arg| arg.get_action().takes_values();
    let mut commands = std::iter::once(command).chain(command.get_subcommands());
    match option.strip_prefix("--") {
        Some(long) if long.contains('=') => false,
        Some(long) => commands.any(|command| {
            command.get_arguments().any(|arg| {
                let mut names = arg.get_long().into_iter().chain(arg.get_all_aliases().into_iter().flatten());
                takes_values(arg) && names.any(|name| name == long)
            })
        }),
        // In a group of short options, the last one may have a value.
        None => option.chars().last().is_some_and(|short| {
            commands
                .any(|command| command.get_arguments().any(|arg| takes_values(arg) && arg.get_short() == Some(short)))
        }),
    }
}

/// Returns the command that an argument probably means if it is not a file.
pub(super) fn meant<'c>(command: &'c Command, argument: &OsStr) -> Option<&'c str> {
    let word = argument.to_str().filter(|word| word.chars().all(|character| character.is_ascii_alphanumeric()))?;
    nearest(word, command.get_subcommands().map(Command::get_name))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::super::args::Cli;
    use super::*;

    fn ordered(line: &str) -> String {
        let arguments = line.split(' ').map(OsString::from);
        let ordered = in_order(&Cli::command(), arguments);
        ordered.join(OsStr::new(" ")).into_string().unwrap_or_default()
    }

    #[test]
    fn options_go_behind_the_command() {
        let lines = [
            ("tosca-parse a.yaml --quiet", "tosca-parse a.yaml --quiet"),
            ("tosca-parse --quiet graph a.yaml", "tosca-parse graph --quiet a.yaml"),
            ("tosca-parse --format dot graph a.yaml", "tosca-parse graph --format dot a.yaml"),
            ("tosca-parse -qo out validate a.yaml", "tosca-parse validate -qo out a.yaml"),
            ("tosca-parse --format=json resolve a.yaml", "tosca-parse resolve --format=json a.yaml"),
        ];
        for (typed, meant) in lines {
            assert_eq!(ordered(typed), meant);
        }
    }

    #[test]
    fn files_that_are_called_like_commands_stay() {
        for line in
            ["tosca-parse -- graph", "tosca-parse --output graph a.yaml", "tosca-parse --quiet ./graph", "tosca-parse"]
        {
            assert_eq!(ordered(line), line);
        }
    }

    #[test]
    fn a_misspelt_command_is_recognised() {
        let command = Cli::command();
        assert_eq!(meant(&command, OsStr::new("grpah")), Some("graph"));
        assert_eq!(meant(&command, OsStr::new("grpah.yaml")), None);
        assert_eq!(meant(&command, OsStr::new("shop")), None);
    }
}
