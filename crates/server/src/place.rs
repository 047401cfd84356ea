//! Conversion of byte offsets to LSP positions (lines and UTF-16 units) and back.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use tosca_parse::source::{Address, Source};

use crate::protocol::{Position, Range, Uri};

/// Returns the position of an offset.
pub(crate) fn position(source: &Source, offset: u32) -> Position {
    let (line, character) = source.utf16_position(offset);
    Position { line, character }
}

/// Returns the range between two offsets.
pub(crate) fn range(source: &Source, start: u32, end: u32) -> Range {
    Range { start: position(source, start), end: position(source, end) }
}

/// Returns the offset of a position. A position beyond the end of a line counts as the end of that line.
pub(crate) fn offset(source: &Source, position: Position) -> u32 {
    let range = source.line_range(position.line.saturating_add(1));
    // The editor counts a byte order mark, if it sends one.
    let start = if position.line == 0 { 0 } else { range.start };
    let (mut start, mut end) = (start as u32, range.end as u32);
    // A line can be as long as the text, so its characters are not counted one by one.
    while start < end {
        let middle = end - (end - start) / 2;
        if source.utf16_position(middle).1 <= position.character {
            start = middle;
        } else {
            end = middle - 1;
        }
    }
    while !source.text().is_char_boundary(start as usize) {
        start -= 1;
    }
    start
}

/// The characters that are encoded in the path of a URI: those that editors encode, and parentheses, which end a link
/// in Markdown.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'(')
    .add(b')')
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

/// Returns a path in percent-encoding.
pub(crate) fn encoded(path: &str) -> String {
    utf8_percent_encode(path, ENCODED).to_string()
}

/// Returns the URI of a file.
pub(crate) fn uri(address: &Address) -> Option<Uri> {
    let path = address.to_path()?;
    let path = path.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
    let slash = if path.starts_with('/') { "" } else { "/" };
    Some(Uri(format!("file://{slash}{}", encoded(&path))))
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
    fn byte_order_marks_are_counted() {
        let source = Source::new(SourceId(0), "a", "\u{feff}a: b\nc\n");
        for (offset, line, character) in [(0, 0, 0), (3, 0, 1), (6, 0, 4), (8, 1, 0)] {
            assert_eq!(position(&source, offset), Position { line, character }, "{offset}");
            assert_eq!(super::offset(&source, Position { line, character }), offset, "{line}:{character}");
        }
    }

    #[test]
    fn files_have_uris() {
        let address = address(&Uri("file:///a%20b/c%2Bd/%C3%BC.yaml".to_owned())).unwrap();
        assert_eq!(uri(&address).unwrap().0, "file:///a%20b/c+d/%C3%BC.yaml");
        let path = if cfg!(windows) { "C:/a (1)/b.yaml" } else { "/a (1)/b\\c.yaml" };
        let encoded = uri(&Address::from_path(path.as_ref(), "/".as_ref())).unwrap().0;
        assert_eq!(
            encoded,
            if cfg!(windows) { "file:///C:/a%20%281%29/b.yaml" } else { "file:///a%20%281%29/b%5Cc.yaml" }
        );
        assert!(super::address(&Uri("untitled:Untitled-1".to_owned())).is_none());
    }
}
