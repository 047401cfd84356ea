//! The entries of the workspace: open documents and the files in its folders.
//!
//! An open document keeps its program. A file that is not open keeps a [`Record`]. The total size of the names and
//! words in records is limited; files beyond the limit are parsed by every search. So is the total work for imports:
//! files beyond that limit are left out until something changes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;
use std::time::Duration;

use foldhash::HashSet;
use tosca_parse::source::Address;
use web_time::Instant;

use crate::diagnostics;
use crate::index::{Name, Record};
use crate::parsed::Parsed;
use crate::protocol::Diagnostic;

/// The maximum total size of the names and words in records, in bytes.
const MAX_INDEX_BYTES: usize = 256 << 20;

/// The maximum number of other entries from which the problems of a file are collected. Most entries report the same
/// ones.
const MAX_REPORTERS: usize = 32;

/// All entries.
#[derive(Default)]
pub(crate) struct Files {
    list: BTreeMap<Name, File>,
    /// The names of all entries, shared with the parser threads.
    names: Arc<HashSet<Name>>,
    /// The entries to parse, by time.
    queue: BTreeSet<(Instant, Name)>,
    /// The entries that have read a source or looked for a file.
    readers: BTreeMap<Name, BTreeSet<Name>>,
    /// The entries that any change may affect: they lack a source or could not be parsed.
    missing: BTreeSet<Name>,
    /// The entries that report problems of a file.
    reporters: BTreeMap<String, BTreeSet<Name>>,
    /// The total size of the names and words in records.
    bytes: usize,
    /// The total work for the imports of all entries, as a number of imported sources.
    imports: usize,
    /// The entries that were not parsed because of the limit on this work.
    left_out: BTreeSet<Name>,
}

/// An entry.
pub(crate) struct File {
    pub(crate) address: Address,
    /// The program of its current text, if it is kept.
    pub(crate) parsed: Option<Parsed>,
    /// The time of the next parse; `None` if the result is up to date.
    pub(crate) due: Option<Instant>,
    /// The latest result; `None` before the first parse and after a failure.
    pub(crate) record: Option<Record>,
    /// The expected time to parse it.
    pub(crate) took: Duration,
    changed: Changed,
}

/// The files on which an entry depends and that have changed since its latest result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Changed {
    #[default]
    None,
    One(Name),
    Several,
}

impl File {
    /// Returns whether the latest result counts, apart from changes to `file`.
    pub(crate) fn is_known_apart_from(&self, file: &str) -> bool {
        let Some(record) = &self.record else { return false };
        match &self.changed {
            Changed::None => true,
            // It may be the file that was missing.
            Changed::One(changed) => **changed == *file && !record.misses,
            Changed::Several => false,
        }
    }

    /// Notes a change to a file on which the entry depends; returns whether the entry was up to date.
    fn is_affected(&mut self, file: &str) -> bool {
        match &self.changed {
            Changed::None => self.changed = Changed::One(file.into()),
            Changed::One(changed) if **changed == *file => {}
            Changed::One(_) | Changed::Several => self.changed = Changed::Several,
        }
        self.due.is_none()
    }

    /// Returns whether there is no result and will be none until something changes.
    pub(crate) fn has_failed(&self) -> bool {
        self.record.is_none() && self.due.is_none()
    }
}

impl Files {
    pub(crate) fn get(&self, name: &str) -> Option<&File> {
        self.list.get(name)
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.list.contains_key(name)
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns the names of all entries.
    pub(crate) fn names(&self) -> &Arc<HashSet<Name>> {
        &self.names
    }

    /// Returns the first entry by name.
    pub(crate) fn first(&self) -> Option<&Name> {
        self.list.keys().next()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Name, &File)> {
        self.list.iter()
    }

    /// Adds an entry to be parsed at the given time, unless it is already known.
    pub(crate) fn add(&mut self, address: &Address, due: Instant) {
        let name: Name = address.to_string().into();
        if self.list.contains_key(&name) {
            return;
        }
        let file = File {
            address: address.clone(),
            parsed: None,
            due: None,
            record: None,
            took: Duration::ZERO,
            changed: Changed::None,
        };
        self.list.insert(name.clone(), file);
        Arc::make_mut(&mut self.names).insert(name.clone());
        self.schedule(&name, due);
    }

    /// Removes an entry; returns the files whose problems may have changed.
    pub(crate) fn remove(&mut self, name: &str) -> BTreeSet<String> {
        self.unschedule(name);
        let affected = self.set_record(name, None);
        self.missing.remove(name);
        self.list.remove(name);
        Arc::make_mut(&mut self.names).remove(name);
        affected
    }

    /// Schedules an entry to be parsed at the given time, replacing any earlier schedule.
    pub(crate) fn schedule(&mut self, name: &str, due: Instant) {
        self.unschedule(name);
        if let Some((name, _)) = self.list.get_key_value(name) {
            self.queue.insert((due, name.clone()));
        }
        if let Some(file) = self.list.get_mut(name) {
            file.due = Some(due);
        }
    }

    /// Schedules all entries to be parsed now.
    pub(crate) fn schedule_all(&mut self) {
        let (names, now): (Vec<Name>, _) = (self.list.keys().cloned().collect(), Instant::now());
        for file in self.list.values_mut() {
            file.changed = Changed::Several;
            file.record.iter_mut().for_each(|record| record.imports = 0);
        }
        self.imports = 0;
        names.iter().for_each(|name| self.schedule(name, now));
    }

    /// Returns the total work for the imports of all entries, as a number of imported sources.
    pub(crate) fn imports(&self) -> usize {
        self.imports
    }

    /// Returns [`imports`](Self::imports) without those of one entry.
    pub(crate) fn imports_apart_from(&self, name: &str) -> usize {
        let own = self.list.get(name).and_then(|file| file.record.as_ref());
        self.imports - own.map_or(0, |record| record.imports)
    }

    /// Schedules the entries that were left out to be parsed at the given time, if the work for the imports of the others
    /// is within the limit.
    pub(crate) fn schedule_left_out(&mut self, max_imports: usize, due: Instant) {
        if self.imports <= max_imports {
            self.left_out.clone().iter().for_each(|name| self.schedule(name, due));
        }
    }

    pub(crate) fn unschedule(&mut self, name: &str) {
        let Some(file) = self.list.get_mut(name) else { return };
        if let Some(due) = file.due.take() {
            self.queue.remove(&(due, name.into()));
        }
    }

    /// Returns the entries to parse, sorted by the time at which to parse them.
    pub(crate) fn scheduled(&self) -> impl Iterator<Item = (Instant, &Name)> {
        self.queue.iter().map(|(due, name)| (*due, name))
    }

    /// Returns the number of entries to parse.
    pub(crate) fn to_parse(&self) -> usize {
        self.queue.len()
    }

    /// Returns whether the program of an entry is kept and up to date.
    pub(crate) fn has_program(&self, name: &str) -> bool {
        self.list.get(name).is_some_and(|file| file.due.is_none() && file.parsed.is_some())
    }

    /// Stores the result for an entry; returns the files whose problems may have changed.
    pub(crate) fn set(&mut self, name: &str, record: Record, parsed: Option<Parsed>) -> BTreeSet<String> {
        let old = self.list.get(name).and_then(|file| file.record.as_ref()).map_or(0, Record::bytes);
        let is_full = self.bytes - old + record.bytes() > MAX_INDEX_BYTES;
        let record = if is_full { record.without_names() } else { record };
        let affected = self.set_record(name, Some(record));
        if let Some(file) = self.list.get_mut(name) {
            file.parsed = parsed;
            file.changed = Changed::None;
        }
        affected
    }

    /// Notes that an entry can't be parsed; returns the files whose problems may have changed.
    pub(crate) fn fail(&mut self, name: &str) -> BTreeSet<String> {
        let affected = self.set_record(name, None);
        if let Some((name, _)) = self.list.get_key_value(name) {
            self.missing.insert(name.clone());
        }
        if let Some(file) = self.list.get_mut(name) {
            file.parsed = None;
        }
        affected
    }

    /// Drops the program of an entry.
    pub(crate) fn drop_program(&mut self, name: &str) {
        if let Some(file) = self.list.get_mut(name) {
            file.parsed = None;
        }
    }

    /// Notes the time that parsing an entry took.
    pub(crate) fn set_took(&mut self, name: &str, took: Duration) {
        if let Some(file) = self.list.get_mut(name) {
            file.took = took;
        }
    }

    fn set_record(&mut self, name: &str, record: Option<Record>) -> BTreeSet<String> {
        let mut affected = BTreeSet::from([name.to_owned()]);
        let Some((name, _)) = self.list.get_key_value(name) else { return affected };
        let name = name.clone();
        let old = self.list.get_mut(&name).and_then(|file| file.record.take());
        if let Some(old) = old {
            self.bytes -= old.bytes();
            self.imports -= old.imports;
            for file in old.files() {
                take_out(&mut self.readers, file, &name);
            }
            for file in old.problems.keys() {
                take_out(&mut self.reporters, file.as_str(), &name);
            }
            affected.extend(old.problems.into_keys());
        }
        self.missing.remove(&name);
        self.left_out.remove(&name);
        if let Some(record) = record {
            self.bytes += record.bytes();
            self.imports += record.imports;
            if record.is_left_out {
                self.left_out.insert(name.clone());
            }
            for file in record.files() {
                // All records share one copy of each name.
                let file = self.list.get_key_value(file).map_or(file, |(known, _)| known);
                self.readers.entry(file.clone()).or_default().insert(name.clone());
            }
            for file in record.problems.keys() {
                self.reporters.entry(file.clone()).or_default().insert(name.clone());
            }
            if record.misses {
                self.missing.insert(name.clone());
            }
            affected.extend(record.problems.keys().cloned());
            if let Some(file) = self.list.get_mut(&name) {
                file.record = Some(record);
            }
        }
        affected
    }

    /// Returns the entries that depend on a file.
    pub(crate) fn readers(&self, file: &str) -> impl Iterator<Item = &Name> {
        self.readers.get(file).into_iter().flatten()
    }

    /// Returns the files in a folder and its subfolders on which entries depend, even if they do not exist.
    pub(crate) fn read_below(&self, folder: &str) -> Vec<Name> {
        let start = format!("{}/", folder.trim_end_matches('/'));
        let names = self.readers.range::<str, _>((Bound::Included(&*start), Bound::Unbounded)).map(|(name, _)| name);
        names.take_while(|name| name.starts_with(&start)).cloned().collect()
    }

    /// Notes a change to a file; returns the up-to-date entries that it can affect.
    pub(crate) fn affect(&mut self, changed: &str) -> Vec<Name> {
        let all: BTreeSet<Name> = self.readers(changed).chain(&self.missing).cloned().collect();
        all.into_iter()
            .filter(|name| self.list.get_mut(&**name).is_some_and(|file| file.is_affected(changed)))
            .collect()
    }

    /// Returns the files with problems.
    pub(crate) fn reported(&self) -> impl Iterator<Item = &str> {
        self.reporters.keys().map(String::as_str)
    }

    /// Returns the problems of a file, from all programs that read it; those of its own program come first.
    pub(crate) fn problems(&self, file: &str) -> Vec<Diagnostic> {
        let of = |entry: &str| self.list.get(entry)?.record.as_ref()?.problems.get(file);
        let mut all = of(file).cloned().unwrap_or_default();
        let others = self.reporters.get(file).into_iter().flatten().filter(|entry| ***entry != *file);
        for entry in others.take(MAX_REPORTERS) {
            diagnostics::add(&mut all, of(entry).map_or(&[], Vec::as_slice));
        }
        all
    }
}

fn take_out<K: Ord + std::borrow::Borrow<str>>(map: &mut BTreeMap<K, BTreeSet<Name>>, key: &str, name: &Name) {
    if let Some(set) = map.get_mut(key) {
        set.remove(name);
        if set.is_empty() {
            map.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn record(sources: &[&str], misses: bool) -> Record {
        Record { sources: sources.iter().map(|source| (*source).into()).collect(), misses, ..Record::default() }
    }

    #[test]
    fn changes_affect_the_entries_that_read_a_source() {
        let mut files = Files::default();
        let now = Instant::now();
        for name in ["file:///a.yaml", "file:///b.yaml", "file:///c.yaml"] {
            files.add(&Address::parse(name).unwrap(), now);
            files.unschedule(name);
        }
        files.set("file:///a.yaml", record(&["file:///a.yaml", "file:///c.yaml"], false), None);
        files.set("file:///b.yaml", record(&["file:///b.yaml"], true), None);
        files.set("file:///c.yaml", record(&["file:///c.yaml"], false), None);
        let affected = |files: &mut Files, source: &str| {
            files.affect(source).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(affected(&mut files, "file:///c.yaml"), "file:///a.yaml file:///b.yaml file:///c.yaml");
        assert_eq!(affected(&mut files, "file:///d.yaml"), "file:///b.yaml", "which misses a source");
        files.schedule("file:///a.yaml", now);
        assert_eq!(affected(&mut files, "file:///c.yaml"), "file:///b.yaml file:///c.yaml", "the other one is due");
        assert_eq!((files.to_parse(), files.scheduled().next().map(|(_, name)| &**name)), (1, Some("file:///a.yaml")));
        files.set("file:///b.yaml", record(&[], false), None);
        files.remove("file:///a.yaml");
        assert_eq!(affected(&mut files, "file:///c.yaml"), "file:///c.yaml");
        assert_eq!((files.len(), files.to_parse()), (2, 0));
        files.fail("file:///b.yaml");
        assert_eq!(affected(&mut files, "file:///d.yaml"), "file:///b.yaml", "its configuration may be valid now");
    }
}
