//! Lists and shows profiles.

use std::io::{self, IsTerminal, Write};

use super::args::{Profiles, ShowProfile};
use super::config;
use super::parsers::accessing;
use super::streams::Streams;
use super::validate::misused;
use super::{ExitStatus, columns};
use tosca_parse::Parser;
use tosca_parse::diagnostic::render::sanitize;
use tosca_parse::diagnostic::suggest::nearest;
use tosca_parse_config::here;

/// Lists the profiles that can be imported by name, or shows one of them.
pub(super) fn run(profiles: &Profiles, streams: &mut Streams) -> io::Result<ExitStatus> {
    let (name, places) = match &profiles.show {
        Some(ShowProfile::Show { name, places }) => (Some(name), places),
        None => (None, &profiles.places),
    };
    let parser = match config::of(&places.access, &here()) {
        Ok(settings) => {
            config::report(&settings, streams)?;
            accessing(&places.access, &settings, &places.profile_path).build()
        }
        Err(message) => return misused(streams, &message),
    };
    match (parser, name) {
        (Err(error), _) => misused(streams, &format!("can't start the threads: {error}")),
        (Ok(parser), Some(name)) => show(&parser, name, streams),
        (Ok(parser), None) => list(&parser, streams),
    }
}

/// Lists profiles with their locations.
fn list(parser: &Parser, streams: &mut Streams) -> io::Result<ExitStatus> {
    let (found, problems) = parser.profiles();
    let directory = std::env::current_dir().unwrap_or_default();
    let found: Vec<_> = found.iter().map(|(name, address)| (sanitize(name), address)).collect();
    let width = columns::width(found.iter().map(|(name, _)| &**name));
    for (name, address) in &found {
        let (padding, address) = (columns::padding(name, width), address.display_name(Some(&directory)));
        writeln!(streams.out(), "{name}{padding}  {address}")?;
    }
    for problem in &problems {
        writeln!(streams.err(), "error: {problem}")?;
    }
    Ok(if problems.is_empty() { ExitStatus::Valid } else { ExitStatus::Invalid })
}

/// Prints the source of a profile. Problems may point into it.
fn show(parser: &Parser, name: &str, streams: &mut Streams) -> io::Result<ExitStatus> {
    match parser.profile_text(name) {
        Ok(Some(text)) => {
            // In a pipe, the source must stay unchanged.
            let is_watched = io::stdout().is_terminal();
            let is_in_workflow = std::env::var_os("GITHUB_ACTIONS").is_some();
            if is_watched || is_in_workflow {
                streams.out().write_all(text.as_bytes())?;
            } else {
                streams.rendered_out().write_all(text.as_bytes())?;
            }
            Ok(ExitStatus::Valid)
        }
        Ok(None) => {
            let (found, _) = parser.profiles();
            let near = nearest(name, found.iter().map(|(name, _)| &**name));
            let help = near.map_or_else(
                || "; `tosca-parse profiles` lists the known ones".to_owned(),
                |near| format!("; did you mean `{near}`?"),
            );
            misused(streams, &format!("there is no profile `{name}`{help}"))
        }
        Err(error) => {
            writeln!(streams.err(), "error: {error}")?;
            Ok(ExitStatus::Invalid)
        }
    }
}
