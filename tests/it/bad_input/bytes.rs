//! Corrupted files: truncated, modified, in another encoding, or not text at all.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::{HEAD, codes, parse};

/// A valid template with a little of everything.
pub(super) const SERVICE: &str = include_str!("../../bad_input/service.yaml");

/// Encodes a template in UTF-16, with the byte order of `to_bytes`.
fn utf_16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to_bytes).collect()
}

#[test]
fn a_file_that_is_cut_off_at_any_byte() {
    let whole = parse(SERVICE);
    assert_eq!(whole.diagnostics, [], "it must be valid as a whole");
    // The step is not a power of two, so that the ends are anywhere in lines and characters.
    let ends: Vec<usize> = (0..SERVICE.len()).step_by(5).collect();
    let invalid = ends.iter().filter(|end| !parse(&SERVICE.as_bytes()[..**end]).is_valid()).count();
    assert!(invalid > ends.len() / 2, "only {invalid} of {} are invalid", ends.len());
    for end in 0..SERVICE.find("tosca_2_0").unwrap() {
        assert!(!parse(&SERVICE.as_bytes()[..end]).is_valid(), "{end}");
    }
}

#[test]
fn a_character_that_is_cut_off() {
    let end = SERVICE.find('é').unwrap() + 1;
    let outcome = parse(&SERVICE.as_bytes()[..end]);
    assert!(codes(&outcome).contains(&"T1003"), "{:?}", outcome.diagnostics);
}

#[test]
fn a_line_that_is_taken_away() {
    for number in 0..SERVICE.lines().count() {
        let rest = SERVICE.lines().enumerate().filter(|(index, _)| *index != number);
        parse(rest.fold(String::new(), |text, (_, line)| text + line + "\n"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_that_are_flipped(flips in prop::collection::vec((0..SERVICE.len(), any::<u8>()), 1..8)) {
        let mut bytes = SERVICE.as_bytes().to_vec();
        for (index, byte) in flips {
            bytes[index] = byte;
        }
        parse(bytes);
    }

    #[test]
    fn moved_parts(
        (from, to, at) in (0..SERVICE.len(), 0..SERVICE.len(), 0..SERVICE.len()),
        is_copied in any::<bool>(),
    ) {
        let mut bytes = SERVICE.as_bytes().to_vec();
        let part = bytes[from.min(to)..from.max(to)].to_vec();
        if !is_copied {
            bytes.drain(from.min(to)..from.max(to));
        }
        let at = at.min(bytes.len());
        bytes.splice(at..at, part);
        parse(bytes);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let outcome = parse(bytes);
        prop_assert!(!outcome.is_valid());
    }

    #[test]
    fn any_text_after_the_version(text in any::<String>()) {
        parse(format!("{HEAD}{text}"));
    }
}

#[test]
fn nothing_at_all() {
    for text in ["", " ", "\n\n", "# only a comment\n", "\u{feff}", "---\n", "---\n...\n", "--- # nothing\n"] {
        let outcome = parse(text);
        assert_eq!(codes(&outcome).len(), 1, "{text:?}: {:?}", outcome.diagnostics);
        assert!(!outcome.is_valid(), "{text:?}");
    }
    assert_eq!(codes(&parse("")), ["T1005"]);
}

#[test]
fn nul_bytes() {
    for bytes in [&b"\0"[..], &[0; 1000], b"tosca_definitions_version: tosca_2_0\0\n", b"\0\0\0\0a: 1\n"] {
        let outcome = parse(bytes);
        assert!(!outcome.is_valid(), "{bytes:?}");
    }
    let outcome = parse(format!("{HEAD}description: a\0b\n"));
    assert_eq!(codes(&outcome), ["T1101"]);
}

#[test]
fn other_encodings_are_read() {
    let utf_32 = |text: &str, to_bytes: fn(u32) -> [u8; 4]| -> Vec<u8> {
        text.chars().flat_map(|character| to_bytes(character.into())).collect()
    };
    for mark in ["", "\u{feff}"] {
        // Without a byte order mark, the first character must be ASCII.
        let text = format!("{mark}tosca_definitions_version: tosca_2_0\ndescription: {SERVICE_WORDS}\n");
        for bytes in [
            text.clone().into_bytes(),
            utf_16(&text, u16::to_le_bytes),
            utf_16(&text, u16::to_be_bytes),
            utf_32(&text, u32::to_le_bytes),
            utf_32(&text, u32::to_be_bytes),
        ] {
            let outcome = parse(bytes.clone());
            assert_eq!(outcome.diagnostics, [], "{:?}", &bytes[..8]);
            assert!(outcome.sources.iter().next().unwrap().text().contains(SERVICE_WORDS));
        }
    }
}

/// Words with characters of one, two, three and four bytes.
const SERVICE_WORDS: &str = "a café 日本 😀 shop";

#[test]
fn texts_that_are_broken_in_other_encodings() {
    let whole = utf_16(&format!("\u{feff}{HEAD}"), u16::to_le_bytes);
    // A surrogate without its partner: high, low, and high at the end.
    for units in [&[0xd800, 0x61][..], &[0xdc00, 0x61], &[0xd800]] {
        let mut bytes = whole.clone();
        bytes.extend(units.iter().copied().flat_map(u16::to_le_bytes));
        assert!(codes(&parse(bytes)).contains(&"T1003"), "{units:x?}");
    }
    // Half a code unit.
    let outcome = parse(&whole[..whole.len() - 1]);
    assert!(codes(&outcome).contains(&"T1003"), "{:?}", outcome.diagnostics);
    // The same surrogate in UTF-8 and as an escape sequence.
    let outcome = parse([HEAD.as_bytes(), b"description: \xed\xa0\x80\n"].concat());
    assert_eq!(codes(&outcome), ["T1003"]);
    assert_eq!(codes(&parse(format!("{HEAD}description: \"\\ud800\"\n"))), ["T1101"]);
}

#[test]
fn strange_characters() {
    for text in
        ["\u{85}", "\u{2028}", "\u{b}", "\u{1b}[31m", "\u{7f}", "\u{ffff}", "\u{fffe}", "\u{feff}", "\u{10ffff}"]
    {
        parse(format!("{HEAD}description: a{text}b\n"));
        parse(format!("{HEAD}{text}: b\n"));
        parse(format!("{HEAD}node_types: {{ \"{text}\": {{ derived_from: \"{text}\" }} }}\n"));
    }
}

#[test]
fn every_character_of_the_basic_plane_as_a_name() {
    let mut text = format!("{HEAD}node_types:\n");
    for character in (1..0xffff).step_by(7).filter_map(char::from_u32) {
        writeln!(text, "  \"\\u{:04x}{character}\": {{}}", u32::from(character)).unwrap();
    }
    parse(text);
}
