//! Maps positions in a repaired text to the original text.

use std::ops::Range;

use crate::text::SharedText;

/// A text with some repaired lines and the original text.
#[derive(Debug)]
pub(super) struct SourceMap {
    pub(super) original: SharedText,
    recovered: SharedText,
    /// The start of each line in the repaired text.
    starts: Vec<u32>,
    /// The start of each line of the repaired text in the original. A line of the original may have been divided into
    /// several.
    origins: Vec<u32>,
    /// The lines that differ, in order. They are compared once, because a line may be long and have many positions.
    changes: Vec<Change>,
    /// The ranges in the original text that a repair changed without knowing the intended meaning, in order.
    unclear: Vec<Range<u32>>,
}

/// A line that a repair has changed.
#[derive(Debug)]
struct Change {
    line: usize,
    /// The number of equal bytes at the start of both lines, and at their end.
    before: usize,
    after: usize,
    /// Whether only the indentation differs.
    is_moved: bool,
}

impl Change {
    /// Compares a line with the original.
    fn of(line: usize, recovered: &str, original: &str) -> Option<Self> {
        if recovered == original {
            return None;
        }
        let before = common(recovered.bytes(), original.bytes());
        let most = recovered.len().min(original.len()) - before;
        let after = common(recovered.bytes().rev(), original.bytes().rev()).min(most);
        let is_moved = recovered.len() != original.len() && recovered.trim_start() == original.trim_start();
        Some(Self { line, before, after, is_moved })
    }

    /// Returns the column in the original for a column of the line; both lengths are given. The text before a repair
    /// keeps its distance from the start of the line, and the text after it keeps its distance from the end.
    fn column(&self, column: usize, recovered: usize, original: usize) -> usize {
        if column <= self.before && column + self.after < recovered || column < self.before {
            column
        } else if column + self.after >= recovered {
            (original + column).saturating_sub(recovered)
        } else {
            column.min(original - self.after)
        }
    }
}

impl SourceMap {
    /// Creates a map. `origins` has the start in the original for each line of the repaired text.
    pub(super) fn new(
        original: SharedText,
        recovered: SharedText,
        origins: &[u32],
        mut unclear: Vec<Range<u32>>,
    ) -> Self {
        unclear.sort_unstable_by_key(|range| range.start);
        let mut starts = starts(&recovered);
        starts.truncate(origins.len());
        let mut map = Self { original, recovered, starts, origins: origins.to_vec(), changes: Vec::new(), unclear };
        map.changes =
            (0..map.starts.len()).filter_map(|line| Change::of(line, map.line(line), map.origin(line))).collect();
        map
    }

    /// Returns the range in the original text for a range in the repaired text.
    pub(super) fn place(&self, range: Range<u32>) -> Range<u32> {
        let start = self.offset(range.start);
        start..self.offset(range.end).max(start)
    }

    /// Returns whether the line at an offset in the original text differs only in its indentation.
    pub(super) fn is_moved(&self, offset: u32) -> bool {
        let line = self.origins.partition_point(|origin| *origin <= offset).saturating_sub(1);
        self.change(line).is_some_and(|change| change.is_moved)
    }

    /// Returns whether a repair changed the text at an offset in the original without knowing its intended meaning.
    pub(super) fn is_unclear(&self, offset: u32) -> bool {
        self.unclear.iter().take_while(|range| range.start <= offset).any(|range| offset <= range.end)
    }

    fn offset(&self, offset: u32) -> u32 {
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let (Some(start), Some(origin)) = (self.starts.get(line), self.origins.get(line)) else { return offset };
        let column = (offset - start) as usize;
        let original = self.origin(line);
        let column = match self.change(line) {
            Some(change) => change.column(column, self.line(line).len(), original.len()),
            None => column,
        };
        let mut column = column.min(original.len());
        while !original.is_char_boundary(column) {
            column -= 1;
        }
        origin + column as u32
    }

    fn change(&self, line: usize) -> Option<&Change> {
        let at = self.changes.binary_search_by_key(&line, |change| change.line).ok()?;
        self.changes.get(at)
    }

    /// Returns a line of the repaired text.
    fn line(&self, line: usize) -> &str {
        part(&self.recovered, &self.starts, line)
    }

    /// Returns the original of a line.
    fn origin(&self, line: usize) -> &str {
        part(&self.original, &self.origins, line)
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
        let repaired = SourceMap::new(original.into(), recovered.into(), origins, Vec::new());
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
        let repaired = SourceMap::new(original.into(), "a: 'b c'\nd: 'e f'".into(), &starts(original), unclear);
        assert_eq!([0, 3, 5, 7, 11].map(|offset| repaired.is_unclear(offset)), [false, true, true, false, true]);
    }
}
