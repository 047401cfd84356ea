//! Validates many templates with one parser, on all cores.
//!
//! A parser remembers the types that templates import, so the second template of a kind costs a fraction of the first.
//! One parser for the life of the program, cloned wherever it is needed, is all that it takes.
//!
//! ```text
//! cargo run --example validate_many -- examples/templates
//! ```

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use tosca_parse::diagnostic::render::Concise;
use tosca_parse::{Entry, Outcome, Parser, TOSCA};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).unwrap_or_else(|| "examples/templates".into());
    #[allow(clippy::print_stdout, reason = "a program may print; the library does not")]
    {
        print!("{}", report(Path::new(&folder))?);
    }
    Ok(())
}

/// What there is to say about the YAML files of a folder: the problems of each, one line each, and a verdict.
pub(crate) fn report(folder: &Path) -> Result<String, Box<dyn Error>> {
    // Names in problems are shown relative to this directory, and so are arguments.
    let parser = Parser::builder(&TOSCA).directory(std::path::absolute(folder)?).build()?;
    let files = templates(folder)?;
    let outcomes: Vec<Outcome> = files.par_iter().map(|file| check(&parser, file)).collect::<Result<_, _>>()?;

    let mut report = String::new();
    for (file, outcome) in files.iter().zip(&outcomes) {
        let verdict = if outcome.is_valid() { "valid" } else { "invalid" };
        writeln!(report, "{}: {verdict}", file.display())?;
        write!(report, "{}", Concise::new(&outcome.diagnostics, &outcome.sources))?;
    }
    Ok(report)
}

/// Reads and checks one file. That it is wrong, or missing, is part of the outcome and no error.
fn check(parser: &Parser, file: &Path) -> Result<Outcome, tosca_parse::source::AddressError> {
    let address = parser.address(&file.to_string_lossy())?;
    Ok(parser.parse_entry(Entry::at(address)))
}

/// The YAML files of a folder, by name.
fn templates(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "yaml")
            && let Some(name) = path.file_name()
        {
            files.push(PathBuf::from(name));
        }
    }
    files.sort();
    Ok(files)
}
