//! Validates many templates with one parser, on all cores.
//!
//! A parser caches the types that templates import, so a second template with the same types takes a fraction of the
//! time. Create one parser for the lifetime of the program, and clone it wherever you need it.
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

/// Returns a report on the YAML files of a folder: a verdict for each file, and one line for each problem.
pub(crate) fn report(folder: &Path) -> Result<String, Box<dyn Error>> {
    // Names in problems are relative to this directory, and so are arguments.
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

/// Parses one file. An invalid or missing file is part of the outcome, not an error.
fn check(parser: &Parser, file: &Path) -> Result<Outcome, tosca_parse::source::AddressError> {
    let address = parser.address(&file.to_string_lossy())?;
    Ok(parser.parse_entry(Entry::at(address)))
}

/// Returns the YAML files of a folder, sorted by name.
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
