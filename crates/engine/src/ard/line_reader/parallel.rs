//! Reads a long text in pieces, in parallel.
//!
//! For a line with a key, only the maps and lists that are open at that line matter, not the rest of the text above. So
//! a piece that begins with such a line is read as if only the map of that key were open, and the piece ends where that
//! map ends. When everything above has been read and the map is indeed open, the content of the piece is appended to
//! the map: nodes, keys and comments are the same as if the text had been read sequentially. Otherwise, for example
//! inside a block scalar, the piece is read again sequentially.

use std::ops::Range;

use super::block::Next;
use super::token::begins_word;
use super::{Known, Lines, Unknown};
use crate::parallel;

/// The minimum length of a piece, in bytes; for less text, an additional thread is not worthwhile.
const SHORTEST: usize = 256 << 10;

/// The maximum distance to search for a good place to cut, in bytes.
const LONGEST_SEARCH: usize = 64 << 10;

/// Returns the preferred length of the pieces into which `text` is cut.
pub(super) fn length(text: &str) -> usize {
    if !parallel::is_parallel() {
        return text.len();
    }
    text.len().div_ceil(rayon::current_num_threads()).max(SHORTEST)
}

/// Returns the starts of the lines at which pieces of about the given length begin, except for the first piece.
pub(super) fn cuts(text: &str, length: usize) -> Vec<usize> {
    let targets = (1..text.len().div_ceil(length.max(1))).map(|number| number * length);
    targets.filter_map(|target| best_cut(text, target..target + length.min(LONGEST_SEARCH))).collect()
}

/// Returns the start of the least indented line with a key that begins in the given range; the first one if there are
/// several.
fn best_cut(text: &str, within: Range<usize>) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut best = None;
    let mut line = within.start;
    while let Some(length) = memchr::memchr(b'\n', &bytes[line..]) {
        line += length + 1;
        if line >= within.end {
            break;
        }
        let indent = bytes[line..].iter().take_while(|byte| **byte == b' ').count();
        let start = line + indent;
        if best.is_none_or(|(least, _)| indent < least) && is_key(&bytes[start..]) {
            best = Some((indent, line));
        }
    }
    best.map(|(_, line)| line)
}

/// Returns whether a line seems to begin with a key that is a plain word.
fn is_key(rest: &[u8]) -> bool {
    let end = memchr::memchr2(b':', b'\n', rest).unwrap_or(rest.len());
    rest.first().is_some_and(|first| begins_word(*first))
        && rest.get(end) == Some(&b':')
        && matches!(rest.get(end + 1), Some(b' ' | b'\n' | b'\r'))
}

/// Reads a whole text in pieces that begin at the given lines.
pub(super) fn read<'a>(mut lines: Lines<'a>, cuts: &[usize]) -> Known<Lines<'a>> {
    let (start, end) = (lines.document_start()?, lines.until);
    let pieces =
        cuts.iter().zip(cuts[1..].iter().copied().chain([end])).map(|(start, until)| lines.piece(*start, until));
    let pieces: Vec<(usize, Lines<'_>)> = pieces.collect();
    lines.until = cuts[0];
    let all = std::iter::once((start, lines)).chain(pieces).collect();
    let mut read = parallel::map_owned(all, |(start, mut lines): (usize, Lines<'a>)| {
        let line = lines.lines(start);
        (start, lines, line)
    })
    .into_iter();
    let Some((_, mut lines, line)) = read.next() else { return Err(Unknown) };
    let mut line = line?;
    for (start, piece, end_of_piece) in read {
        lines.until = start;
        line = lines.lines(line)?;
        if let Ok(end_of_piece) = end_of_piece
            && line == start
            && lines.is_in_place(&piece)
        {
            lines.make_way(piece.floor, false)?;
            lines.tree.append(piece.tree);
            lines.next = piece.next;
            line = end_of_piece;
        }
    }
    lines.until = end;
    lines.lines(line)?;
    Ok(lines)
}

impl Lines<'_> {
    /// Returns the start of a piece of the same text and a reader for it.
    fn piece(&self, start: usize, until: usize) -> (usize, Self) {
        let floor = (self.skip_blanks(start) - start) as u32;
        let tree = self.tree.part(until - start, floor);
        (start, Self { tree, next: Next::Further, floor, until, ..*self })
    }

    /// Returns whether the first line of the piece has a key of the map that is open here.
    fn is_in_place(&self, piece: &Self) -> bool {
        !self.goes_on(piece.floor) && !self.is_value(piece.floor, false) && self.tree.has_room_for(&piece.tree)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Lines, Next, cuts};
    use crate::ard::document::Document;
    use crate::ard::line_reader::tree::Tree;
    use crate::diagnostic::SourceId;
    use crate::symbol::Interner;

    #[test]
    fn texts_are_cut_at_outer_keys() {
        let entry = "  name:\n    # - comment:\n    - item: x\n    deeper: y\n";
        let text = format!("all:\n{}", entry.repeat(100));
        let cuts = cuts(&text, 1000);
        assert_eq!(cuts.len(), text.len() / 1000);
        for (cut, number) in cuts.iter().zip(1..) {
            assert!(text[*cut..].starts_with("  name"), "{:?}", &text[*cut..][..20]);
            assert!((number * 1000..number * 1000 + entry.len()).contains(cut));
        }
        assert!(super::cuts("- a: 1\n- b: 2\n", 4).is_empty());
        assert!(super::cuts("", 4).is_empty());
    }

    /// Returns whether the piece that begins with `|` is in place after reading everything before it.
    fn is_in_place(text: &str) -> bool {
        let start = text.find('|').unwrap();
        let text = text.replacen('|', "", 1);
        let interner = Interner::new();
        let document = Document::new(SourceId(0), text.as_str().into());
        let tree = Tree::new(document, text.len(), &interner, 5);
        let (bytes, next) = (text.as_bytes(), Next::Value { after: 0 });
        let mut lines = Lines { text: &text, bytes, tree, next, floor: 0, until: start };
        assert_eq!(lines.lines(0).ok(), Some(start));
        let (_, mut piece) = lines.piece(start, text.len());
        assert_eq!(piece.lines(start).ok(), Some(text.len()));
        lines.is_in_place(&piece)
    }

    #[test]
    fn pieces_are_joined_where_their_map_is_open() {
        for text in
            ["a: 1\n|b: 2\n", "a:\n  b: 1\n|  c:\n    d: 2\n", "a:\n  b:\n    c:\n    - d: x\n|  e: 1\n", "a:\n|b: 2\n"]
        {
            assert!(is_in_place(text), "{text:?}");
        }
        for text in
            ["a:\n|  b: 2\n", "a: 1\n|  b: 2\n", "a:\n  b: 1\n|  c:\n    d:\n      e:\n        f:\n          g: 1\n"]
        {
            assert!(!is_in_place(text), "{text:?}");
        }
    }
}
