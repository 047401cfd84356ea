#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

fn source(text: &str) -> Source {
    Source::new(SourceId(0), "service.yaml", text)
}

fn position(text: &str, offset: u32) -> (u32, u32) {
    let LineColumn { line, column } = source(text).line_column(offset);
    (line, column)
}

#[test]
fn lines_and_columns_begin_at_one() {
    assert_eq!(position("a: 1\nb: 2\n", 0), (1, 1));
    assert_eq!(position("a: 1\nb: 2\n", 3), (1, 4));
    assert_eq!(position("a: 1\nb: 2\n", 5), (2, 1));
    assert_eq!(position("a: 1\nb: 2\n", 8), (2, 4));
}

#[test]
fn the_end_has_a_position() {
    assert_eq!(position("", 0), (1, 1));
    assert_eq!(position("a: 1", 4), (1, 5));
    assert_eq!(position("a: 1\n", 5), (2, 1));
    assert_eq!(position("a: 1\n", 4000), (2, 1));
    assert_eq!(position("", u32::MAX), (1, 1));
}

#[test]
fn columns_count_characters() {
    assert_eq!(position("größe: 1", 7), (1, 6));
    assert_eq!(position("größe: 1", 3), (1, 3), "inside `ö`");
    assert_eq!(position("漢字: 1", 6), (1, 3));
    assert_eq!(position("😀: 1", 4), (1, 2));
}

#[test]
fn editors_count_utf_16_units() {
    let position = |text: &str, offset| source(text).utf16_position(offset);
    assert_eq!(position("a: 😀b\nc", 7), (0, 5));
    assert_eq!(position("a: 😀b\nc", 5), (0, 3), "inside the emoji");
    assert_eq!(position("a: 😀b\nc", 9), (1, 0));
    assert_eq!(position("\u{feff}a: 1\nb", 0), (0, 0));
    assert_eq!(position("\u{feff}a: 1\nb", 3), (0, 1));
    assert_eq!(position("\u{feff}a: 1\nb", 9), (1, 1));
    let long = "😀é".repeat(3 * BLOCK);
    assert_eq!(position(&long, long.len() as u32), (0, 9 * BLOCK as u32));
    assert_eq!(position(&long, 6 * 1000), (0, 3 * 1000));
}

#[test]
fn every_line_break_of_yaml_ends_a_line() {
    let text = "a\r\nb\rc\n\nd";
    let texts: Vec<String> = (0..=6).map(|line| source(text).line_text(line).to_owned()).collect();
    assert_eq!(texts, ["", "a", "b", "c", "", "d", ""]);
    assert_eq!(source(text).line_count(), 5);
    assert_eq!(position(text, 2), (1, 2), "inside the line break");
    assert_eq!(position(text, 3), (2, 1));
    assert_eq!(position(text, 5), (3, 1));
    assert_eq!(source(text).line_range(9), text.len()..text.len());
}

#[test]
fn a_byte_order_mark_has_no_column() {
    assert_eq!(position("\u{feff}a: 1", 0), (1, 1));
    assert_eq!(position("\u{feff}a: 1", 3), (1, 1));
    assert_eq!(position("\u{feff}a: 1", 4), (1, 2));
    assert_eq!(position("\u{feff}", 9), (1, 1));
    assert_eq!(source("\u{feff}a: 1").line_text(1), "a: 1");
}

#[test]
fn columns_of_long_lines_are_exact() {
    let text = "ä😀b".repeat(5000);
    let long = source(&text);
    for (index, (offset, _)) in text.char_indices().enumerate() {
        assert_eq!(long.line_column(offset as u32), LineColumn { line: 1, column: index as u32 + 1 });
    }
    let end = text.len() as u32;
    assert_eq!(long.line_column(end), LineColumn { line: 1, column: 15001 });
}

#[test]
fn sources_keep_the_order_of_first_use() {
    let mut sources = Sources::new();
    assert!(sources.is_empty());
    sources.add(Source::new(SourceId(7), "root.yaml", "a: 1"));
    sources.extend([Source::new(SourceId(3), "base.yaml", ""), Source::new(SourceId(7), "again.yaml", "")]);
    assert_eq!(sources.len(), 2);
    assert_eq!(sources.iter().map(|source| source.name()).collect::<Vec<_>>(), ["root.yaml", "base.yaml"]);
    assert_eq!(sources.rank(SourceId(3)), Some(1));
    assert_eq!(&sources.get(SourceId(7)).unwrap().text()[..], "a: 1");
    assert!(sources.get(SourceId(0)).is_none());
}

#[test]
fn debugging_does_not_print_the_text() {
    assert_eq!(format!("{:?}", source("a: 1")), r#"Source(0, "service.yaml", 4 bytes)"#);
}

/// Returns the expected result of [`Source::line_column`], computed without an index.
fn naive(text: &str, offset: usize) -> (u32, u32) {
    let (mut line, mut column) = (1, 1);
    let mut characters = text.char_indices().peekable();
    characters.next_if(|(_, character)| *character == '\u{feff}');
    while let Some((start, character)) = characters.next() {
        let next = start + character.len_utf8();
        let crlf = character == '\r' && characters.peek().is_some_and(|(_, next)| *next == '\n');
        if offset < next || (crlf && offset == next) {
            break;
        }
        if character == '\n' || (character == '\r' && !crlf) {
            (line, column) = (line + 1, 1);
        } else if !crlf {
            column += 1;
        }
    }
    (line, column)
}

proptest! {
    #[test]
    fn positions_match_the_specification(text in "\u{feff}?[ab\r\n\tä漢😀]{0,40}", offset in 0_u32..80) {
        prop_assert_eq!(position(&text, offset), naive(&text, offset as usize));
    }

    #[test]
    fn lines_are_the_text_without_its_breaks(text in "[ab\r\nä]{0,40}") {
        let source = source(&text);
        let lines: Vec<&str> = (1..=source.line_count()).map(|line| source.line_text(line)).collect();
        let unified = text.replace("\r\n", "\n").replace('\r', "\n");
        prop_assert_eq!(lines.join("\n"), unified);
    }
}

proptest! {
    #[test]
    fn offsets_are_the_inverse_of_positions(text in "([a-z ä漢😀]|\r|\n|\r\n){0,40}", long in 0_usize..3000) {
        let source = source(&format!("{}{text}", "ä".repeat(long)));
        // The long part consists of characters of two bytes.
        let length = source.text().len() as u32;
        for offset in (0..2 * long as u32).step_by(97).chain(2 * long as u32..=length) {
            let position = source.line_column(offset);
            let found = source.offset(position);
            assert_eq!(source.line_column(found), position);
            assert!(found <= offset, "{found} is not the first offset of {position:?}");
        }
        let end = source.line_range(1).end as u32;
        assert_eq!(source.offset(LineColumn { line: 1, column: u32::MAX }), end);
        assert_eq!(source.offset(LineColumn { line: u32::MAX, column: 1 }), length);
    }
}
