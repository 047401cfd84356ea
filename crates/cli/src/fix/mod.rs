//! Applies the edits that are attached to problems.
//!
//! Edits are applied in memory first. After each round, the file is read again, until there is nothing left to change.
//! If a change causes new problems, their positions identify it, and it is undone. The edits of one problem are one
//! change, in any number of places. Finally the files are written, or a diff is shown. Ignore comments are added in the
//! same way.

mod blame;
mod ignore_comments;
mod project;
mod unified;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foldhash::HashSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::dirs::shown;
use super::output;
use super::streams::Streams;
use super::total_imports::counting_imports;
use blame::Blame;
pub(super) use project::Project;
use tosca_parse::diagnostic::edit::{self, AppliedEdits};
use tosca_parse::diagnostic::{Diagnostic, Edit, Safety, SourceId, render};
use tosca_parse::source::replace::{Draft, replace_all};
use tosca_parse::source::{Address, MemoryProvider, Sources, regular};
use tosca_parse::{Entry, Parser};
pub(super) use unified::show_diff;

/// The maximum number of rounds: a change may make others possible. With thousands of misspelled names, each round
/// changes only some of them, because the search for similar names is bounded.
const ROUNDS: usize = 5;

/// The amount of text, in bytes, after which no further round begins.
const TEXT: usize = 1 << 20;

/// The amount of text for each import that counts: other work than reading, such as repairs of syntax errors.
const TEXT_OF_IMPORT: usize = 64;

/// The maximum number of times that an entry is read. Two are nearly always enough.
const READINGS: usize = 20;

/// The maximum number of problems per rule that are considered: enough for any handwritten file.
pub(super) const PROBLEMS: usize = 1 << 20;

/// The maximum memory for data from before a change, in bytes.
pub(super) const OUTDATED: u64 = 16 << 20;

/// The edits of one problem, which are applied together or not at all.
type Change = Vec<(Arc<Path>, Edit)>;

/// The problems of an entry, without help, and its sources. The rest of an outcome takes a lot of memory.
struct Findings {
    diagnostics: Vec<Diagnostic>,
    sources: Sources,
    /// The number of imported sources.
    imports: usize,
}

/// The changes to apply.
#[derive(Clone, Debug)]
pub(super) enum FixMode {
    /// Safe fixes.
    Safe,
    /// All fixes.
    All,
    /// Fixes of spelling problems.
    Spelling,
    /// Ignore comments with this reason.
    Exemptions(String),
}

/// The files and their changes.
#[derive(Debug)]
pub(super) struct Fixes {
    wanted: FixMode,
    project: Project,
    /// The content of changed files before and after.
    files: BTreeMap<PathBuf, (String, String)>,
    /// The path of a text that is not a file, which is changed, but not written.
    text: Option<PathBuf>,
    /// The number of applied changes.
    made: usize,
    /// Unsafe changes that were not applied.
    left: BTreeSet<(String, u32)>,
    /// Changes that caused other problems.
    refused: HashSet<Change>,
    /// Files that would have been changed, with the reasons why they were not.
    kept: BTreeMap<PathBuf, &'static str>,
    /// Whether changes were left when a limit was reached.
    is_unfinished: bool,
}

/// The location of a source.
pub(super) enum Place {
    /// A file in the project.
    Inside(PathBuf),
    /// A file outside the project, which is not changed.
    Outside(PathBuf),
    /// A file in another encoding than UTF-8, which is not changed.
    Encoded(PathBuf),
    /// Not a file, or a file that has changed since it was read.
    NoFile,
}

/// The parser and the entry that are used to read changed files again.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) parser: &'a Parser,
    /// The sources that the parser reads first.
    pub(super) memory: &'a MemoryProvider,
    pub(super) entry: &'a Address,
}

impl Reader<'_> {
    fn read(self, wanted: &FixMode) -> Findings {
        let outcome = self.parser.parse_entry(Entry::at(self.entry.clone()));
        let imports = counting_imports(outcome.import_cost, &outcome.program);
        let mut diagnostics = outcome.diagnostics;
        let are_exempted = matches!(wanted, FixMode::Exemptions(_));
        // There may be a million problems, and what is not needed takes as much memory as the rest. The edits have been
        // made from the help.
        for problem in &mut diagnostics {
            problem.help = Vec::new();
            if are_exempted {
                problem.edits = Vec::new();
                problem.related = Vec::new();
            }
        }
        diagnostics.shrink_to_fit();
        Findings { diagnostics, sources: outcome.sources, imports }
    }
}

impl Fixes {
    /// Creates an instance without changes.
    pub(super) fn new(wanted: FixMode, project: Project) -> Self {
        Self {
            wanted,
            project,
            files: BTreeMap::new(),
            text: None,
            made: 0,
            left: BTreeSet::new(),
            refused: HashSet::default(),
            kept: BTreeMap::new(),
            is_unfinished: false,
        }
    }

    /// Applies the fixes for the problems in an entry. Returns the number of imports that count, each time they are read.
    pub(super) fn of(&mut self, reader: Reader<'_>) -> usize {
        let mut outcome = reader.read(&self.wanted);
        let mut readings = READINGS;
        let mut text = 0;
        for round in 0.. {
            let changes = self.changes(&outcome);
            if changes.is_empty() {
                break;
            }
            if round == ROUNDS || readings == 0 || text > TEXT {
                self.is_unfinished = true;
                break;
            }
            let before = readings;
            outcome = self.make(reader, outcome, changes, &mut readings);
            let size: usize = outcome.sources.iter().map(|source| source.text().len()).sum();
            text += (size + TEXT_OF_IMPORT * outcome.imports) * (before - readings);
        }
        if let FixMode::Safe = self.wanted {
            let left = outcome.diagnostics.iter().map(|problem| &problem.edits[..]).filter(|edits| !is_safe(edits));
            let places = left.filter_map(|edits| edits.first()).map(|edit| edit.span);
            self.left.extend(places.map(|span| (name(&outcome.sources, span.source), span.start)));
        }
        outcome.imports * (1 + READINGS - readings)
    }

    /// Returns the selected changes that are in writable files and don't overlap.
    fn changes(&mut self, outcome: &Findings) -> Vec<Change> {
        let mut paths: FxHashMap<SourceId, Option<Arc<Path>>> = FxHashMap::default();
        let mut kept = std::mem::take(&mut self.kept);
        let problems = outcome.diagnostics.iter();
        let named = |problem: &Diagnostic| problem.edits.clone();
        let wanted: Vec<Vec<Edit>> = match &self.wanted {
            FixMode::Safe => problems.map(named).filter(|edits| is_safe(edits)).collect(),
            FixMode::All => problems.map(named).collect(),
            FixMode::Spelling => problems.filter(|problem| SPELLING.contains(&problem.rule.code)).map(named).collect(),
            FixMode::Exemptions(reason) => {
                let refused: HashSet<&Edit> = self.refused.iter().flatten().map(|(_, edit)| edit).collect();
                let is_refused = |edit: &Edit| refused.contains(edit);
                ignore_comments::edits(outcome, reason, is_refused).into_iter().map(|edit| vec![edit]).collect()
            }
        };
        let mut path = |id: SourceId| {
            let found = paths.entry(id).or_insert_with(|| match self.place(&outcome.sources, id) {
                Place::Inside(path) => Some(path.into()),
                Place::Outside(path) => {
                    kept.insert(path, "it is outside the project; name it to change it");
                    None
                }
                Place::Encoded(path) => {
                    kept.insert(path, "it is not UTF-8");
                    None
                }
                Place::NoFile => None,
            });
            found.clone()
        };
        let placed = |edits: Vec<Edit>| -> Option<Change> {
            // Most changes have one edit, and an optional collection would start with capacity for four.
            let mut change = Vec::with_capacity(edits.len());
            for edit in edits {
                change.push((path(edit.span.source)?, edit));
            }
            Some(change)
        };
        let mut changes: Vec<Change> =
            wanted.into_iter().filter(|edits| !edits.is_empty()).filter_map(placed).collect();
        self.kept = kept;
        changes.retain(|change| !self.refused.contains(change));
        changes.sort();
        let mut taken = AppliedEdits::default();
        changes.retain(|change| {
            let edits: Vec<Edit> = change.iter().map(|(_, edit)| edit.clone()).collect();
            taken.take(&edits)
        });
        changes
    }

    /// Applies changes, except those that cause a problem.
    fn make(
        &mut self,
        reader: Reader<'_>,
        before: Findings,
        mut changes: Vec<Change>,
        readings: &mut usize,
    ) -> Findings {
        while !changes.is_empty() && *readings > 0 {
            *readings -= 1;
            let blamed = match self.attempt(reader, &before, &changes) {
                Ok(after) => {
                    self.made += changes.len();
                    return after;
                }
                Err(blamed) => blamed,
            };
            let mut index = 0;
            changes.retain(|change| {
                let is_blamed = blamed.contains(&index);
                index += 1;
                if is_blamed {
                    self.refused.insert(change.clone());
                }
                !is_blamed
            });
        }
        before
    }

    /// Returns the location of a source, if it is a file with exactly this text.
    pub(super) fn place(&self, sources: &Sources, id: SourceId) -> Place {
        let Some(source) = sources.get(id) else { return Place::NoFile };
        let Ok(path) = std::path::absolute(source.name()) else { return Place::NoFile };
        if let Some((_, after)) = self.files.get(&path) {
            let is_same = without_mark(after) == &**source.text();
            return if is_same { Place::Inside(path) } else { Place::NoFile };
        }
        // In other encodings, a character has up to four bytes.
        let limit = source.text().len() as u64 * 4 + 4;
        let Ok(bytes) = regular::read(&path, limit) else { return Place::NoFile };
        match str::from_utf8(&bytes) {
            Ok(text) if without_mark(text) != &**source.text() => Place::NoFile,
            Ok(_) if !self.project.has(&path) => Place::Outside(path),
            Ok(_) => Place::Inside(path),
            Err(_) => Place::Encoded(path),
        }
    }

    /// Applies changes unless some of them cause a problem.
    ///
    /// # Errors
    ///
    /// Returns the indices of the changes that cause problems, at least one.
    fn attempt(
        &mut self,
        reader: Reader<'_>,
        before: &Findings,
        changes: &[Change],
    ) -> Result<Findings, FxHashSet<usize>> {
        let mut edits: Vec<(usize, &Path, &Edit)> = Vec::new();
        for (index, change) in changes.iter().enumerate() {
            edits.extend(change.iter().map(|(path, edit)| (index, &**path, edit)));
        }
        edits.sort_by_key(|(_, path, edit)| (*path, edit.span));
        let (mut undo, mut unreadable) = (Vec::new(), FxHashSet::default());
        for edits in edits.chunk_by(|(_, one, _), (_, other, _)| one == other) {
            let path = edits[0].1;
            let known = self.files.get(path).cloned();
            let text = match &known {
                Some((_, after)) => after.clone(),
                None => match regular::read_text(path, u64::MAX) {
                    Ok(text) => text,
                    Err(_) => {
                        unreadable.extend(edits.iter().map(|(index, ..)| *index));
                        continue;
                    }
                },
            };
            let changed = changed(&text, edits.iter().map(|(.., edit)| *edit));
            reader.memory.insert(address(path), changed.clone());
            let original = known.as_ref().map_or(text, |(original, _)| original.clone());
            self.files.insert(path.to_owned(), (original, changed));
            undo.push((path, known));
        }
        let after = reader.read(&self.wanted);
        let mut blamed = unreadable;
        if blamed.is_empty() {
            let blame = Blame::new(before, &after, &edits);
            blamed = match &self.wanted {
                FixMode::Exemptions(_) => ignore_comments::blamed(before, &after, &edits, &blame),
                _ => blame.causes(before, &after, changes),
            };
        }
        if blamed.is_empty() {
            return Ok(after);
        }
        for (path, known) in undo {
            match known {
                Some((original, text)) => {
                    reader.memory.insert(address(path), text.clone());
                    self.files.insert(path.to_owned(), (original, text));
                }
                None => {
                    reader.memory.remove(&address(path));
                    self.files.remove(path);
                }
            }
        }
        Err(blamed)
    }

    /// Applies edits to a file that don't come from problems.
    pub(super) fn change(&mut self, memory: &MemoryProvider, path: &Path, edits: &[Edit]) {
        let Ok(text) = regular::read_text(path, u64::MAX) else { return };
        let changed = changed(&text, edits);
        memory.insert(address(path), changed.clone());
        self.files.insert(path.to_owned(), (text, changed));
        self.made += edits.len();
    }

    /// Writes the new text of the only changed file to the given file.
    pub(super) fn write_to(&self, path: &Path) -> io::Result<()> {
        self.files.values().next().map_or(Ok(()), |(_, after)| output::write_template(path, after))
    }

    /// Adds a text that is changed, but not written.
    pub(super) fn add_text(&mut self, address: &Address, text: &str) {
        if let Some(path) = address.to_path() {
            self.files.insert(path.clone(), (text.to_owned(), text.to_owned()));
            self.text = Some(path);
        }
    }

    /// Returns the text that was added, with its changes.
    pub(super) fn text(&self) -> Option<&str> {
        self.text.as_ref().and_then(|path| self.files.get(path)).map(|(_, after)| &**after)
    }

    /// Writes the changed files, all or none. A file that has been edited since it was read is not overwritten.
    pub(super) fn write(&self) -> io::Result<()> {
        let files = self.changed().filter(|(path, _)| Some(*path) != self.text.as_ref());
        let drafts = files.map(|(path, (before, after))| {
            let mut draft = Draft::new(path)?.expecting(before.as_bytes());
            draft.write_all(after.as_bytes())?;
            Ok(draft)
        });
        replace_all(drafts.collect::<io::Result<_>>()?)
    }

    /// Prints the changes as a diff.
    pub(super) fn diff(&self, streams: &mut Streams) -> io::Result<()> {
        for (path, (before, after)) in self.changed() {
            show_diff(streams, &shown(path), before, after)?;
        }
        Ok(())
    }

    fn changed(&self) -> impl Iterator<Item = (&PathBuf, &(String, String))> {
        self.files.iter().filter(|(_, (before, after))| before != after)
    }

    /// Returns the files with problems whose fixes can't be applied.
    pub(super) fn kept(&self) -> impl Iterator<Item = &PathBuf> {
        self.kept.keys()
    }

    /// Returns whether there are no changes.
    pub(super) fn is_empty(&self) -> bool {
        self.changed().next().is_none()
    }

    /// Reports applied and available changes.
    pub(super) fn report(&self, is_done: bool, streams: &mut Streams) -> io::Result<()> {
        let plural = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        if self.made > 0 {
            let verb = if is_done { "made" } else { "possible" };
            let files = plural(self.changed().count(), "file");
            writeln!(streams.err(), "{} {verb} in {files}", plural(self.made, "change"))?;
        }
        if !self.left.is_empty() {
            let more = plural(self.left.len(), "more change");
            writeln!(streams.err(), "{more} with `--unsafe-fixes`, which need review")?;
        }
        if self.is_unfinished {
            writeln!(streams.err(), "more changes are possible: run the command again")?;
        }
        for (path, reason) in &self.kept {
            let name = render::sanitize(&shown(path)).into_owned();
            writeln!(streams.err(), "{name}: not changed, because {reason}")?;
        }
        Ok(())
    }
}

/// The spelling rules that differ between versions: for booleans, versions, enum values and other values.
const SPELLING: [&str; 9] = ["T1203", "T1210", "T1311", "T1314", "T5101", "T5102", "T5103", "T5104", "T5105"];

/// The code prefixes of problems that a spelling fix must not cause.
const EARLY: [&str; 3] = ["T1", "T2", "Y"];

/// Returns the content of a file without its byte order mark, which positions don't count.
fn without_mark(content: &str) -> &str {
    content.strip_prefix('\u{feff}').unwrap_or(content)
}

/// Applies edits to the content of a file. A byte order mark is kept.
fn changed<'e>(content: &str, edits: impl IntoIterator<Item = &'e Edit>) -> String {
    let text = without_mark(content);
    let (mark, _) = content.split_at(content.len() - text.len());
    format!("{mark}{}", edit::apply(text, edits))
}

fn is_safe(edits: &[Edit]) -> bool {
    edits.iter().all(|edit| edit.safety == Safety::Safe)
}

fn address(path: &Path) -> Address {
    Address::from_path(path, Path::new("/"))
}

fn name(sources: &Sources, id: SourceId) -> String {
    sources.get(id).map_or_else(String::new, |source| source.name().to_owned())
}
