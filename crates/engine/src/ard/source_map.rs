//! Maps positions in a repaired text to the original text.

use std::ops::Range;

use crate::text::SharedText;

/// A text with some repaired lines and the original text. Both have the same number of lines.
#[derive(Debug)]
pub(super) struct SourceMap {
    pub(super) original: SharedText,
    recovered: SharedText,
    /// The start of each line in the repaired text and in the original.
    starts: Vec<(u32, u32)>,
}

impl SourceMap {
    pub(super) fn new(original: SharedText, recovered: SharedText) -> Self {
        let starts = starts(&recovered).zip(starts(&original)).collect();
        Self { original, recovered, starts }
    }

    /// Returns the range in the original text for a range in the repaired text.
    pub(super) fn place(&self, range: Range<u32>) -> Range<u32> {
        let start = self.offset(range.start);
        start..self.offset(range.end).max(start)
    }

    /// Returns whether the line at an offset in the original text differs only in its indentation.
    pub(super) fn is_moved(&self, offset: u32) -> bool {
        let line = self.starts.partition_point(|(_, start)| *start <= offset).saturating_sub(1);
        let Some((recovered, original)) = self.starts.get(line).copied() else { return false };
        let (recovered, original) = (line_at(&self.recovered, recovered), line_at(&self.original, original));
        recovered.len() != original.len() && recovered.trim_start() == original.trim_start()
    }

    fn offset(&self, offset: u32) -> u32 {
        let line = self.starts.partition_point(|(start, _)| *start <= offset).saturating_sub(1);
        let Some((recovered_start, original_start)) = self.starts.get(line).copied() else { return offset };
        let recovered = line_at(&self.recovered, recovered_start);
        let original = line_at(&self.original, original_start);
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
        original_start + column as u32
    }
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

    #[test]
    fn positions_are_mapped_to_the_original() {
        let original = "a:\n   b: 1\nkey value # x\nc: 2\n";
        let recovered = "a:\n  b: 1\nkey: value # x\nc: 2\n";
        let repaired = SourceMap::new(original.into(), recovered.into());
        for word in ["a:", "b: 1", "key", "value", "# x", "c: 2"] {
            let start = recovered.find(word).unwrap_or_default() as u32;
            let place = repaired.place(start..start + word.len() as u32);
            assert_eq!(&original[place.start as usize..place.end as usize], word);
        }
    }
}
