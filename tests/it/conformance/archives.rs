//! The suite and the examples, packed as archives and read from them, have the same problems.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tosca_parse::archive::LAYOUT;
use tosca_parse::source::archive::Format;
use tosca_parse::source::archive::pack::{PackOptions, pack};
use tosca_parse::{Entry, Outcome, Parser, TOSCA};

const FORMATS: [(&str, Format); 3] = [("a.csar", Format::Zip), ("a.tar", Format::Tar), ("a.tar.gz", Format::TarGz)];

/// Returns the problems of an outcome without the names of sources, which differ, and without the problems of the
/// archive itself: its contents, and missing files of artifacts.
fn problems(outcome: &Outcome) -> Vec<String> {
    let is_of_archive = |code: &str| code.starts_with("T15") || code.starts_with("T57");
    let of_template = outcome.diagnostics.iter().filter(|problem| !is_of_archive(problem.rule.code));
    let mut lines: Vec<String> = of_template
        .map(|problem| {
            let source = outcome.sources.get(problem.span.source).unwrap();
            let place = source.line_column(problem.span.start);
            let file = source.name().rsplit(['/', '!']).next().unwrap();
            // Some messages name a file.
            let names_file = problem.message.contains(".yaml") || problem.rule.code.starts_with("T10");
            let message = if names_file { "" } else { &problem.message };
            format!("{file}:{}:{}: {} {message}", place.line, place.column, problem.rule.code)
        })
        .collect();
    lines.sort();
    lines
}

#[test]
fn the_tests_of_the_suite_are_the_same_in_archives() {
    let Some(folder) = super::folder("oasis-2.0") else { return };
    let target = tempfile::tempdir().unwrap();
    let manifest = fs::read_to_string(folder.join("manifest.csv")).unwrap();
    let mut number = 0;
    for line in manifest.lines().skip(1) {
        let mut columns = line.split(',');
        let (file, expected, needs) = (columns.next().unwrap(), columns.next().unwrap(), columns.next().unwrap());
        let path = folder.join(file);
        // The archive contains all files of the folder, which must not be half of the suite.
        if needs.contains("network") || path.parent() == Some(&*folder) {
            continue;
        }
        number += 1;
        let parser = || Parser::builder(&TOSCA).directory(target.path()).offline(true).build().unwrap();
        let plain = parser().parse(path.to_str().unwrap()).unwrap();
        let plan = PackOptions {
            folder: path.parent().unwrap().to_owned(),
            entry: Some(path.file_name().unwrap().to_str().unwrap().to_owned()),
            created_by: Some("a test".to_owned()),
            ..PackOptions::default()
        };
        let (name, format) = FORMATS[number % 3];
        pack(&LAYOUT, &plan, &target.path().join(name), format, &mut |_, _| {}).unwrap();
        let parser = parser();
        let packed = parser.parse_entry(Entry::at(parser.address(name).unwrap()).verify(true));
        assert_eq!(problems(&packed), problems(&plain), "{file}, {expected}");
        assert_eq!(packed.is_valid(), plain.is_valid(), "{file}");
    }
    assert!(number >= 200, "only {number} tests of the suite were packed");
}

#[test]
fn examples_are_packed_and_read_back() {
    let Some(folder) = super::folder("oasis-examples") else { return };
    let target = tempfile::tempdir().unwrap();
    let mut found = Vec::new();
    archive_folders(&folder, &mut found);
    assert!(found.len() >= 14, "{found:?}");
    for folder in found {
        let plain = Parser::builder(&TOSCA).offline(true).build().unwrap().parse(folder.to_str().unwrap()).unwrap();
        for (name, format) in FORMATS {
            let path = target.path().join(name);
            let plan = PackOptions { folder: folder.clone(), ..PackOptions::default() };
            pack(&LAYOUT, &plan, &path, format, &mut |_, _| {}).unwrap();
            let parser = Parser::builder(&TOSCA).directory(target.path()).offline(true).build().unwrap();
            let packed = parser.parse_entry(Entry::at(parser.address(name).unwrap()).verify(true));
            assert_eq!(problems(&packed), problems(&plain), "{}", folder.display());
            unpack(&folder, &path, format);
            let codes = |outcome: &Outcome| outcome.diagnostics.iter().map(|it| it.rule.code).max();
            assert_eq!(codes(&packed), codes(&plain), "{}", folder.display());
        }
    }
}

/// Unpacks an archive with the usual tool, and compares the result with the folder that was packed.
fn unpack(folder: &Path, archive: &Path, format: Format) {
    let target = tempfile::tempdir().unwrap();
    let mut command = if format == Format::Zip { Command::new("unzip") } else { Command::new("tar") };
    let arguments: &[&str] = if format == Format::Zip { &["-qq"] } else { &["-xf"] };
    let output = command.args(arguments).arg(archive).current_dir(target.path()).env("LC_ALL", "C.UTF-8").output();
    let Ok(output) = output else {
        eprintln!("skipped: {} is not unpacked, as {command:?} is not there", archive.display());
        return;
    };
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert_eq!(files(target.path()), files(folder), "{}", archive.display());
}

/// Returns the files below a folder except hidden ones, with their contents.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
            if path.file_name().unwrap().to_string_lossy().starts_with('.') {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(path).unwrap());
            }
        }
    }
    found
}

/// Returns the folders with a `TOSCA.meta`.
fn archive_folders(folder: &Path, found: &mut Vec<PathBuf>) {
    if LAYOUT.describes(folder) {
        found.push(folder.to_owned());
        return;
    }
    let mut folders: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders.iter().filter(|path| path.is_dir()).for_each(|path| archive_folders(path, found));
}
