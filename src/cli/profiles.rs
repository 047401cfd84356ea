//! Listing profiles.

use std::io;

use super::Verdict;
use super::args::Profiles;
use super::streams::Streams;
use super::validate::{accessing, misused};

/// Lists the profiles that can be imported by name, with where they are.
pub(super) fn run(profiles: &Profiles, streams: &mut Streams) -> io::Result<Verdict> {
    let parser = match accessing(&profiles.access, &profiles.profile_path) {
        Ok(builder) => builder.build(),
        Err(message) => return misused(streams, &message),
    };
    let parser = match parser {
        Ok(parser) => parser,
        Err(error) => return misused(streams, &format!("can't start the threads: {error}")),
    };
    let (found, problems) = parser.profiles();
    let directory = std::env::current_dir().unwrap_or_default();
    let width = found.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, address) in &found {
        writeln!(streams.out(), "{name:width$}  {}", address.display_name(Some(&directory)))?;
    }
    for problem in &problems {
        writeln!(streams.err(), "error: {problem}")?;
    }
    Ok(if problems.is_empty() { Verdict::Valid } else { Verdict::Invalid })
}
