//! Sources and the conversion of offsets to lines and columns.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use memchr::memchr2_iter;
use rustc_hash::FxHashMap;

/// The size of a block in bytes. The characters in each block are counted in advance, so that a column can be
/// determined on a line of many megabytes without reading the whole line.
const BLOCK: usize = 512;

/// The ID of a source (the text at an address) within one parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// A range of bytes in the text of a source.
///
/// The line and column are computed only when a diagnostic is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The ID of the source.
    pub source: SourceId,
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte; equal to `start` for a position between two characters.
    pub end: u32,
}

/// A position in a source, as editors show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line, starting at 1. Lines end as in YAML: with a line feed, a carriage return, or a carriage return and a
    /// line feed.
    pub line: u32,
    /// The column, starting at 1, in characters (Unicode scalar values). A byte order mark has no column.
    pub column: u32,
}

impl LineColumn {
    /// The start of any text.
    pub const START: Self = Self { line: 1, column: 1 };
}

/// Text with shared ownership.
pub type SharedText = Arc<str>;

/// A source: its text, ID and display name.
///
/// The text of a source that could not be read is empty.
pub struct Source {
    id: SourceId,
    name: String,
    text: SharedText,
    /// Whether lines of the text may be shown with problems.
    is_shown: bool,
    /// The offset of the first character of each line.
    starts: OnceLock<Vec<u32>>,
    /// The number of characters before each block.
    characters: Blocks,
    /// The number of UTF-16 units before each block.
    units: Blocks,
}

/// The counts before each block, computed on demand.
type Blocks = OnceLock<Vec<u32>>;

impl Source {
    /// Creates a source from its text and display name, such as `lib/base.yaml` or `https://example.com/base.yaml`.
    ///
    /// Offsets are 32 bits wide, so positions beyond 4 GiB can't be represented.
    pub fn new(id: SourceId, name: impl Into<String>, text: impl Into<SharedText>) -> Self {
        let (starts, characters, units) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { id, name: name.into(), text: text.into(), is_shown: true, starts, characters, units }
    }

    /// Returns the same source with a different ID, to merge the results of several parsers.
    #[must_use]
    pub fn renumbered(&self, id: SourceId) -> Self {
        Self::new(id, self.name.clone(), self.text.clone()).shown(self.is_shown)
    }

    /// Sets whether problems are shown with lines of the text. True by default. A template may import any file on the
    /// system, so reports must not contain lines of files that are not templates.
    #[must_use]
    pub fn shown(mut self, is_shown: bool) -> Self {
        self.is_shown = is_shown;
        self
    }

    /// Returns whether problems show lines of the source.
    pub fn is_shown(&self) -> bool {
        self.is_shown
    }

    /// Returns the ID of the source.
    pub fn id(&self) -> SourceId {
        self.id
    }

    /// Returns the display name of the source.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the whole text; empty if the source could not be read.
    pub fn text(&self) -> &SharedText {
        &self.text
    }

    /// Returns the number of lines, which is the number of line breaks plus one.
    pub fn line_count(&self) -> u32 {
        self.starts().len() as u32
    }

    /// Returns the line and column of a byte offset.
    ///
    /// An offset inside a character counts as the start of the character. An offset inside a line break counts as the
    /// end of the line, and an offset beyond the end of the text counts as the end of the text.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.line_at(offset);
        let range = self.line_range(line);
        let offset = self.floor(offset).clamp(range.start, range.end);
        LineColumn { line, column: self.count(range.start..offset, &self.characters, characters) + 1 }
    }

    /// Returns the offset of a position. A column beyond the end of a line counts as the end of the line, and a line
    /// that does not exist as the end of the text.
    pub fn offset(&self, position: LineColumn) -> u32 {
        // A line can be as long as the text, so its characters are not counted one by one.
        let Range { mut start, mut end } = self.line_range(position.line);
        while start < end {
            let middle = start + (end - start) / 2;
            if self.line_column(middle as u32).column < position.column {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        start as u32
    }

    /// Returns the line of an offset and the number of UTF-16 units before the offset on that line. Both start at 0, as
    /// in the Language Server Protocol. A byte order mark is one unit.
    pub fn utf16_position(&self, offset: u32) -> (u32, u32) {
        let line = self.line_at(offset);
        let range = self.line_range(line);
        let start = if line == 1 { 0 } else { range.start };
        let offset = self.floor(offset).clamp(start, range.end);
        (line - 1, self.count(start..offset, &self.units, utf16_units))
    }

    /// Returns the given line without its line break; an empty string if the line does not exist.
    pub fn line_text(&self, line: u32) -> &str {
        &self.text[self.line_range(line)]
    }

    /// Returns the byte range of a line, without its line break and without a byte order mark.
    ///
    /// For a line that does not exist, the range is empty and at the end of the text.
    pub fn line_range(&self, line: u32) -> Range<usize> {
        let starts = self.starts();
        let end = self.text.len();
        let Some(index) = (line as usize).checked_sub(1).filter(|index| *index < starts.len()) else {
            return end..end;
        };
        let start = starts[index] as usize;
        let text = &self.text[start..starts.get(index + 1).map_or(end, |next| *next as usize)];
        let content = text.strip_suffix("\r\n").or_else(|| text.strip_suffix(['\n', '\r'])).unwrap_or(text);
        start..start + content.len()
    }

    /// Returns the closest offset at or before the given one at which a character starts or the text ends.
    pub(crate) fn floor(&self, offset: u32) -> usize {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }

    /// Returns the number of the line that contains the given offset.
    fn line_at(&self, offset: u32) -> u32 {
        // Only a byte order mark can come before the first line.
        self.starts().partition_point(|start| *start <= offset).max(1) as u32
    }

    fn starts(&self) -> &[u32] {
        self.starts.get_or_init(|| {
            let bytes = self.text.as_bytes();
            let mut starts = vec![if self.text.starts_with('\u{feff}') { 3 } else { 0 }];
            let breaks = memchr2_iter(b'\n', b'\r', bytes)
                .take_while(|offset| *offset < u32::MAX as usize)
                .filter(|offset| bytes[*offset] == b'\n' || bytes.get(offset + 1) != Some(&b'\n'));
            starts.extend(breaks.map(|offset| offset as u32 + 1));
            starts
        })
    }

    /// Returns the result of `count` for a range, using the counts before each block for long ranges.
    fn count(&self, range: Range<usize>, blocks: &Blocks, count: fn(&[u8]) -> u32) -> u32 {
        let bytes = self.text.as_bytes();
        if range.len() <= 2 * BLOCK {
            return count(&bytes[range]);
        }
        let blocks = blocks.get_or_init(|| {
            let mut total = 0;
            let mut blocks = Vec::with_capacity(bytes.len().div_ceil(BLOCK));
            for block in bytes.chunks(BLOCK) {
                blocks.push(total);
                total += count(block);
            }
            blocks
        });
        let before = |offset: usize| {
            let block = (offset / BLOCK).min(blocks.len().saturating_sub(1));
            blocks.get(block).copied().unwrap_or(0) + count(&bytes[block * BLOCK..offset])
        };
        before(range.end) - before(range.start)
    }
}

/// Returns the number of characters that start in a UTF-8 slice.
fn characters(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|byte| **byte & 0b1100_0000 != 0b1000_0000).count() as u32
}

/// Returns the number of UTF-16 units in the characters that start in a UTF-8 slice.
fn utf16_units(bytes: &[u8]) -> u32 {
    // Characters of four bytes take two units.
    let count = |byte: &u8| u32::from(*byte & 0b1100_0000 != 0b1000_0000) + u32::from(*byte >= 0b1111_0000);
    bytes.iter().map(count).sum()
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({}, {:?}, {} bytes)", self.id.0, self.name, self.text.len())
    }
}

/// The sources in one result, in order of first use, which is also the order in the output.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    list: Vec<Arc<Source>>,
    ranks: FxHashMap<SourceId, usize>,
}

impl Sources {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a source at the end, unless the list contains one with the same ID.
    pub fn add(&mut self, source: impl Into<Arc<Source>>) {
        let source = source.into();
        let rank = self.list.len();
        if *self.ranks.entry(source.id).or_insert(rank) == rank {
            self.list.push(source);
        }
    }

    /// Replaces the source with the same ID, if there is one.
    pub fn replace(&mut self, source: impl Into<Arc<Source>>) {
        let source = source.into();
        if let Some(rank) = self.rank(source.id) {
            self.list[rank] = source;
        }
    }

    /// Returns the source with the given ID.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.rank(id).map(|rank| &*self.list[rank])
    }

    /// Returns the number of sources before the source with the given ID; `None` if there is no such source.
    pub fn rank(&self, id: SourceId) -> Option<usize> {
        self.ranks.get(&id).copied()
    }

    /// Returns the sources in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Arc<Source>> {
        self.list.iter()
    }

    /// Returns the number of sources.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether there are no sources.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl<S: Into<Arc<Source>>> Extend<S> for Sources {
    fn extend<I: IntoIterator<Item = S>>(&mut self, sources: I) {
        for source in sources {
            self.add(source);
        }
    }
}

impl<S: Into<Arc<Source>>> FromIterator<S> for Sources {
    fn from_iter<I: IntoIterator<Item = S>>(sources: I) -> Self {
        let mut all = Self::new();
        all.extend(sources);
        all
    }
}

#[cfg(test)]
mod tests;
