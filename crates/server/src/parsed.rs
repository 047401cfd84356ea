//! The result of parsing a file.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;
use tosca_parse::diagnostic::{SourceId, Span};
use tosca_parse::phase::Unit;
use tosca_parse::source::{Address, Source};
use tosca_parse::{Outcome, Parser};

/// A program with its entry file.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) outcome: Outcome,
    /// The addresses of its sources.
    addresses: FxHashMap<SourceId, Address>,
    pub(crate) parser: Parser,
    /// The open requirements of the entry, with the targets that would be chosen.
    hints: OnceCell<Vec<(Span, String)>>,
}

impl Parsed {
    pub(crate) fn new(entry: &Address, parser: &Parser, outcome: Outcome) -> Self {
        // The entry of a folder that is treated as an archive is a template in the folder.
        let is_file = entry.to_path().is_none_or(|path| !path.is_dir());
        let of = |(number, source): (usize, &std::sync::Arc<Source>)| {
            let is_entry = number == 0 && is_file;
            let address = if is_entry { Some(entry.clone()) } else { parser.address(source.name()).ok() };
            Some((source.id(), address?))
        };
        let addresses = outcome.sources.iter().enumerate().filter_map(of).collect();
        Self { outcome, addresses, parser: parser.clone(), hints: OnceCell::new() }
    }

    /// Returns the open requirements of the entry, with the targets that would be chosen; empty if the program has
    /// errors.
    pub(crate) fn hints(&self) -> &[(Span, String)] {
        let is_valid = self.outcome.is_valid();
        let unit = self.unit().filter(|_| is_valid);
        self.hints.get_or_init(|| unit.map_or_else(Vec::new, |unit| (unit.language.hints)(&self.outcome.program)))
    }

    /// Returns the address of a source.
    pub(crate) fn address(&self, source: SourceId) -> Option<&Address> {
        self.addresses.get(&source)
    }

    /// Returns the unit of the entry.
    pub(crate) fn unit(&self) -> Option<&Unit> {
        self.outcome.program.list.first().map(|unit| &**unit)
    }

    /// Returns the text of a span.
    pub(crate) fn text(&self, span: Span) -> &str {
        let source = self.outcome.sources.get(span.source);
        source.and_then(|source| source.text().get(span.start as usize..span.end as usize)).unwrap_or_default()
    }

    /// Returns all sources, with their addresses.
    pub(crate) fn sources(&self) -> impl Iterator<Item = (&Address, &Source)> {
        let sources = self.outcome.sources.iter();
        sources.filter_map(|source| Some((self.address(source.id())?, &**source)))
    }
}
