//! Baselines: known problems that are not reported again.
//!
//! A team that starts to validate an old project records today's problems and is shown only new ones. A problem is
//! identified by file, rule and key path, not by line, because lines above it may change. Entries have a count, because
//! one path can have several equal problems. Problems that have been fixed are reported, so a baseline shrinks and
//! never grows by itself.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use foldhash::{HashMap, HashSet};
use serde::{Deserialize, Serialize};

use super::dirs::shown;
use super::output;
use super::streams::Streams;
use tosca_parse::diagnostic::{Diagnostic, render};
use tosca_parse::phase::Units;
use tosca_parse::source::{ReadError, Source, Sources, regular};

/// The maximum size of a baseline, in bytes.
const LARGEST: u64 = 64 << 20;

/// The default file name.
pub(super) const NAME: &str = "tosca-parse-baseline.json";

/// The identity of a problem.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Key {
    /// The file, relative to the folder of the baseline, or its address.
    file: String,
    rule: String,
    /// The path of keys to the problem.
    at: String,
}

/// An entry in the baseline file.
#[derive(Debug, Serialize, Deserialize)]
struct Known {
    #[serde(flatten)]
    key: Key,
    #[serde(default = "one")]
    count: usize,
}

fn one() -> usize {
    1
}

#[derive(Debug, Serialize, Deserialize)]
struct File {
    problems: Vec<Known>,
}

/// The known problems and those found in this run.
pub(super) struct Baseline {
    path: PathBuf,
    /// The text of the file; `None` for a new baseline.
    text: Option<Vec<u8>>,
    /// The number of known occurrences of each problem.
    known: BTreeMap<Key, usize>,
    found: BTreeMap<Key, usize>,
    /// Whether each problem seen so far is known. Files share sources, so the same problem can occur with several
    /// files.
    decided: HashMap<(&'static str, String, u32, String), bool>,
    read: HashSet<String>,
}

impl Baseline {
    /// Returns an empty baseline, to be written later.
    pub(super) fn empty(path: &Path) -> Self {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Self {
            path,
            text: None,
            known: BTreeMap::new(),
            found: BTreeMap::new(),
            decided: HashMap::default(),
            read: HashSet::default(),
        }
    }

    /// Reads a baseline.
    ///
    /// # Errors
    ///
    /// Returns an error, as one line for the user, if the file is missing or invalid.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let wrong = |why: &dyn std::fmt::Display| format!("the baseline `{}` can't be read: {why}", path.display());
        let bytes = regular::read(path, LARGEST).map_err(|error| match error {
            ReadError::NotFound => {
                wrong(&format!("baseline not found; create it with `--write-baseline={}`", path.display()))
            }
            error => wrong(&error),
        })?;
        let file: File = serde_json::from_slice(&bytes).map_err(|error| wrong(&error))?;
        let mut baseline = Self::empty(path);
        for Known { key, count } in file.problems {
            let sum = baseline.known.entry(key).or_default();
            *sum = sum.saturating_add(count);
        }
        baseline.text = Some(bytes);
        Ok(baseline)
    }

    /// Removes known problems from the problems in a file.
    pub(super) fn take(&mut self, problems: &mut Vec<Diagnostic>, units: &Units, sources: &Sources) {
        for source in sources.iter() {
            let file = self.file(source.name());
            self.read.insert(file);
        }
        problems.retain(|problem| !self.knows(problem, units, sources));
    }

    fn knows(&mut self, problem: &Diagnostic, units: &Units, sources: &Sources) -> bool {
        let name = sources.get(problem.span.source).map(Source::name).unwrap_or_default();
        let same = (problem.rule.code, name.to_owned(), problem.span.start, problem.message.clone());
        if let Some(decided) = self.decided.get(&same) {
            return *decided;
        }
        let at = units.unit(problem.span.source).map(|unit| unit.document.path_to(problem.span.start).join("/"));
        let key = Key { file: self.file(name), rule: problem.rule.code.to_owned(), at: at.unwrap_or_default() };
        let known = self.known.get(&key).copied().unwrap_or_default();
        let found = self.found.entry(key).or_default();
        *found += 1;
        let is_known = *found <= known;
        self.decided.insert(same, is_known);
        is_known
    }

    /// Returns the name of a source in the baseline.
    fn file(&self, name: &str) -> String {
        if name.contains(':') && !Path::new(name).exists() {
            return name.to_owned();
        }
        let path = std::path::absolute(name).unwrap_or_else(|_| name.into());
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let up = folder.ancestors().position(|folder| path.starts_with(folder)).unwrap_or_default();
        let common = folder.ancestors().nth(up).unwrap_or(folder);
        let below = path.strip_prefix(common).unwrap_or(&path);
        let parts = std::iter::repeat_n("..".into(), up).chain(below.iter().map(|part| part.to_string_lossy()));
        parts.collect::<Vec<_>>().join("/")
    }

    /// Returns the entries whose problems are fixed, with the number of occurrences that were not found although their
    /// files were read or no longer exist.
    fn stale(&self) -> impl Iterator<Item = (&Key, usize)> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        self.known.iter().filter_map(move |(key, known)| {
            let left = known.saturating_sub(self.found.get(key).copied().unwrap_or_default());
            let is_told = self.read.contains(&key.file) || !key.file.contains(':') && !folder.join(&key.file).exists();
            (left > 0 && is_told).then_some((key, left))
        })
    }

    /// Reports fixed entries.
    pub(super) fn report(&self, streams: &mut Streams) -> io::Result<()> {
        let stale: Vec<_> = self.stale().collect();
        if stale.is_empty() {
            return Ok(());
        }
        let name = shown(&self.path);
        let (are, them) = if stale.len() == 1 { ("entry is", "it") } else { ("entries are", "them") };
        writeln!(
            streams.err(),
            "{name}: {} {are} for fixed problems; `--prune-baseline` removes {them}:",
            stale.len()
        )?;
        for (Key { file, rule, at }, count) in stale {
            let count = if count == 1 { String::new() } else { format!(" ({count} times)") };
            let line = format!("  {file}: {rule} at {}{count}", if at.is_empty() { "the top" } else { at });
            writeln!(streams.err(), "{}", render::sanitize(&line))?;
        }
        Ok(())
    }

    /// Removes fixed entries and writes the others.
    pub(super) fn prune(mut self, streams: &mut Streams) -> io::Result<()> {
        let stale: Vec<(Key, usize)> = self.stale().map(|(key, count)| (key.clone(), count)).collect();
        for (key, count) in &stale {
            if let Some(known) = self.known.get_mut(key) {
                *known -= count;
            }
        }
        self.known.retain(|_, count| *count > 0);
        if !stale.is_empty() {
            save(&self.path, self.known, self.text)?;
            let entries = if stale.len() == 1 { "entry" } else { "entries" };
            writeln!(streams.err(), "{}: {} {entries} removed", shown(&self.path), stale.len())?;
        }
        Ok(())
    }

    /// Writes a baseline of all problems found.
    pub(super) fn write(self, streams: &mut Streams) -> io::Result<()> {
        let count: usize = self.found.values().sum();
        save(&self.path, self.found, None)?;
        let problems = if count == 1 { "problem" } else { "problems" };
        writeln!(streams.err(), "{count} {problems} written to {}", shown(&self.path))
    }
}

/// Writes one line per entry, so that diffs are readable.
fn save(path: &Path, known: BTreeMap<Key, usize>, before: Option<Vec<u8>>) -> io::Result<()> {
    let lines: Result<Vec<String>, _> =
        known.into_iter().map(|(key, count)| serde_json::to_string(&Known { key, count })).collect();
    let lines = lines?;
    let list = if lines.is_empty() { String::new() } else { format!("\n    {}\n  ", lines.join(",\n    ")) };
    let mut draft = output::draft(path)?;
    draft.write_all(format!("{{\n  \"problems\": [{list}]\n}}\n").as_bytes())?;
    let draft = match before {
        Some(before) => draft.expecting(before),
        None => draft,
    };
    draft.replace()
}
