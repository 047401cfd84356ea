//! The problems of a run.

use std::collections::hash_map;

use foldhash::{HashMap, HashSet};
use rustc_hash::FxHashMap;
use tosca_parse::diagnostic::{Diagnostic, SourceId, Span};
use tosca_parse::source::{Source, Sources};

/// The problems in all files. Several files can share a source, but its problems are reported once.
#[derive(Default)]
pub(super) struct Problems {
    pub(super) list: Vec<Diagnostic>,
    seen: HashSet<(&'static str, Span, String)>,
    pub(super) sources: Sources,
    numbers: FxHashMap<(usize, SourceId), SourceId>,
    /// The sources by name, for results from a cache, and for sources that were read several times.
    named: HashMap<(usize, String), SourceId>,
}

impl Problems {
    /// Adds the problems that a parser has found. Each parser numbers its sources separately.
    pub(super) fn add(&mut self, reader: usize, diagnostics: Vec<Diagnostic>, sources: &Sources) {
        for source in sources.iter() {
            if !self.numbers.contains_key(&(reader, source.id())) {
                let number = self.number(reader, source);
                self.numbers.insert((reader, source.id()), number);
            }
        }
        let numbers = std::mem::take(&mut self.numbers);
        self.add_numbered(diagnostics, |id| numbers.get(&(reader, id)).copied());
        self.numbers = numbers;
    }

    /// Adds the problems of a result from a cache, which numbers its sources separately.
    pub(super) fn add_cached(&mut self, reader: usize, diagnostics: Vec<Diagnostic>, sources: &Sources) {
        let numbers: FxHashMap<SourceId, SourceId> =
            sources.iter().map(|source| (source.id(), self.number(reader, source))).collect();
        self.add_numbered(diagnostics, |id| numbers.get(&id).copied());
    }

    /// Returns the number of a source. The text of a source to which no problem refers may be missing.
    fn number(&mut self, reader: usize, source: &Source) -> SourceId {
        let next = SourceId(self.sources.len() as u32);
        match self.named.entry((reader, source.name().to_owned())) {
            hash_map::Entry::Occupied(mut known) => {
                let number = *known.get();
                let text = self.sources.get(number).map(Source::text).cloned().unwrap_or_default();
                if text.is_empty() {
                    self.sources.replace(source.renumbered(number));
                } else if !source.text().is_empty() && *source.text() != text {
                    known.insert(next);
                    self.sources.add(source.renumbered(next));
                    return next;
                }
                number
            }
            hash_map::Entry::Vacant(place) => {
                place.insert(next);
                self.sources.add(source.renumbered(next));
                next
            }
        }
    }

    fn add_numbered(&mut self, diagnostics: Vec<Diagnostic>, number: impl Fn(SourceId) -> Option<SourceId>) {
        for mut diagnostic in diagnostics {
            // Problems without a source stay without one.
            diagnostic.renumber(|id| number(id).unwrap_or(SourceId(u32::MAX)));
            if self.seen.insert((diagnostic.rule.code, diagnostic.span, diagnostic.message.clone())) {
                self.list.push(diagnostic);
            }
        }
    }
}
