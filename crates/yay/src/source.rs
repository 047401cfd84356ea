//! Sources and positions in them.
//!
//! A position is a range of bytes of a source. Line and column are computed on demand.

use std::rc::Rc;

/// A source that was read: its number in [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub(crate) u32);

/// A range of a source, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The source that contains the bytes.
    pub source: SourceId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// The position of errors that are not in a document.
    pub(crate) const NOWHERE: Self = Self { source: SourceId(0), start: 0, end: 0 };
}

/// A source that was read.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name in messages: an address, or the name that the host gave.
    pub name: Rc<str>,
    /// The address that names are relative to; `None` for text without an address.
    pub address: Option<Rc<str>>,
    /// The text.
    pub text: Rc<str>,
    /// The labels of everything in it, one bit each.
    pub(crate) labels: u64,
    /// Whether it came over the network, so that it must not include local files.
    pub(crate) remote: bool,
    /// Whether problems must not show its content.
    pub(crate) hidden: bool,
    lines: Vec<u32>,
}

impl Source {
    pub(crate) fn new(name: &str, address: Option<&str>, text: &str) -> Self {
        Source {
            name: name.into(),
            address: address.map(Into::into),
            text: text.into(),
            labels: 0,
            remote: false,
            hidden: false,
            lines: line_starts(text),
        }
    }

    /// Returns the line and column of a byte, both counted from 1; columns are counted in characters.
    pub fn position(&self, byte: u32) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= byte).max(1);
        let start = self.lines[line - 1] as usize;
        let end = (byte as usize).min(self.text.len());
        let column = self.text.get(start..end).map_or(0, |text| text.chars().count());
        (line, column + 1)
    }
}

fn line_starts(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let ends = bytes.iter().enumerate().filter(|(at, byte)| ends_line(bytes, *at, **byte));
    std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect()
}

/// Returns whether a line ends at a byte: with a line feed, a carriage return, or both.
fn ends_line(bytes: &[u8], at: usize, byte: u8) -> bool {
    byte == b'\n' || byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')
}

/// All sources of one evaluation.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    list: Vec<Source>,
}

impl Sources {
    pub(crate) fn add(&mut self, source: Source) -> SourceId {
        self.list.push(source);
        SourceId(self.list.len() as u32 - 1)
    }

    /// Returns the source with the given number.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.list[id.0 as usize]
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = SourceId> {
        self.ids_from(0)
    }

    pub(crate) fn ids_from(&self, first: u32) -> impl Iterator<Item = SourceId> + use<> {
        (first..self.list.len() as u32).map(SourceId)
    }

    pub(crate) fn labels(&self, id: SourceId) -> u64 {
        self.get(id).labels
    }

    /// Returns the start of a span as a line and a column.
    pub fn place(&self, span: Span) -> Place {
        let source = self.get(span.source);
        let (line, column) = source.position(span.start);
        Place { source: source.name.clone(), line, column }
    }
}

/// A position for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The source's name.
    pub source: Rc<str>,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.source, self.line, self.column)
    }
}
