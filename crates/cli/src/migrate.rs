//! Migrates files to a later version of their language.
//!
//! Constructs that differ in the later version are changed together in all files of a run and in the files that they
//! import by path. The files are then validated in the later version, and its fixes for spelling problems are applied
//! as with `--fix`. Remaining problems are reported.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::ExitStatus;
use super::args::{Migrate, RuleOverrides};
use super::entries::{Entries, entries};
use super::fix::{FixMode, Fixes, Place, Reader};
use super::parsers::Readers;
use super::problems::Problems;
use super::report;
use super::streams::Streams;
use super::total_imports::{TotalImports, sources_in_memory};
use super::validate::misused;
use tosca_parse::Entry;
use tosca_parse::Outcome;
use tosca_parse::diagnostic::{Diagnostic, Edit, Severity, SourceId, Span};
use tosca_parse::entity::{Language, LanguageVersion};
use tosca_parse::phase::migration::Migration;
use tosca_parse::rules;
use tosca_parse::source::Address;
use tosca_parse_config::{here, languages};

/// A file after parsing.
struct Read {
    reader: usize,
    address: Address,
    outcome: Outcome,
}

/// Migrates files.
pub(super) fn run(arguments: &Migrate, streams: &mut Streams) -> io::Result<ExitStatus> {
    let wishes = RuleOverrides::default();
    let mut readers = Readers::new(&arguments.reading, &wishes, None).changing_files();
    if arguments.files.iter().any(|file| file == "-") {
        return misused(streams, "`migrate` needs files, because their imports are migrated with them");
    }
    let Entries { list, project, .. } = match entries(&arguments.files, &mut readers)? {
        Ok(entries) => entries,
        Err(refusal) => return refusal.report(streams),
    };
    // All files are in memory at the same time, so every import counts.
    let total = match readers.settings(&here()) {
        Ok(settings) => TotalImports::new(settings.bounds.run.imports),
        Err(message) => return misused(streams, &message),
    };
    readers.report(streams)?;
    let mut problems = Problems::default();
    let mut valid = Vec::with_capacity(list.len());
    for (reader, entry) in list {
        let address = entry.address().clone();
        let outcome = readers.parser(reader).parse_entry(entry);
        total.count(sources_in_memory(outcome.import_cost, &outcome.program));
        if total.is_exceeded() {
            return misused(streams, &total.too_many_at_once());
        }
        if outcome.is_valid() {
            valid.push(Read { reader, address, outcome });
        } else {
            problems.add(reader, outcome.diagnostics, &outcome.sources);
        }
    }
    let mut fixes = Fixes::new(FixMode::Spelling, project);
    let mut changes: BTreeMap<PathBuf, Vec<Edit>> = BTreeMap::new();
    for (Read { reader, outcome, .. }, migration) in valid.iter().zip(migrations(&valid, arguments.to.as_deref())) {
        let parser = readers.parser(*reader);
        let is_yaml = |path: &Path, text: &str| {
            path.to_str().and_then(|path| parser.address(path).ok()).is_none_or(|file| parser.is_yaml(&file, text))
        };
        let found = changes_of(migration, outcome, &fixes, &is_yaml, &mut changes);
        problems.add(*reader, found, &outcome.sources);
    }
    if arguments.output.is_some() && (valid.len() != 1 || changes.len() > 1) {
        return misused(streams, "`--output` needs a single file without imports that are migrated with it");
    }
    for (path, edits) in &changes {
        fixes.change(&readers.memory, path, edits);
    }
    // The outcomes take a lot of memory, so they are dropped before the changed files are read.
    let valid: Vec<_> = valid.into_iter().map(|Read { reader, address, .. }| (reader, address)).collect();
    let mut fixers = readers.for_fixes();
    for (reader, address) in valid {
        match fixers.entry(Entry::at(address.clone())) {
            Ok((fixer, _)) => {
                fixes.of(Reader { parser: fixers.parser(fixer), memory: &fixers.memory, entry: &address });
            }
            Err(message) => return misused(streams, &message),
        }
        let mut outcome = readers.parser(reader).parse_entry(Entry::at(address));
        let left = left(
            &outcome,
            |id| matches!(fixes.place(&outcome.sources, id), Place::Inside(path) if changes.contains_key(&path)),
        );
        outcome.diagnostics.extend(left);
        problems.add(reader, outcome.diagnostics, &outcome.sources);
    }
    if arguments.diff {
        fixes.diff(streams)?;
    } else if let Some(path) = &arguments.output {
        fixes.write_to(path)?;
    } else {
        fixes.write()?;
    }
    fixes.report(!arguments.diff, streams)?;
    let verdict = ExitStatus::of(&problems.list);
    problems.list.retain(|problem| !arguments.report.quiet || problem.severity == Severity::Error);
    let color = arguments.report.appearance.color.enabled(&io::stderr());
    if !problems.list.is_empty() {
        let shape = report::shape(arguments.report.format, false, &problems.list, &problems.sources, color);
        write!(streams.rendered_err(), "{shape}")?;
    }
    Ok(if arguments.diff && !fixes.is_empty() { ExitStatus::Invalid } else { verdict })
}

/// Migrates all files, those of each language together.
fn migrations(valid: &[Read], word: Option<&str>) -> Vec<Migration> {
    let mut migrations: Vec<Migration> = valid.iter().map(|_| Migration::default()).collect();
    for language in languages().iter() {
        let is_in =
            |read: &Read| read.outcome.program.language().is_some_and(|of_file| std::ptr::eq(of_file, language));
        let (numbers, files): (Vec<usize>, Vec<&Read>) =
            valid.iter().enumerate().filter(|(_, read)| is_in(read)).unzip();
        let found = match (language.migrate, target(language, word)) {
            (Some(migrate), Ok(to)) => {
                let programs: Vec<_> = files.iter().map(|read| &read.outcome.program).collect();
                migrate(&programs, to)
            }
            (None, _) => {
                let reason = format!("files in {} can't be migrated", language.name);
                files.iter().map(|read| unmigrated(&read.outcome, &reason, "leave the file as it is")).collect()
            }
            (_, Err((reason, help))) => files.iter().map(|read| unmigrated(&read.outcome, &reason, &help)).collect(),
        };
        for (number, migration) in numbers.into_iter().zip(found) {
            migrations[number] = migration;
        }
    }
    migrations
}

/// Returns the version with the given word, or the latest one.
fn target(language: &Language, word: Option<&str>) -> Result<LanguageVersion, (String, String)> {
    let version = word.map_or_else(|| language.latest_version(), |word| language.version_of(word));
    version.ok_or_else(|| {
        let reason = format!("`{}` is not a version of {}", word.unwrap_or_default(), language.name);
        let last = language.versions.last().map_or("", |version| version.word);
        (reason, format!("use `--to {last}` for this file"))
    })
}

/// Returns a migration that changes nothing and reports the reason.
fn unmigrated(outcome: &Outcome, reason: &str, help: &str) -> Migration {
    let unit = outcome.program.list.first();
    let problems = unit.map(|unit| {
        let start = Span { source: unit.id, start: 0, end: 0 };
        let message = format!("`{}` is not migrated, because {reason}", unit.source.name());
        Diagnostic::new(&rules::NOT_MIGRATED, start, message).with_help(help.to_owned())
    });
    Migration { problems: problems.into_iter().collect(), ..Migration::default() }
}

/// Records the changes to writable files and reports problems with the migration.
fn changes_of(
    migration: Migration,
    outcome: &Outcome,
    fixes: &Fixes,
    is_yaml: &dyn Fn(&Path, &str) -> bool,
    changes: &mut BTreeMap<PathBuf, Vec<Edit>>,
) -> Vec<Diagnostic> {
    let Migration { edits, mut problems } = migration;
    for edits in edits.chunk_by(|one, other| one.span.source == other.span.source) {
        let id = edits[0].span.source;
        let text = outcome.sources.get(id).map_or("", |source| source.text());
        let (reason, help) = match fixes.place(&outcome.sources, id) {
            // A new text would contain the values of its expressions, even if they are secrets.
            Place::Inside(path) if !is_yaml(&path, text) => {
                ("it computes its values", "migrate it by hand, or migrate the result of `tosca-parse yay yaml`")
            }
            Place::Inside(path) => {
                changes.entry(path).or_insert_with(|| edits.to_vec());
                continue;
            }
            Place::Outside(_) => {
                ("it is outside the project", "pass this file, or a folder that contains it, to migrate it too")
            }
            Place::Encoded(_) => ("it is not UTF-8", "save the file as UTF-8"),
            Place::NoFile => {
                ("it is not a file that can be written here", "unpack or download it, and name the resulting files")
            }
        };
        problems.retain(|problem| problem.span.source != id);
        problems.push(unwritable(outcome, id, (reason, help)));
    }
    problems
}

/// Reports each migrated file that is still invalid, at its first error.
fn left(outcome: &Outcome, is_migrated: impl Fn(SourceId) -> bool) -> Vec<Diagnostic> {
    let mut counts: FxHashMap<SourceId, usize> = FxHashMap::default();
    let mut first = Vec::new();
    for problem in outcome.diagnostics.iter().filter(|problem| problem.severity == Severity::Error) {
        let count = counts.entry(problem.span.source).or_default();
        *count += 1;
        if *count == 1 {
            first.push(problem.span);
        }
    }
    first.retain(|span| is_migrated(span.source));
    let report = first.into_iter().map(|span| {
        let name = outcome.sources.get(span.source).map_or("the file", |source| source.name());
        let errors = match counts.get(&span.source) {
            Some(1) | None => "an error".to_owned(),
            Some(count) => format!("{count} errors"),
        };
        let message = format!("`{name}` is migrated, but {errors} in the later version can't be fixed automatically");
        Diagnostic::new(&rules::NO_COUNTERPART, span, message).with_help("correct the file by hand")
    });
    report.collect()
}

/// Reports a source that is not a local file, at the import that names it.
fn unwritable(outcome: &Outcome, id: SourceId, (reason, help): (&str, &str)) -> Diagnostic {
    let program = &outcome.program;
    let place = program.index(id);
    let import = program.list.iter().zip(&program.links).find_map(|(unit, links)| {
        let link = links.iter().find(|link| Some(link.unit) == place)?;
        Some(unit.document.node(unit.imports.get(link.import)?.node).span())
    });
    let start = Span { source: id, start: 0, end: 0 };
    let name = outcome.sources.get(id).map_or("the file", |source| source.name());
    let message = format!("`{name}` is not migrated, because {reason}");
    Diagnostic::new(&rules::NOT_MIGRATED, import.unwrap_or(start), message).with_help(help)
}
