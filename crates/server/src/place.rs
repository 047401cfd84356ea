//! Conversion of byte offsets to LSP positions (lines and UTF-16 units) and back.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use tosca_parse::source::{Address, Source};

use crate::protocol::{Position, Range, Uri};

/// Returns the position of an offset.
pub(crate) fn position(source: &Source, offset: u32) -> Position {
    let line = source.line_column(offset).line;
    let range = source.line_range(line);
    let end = (offset as usize).clamp(range.start, range.end);
    let before = source.text().get(range.start..end).unwrap_or_default();
    Position { line: line - 1, character: units(before) }
}

/// Returns the range between two offsets.
pub(crate) fn range(source: &Source, start: u32, end: u32) -> Range {
    Range { start: position(source, start), end: position(source, end) }
}

/// Returns the offset of a position. A position beyond the end of a line means its end.
pub(crate) fn offset(source: &Source, position: Position) -> u32 {
    let range = source.line_range(position.line.saturating_add(1));
    let line = &source.text()[range.clone()];
    let mut left = position.character;
    for (at, letter) in line.char_indices() {
        let wide = letter.len_utf16() as u32;
        if left < wide {
            return (range.start + at) as u32;
        }
        left -= wide;
    }
    range.end as u32
}

/// Returns the number of UTF-16 units of a string.
pub(crate) fn units(text: &str) -> u32 {
    text.chars().map(|letter| letter.len_utf16() as u32).sum()
}

/// The characters that editors encode in the path of a URI.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Returns the URI of a file.
pub(crate) fn uri(address: &Address) -> Option<Uri> {
    let path = address.to_path()?;
    let path = path.to_str()?.replace('\\', "/");
    let slash = if path.starts_with('/') { "" } else { "/" };
    Some(Uri(format!("file://{slash}{}", utf8_percent_encode(&path, ENCODED))))
}

/// Returns the address of a URI, if it is a file URI.
pub(crate) fn address(uri: &Uri) -> Option<Address> {
    let address = Address::parse(&uri.0).ok()?;
    address.to_path().is_some().then_some(address)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use tosca_parse::diagnostic::SourceId;

    #[test]
    fn columns_are_counted_in_utf_16() {
        let source = Source::new(SourceId(0), "a", "a: 😀b\r\nüc: d\n");
        for (offset, line, character) in
            [(0, 0, 0), (3, 0, 3), (7, 0, 5), (8, 0, 6), (10, 1, 0), (12, 1, 1), (17, 2, 0)]
        {
            assert_eq!(position(&source, offset), Position { line, character }, "{offset}");
            assert_eq!(super::offset(&source, Position { line, character }), offset, "{line}:{character}");
        }
        assert_eq!(super::offset(&source, Position { line: 0, character: 99 }), 8, "the end of the line");
        assert_eq!(super::offset(&source, Position { line: 9, character: 9 }), 17, "the end of the text");
        assert_eq!(super::offset(&source, Position { line: 0, character: 4 }), 3, "within a letter");
    }

    #[test]
    fn files_have_uris() {
        let address = address(&Uri("file:///a%20b/c%2Bd/%C3%BC.yaml".to_owned())).unwrap();
        assert_eq!(uri(&address).unwrap().0, "file:///a%20b/c+d/%C3%BC.yaml");
        assert!(super::address(&Uri("untitled:Untitled-1".to_owned())).is_none());
    }
}
