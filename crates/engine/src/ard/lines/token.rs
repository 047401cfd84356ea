//! Where texts without quotes end, and what may stand on the rest of a line.

use std::borrow::Cow;

use super::tree::Scalar;
use super::{Known, Lines, Unknown};
use crate::ard::document::Style;

/// What a character may be.
mod class {
    /// Ends a text without quotes inside of brackets, or may do so.
    pub(super) const STOP: u8 = 1;
    /// No text without quotes begins with it.
    pub(super) const INDICATOR: u8 = 1 << 1;
    /// A text without quotes begins with it if another character of a text follows.
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

/// Whether a text without quotes begins with a character, whatever follows.
#[inline]
pub(super) fn begins_word(byte: u8) -> bool {
    CLASSES[byte as usize] & (class::INDICATOR | class::AMBIGUOUS) == 0
}

/// Where a text stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Around {
    /// In a block of lines.
    Block,
    /// In brackets.
    Flow,
}

impl<'a> Lines<'a> {
    pub(super) fn at(&self, place: usize) -> Option<u8> {
        self.bytes.get(place).copied()
    }

    /// The first place from the given one on at which there is no blank.
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

    /// Eight bytes, the first of them the lowest.
    #[inline]
    fn word(&self, place: usize) -> Option<u64> {
        self.bytes.get(place..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
    }

    /// Whether a line or the text ends at a place, or a blank follows.
    #[inline]
    pub(super) fn is_gap(&self, place: usize) -> bool {
        matches!(self.at(place), None | Some(b' ' | b'\n' | b'\r'))
    }

    /// Whether the dash of an item stands at a place.
    #[inline]
    pub(super) fn is_dash(&self, place: usize) -> bool {
        self.at(place) == Some(b'-') && self.is_gap(place + 1)
    }

    /// Whether the colon after a key stands at a place.
    #[inline]
    pub(super) fn is_colon(&self, place: usize) -> bool {
        self.at(place) == Some(b':') && self.is_gap(place + 1)
    }

    /// The end of a line, without its `\r`, and the beginning of the next one.
    #[inline]
    pub(super) fn line_end(&self, from: usize) -> (usize, usize) {
        let Some(length) = memchr::memchr(b'\n', &self.bytes[from..]) else {
            return (self.bytes.len(), self.bytes.len());
        };
        let end = from + length;
        let has_carriage = end > from && self.bytes[end - 1] == b'\r';
        (end - usize::from(has_carriage), end + 1)
    }

    /// The beginning of the line after a value that ends at a place, and whether there is a comment between.
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

    /// Takes the comment at a place, and returns the beginning of the next line.
    pub(super) fn comment(&mut self, place: usize) -> usize {
        let (end, next) = self.line_end(place);
        self.tree.comment(place..end);
        next
    }

    /// The part of a text without quotes that stands on the line on which it begins: what comes before `: `, ` #` or
    /// the end of the line and, in brackets, a comma or bracket.
    pub(super) fn plain(&self, start: usize, around: Around) -> Known<Scalar<'a>> {
        let class = CLASSES[self.bytes[start] as usize];
        if class & class::INDICATOR != 0 || class & class::AMBIGUOUS != 0 && !self.is_plain_inside(start + 1, around) {
            return Err(Unknown);
        }
        let end = match around {
            Around::Block => self.plain_end(start + 1)?,
            Around::Flow => self.plain_end_in_flow(start + 1)?,
        };
        Ok(Scalar { place: start..end, style: Style::Plain, text: Cow::Borrowed(&self.text[start..end]) })
    }

    /// Where a text without quotes ends on its line, of which the beginning is known.
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

    /// The next colon, hash, tab or end of a line or of the text.
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
                b':' if self.is_plain_inside(end + 1, Around::Flow) => {}
                b'#' if self.bytes[end - 1] != b' ' => {}
                b'\t' => return Err(Unknown),
                _ => break,
            }
            end += 1;
        }
        Ok(self.trim(end))
    }

    /// The end of a text without the blanks at its end. Something other than a blank stands before.
    #[inline]
    fn trim(&self, mut end: usize) -> usize {
        while self.bytes[end - 1] == b' ' {
            end -= 1;
        }
        end
    }

    /// Whether the character at a place goes on with a text that a `:` or `-` belongs to.
    #[inline]
    fn is_plain_inside(&self, place: usize, around: Around) -> bool {
        match self.at(place) {
            None | Some(b' ' | b'\n' | b'\r') => false,
            Some(b',' | b'[' | b']' | b'{' | b'}') => around == Around::Block,
            Some(_) => true,
        }
    }
}

/// The number of the first byte of a word that is not zero.
#[inline]
fn first_byte(word: u64) -> usize {
    word.trailing_zeros() as usize / 8
}

/// A word in which the lowest byte that is not zero stands where the first tab, end of a line, `#` or `:` does; zero if
/// there is none. Those are looked for in eight bytes together.
#[inline]
fn stops(word: u64) -> u64 {
    const LOWEST: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHEST: u64 = LOWEST << 7;
    // A byte below a bound borrows from the one above, so what is found is exact up to the first.
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
