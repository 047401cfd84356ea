//! Runs the test files next to templates.
//!
//! A test file is a source in a small language ([`language`]), so the engine reports mistakes in it. `load` reads its
//! cases, `run` compares expected and actual results, and `report` writes the failures.

mod compare;
mod language;
mod load;
mod report;
mod run;

use std::io;
use std::path::{Path, PathBuf};

use super::args::{ReadArgs, RuleOverrides, Test};
use super::folder;
use super::ordered_parallel::{map_in_order, workers};
use super::parsers::Readers;
use super::streams::Streams;
use super::total_imports::TotalImports;
use super::validate::misused;
use super::{ExitStatus, Refusal};
use report::{Report, Tested};
use run::{not_run, run_all};
use tosca_parse::Entry;
use tosca_parse_config::here;

pub(super) use load::{builder, is_test, is_test_file, is_yaml, problems, test_file_of};

/// Runs the test files that the arguments name.
pub(super) fn run(arguments: &Test, streams: &mut Streams) -> io::Result<ExitStatus> {
    let reading = ReadArgs {
        import_path: arguments.import_path.clone(),
        profile_path: arguments.profile_path.clone(),
        sandbox: arguments.sandbox,
        access: arguments.access.clone(),
        ..ReadArgs::default()
    };
    let rules = RuleOverrides::default();
    let mut readers = Readers::new(&reading, &rules, arguments.jobs);
    let paths = match paths(arguments, &mut readers) {
        Ok(paths) => paths,
        Err(refusal) => return refusal.report(streams),
    };
    let workers = workers(arguments.jobs);
    let files = match files(&paths, workers, arguments.filter.as_deref(), &mut readers)? {
        Ok(files) => files,
        Err(message) => return misused(streams, &message),
    };
    if let Some(filter) = &arguments.filter
        && files.iter().all(|file| file.cases.is_empty() && file.problems.is_empty())
    {
        return misused(streams, &format!("there is no case whose name contains `{filter}`"));
    }
    readers.report(streams)?;
    if let Some(path) = &arguments.output {
        streams.redirect(path);
    }
    let parsers = readers.parsers();
    let total = match readers.settings(&here()) {
        Ok(settings) => TotalImports::new(settings.bounds.run.imports),
        Err(message) => return misused(streams, &message),
    };
    let mut report = Report::new(arguments.format, arguments.appearance.color);
    let test = |file: load::TestFile| {
        let (failures, imports) =
            if total.is_exceeded() { Default::default() } else { run_all(&file, &parsers, &total) };
        (Tested { file, failures }, imports)
    };
    map_in_order(files, workers, test, |(mut tested, imports)| {
        if total.is_exceeded() {
            tested.failures.clear();
            let cases = &tested.file.cases;
            tested.failures.extend(cases.first().map(|case| vec![not_run(case, cases.len(), &total)]));
        }
        total.count(imports);
        report.add(&tested, streams)
    })?;
    report.finish(streams)
}

/// Returns the test files that the arguments name, each once.
fn paths(arguments: &Test, readers: &mut Readers<'_>) -> Result<Vec<PathBuf>, Refusal> {
    let mut paths = Vec::new();
    for path in &arguments.paths {
        if path.is_dir() {
            let found = in_folder(path, readers)?;
            if found.is_empty() {
                let name = path.display();
                return Err(format!("there are no test files (`*_test.yaml`) in the folder `{name}`").into());
            }
            paths.extend(found);
            continue;
        }
        if !path.exists() {
            return Err(Refusal::unavailable(format!("there is no file or folder `{}`", path.display())));
        }
        if !is_test_file(path) {
            let tests = test_file_of(path);
            let name = path.display();
            return Err(format!("`{name}` is not a test file; its tests are in `{}`", tests.display()).into());
        }
        paths.push(path.clone());
    }
    let mut seen = foldhash::HashSet::default();
    paths.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    Ok(paths)
}

/// Returns the test files in a folder that the configuration does not exclude.
fn in_folder(folder: &Path, readers: &mut Readers<'_>) -> Result<Vec<PathBuf>, String> {
    let mut wrong = None;
    let found = folder::files(folder, is_test_file, &mut |path| match readers.settings(path) {
        Ok(settings) => settings.excludes(path),
        Err(message) => {
            wrong = Some(message);
            true
        }
    });
    wrong.map_or(Ok(found), Err)
}

/// Reads test files.
fn files(
    paths: &[PathBuf],
    workers: usize,
    filter: Option<&str>,
    readers: &mut Readers<'_>,
) -> io::Result<Result<Vec<load::TestFile>, String>> {
    let parser = match load::parser() {
        Ok(parser) => parser,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let mut addresses = Vec::with_capacity(paths.len());
    for path in paths {
        match readers.address(path.as_os_str()) {
            Ok(address) => addresses.push(address),
            Err(error) => return Ok(Err(error.to_string())),
        }
    }
    let (mut files, mut wrong) = (Vec::with_capacity(paths.len()), None);
    let parse = |address| parser.parse_entry(Entry::at(address).named(false));
    let mut named = addresses.clone().into_iter();
    map_in_order(addresses, workers, parse, |outcome| {
        if let Some(address) = named.next() {
            match load::load(&address, outcome, filter, readers) {
                Ok(file) => files.push(file),
                Err(message) => wrong = wrong.take().or(Some(message)),
            }
        }
        Ok(())
    })?;
    Ok(wrong.map_or(Ok(files), Err))
}
