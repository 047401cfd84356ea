//! The options of languages.

use std::ffi::OsString;

use clap::builder::{ArgAction, OsStringValueParser};
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};

use tosca_parse::entity::LanguageOption;
use tosca_parse_config::languages;

/// The values of language options, in the order of the options and the command line.
#[derive(Clone, Debug, Default)]
pub(crate) struct LanguageOptions(pub(crate) Vec<(&'static LanguageOption, OsString)>);

impl FromArgMatches for LanguageOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let values = languages().options().flat_map(|option| {
            let values = matches.get_many::<OsString>(option.name).into_iter().flatten();
            values.map(move |value| (option, value.clone()))
        });
        Ok(Self(values.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for LanguageOptions {
    fn augment_args(command: Command) -> Command {
        command.args(languages().options().map(|option| {
            Arg::new(option.name)
                .long(option.name)
                .short(option.short)
                .value_name(option.value.placeholder())
                .value_parser(OsStringValueParser::new())
                .action(if option.repeated { ArgAction::Append } else { ArgAction::Set })
                .help(option.help)
                .help_heading("Sources")
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
