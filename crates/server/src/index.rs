//! The record of a file whose program the server does not keep: its problems, the sources that it has read, the names
//! that it declares, and the words in it.
//!
//! A search parses only the files with the words that it looks for. The words of a file are the hashes of its scalars,
//! four bytes each, so a folder of 20 000 templates takes a few megabytes.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::SystemTime;

use foldhash::HashSet;
use rustc_hash::{FxHashSet, FxHasher};
use tosca_parse::diagnostic::SourceId;
use tosca_parse::entity::{AnyId, Language, Section};
use tosca_parse::phase::Unit;
use tosca_parse::rules;
use tosca_parse::source::Address;

use crate::code_lens::{self, TypeUse};
use crate::diagnostics;
use crate::enclosing::description;
use crate::file_references;
use crate::markdown;
use crate::parsed::Parsed;
use crate::place;
use crate::protocol::{Client, Diagnostic, Range};
use crate::references::before_version;

/// The address of a file, as a string.
pub(crate) type Name = Arc<str>;

/// The maximum number of problems of one file to keep.
const MAX_PROBLEMS: usize = 500;

/// The maximum length of a description to keep, in characters.
const MAX_DESCRIPTION: usize = 300;

/// The maximum length of a string whose suffixes count as words, in bytes.
const MAX_QUALIFIED: usize = 256;

/// The facts that the server keeps about a file.
#[derive(Debug, Default)]
pub(crate) struct Record {
    /// The sources that its program has read, except built-in ones.
    pub(crate) sources: Arc<[Name]>,
    /// The files and folders that its program looked for without reading them.
    pub(crate) looked_for: Box<[Name]>,
    /// Whether it lacks a source that may exist later.
    pub(crate) misses: bool,
    /// Its problems, by file.
    pub(crate) problems: BTreeMap<String, Vec<Diagnostic>>,
    /// The declared names: those of the file and of imported files that are not entries.
    pub(crate) declared: Vec<Declared>,
    /// The modification time and the size of the file when it was read.
    pub(crate) stamp: Option<(SystemTime, u64)>,
    /// The uses of types in the file, sorted by type.
    pub(crate) uses: Box<[TypeUse]>,
    pub(crate) words: Words,
    /// The work for its imports that counts toward the limit on all entries.
    pub(crate) imports: usize,
    /// Whether the file was not parsed because of this limit.
    pub(crate) is_left_out: bool,
}

/// The words of a file.
#[derive(Debug, Default)]
pub(crate) enum Words {
    /// Their sorted hashes.
    Known(Box<[u32]>),
    /// The words of an open document, whose program is kept and searched. Each keystroke would change them.
    OfProgram,
    /// A part of the file could not be read, or the index is full.
    #[default]
    Unknown,
}

/// The names that a file declares.
#[derive(Debug)]
pub(crate) struct Declared {
    pub(crate) address: Address,
    pub(crate) language: &'static Language,
    /// Whether it is external data rather than a source in the language.
    pub(crate) is_data: bool,
    /// The sources that are read when the file is imported.
    pub(crate) sources: Arc<[Name]>,
    pub(crate) names: Vec<Symbol>,
}

/// A declared name.
#[derive(Debug)]
pub(crate) struct Symbol {
    pub(crate) name: Box<str>,
    pub(crate) section: Section,
    pub(crate) is_type: bool,
    /// The range of the name.
    pub(crate) range: Range,
    /// Its kind and its description.
    pub(crate) note: Box<str>,
}

impl Record {
    /// Returns the record of a program. Its imports that are in `entries` have separate records.
    pub(crate) fn of(parsed: &Parsed, entries: &HashSet<Name>, is_open: bool, (client, name): (Client, &str)) -> Self {
        let mut problems = diagnostics::by_file(parsed, client, name);
        problems.values_mut().for_each(|list| list.truncate(MAX_PROBLEMS));
        let missing = [&rules::NOT_FOUND, &rules::UNREADABLE, &rules::INVALID_IMPORT, &rules::UNKNOWN_PROFILE];
        let misses = |code: &str| missing.iter().any(|rule| rule.code == code);
        let own: Vec<&Unit> = own(parsed, entries).map(|(unit, _)| unit).collect();
        let entry = parsed.unit().map(|unit| unit.id);
        let sources: Arc<[Name]> = names(parsed.sources().map(|(address, _)| address));
        let declared = |unit: &&Unit| {
            let is_entry = Some(unit.id) == entry;
            Declared::of(parsed, unit, if is_entry { sources.clone() } else { imported(parsed, unit) })
        };
        Self {
            misses: parsed.outcome.diagnostics.iter().any(|problem| misses(problem.rule.code)),
            looked_for: looked_for(parsed, &own),
            problems,
            stamp: None,
            uses: code_lens::uses(parsed),
            declared: own.iter().filter_map(declared).collect(),
            words: if is_open && own.iter().all(|unit| is_readable(unit)) { Words::OfProgram } else { Words::of(&own) },
            sources,
            imports: parsed.outcome.import_cost.saturating_sub(parsed.outcome.program.free_imports()),
            is_left_out: false,
        }
    }

    /// Returns the record of a file that is not parsed. The problem gives the reason.
    pub(crate) fn left_out(file: &Address, problem: Diagnostic) -> Self {
        Self {
            sources: names(std::iter::once(file)),
            problems: BTreeMap::from([(file.to_string(), vec![problem])]),
            stamp: stamp(file),
            is_left_out: true,
            ..Self::default()
        }
    }

    /// Returns whether a change to a file can affect the program.
    pub(crate) fn concerns(&self, file: &str) -> bool {
        self.misses || self.files().any(|known| &**known == file)
    }

    /// Returns the files that the program depends on.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Name> {
        self.sources.iter().chain(&self.looked_for)
    }

    /// Returns whether the file may contain one of the given words.
    pub(crate) fn may_contain(&self, words: &[u32]) -> bool {
        self.words.may_contain(words)
    }

    /// Returns the approximate size of the names and words, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let of_symbol = |symbol: &Symbol| size_of::<Symbol>() + symbol.name.len() + symbol.note.len();
        let names = self.declared.iter().flat_map(|declared| &declared.names).map(of_symbol).sum::<usize>();
        let words = if let Words::Known(words) = &self.words { size_of_val(&**words) } else { 0 };
        names + size_of_val(&*self.uses) + words
    }

    /// Drops the names and words. Every search then parses the file.
    pub(crate) fn without_names(mut self) -> Self {
        self.declared.clear();
        self.uses = Box::default();
        self.words = Words::Unknown;
        self
    }
}

impl Words {
    fn of(units: &[&Unit]) -> Self {
        if units.iter().all(|unit| is_readable(unit)) { Self::Known(words(units)) } else { Self::Unknown }
    }

    fn may_contain(&self, words: &[u32]) -> bool {
        match self {
            Self::Known(known) => words.iter().any(|word| known.binary_search(word).is_ok()),
            Self::OfProgram | Self::Unknown => true,
        }
    }
}

/// Returns whether the text of a program's entry, or of its other sources that are not entries, may contain one of the
/// given words.
pub(crate) fn may_contain(parsed: &Parsed, entries: &HashSet<Name>, words: &[u32]) -> bool {
    let own: Vec<&Unit> = own(parsed, entries).map(|(unit, _)| unit).collect();
    Words::of(&own).may_contain(words)
}

impl Declared {
    pub(crate) fn of(parsed: &Parsed, unit: &Unit, sources: Arc<[Name]>) -> Option<Self> {
        let declared = parsed.outcome.program.declared(unit.id).into_iter();
        let names: Vec<Symbol> =
            declared.filter_map(|(section, name, id)| symbol(parsed, unit, section, name, id)).collect();
        let address = parsed.address(unit.id)?.clone();
        (!names.is_empty()).then_some(Self { address, language: unit.language, is_data: unit.is_data, sources, names })
    }
}

/// Returns the names of the addresses that are in the file system, possibly in an archive.
fn names<'a>(addresses: impl Iterator<Item = &'a Address>) -> Arc<[Name]> {
    let files = addresses.filter(|address| address.to_path().is_some() || address.archive().is_some());
    files.map(|address| address.to_string().into()).collect()
}

/// Returns the names of the files and folders that a program looked for, or that the given units name. Those in an
/// archive change with it.
fn looked_for(parsed: &Parsed, own: &[&Unit]) -> Box<[Name]> {
    let mut requested = parsed.outcome.program.requested_files();
    requested.extend(own.iter().flat_map(|unit| file_references::unchecked(parsed, unit)));
    let files = requested.iter().filter(|address| address.archive().is_none() && address.to_path().is_some());
    files.map(|address| address.to_string().into()).collect()
}

/// Returns a source and its direct and indirect imports.
pub(crate) fn imported(parsed: &Parsed, unit: &Unit) -> Arc<[Name]> {
    let program = &parsed.outcome.program;
    let mut reached: Vec<usize> = program.index(unit.id).into_iter().collect();
    let mut known: FxHashSet<usize> = reached.iter().copied().collect();
    let mut next = 0;
    while let Some(links) = reached.get(next).map(|index| program.links.get(*index)) {
        reached.extend(links.into_iter().flatten().map(|link| link.unit).filter(|unit| known.insert(*unit)));
        next += 1;
    }
    names(reached.iter().filter_map(|index| parsed.address(program.list.get(*index)?.id)))
}

fn symbol(parsed: &Parsed, unit: &Unit, section: Section, name: &str, id: AnyId) -> Option<Symbol> {
    let program = &parsed.outcome.program;
    let span = program.name_span(id).filter(|span| span.source == unit.id)?;
    let about = description(program, id).map(|text| {
        let end = text.char_indices().nth(MAX_DESCRIPTION).map_or(text.len(), |(end, _)| end);
        let more = if end < text.len() { "…" } else { "" };
        format!("\n\n{}", markdown::closed(&format!("{}{more}", &text[..end])))
    });
    let title = markdown::title(&program.describe(id), program.name(id));
    let note = format!("{title}{}", about.unwrap_or_default());
    let secrets = program.secrets();
    // Names that contain a secret are not listed: they would be shown, and proposed to other files.
    if secrets.masked(name) != name {
        return None;
    }
    Some(Symbol {
        name: name.into(),
        section,
        is_type: program.lineage(id).is_some(),
        range: place::range(&unit.source, span.start, span.end),
        note: if secrets.is_empty() { note } else { secrets.masked(&note) }.into(),
    })
}

/// Returns the units of a program that are searched with its entry: the entry and sources that are not entries.
pub(crate) fn own<'p>(
    parsed: &'p Parsed,
    entries: &HashSet<Name>,
) -> impl Iterator<Item = (&'p Unit, String)> + use<'p> {
    let entry: Option<SourceId> = parsed.unit().map(|unit| unit.id);
    let units = parsed.outcome.program.list.iter().filter(|unit| unit.implicit.is_none());
    let own = units.filter_map(|unit| {
        let file = parsed.address(unit.id)?.to_string();
        (Some(unit.id) == entry || !entries.contains(&*file)).then_some((&**unit, file))
    });
    own.collect::<Vec<_>>().into_iter()
}

/// Returns the modification time and the size of a file.
pub(crate) fn stamp(address: &Address) -> Option<(SystemTime, u64)> {
    let metadata = address.to_path()?.metadata().ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// Returns the hash of a word.
pub(crate) fn word(text: &str) -> u32 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    let hash = hasher.finish();
    (hash ^ (hash >> 32)) as u32
}

/// Returns whether all of a unit could be read.
fn is_readable(unit: &Unit) -> bool {
    unit.is_data || !unit.source.text().is_empty() && unit.document.is_complete()
}

/// Returns the hashes of the words in units.
fn words(units: &[&Unit]) -> Box<[u32]> {
    let mut words = FxHashSet::default();
    for unit in units {
        for node in unit.document.nodes().filter(|node| !node.is_alias()) {
            let text = node.text();
            words.insert(word(text));
            // A name may follow a prefix, be the end of a path, be a path without its last part, or precede a version.
            if text.len() <= MAX_QUALIFIED {
                let is_path = !text.contains(' ');
                let ends = text.match_indices(|letter| letter == ':' || matches!(letter, '.' | '$') && is_path);
                words.extend(ends.map(|(at, _)| word(&text[at + 1..])));
                words.extend(text.rfind('.').filter(|_| is_path).map(|at| word(&text[..at])));
                words.extend(before_version(text).map(word));
            }
        }
    }
    let mut words: Vec<u32> = words.into_iter().collect();
    words.sort_unstable();
    words.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(words: Option<&[&str]>) -> Record {
        let words = words.map_or(Words::Unknown, |words| {
            let mut hashes: Vec<u32> = words.iter().map(|text| word(text)).collect();
            hashes.sort_unstable();
            Words::Known(hashes.into())
        });
        Record { words, ..Record::default() }
    }

    #[test]
    fn files_without_known_words_are_candidates() {
        let known = record(Some(&["Server", "Base"]));
        assert!(known.may_contain(&[word("Disk"), word("Base")]) && !known.may_contain(&[word("Disk")]));
        assert!(record(None).may_contain(&[word("Disk")]));
        assert!(known.bytes() > 0 && known.without_names().bytes() == 0);
    }
}
