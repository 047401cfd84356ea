//! Finds YAML indicators between tokens.
//!
//! The YAML reader gives exact positions for words and brackets, but not for the `-` of a list item, the `|` of a block
//! scalar or the colon before a missing value. Only white space, comments and indicators can be between two tokens, so
//! a scan finds the indicators.

use std::ops::Range;

/// Returns the position of the first of the `wanted` indicators in `gap`, which must begin right after a token.
pub(super) fn find(text: &str, gap: Range<u32>, wanted: &[u8]) -> Option<u32> {
    let bytes = &text.as_bytes()[..gap.end as usize];
    let mut place = gap.start as usize;
    while let Some(&byte) = bytes.get(place) {
        if byte == b'#' {
            place += line_length(&bytes[place..]);
        } else if wanted.contains(&byte) {
            return Some(place as u32);
        } else {
            place += 1;
        }
    }
    None
}

/// Returns the number of bytes up to the end of the first line.
fn line_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_first_indicator_outside_comments() {
        let text = ": # - one | two\r\n  - | # >";
        let all = 0..text.len() as u32;
        assert_eq!(find(text, all.clone(), b"-"), Some(19));
        assert_eq!(find(text, all.clone(), b"|>"), Some(21));
        assert_eq!(find(text, all.clone(), b"?"), None);
        assert_eq!(find(text, 0..18, b"-"), None);
    }

    #[test]
    fn a_comment_without_a_line_end_reaches_to_the_end() {
        assert_eq!(find("# -", 0..3, b"-"), None);
    }
}
