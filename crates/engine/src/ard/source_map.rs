//! Maps positions in a repaired text to the original text.

use std::ops::Range;

use crate::text::SharedText;

/// A text with some repaired lines and the original text.
#[derive(Debug)]
pub(super) struct SourceMap {
    pub(super) original: SharedText,
    recovered: SharedText,
    /// The start of each line in the repaired text and its range in the original. A line of the original may have been
    /// divided into several.
    lines: Vec<(u32, Range<u32>)>,
    /// The ranges in the original text that a repair changed without knowing the intended meaning, in order.
    unclear: Vec<Range<u32>>,
}

impl SourceMap {
    /// Creates a map. `origins` has the range in the original for each line of the repaired text.
    pub(super) fn new(
        original: SharedText,
        recovered: SharedText,
        origins: &[Range<u32>],
        mut unclear: Vec<Range<u32>>,
    ) -> Self {
        let lines = starts(&recovered).zip(origins.iter().cloned()).collect();
        unclear.sort_unstable_by_key(|range| range.start);
        Self { original, recovered, lines, unclear }
    }

    /// Returns the range in the original text for a range in the repaired text.
    pub(super) fn place(&self, range: Range<u32>) -> Range<u32> {
        let start = self.offset(range.start);
        start..self.offset(range.end).max(start)
    }

    /// Returns whether the line at an offset in the original text differs only in its indentation.
    pub(super) fn is_moved(&self, offset: u32) -> bool {
        let line = self.lines.partition_point(|(_, origin)| origin.start <= offset).saturating_sub(1);
        let Some((recovered, origin)) = self.lines.get(line) else { return false };
        let (recovered, original) = (line_at(&self.recovered, *recovered), self.origin(origin));
        recovered.len() != original.len() && recovered.trim_start() == original.trim_start()
    }

    /// Returns whether a repair changed the text at an offset in the original without knowing its intended meaning.
    pub(super) fn is_unclear(&self, offset: u32) -> bool {
        self.unclear.iter().take_while(|range| range.start <= offset).any(|range| offset <= range.end)
    }

    fn offset(&self, offset: u32) -> u32 {
        let line = self.lines.partition_point(|(start, _)| *start <= offset).saturating_sub(1);
        let Some((recovered_start, origin)) = self.lines.get(line) else { return offset };
        let recovered = line_at(&self.recovered, *recovered_start);
        let original = self.origin(origin);
        let column = (offset - recovered_start) as usize;
        // The text before a repair keeps its distance from the start of the line, and the text after it keeps its
        // distance from the end.
        let before = common(recovered.bytes(), original.bytes());
        let most = recovered.len().min(original.len()) - before;
        let after = common(recovered.bytes().rev(), original.bytes().rev()).min(most);
        let column = if column < before {
            column
        } else if column + after >= recovered.len() {
            (original.len() + column).saturating_sub(recovered.len())
        } else if column == before {
            column
        } else {
            column.min(original.len() - after)
        };
        let mut column = column.min(original.len());
        while !original.is_char_boundary(column) {
            column -= 1;
        }
        origin.start + column as u32
    }

    fn origin(&self, origin: &Range<u32>) -> &str {
        self.original.get(origin.start as usize..origin.end as usize).unwrap_or_default()
    }
}

/// Returns the range of each line, without its line break.
pub(super) fn lines(text: &str) -> Vec<Range<u32>> {
    let ends = text.bytes().zip(0_u32..).filter(|(byte, _)| *byte == b'\n').map(|(_, end)| end);
    starts(text).zip(ends.chain([text.len() as u32])).map(|(start, end)| start..end).collect()
}

fn starts(text: &str) -> impl Iterator<Item = u32> + '_ {
    std::iter::once(0).chain(text.bytes().zip(1_u32..).filter(|(byte, _)| *byte == b'\n').map(|(_, next)| next))
}

fn line_at(text: &str, start: u32) -> &str {
    text.get(start as usize..).and_then(|rest| rest.split('\n').next()).unwrap_or_default()
}

fn common(one: impl Iterator<Item = u8>, other: impl Iterator<Item = u8>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(original: &str, recovered: &str, origins: &[Range<u32>], words: &[&str]) {
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
        check(original, recovered, &lines(original), &["a:", "b: 1", "key", "value", "# x", "c: 2"]);
    }

    #[test]
    fn a_line_may_have_been_divided() {
        let recovered = "a: 1\nb: 2\nc: 3";
        check("a: 1 b: 2\nc: 3", recovered, &[0..4, 5..9, 10..14], &["a: 1", "b", "2", "c: 3"]);
    }

    #[test]
    fn unclear_text_is_known() {
        let (original, unclear) = ("a: b c\nd: e f", vec![3..6, 10..13]);
        let repaired = SourceMap::new(original.into(), "a: 'b c'\nd: 'e f'".into(), &lines(original), unclear);
        assert_eq!([0, 3, 5, 7, 11].map(|offset| repaired.is_unclear(offset)), [false, true, true, false, true]);
    }
}
