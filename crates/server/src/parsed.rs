//! What has come of a file.

use std::cell::OnceCell;
use std::time::Duration;

use rustc_hash::FxHashMap;
use tosca_parse::diagnostic::{SourceId, Span};
use tosca_parse::phase::Unit;
use tosca_parse::source::{Address, Source};
use tosca_parse::{Outcome, Parser};

/// A program, of which a file is the entry.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) outcome: Outcome,
    /// Where its sources are.
    addresses: FxHashMap<SourceId, Address>,
    /// How long that took.
    pub(crate) took: Duration,
    /// What has parsed it.
    pub(crate) parser: Parser,
    /// What the entry leaves open, and how it comes out.
    hints: OnceCell<Vec<(Span, String)>>,
}

impl Parsed {
    pub(crate) fn new(entry: &Address, parser: &Parser, outcome: Outcome, took: Duration) -> Self {
        let of = |(number, source): (usize, &std::sync::Arc<Source>)| {
            let address = if number == 0 { Some(entry.clone()) } else { parser.address(source.name()).ok() };
            Some((source.id(), address?))
        };
        let addresses = outcome.sources.iter().enumerate().filter_map(of).collect();
        Self { outcome, addresses, took, parser: parser.clone(), hints: OnceCell::new() }
    }

    /// What the entry leaves open, and how it comes out; of a program with errors nobody knows.
    pub(crate) fn hints(&self) -> &[(Span, String)] {
        let is_valid = self.outcome.is_valid();
        let unit = self.unit().filter(|_| is_valid);
        self.hints.get_or_init(|| unit.map_or_else(Vec::new, |unit| (unit.language.hints)(&self.outcome.program)))
    }

    /// Where a source is.
    pub(crate) fn address(&self, source: SourceId) -> Option<&Address> {
        self.addresses.get(&source)
    }

    /// The unit of the entry.
    pub(crate) fn unit(&self) -> Option<&Unit> {
        self.outcome.program.list.first().map(|unit| &**unit)
    }

    /// The text at a place.
    pub(crate) fn text(&self, span: Span) -> &str {
        let source = self.outcome.sources.get(span.source);
        source.and_then(|source| source.text().get(span.start as usize..span.end as usize)).unwrap_or_default()
    }

    /// All sources, with their addresses.
    pub(crate) fn sources(&self) -> impl Iterator<Item = (&Address, &Source)> {
        let sources = self.outcome.sources.iter();
        sources.filter_map(|source| Some((self.address(source.id())?, &**source)))
    }
}
