//! Making the changes that problems name.
//!
//! Changes are made in memory first: a file is read anew after each round, until nothing is left to be changed, and a
//! change that brings another problem is taken back. Then the files are written, or what would be changed is shown.
//! Comments that exempt lines are made in the same way.

mod exempt;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use similar::TextDiff;

use super::places::shown;
use super::streams::Streams;
use crate::diagnostic::{Diagnostic, Edit, Safety, SourceId, edit};
use crate::source::{Address, Memory, Sources};
use crate::{Entry, Outcome, Parser};

/// Changes may make others possible, but not without end.
const ROUNDS: usize = 10;

/// If the changes of a round bring a problem, they are tried in halves, and halves of halves, so many times.
const TRIES: usize = 200;

/// Which changes are made.
#[derive(Clone, Debug)]
pub(super) enum Wanted {
    /// Those that problems name, if it is certain what is meant.
    Safe,
    /// All that problems name.
    All,
    /// Those that problems with how something is spelt name.
    Spelling,
    /// Comments that exempt lines, with the reason that they give.
    Exemptions(String),
}

/// Files and what becomes of them.
#[derive(Debug)]
pub(super) struct Fixes {
    wanted: Wanted,
    /// The texts of changed files, before and after.
    files: BTreeMap<PathBuf, (String, String)>,
    /// How many changes have been made.
    made: usize,
    /// Changes that are not certain, and not made.
    left: BTreeSet<(String, u32)>,
    /// Changes that have brought other problems.
    refused: FxHashSet<(PathBuf, Edit)>,
}

/// What reads an entry anew.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) parser: &'a Parser,
    /// Where the parser reads first.
    pub(super) memory: &'a Memory,
    pub(super) entry: &'a Address,
}

impl Reader<'_> {
    fn read(self) -> Outcome {
        self.parser.parse_entry(Entry::at(self.entry.clone()))
    }
}

impl Fixes {
    /// No changes yet.
    pub(super) fn new(wanted: Wanted) -> Self {
        let (files, left, refused) = (BTreeMap::new(), BTreeSet::new(), FxHashSet::default());
        Self { wanted, files, made: 0, left, refused }
    }

    /// Makes the changes of the problems of an entry.
    pub(super) fn of(&mut self, reader: Reader<'_>) {
        let mut outcome = reader.read();
        for _ in 0..ROUNDS {
            let edits = self.edits(&outcome);
            if edits.is_empty() {
                break;
            }
            let mut tries = TRIES;
            outcome = self.make(reader, outcome, &edits, &mut tries);
        }
        let left = outcome.diagnostics.iter().flat_map(|problem| &problem.edits);
        let left = left.filter(|edit| matches!(self.wanted, Wanted::Safe) && edit.safety == Safety::Unsafe);
        self.left.extend(left.map(|edit| (name(&outcome.sources, edit.span.source), edit.span.start)));
    }

    /// The changes that are wanted in files that can be written, in the order of their places.
    fn edits(&self, outcome: &Outcome) -> Vec<(PathBuf, Edit)> {
        let mut paths: FxHashMap<SourceId, Option<PathBuf>> = FxHashMap::default();
        let mut path = |edit: &Edit| {
            let id = edit.span.source;
            paths.entry(id).or_insert_with(|| self.path(&outcome.sources, id)).clone()
        };
        let named = outcome.diagnostics.iter().flat_map(|problem| &problem.edits).cloned();
        let edits: Vec<Edit> = match &self.wanted {
            Wanted::Safe => named.filter(|edit| edit.safety == Safety::Safe).collect(),
            Wanted::All => named.collect(),
            Wanted::Spelling => {
                let is_spelling = |problem: &&Diagnostic| SPELLING.contains(&problem.rule.code);
                let problems = outcome.diagnostics.iter().filter(is_spelling);
                problems.flat_map(|problem| &problem.edits).cloned().collect()
            }
            Wanted::Exemptions(reason) => {
                let is_refused = |edit: &Edit| self.refused.iter().any(|(_, refused)| refused == edit);
                exempt::edits(outcome, reason, is_refused)
            }
        };
        let mut edits: Vec<(PathBuf, Edit)> = edits.into_iter().filter_map(|edit| Some((path(&edit)?, edit))).collect();
        edits.retain(|edit| !self.refused.contains(edit));
        edits.sort();
        edits.dedup();
        edits
    }

    /// Makes changes. If some of them bring a problem, it is those that are not made.
    fn make(&mut self, reader: Reader<'_>, before: Outcome, edits: &[(PathBuf, Edit)], tries: &mut usize) -> Outcome {
        if edits.is_empty() || *tries == 0 {
            return before;
        }
        *tries -= 1;
        if let Some(after) = self.attempt(reader, &before, edits) {
            return after;
        }
        if let [alone] = edits {
            self.refused.insert(alone.clone());
            return before;
        }
        // What comes later in a file is changed first, so that the places of the others stay what they are.
        let (first, second) = edits.split_at(edits.len() / 2);
        let between = self.make(reader, before, second, tries);
        self.make(reader, between, first, tries)
    }

    /// The path of a source that is a file with just this text.
    pub(super) fn path(&self, sources: &Sources, id: SourceId) -> Option<PathBuf> {
        let source = sources.get(id)?;
        let path = std::path::absolute(source.name()).ok()?;
        let is_same = match self.files.get(&path) {
            Some((_, after)) => *after == **source.text(),
            None => std::fs::read(&path).is_ok_and(|bytes| bytes == source.text().as_bytes()),
        };
        is_same.then_some(path)
    }

    /// Makes changes, unless they bring a problem that there was not.
    fn attempt(&mut self, reader: Reader<'_>, before: &Outcome, edits: &[(PathBuf, Edit)]) -> Option<Outcome> {
        let mut undo = Vec::new();
        for edits in edits.chunk_by(|(one, _), (other, _)| one == other) {
            let path = &edits[0].0;
            let edits: Vec<Edit> = edits.iter().map(|(_, edit)| edit.clone()).collect();
            let known = self.files.get(path).cloned();
            let text = match &known {
                Some((_, after)) => after.clone(),
                None => std::fs::read_to_string(path).ok()?,
            };
            let changed = edit::apply(&text, &edits);
            reader.memory.insert(address(path), changed.clone());
            let original = known.as_ref().map_or(text, |(original, _)| original.clone());
            self.files.insert(path.clone(), (original, changed));
            undo.push((path, known));
        }
        let after = reader.read();
        if self.accepts(before, &after, edits) {
            self.made += edits.len();
            return Some(after);
        }
        for (path, known) in undo {
            match known {
                Some((original, text)) => {
                    reader.memory.insert(address(path), text.clone());
                    self.files.insert(path.clone(), (original, text));
                }
                None => {
                    reader.memory.remove(&address(path));
                    self.files.remove(path);
                }
            }
        }
        None
    }

    /// Whether changes have done what they are for, and no harm.
    fn accepts(&self, before: &Outcome, after: &Outcome, edits: &[(PathBuf, Edit)]) -> bool {
        if let Wanted::Exemptions(_) = self.wanted {
            return exempt::settles(before, after, &edits.iter().map(|(_, edit)| edit).collect::<Vec<_>>());
        }
        let changed = edits.chunk_by(|(one, _), (other, _)| one == other).flat_map(places);
        !brings_problems(before, after, &changed.collect::<Vec<_>>())
    }

    /// Makes changes of a file that have been found elsewhere.
    pub(super) fn change(&mut self, memory: &Memory, path: &Path, edits: &[Edit]) {
        let Ok(text) = std::fs::read_to_string(path) else { return };
        let changed = edit::apply(&text, edits);
        memory.insert(address(path), changed.clone());
        self.files.insert(path.to_owned(), (text, changed));
        self.made += edits.len();
    }

    /// Writes what becomes of the only changed file to another one.
    pub(super) fn write_to(&self, path: &Path) -> io::Result<()> {
        let Some((_, after)) = self.files.values().next() else { return Ok(()) };
        std::fs::write(path, after)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    }

    /// Writes the changed files.
    pub(super) fn write(&self) -> io::Result<()> {
        for (path, (_, after)) in self.changed() {
            std::fs::write(path, after)
                .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
        }
        Ok(())
    }

    /// Shows what would be changed.
    pub(super) fn diff(&self, out: &mut dyn Write) -> io::Result<()> {
        for (path, (before, after)) in self.changed() {
            let name = shown(path);
            let diff = TextDiff::from_lines(before, after);
            write!(out, "{}", diff.unified_diff().header(&name, &name))?;
        }
        Ok(())
    }

    fn changed(&self) -> impl Iterator<Item = (&PathBuf, &(String, String))> {
        self.files.iter().filter(|(_, (before, after))| before != after)
    }

    /// Whether something is changed.
    pub(super) fn is_empty(&self) -> bool {
        self.changed().next().is_none()
    }

    /// Tells what has been done, and what could be.
    pub(super) fn tell(&self, is_done: bool, streams: &mut Streams) -> io::Result<()> {
        let plural = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        if self.made > 0 {
            let verb = if is_done { "made" } else { "possible" };
            let files = plural(self.changed().count(), "file");
            writeln!(streams.err(), "{} {verb} in {files}", plural(self.made, "change"))?;
        }
        if !self.left.is_empty() {
            let more = plural(self.left.len(), "change");
            writeln!(streams.err(), "{more} more with `--unsafe-fixes`, to be looked at")?;
        }
        Ok(())
    }
}

/// Whether changes have brought a problem: one where something was changed, or one of reading or names anywhere. What
/// could not be checked before may be found wrong now, which is not the fault of the change. Places move, so that messages
/// are compared.
fn brings_problems(before: &Outcome, after: &Outcome, changed: &[(PathBuf, u32, u32)]) -> bool {
    let mut known: FxHashMap<(&'static str, &str), usize> = FxHashMap::default();
    for problem in &before.diagnostics {
        *known.entry((problem.rule.code, &problem.message)).or_default() += 1;
    }
    after.diagnostics.iter().any(|problem| {
        if let Some(count) = known.get_mut(&(problem.rule.code, &*problem.message)).filter(|count| **count > 0) {
            *count -= 1;
            return false;
        }
        let path = std::path::absolute(name(&after.sources, problem.span.source)).unwrap_or_default();
        let is_inside = |(file, start, end): &(PathBuf, u32, u32)| {
            *file == path && problem.span.start <= *end && *start <= problem.span.start
        };
        EARLY.iter().any(|code| problem.rule.code.starts_with(code)) || changed.iter().any(is_inside)
    })
}

/// Rules about how something is spelt, of which other versions think otherwise: booleans, versions, words, values.
const SPELLING: [&str; 9] = ["T1203", "T1210", "T1311", "T1314", "T5101", "T5102", "T5103", "T5104", "T5105"];

/// How the codes of problems begin that a change of a word must not bring.
const EARLY: [&str; 3] = ["T1", "T2", "Y"];

/// Where the texts of changes of one file stand once they are made.
fn places(edits: &[(PathBuf, Edit)]) -> impl Iterator<Item = (PathBuf, u32, u32)> {
    let (mut added, mut removed) = (0, 0);
    edits.iter().map(move |(path, edit)| {
        let (start, length) = (edit.span.start + added - removed, edit.text.len() as u32);
        added += length;
        removed += edit.span.end - edit.span.start;
        (path.clone(), start, start + length)
    })
}

fn address(path: &Path) -> Address {
    Address::from_path(path, Path::new("/"))
}

fn name(sources: &Sources, id: SourceId) -> String {
    sources.get(id).map_or_else(String::new, |source| source.name().to_owned())
}
