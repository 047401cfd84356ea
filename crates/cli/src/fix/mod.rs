//! Making the changes that problems name.
//!
//! Changes are made in memory first: a file is read anew after each round, until nothing is left to be changed, and a
//! change that brings another problem is taken back. What one problem names is one change, in however many places. Then the files are written, or what would be changed is shown.
//! Comments that exempt lines are made in the same way.

mod exempt;
mod project;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use similar::TextDiff;

use super::output;
pub(super) use project::Project;
use super::places::shown;
use super::streams::Streams;
use tosca_parse::diagnostic::edit::{self, Taken};
use tosca_parse::diagnostic::{Diagnostic, Edit, Safety, SourceId, Span, render};
use tosca_parse::source::replace::{Draft, replace_all};
use tosca_parse::source::{Address, Memory, Sources, regular};
use tosca_parse::{Entry, Outcome, Parser};

/// Changes may make others possible, but not without end.
const ROUNDS: usize = 10;

/// If the changes of a round bring a problem, they are tried in halves, and halves of halves, so many times.
const TRIES: usize = 200;

/// What one problem names: texts of files that take the place of others, together or not at all.
type Change = Vec<(PathBuf, Edit)>;

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
    project: Project,
    /// The texts of changed files, before and after.
    files: BTreeMap<PathBuf, (String, String)>,
    /// The changes that have been made, each with the places that it had when it was found.
    made: Vec<Change>,
    /// Changes that are not certain, and not made.
    left: BTreeSet<(String, u32)>,
    /// Changes that have brought other problems.
    refused: FxHashSet<Change>,
    /// Files outside of the project that would have been changed.
    outside: BTreeSet<PathBuf>,
}

/// Where a source is.
pub(super) enum Place {
    /// A file of the project.
    Inside(PathBuf),
    /// A file outside of the project, which is not changed.
    Outside(PathBuf),
    /// Not a file, or a file with another text by now.
    NoFile,
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
    pub(super) fn new(wanted: Wanted, project: Project) -> Self {
        Self {
            wanted,
            project,
            files: BTreeMap::new(),
            made: Vec::new(),
            left: BTreeSet::new(),
            refused: FxHashSet::default(),
            outside: BTreeSet::new(),
        }
    }

    /// Makes the changes of the problems of an entry.
    pub(super) fn of(&mut self, reader: Reader<'_>) {
        let mut outcome = reader.read();
        for _ in 0..ROUNDS {
            let changes = self.changes(&outcome);
            if changes.is_empty() {
                break;
            }
            let mut tries = TRIES;
            outcome = self.make(reader, outcome, (&changes, self.made.len()), &mut tries);
        }
        if let Wanted::Safe = self.wanted {
            let left = outcome.diagnostics.iter().map(|problem| &problem.edits[..]).filter(|edits| !is_safe(edits));
            let places = left.filter_map(|edits| edits.first()).map(|edit| edit.span);
            self.left.extend(places.map(|span| (name(&outcome.sources, span.source), span.start)));
        }
    }

    /// The changes that are wanted in files that can be written, and can be made at once.
    fn changes(&mut self, outcome: &Outcome) -> Vec<Change> {
        let mut paths: FxHashMap<SourceId, Option<PathBuf>> = FxHashMap::default();
        let mut outside = std::mem::take(&mut self.outside);
        let problems = outcome.diagnostics.iter();
        let named = |problem: &Diagnostic| problem.edits.clone();
        let wanted: Vec<Vec<Edit>> = match &self.wanted {
            Wanted::Safe => problems.map(named).filter(|edits| is_safe(edits)).collect(),
            Wanted::All => problems.map(named).collect(),
            Wanted::Spelling => problems.filter(|problem| SPELLING.contains(&problem.rule.code)).map(named).collect(),
            Wanted::Exemptions(reason) => {
                let is_refused = |edit: &Edit| self.refused.iter().flatten().any(|(_, refused)| refused == edit);
                exempt::edits(outcome, reason, is_refused).into_iter().map(|edit| vec![edit]).collect()
            }
        };
        let mut path = |id: SourceId| {
            let found = paths.entry(id).or_insert_with(|| match self.place(&outcome.sources, id) {
                Place::Inside(path) => Some(path),
                Place::Outside(path) => {
                    outside.insert(path);
                    None
                }
                Place::NoFile => None,
            });
            found.clone()
        };
        let mut changes: Vec<(Change, Vec<Edit>)> = wanted
            .into_iter()
            .filter(|edits| !edits.is_empty())
            .filter_map(|edits| {
                let placed = edits.iter().map(|edit| Some((path(edit.span.source)?, edit.clone())));
                Some((placed.collect::<Option<Change>>()?, edits))
            })
            .collect();
        self.outside = outside;
        changes.retain(|(change, _)| !self.refused.contains(change));
        changes.sort();
        let mut taken = Taken::default();
        changes.into_iter().filter(|(_, edits)| taken.take(edits)).map(|(change, _)| change).collect()
    }

    /// Makes changes of a text in which some had been made before. If some of them bring a problem, it is those that are
    /// not made.
    fn make(
        &mut self,
        reader: Reader<'_>,
        before: Outcome,
        (changes, made_before): (&[Change], usize),
        tries: &mut usize,
    ) -> Outcome {
        if changes.is_empty() || *tries == 0 {
            return before;
        }
        *tries -= 1;
        let moved = moved(changes, &self.made[made_before..]);
        if let Some(after) = self.attempt(reader, &before, &moved) {
            self.made.extend_from_slice(changes);
            return after;
        }
        if let [alone] = &moved[..] {
            self.refused.insert(alone.clone());
            return before;
        }
        let (first, second) = changes.split_at(changes.len() / 2);
        let between = self.make(reader, before, (first, made_before), tries);
        self.make(reader, between, (second, made_before), tries)
    }

    /// The place of a source that is a file with just this text.
    pub(super) fn place(&self, sources: &Sources, id: SourceId) -> Place {
        let Some(source) = sources.get(id) else { return Place::NoFile };
        let Ok(path) = std::path::absolute(source.name()) else { return Place::NoFile };
        match self.files.get(&path) {
            Some((_, after)) if *after == **source.text() => Place::Inside(path),
            None if regular::read(&path, source.text().len() as u64).is_ok_and(|bytes| bytes == source.text().as_bytes()) => {
                if self.project.has(&path) { Place::Inside(path) } else { Place::Outside(path) }
            }
            _ => Place::NoFile,
        }
    }

    /// Makes changes, unless they bring a problem that there was not.
    fn attempt(&mut self, reader: Reader<'_>, before: &Outcome, changes: &[Change]) -> Option<Outcome> {
        let mut edits: Change = changes.iter().flatten().cloned().collect();
        edits.sort_by(|(one_path, one), (other_path, other)| (one_path, one.span).cmp(&(other_path, other.span)));
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
        if self.accepts(before, &after, &edits) {
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
        self.made.extend(edits.iter().map(|edit| vec![(path.to_owned(), edit.clone())]));
    }

    /// Writes the new text of the only changed file to another file.
    pub(super) fn write_to(&self, path: &Path) -> io::Result<()> {
        self.files.values().next().map_or(Ok(()), |(_, after)| output::write(path, after))
    }

    /// Writes the changed files, all or none. A file that has been edited since it was read is not overwritten.
    pub(super) fn write(&self) -> io::Result<()> {
        let drafts = self.changed().map(|(path, (before, after))| {
            let mut draft = Draft::new(path)?.expecting(before.as_bytes());
            draft.write_all(after.as_bytes())?;
            Ok(draft)
        });
        replace_all(drafts.collect::<io::Result<_>>()?)
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
        if !self.made.is_empty() {
            let verb = if is_done { "made" } else { "possible" };
            let files = plural(self.changed().count(), "file");
            writeln!(streams.err(), "{} {verb} in {files}", plural(self.made.len(), "change"))?;
        }
        if !self.left.is_empty() {
            let more = plural(self.left.len(), "change");
            writeln!(streams.err(), "{more} more with `--unsafe-fixes`, to be looked at")?;
        }
        for path in &self.outside {
            let name = render::shown(&shown(path)).into_owned();
            writeln!(streams.err(), "{name}: not changed, because it is outside of the project; name it to change it")?;
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

fn is_safe(edits: &[Edit]) -> bool {
    edits.iter().all(|edit| edit.safety == Safety::Safe)
}

/// Changes where they are to be made now that others have been made, which were found in the same texts and meet them
/// nowhere.
fn moved(changes: &[Change], made: &[Change]) -> Vec<Change> {
    let mut edits: Vec<&(PathBuf, Edit)> = made.iter().flatten().collect();
    edits.sort_by_key(|(path, edit)| (path, edit.span));
    let mut growth: FxHashMap<&Path, Vec<(u32, i64)>> = FxHashMap::default();
    for (path, edit) in edits {
        let of_file = growth.entry(path).or_default();
        let before = of_file.last().map_or(0, |(_, growth)| *growth);
        let grown = i64::from(edit.text.len() as u32) - i64::from(edit.span.end - edit.span.start);
        of_file.push((edit.span.end, before + grown));
    }
    let moved = |path: &Path, offset: u32| {
        let of_file = growth.get(path).map_or(&[][..], Vec::as_slice);
        let before = of_file.partition_point(|(end, _)| *end <= offset);
        let grown = before.checked_sub(1).map_or(0, |last| of_file[last].1);
        u32::try_from(i64::from(offset) + grown).unwrap_or(offset)
    };
    let place = |(path, edit): &(PathBuf, Edit)| {
        let (start, end) = (moved(path, edit.span.start), moved(path, edit.span.end));
        (path.clone(), Edit { span: Span { start, end, ..edit.span }, ..edit.clone() })
    };
    changes.iter().map(|change| change.iter().map(place).collect()).collect()
}

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
