//! Maps positions in a repaired text to the original text.

use std::ops::Range;

use crate::text::SharedText;

/// A repaired text and the original text.
///
/// Almost all lines of a repaired text are those of the original, so only the places are stored where this ends.
#[derive(Debug)]
pub(super) struct SourceMap {
    pub(super) original: SharedText,
    /// The parts of the repaired text, in order.
    parts: Vec<Part>,
    /// The ranges in the original text that a repair changed without knowing the intended meaning, in order.
    unclear: Vec<Range<u32>>,
}

/// A line that a repair has changed, or all unchanged lines up to the next part.
#[derive(Debug)]
struct Part {
    /// The start in the repaired text.
    start: u32,
    /// The start in the original text.
    origin: u32,
    change: Option<Change>,
}

/// The difference between a line and the original of the line.
#[derive(Debug)]
struct Change {
    /// The length of the line, in bytes.
    recovered: usize,
    /// The length of the original, in bytes.
    original: usize,
    /// The number of equal bytes at the start of both.
    before: usize,
    /// The number of equal bytes at the end of both.
    after: usize,
    /// Whether only the indentation differs.
    is_moved: bool,
}

impl Change {
    /// Compares a line with the original.
    fn of(recovered: &str, original: &str) -> Option<Self> {
        if recovered == original {
            return None;
        }
        let before = common(recovered.bytes(), original.bytes());
        let most = recovered.len().min(original.len()) - before;
        let after = common(recovered.bytes().rev(), original.bytes().rev()).min(most);
        let is_moved = recovered.len() != original.len() && recovered.trim_start() == original.trim_start();
        Some(Self { recovered: recovered.len(), original: original.len(), before, after, is_moved })
    }

    /// Returns the column in the original for a column of the line. The text before a repair keeps its distance from the
    /// start of the line, and the text after it keeps its distance from the end.
    fn column(&self, column: usize) -> usize {
        let column = if column <= self.before && column + self.after < self.recovered || column < self.before {
            column
        } else if column + self.after >= self.recovered {
            (self.original + column).saturating_sub(self.recovered)
        } else {
            column.min(self.original - self.after)
        };
        column.min(self.original)
    }
}

impl SourceMap {
    /// Creates a map. `origins` has the start in the original for each line of the repaired text.
    pub(super) fn new(original: SharedText, recovered: &str, origins: &[u32], mut unclear: Vec<Range<u32>>) -> Self {
        unclear.sort_unstable_by_key(|range| range.start);
        let mut parts: Vec<Part> = Vec::new();
        let mut start = 0;
        for (number, (line, origin)) in recovered.split('\n').zip(origins.iter().copied()).enumerate() {
            let change = Change::of(line, part(&original, origins, number));
            let is_continued = parts.last().is_some_and(|last| {
                change.is_none() && last.change.is_none() && start - last.start == origin - last.origin
            });
            if !is_continued {
                parts.push(Part { start, origin, change });
            }
            start += line.len() as u32 + 1;
        }
        Self { original, parts, unclear }
    }

    /// Returns the range in the original text for a range in the repaired text.
    pub(super) fn place(&self, range: Range<u32>) -> Range<u32> {
        let start = self.offset(range.start);
        start..self.offset(range.end).max(start)
    }

    /// Returns whether the line at an offset in the original text differs only in its indentation.
    pub(super) fn is_moved(&self, offset: u32) -> bool {
        let part = self.parts.partition_point(|part| part.origin <= offset).checked_sub(1);
        let change = part.and_then(|part| self.parts[part].change.as_ref());
        change.is_some_and(|change| change.is_moved)
    }

    /// Returns whether a repair changed the text at an offset in the original without knowing its intended meaning.
    pub(super) fn is_unclear(&self, offset: u32) -> bool {
        self.unclear.iter().take_while(|range| range.start <= offset).any(|range| offset <= range.end)
    }

    fn offset(&self, offset: u32) -> u32 {
        let part = self.parts.partition_point(|part| part.start <= offset).saturating_sub(1);
        let Some(part) = self.parts.get(part) else { return offset };
        let column = (offset - part.start) as usize;
        let column = part.change.as_ref().map_or(column, |change| change.column(column));
        let mut origin = (part.origin as usize + column).min(self.original.len());
        while !self.original.is_char_boundary(origin) {
            origin -= 1;
        }
        origin as u32
    }
}

/// Returns the start of each line.
pub(super) fn starts(text: &str) -> Vec<u32> {
    let breaks = || text.bytes().zip(1_u32..).filter(|(byte, _)| *byte == b'\n');
    let mut starts = Vec::with_capacity(breaks().count() + 1);
    starts.push(0);
    starts.extend(breaks().map(|(_, next)| next));
    starts
}

/// Returns the range of the part of a text that begins at one of the given starts, without its line break or, where a
/// line was divided, the space at its end.
pub(super) fn range(text: &str, starts: &[u32], number: usize) -> Range<u32> {
    let Some(start) = starts.get(number).copied() else { return 0..0 };
    let Some(next) = starts.get(number + 1).copied() else { return start..text.len() as u32 };
    let part = text.get(start as usize..next as usize).unwrap_or_default();
    let length = part.strip_suffix('\n').unwrap_or_else(|| part.trim_end()).len();
    start..start + length as u32
}

fn part<'t>(text: &'t str, starts: &[u32], number: usize) -> &'t str {
    let Range { start, end } = range(text, starts, number);
    text.get(start as usize..end as usize).unwrap_or_default()
}

fn common(one: impl Iterator<Item = u8>, other: impl Iterator<Item = u8>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(original: &str, recovered: &str, origins: &[u32], words: &[&str]) {
        let repaired = SourceMap::new(original.into(), recovered, origins, Vec::new());
        for word in words {
            let start = recovered.find(word).unwrap_or_default() as u32;
            let place = repaired.place(start..start + word.len() as u32);
            assert_eq!(&original[place.start as usize..place.end as usize], *word);
        }
    }

    #[test]
    fn positions_are_mapped_to_the_original() {
        let original = "a:\n   b: 1\nkey value # x\nc: 2\n";
        let recovered = "a:\n  b: 1\nkey: value # x\nc: 2\n";
        check(original, recovered, &starts(original), &["a:", "b: 1", "key", "value", "# x", "c: 2"]);
    }

    #[test]
    fn a_line_may_have_been_divided() {
        let recovered = "a: 1\nb: 2\nc: 3";
        check("a: 1 b: 2\nc: 3", recovered, &[0, 5, 10], &["a: 1", "b", "2", "c: 3"]);
    }

    #[test]
    fn unclear_text_is_known() {
        let (original, unclear) = ("a: b c\nd: e f", vec![3..6, 10..13]);
        let repaired = SourceMap::new(original.into(), "a: 'b c'\nd: 'e f'", &starts(original), unclear);
        assert_eq!([0, 3, 5, 7, 11].map(|offset| repaired.is_unclear(offset)), [false, true, true, false, true]);
    }
}
