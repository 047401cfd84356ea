//! Trials of a rename: the problems that the edited files and their importers would have.
//!
//! Parsing takes long if there are many files, so trials run on a separate thread.
//!
//! A new problem means that an occurrence of the name was not found, or that the new name has another meaning.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use foldhash::HashMap;
use tosca_parse::diagnostic::Diagnostic;
use tosca_parse::source::{Address, SharedText};
use tosca_parse::{Entry, Parser};

use crate::files::Files;
use crate::index::Name;
use crate::parsed::Parsed;
use crate::references::shown;
use crate::{Host, Overlay};

/// The maximum number of entries that are parsed.
const MAX_ENTRIES: usize = 256;

/// The maximum size of the texts that are parsed, in bytes. An import counts for each entry that reads it.
pub(crate) const MAX_BYTES: usize = 8 << 20;

/// Files with new texts.
pub(crate) struct Trial {
    /// The file in which the user renames.
    pub(crate) file: String,
    /// The edited files with their new texts; `None` for texts beyond the limit.
    pub(crate) texts: BTreeMap<String, Option<String>>,
    /// The beginning of the message for the user.
    pub(crate) refusal: String,
}

/// A trial that can run on any thread.
pub(crate) struct PreparedTrial {
    pub(crate) number: u64,
    trial: Trial,
    pairs: Vec<Pair>,
    /// The entries to parse, each with the number of its parsers.
    entries: Vec<(Address, usize, Entry)>,
    /// Whether the result is not needed anymore.
    is_canceled: Arc<AtomicBool>,
}

/// A parser of the workspace, with two parsers that have its settings.
struct Pair {
    original: Parser,
    before: Parser,
    after: Parser,
}

impl Trial {
    /// Chooses the entries and their parsers. The trial ends early once `is_canceled` is set.
    pub(crate) fn prepare(
        self,
        number: u64,
        (host, files): (&mut dyn Host, &Files),
        is_canceled: Arc<AtomicBool>,
    ) -> PreparedTrial {
        let edited = Overlay::default();
        for (file, text) in &self.texts {
            if let (Ok(address), Some(text)) = (Address::parse(file), text) {
                edited.set(&address, &SharedText::from(text.as_str()));
            }
        }
        let (mut pairs, mut entries): (Vec<Pair>, Vec<(Address, usize, Entry)>) = (Vec::new(), Vec::new());
        let addresses = self.entries(files).into_iter().filter_map(|name| Some(files.get(&name)?.address.clone()));
        for address in addresses {
            let Ok((original, entry)) = host.entry(&address) else { continue };
            let pair = match pairs.iter().position(|pair| pair.original.is_clone_of(&original)) {
                Some(known) => known,
                None => {
                    let before = original.offline_with(Arc::new(Overlay::default()));
                    let after = original.offline_with(Arc::new(edited.clone()));
                    pairs.push(Pair { original, before, after });
                    pairs.len() - 1
                }
            };
            entries.push((address, pair, entry));
        }
        PreparedTrial { number, trial: self, pairs, entries, is_canceled }
    }

    /// Returns the entries to parse: first the edited files, then those that import them.
    fn entries(&self, files: &Files) -> Vec<Name> {
        let edited = self.texts.keys().filter(|file| files.contains(file)).map(|file| Name::from(&**file));
        let first = Some(&self.file).filter(|file| files.contains(file)).map(|file| Name::from(&**file));
        let readers: BTreeSet<&Name> = self.texts.keys().flat_map(|file| files.readers(file)).collect();
        let all = first.into_iter().chain(edited).chain(readers.into_iter().cloned());
        let is_known = |file: &Name| self.texts.get(&**file).is_none_or(Option::is_some);
        let has_all_texts = |name: &Name| {
            let record = files.get(name).and_then(|file| file.record.as_ref());
            record.is_some_and(|record| record.files().all(is_known))
        };
        let mut known = BTreeSet::new();
        all.filter(|name| has_all_texts(name) && known.insert(name.clone())).take(MAX_ENTRIES).collect()
    }

    fn message(&self, problem: &Diagnostic, parsed: &Parsed) -> String {
        let file = parsed.address(problem.span.source).map(ToString::to_string);
        let file = match file.filter(|file| *file != self.file) {
            Some(file) => shown(&file),
            None => "the file".to_owned(),
        };
        format!("{}{file} would have a new problem: {}", self.refusal, problem.message)
    }
}

impl PreparedTrial {
    /// Returns a message about the first problem that an entry would have only with the new texts. Entries beyond the
    /// limits are not checked.
    pub(crate) fn new_problem(self) -> Option<String> {
        let mut bytes = 0;
        for (address, pair, entry) in self.entries {
            if self.is_canceled.load(Ordering::Relaxed) || bytes > MAX_BYTES {
                return None;
            }
            let Pair { before, after, .. } = &self.pairs[pair];
            let parsed = Parsed::new(&address, after, after.parse_entry(entry.clone()));
            if !parsed.outcome.diagnostics.is_empty() {
                let before = before.parse_entry(entry).diagnostics;
                if let Some(problem) = first_new(&before, &parsed.outcome.diagnostics) {
                    return Some(self.trial.message(problem, &parsed));
                }
            }
            let units = parsed.outcome.program.list.iter().filter(|unit| unit.implicit.is_none());
            bytes += units.map(|unit| unit.source.text().len()).sum::<usize>();
        }
        None
    }
}

/// Returns the first problem of a rule that had fewer problems before.
fn first_new<'d>(before: &[Diagnostic], after: &'d [Diagnostic]) -> Option<&'d Diagnostic> {
    let mut known: HashMap<&str, usize> = HashMap::default();
    before.iter().for_each(|problem| *known.entry(problem.rule.code).or_default() += 1);
    after.iter().find(|problem| match known.get_mut(problem.rule.code).filter(|left| **left > 0) {
        Some(left) => {
            *left -= 1;
            false
        }
        None => true,
    })
}
