//! Listing profiles.

use std::io;

use super::Verdict;
use super::args::Profiles;
use super::streams::Streams;
use crate::Parser;

/// Lists the profiles that can be imported by name, with where they are.
pub(super) fn run(profiles: &Profiles, streams: &mut Streams) -> io::Result<Verdict> {
    let mut builder = Parser::builder();
    for path in &profiles.profile_path {
        builder = builder.profile_path(path);
    }
    let parser = match builder.build() {
        Ok(parser) => parser,
        Err(error) => {
            writeln!(streams.err(), "error: can't start the threads: {error}")?;
            return Ok(Verdict::Misused);
        }
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
