//! Finds the ends of plain scalars and the rest of their lines.

use std::borrow::Cow;

use super::tree::Scalar;
use super::{Known, Lines, Unknown};
use crate::ard::document::Style;

/// The classes of characters.
mod class {
    /// May end a plain scalar in brackets.
    pub(super) const STOP: u8 = 1;
    /// Can't begin a plain scalar.
    pub(super) const INDICATOR: u8 = 1 << 1;
    /// Begins a plain scalar only if a character follows that can be inside one.
    pub(super) const AMBIGUOUS: u8 = 1 << 2;
}

static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let groups: [(&[u8], u8); 4] = [
        (b"\n\r\t:#", class::STOP),
        (b",[]{}", class::STOP | class::INDICATOR),
        (b"\n\r\t #&*!|>'\"%@`", class::INDICATOR),
        (b"-?:", class::AMBIGUOUS),
    ];
    let mut group = 0;
    while group < groups.len() {
        let (bytes, class) = groups[group];
        let mut index = 0;
        while index < bytes.len() {
            classes[bytes[index] as usize] |= class;
            index += 1;
        }
        group += 1;
    }
    classes
};

/// Returns whether a plain scalar can begin with the given character, regardless of the next one.
#[inline]
pub(super) fn begins_word(byte: u8) -> bool {
    CLASSES[byte as usize] & (class::INDICATOR | class::AMBIGUOUS) == 0
}

/// The context of a scalar.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ScalarContext {
    /// In block style.
    Block,
    /// In flow style.
    Flow,
}

impl<'a> Lines<'a> {
    pub(super) fn at(&self, place: usize) -> Option<u8> {
        self.bytes.get(place).copied()
    }

    /// Returns the first position at or after the given one that is not a space.
    #[inline]
    pub(super) fn skip_blanks(&self, mut place: usize) -> usize {
        const BLANKS: u64 = u64::from_ne_bytes([b' '; 8]);
        while let Some(word) = self.word(place) {
            let others = word ^ BLANKS;
            if others != 0 {
                return place + first_byte(others);
            }
            place += 8;
        }
        while self.at(place) == Some(b' ') {
            place += 1;
        }
        place
    }

    /// Returns the eight bytes at `place` as a word, with the first byte lowest; `None` if there are fewer.
    #[inline]
    fn word(&self, place: usize) -> Option<u64> {
        self.bytes.get(place..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
    }

    /// Returns whether there is a space, a line end or the end of the text at `place`.
    #[inline]
    pub(super) fn is_gap(&self, place: usize) -> bool {
        matches!(self.at(place), None | Some(b' ' | b'\n' | b'\r'))
    }

    /// Returns whether there is the dash of a list item at `place`.
    #[inline]
    pub(super) fn is_dash(&self, place: usize) -> bool {
        self.at(place) == Some(b'-') && self.is_gap(place + 1)
    }

    /// Returns whether there is a key's colon at `place`.
    #[inline]
    pub(super) fn is_colon(&self, place: usize) -> bool {
        self.at(place) == Some(b':') && self.is_gap(place + 1)
    }

    /// Returns the end of the line, excluding its `\r`, and the beginning of the next line.
    #[inline]
    pub(super) fn line_end(&self, from: usize) -> (usize, usize) {
        let Some(length) = memchr::memchr(b'\n', &self.bytes[from..]) else {
            return (self.bytes.len(), self.bytes.len());
        };
        let end = from + length;
        let has_carriage = end > from && self.bytes[end - 1] == b'\r';
        (end - usize::from(has_carriage), end + 1)
    }

    /// Returns the start of the line after a value that ends at `place`, and whether a comment follows the value.
    #[inline]
    pub(super) fn rest(&mut self, place: usize) -> Known<(usize, bool)> {
        let next = self.skip_blanks(place);
        match self.at(next) {
            None => Ok((next, false)),
            Some(b'\n') => Ok((next + 1, false)),
            Some(b'\r') => Ok((next + 2, false)),
            Some(b'#') if next > place => Ok((self.comment(next), true)),
            Some(_) => Err(Unknown),
        }
    }

    /// Reads the comment at `place` and returns the start of the next line.
    pub(super) fn comment(&mut self, place: usize) -> usize {
        let (end, next) = self.line_end(place);
        self.tree.comment(place..end);
        next
    }

    /// Reads a plain scalar up to the end of its first line: it ends at `: `, ` #` or the end of the line and, in
    /// brackets, also at a comma or bracket.
    pub(super) fn plain(&self, start: usize, around: ScalarContext) -> Known<Scalar<'a>> {
        let class = CLASSES[self.bytes[start] as usize];
        if class & class::INDICATOR != 0 || class & class::AMBIGUOUS != 0 && !self.is_plain_inside(start + 1, around) {
            return Err(Unknown);
        }
        let end = match around {
            ScalarContext::Block => self.plain_end(start + 1)?,
            ScalarContext::Flow => self.plain_end_in_flow(start + 1)?,
        };
        Ok(Scalar { place: start..end, style: Style::Plain, text: Cow::Borrowed(&self.text[start..end]) })
    }

    /// Returns the end of a plain scalar on its first line; `from` is a position inside it.
    #[inline]
    pub(super) fn plain_end(&self, from: usize) -> Known<usize> {
        let mut end = self.next_stop(from);
        loop {
            match self.at(end) {
                Some(b':') if !self.is_gap(end + 1) => {}
                Some(b'#') if self.bytes[end - 1] != b' ' => {}
                Some(b'\t') => return Err(Unknown),
                _ => return Ok(self.trim(end)),
            }
            end = self.next_stop(end + 1);
        }
    }

    /// Returns the position of the next colon, hash, tab, line end or the end of the text.
    #[inline]
    fn next_stop(&self, from: usize) -> usize {
        let mut place = from;
        while let Some(word) = self.word(place) {
            let found = stops(word);
            if found != 0 {
                return place + first_byte(found);
            }
            place += 8;
        }
        while self.at(place).is_some_and(|byte| !matches!(byte, b':' | b'#' | b'\t' | b'\n' | b'\r')) {
            place += 1;
        }
        place
    }

    fn plain_end_in_flow(&self, from: usize) -> Known<usize> {
        let mut end = from;
        while let Some(byte) = self.at(end) {
            match byte {
                _ if CLASSES[byte as usize] & class::STOP == 0 => {}
                b':' if self.is_plain_inside(end + 1, ScalarContext::Flow) => {}
                b'#' if self.bytes[end - 1] != b' ' => {}
                b'\t' => return Err(Unknown),
                _ => break,
            }
            end += 1;
        }
        Ok(self.trim(end))
    }

    /// Moves `end` before any trailing spaces. A different character must precede the spaces.
    #[inline]
    fn trim(&self, mut end: usize) -> usize {
        while self.bytes[end - 1] == b' ' {
            end -= 1;
        }
        end
    }

    /// Returns whether the character at `place` can follow a `:` or `-` inside a plain scalar.
    #[inline]
    fn is_plain_inside(&self, place: usize, around: ScalarContext) -> bool {
        match self.at(place) {
            None | Some(b' ' | b'\n' | b'\r') => false,
            Some(b',' | b'[' | b']' | b'{' | b'}') => around == ScalarContext::Block,
            Some(_) => true,
        }
    }
}

/// Returns the index of the first nonzero byte in a word.
#[inline]
fn first_byte(word: u64) -> usize {
    word.trailing_zeros() as usize / 8
}

/// Checks eight bytes together: returns a word whose lowest nonzero byte is at the index of the first tab, line end,
/// `#` or `:`; zero if there is none.
#[inline]
fn stops(word: u64) -> u64 {
    const LOWEST: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHEST: u64 = LOWEST << 7;
    // A byte below the bound borrows from the next one, so the result is exact up to the first match.
    let controls = word.wrapping_sub(LOWEST * 0x0E) & !word;
    let hashes = word ^ u64::from_ne_bytes([b'#'; 8]);
    let colons = word ^ u64::from_ne_bytes([b':'; 8]);
    let zeros = hashes.wrapping_sub(LOWEST) & !hashes | colons.wrapping_sub(LOWEST) & !colons;
    (controls | zeros) & HIGHEST
}

#[cfg(test)]
mod tests {
    use super::{first_byte, stops};

    #[test]
    fn the_first_stop_of_eight_bytes_is_found() {
        for (bytes, first) in [(b"abc:\n#\t\r", 3), (b"\xC3\xA4 #zzz:", 3), (b"abcdefg\n", 7), (b"\tabcdefg", 0)] {
            assert_eq!(first_byte(stops(u64::from_le_bytes(*bytes))), first, "{bytes:?}");
        }
        assert_eq!(stops(u64::from_le_bytes(*b"a \"'9;$\xFF")), 0);
    }
}
