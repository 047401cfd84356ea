//! New lines, as an editor begins them.

use tosca_parse_fmt::{Failure, Lists, Options, format_new_line};

/// Texts after a line has been begun at `|`, and the texts that they become. `|` in the result is where the first
/// character of the new line would be typed.
const TABLE: &[(&str, &str)] = &[
    // Below a key.
    ("a:\n|", "a:\n  |"),
    ("a:\n  b:\n  |", "a:\n  b:\n    |"),
    ("a:\n    |\nb: 1\n", "a:\n  |\nb: 1\n"),
    ("a: # c\n|", "a: # c\n  |"),
    ("a:   &x\n|", "a: &x\n  |"),
    ("a: !t\n|", "a: !t\n  |"),
    ("'a: b':\n|", "\"a: b\":\n  |"),
    ("- a:\n|", "- a:\n    |"),
    // Below a key with content.
    ("a:\n|\n    b: 1\n", "a:\n    |\n    b: 1\n"),
    ("a:\n|\n- b\n", "a:\n|\n- b\n"),
    ("a:\n    |\n# c\nb: 1\n", "a:\n  |\n# c\nb: 1\n"),
    // After an entry.
    ("a: 1\n|", "a: 1\n|"),
    ("a:   1\n  |", "a: 1\n|"),
    ("a:\n    b:   [1]\n    |", "a:\n  b: [ 1 ]\n  |"),
    ("a:\n    b: 1\n    c:   1\n    |", "a:\n    b: 1\n    c: 1\n    |"),
    ("a: null\n|", "a: null\n|"),
    ("a: 'x: y'\n|", "a: \"x: y\"\n|"),
    ("a: http://b\n|", "a: http://b\n|"),
    // After a dash.
    ("a:\n  - \n  |", "a:\n  -\n    |"),
    ("a:\n-\n|", "a:\n  -\n    |"),
    ("a:\n- b\n|", "a:\n  - b\n  |"),
    ("a:\n- b\n-   c\n|", "a:\n- b\n- c\n|"),
    ("a:\n  -   b:   1\n  |", "a:\n  - b: 1\n    |"),
    ("- - a\n|", "- - a\n  |"),
    ("- # c\n|", "- # c\n  |"),
    ("- {a: 1}\n|", "- { a: 1 }\n|"),
    // In block scalars.
    ("a: |-\n|", "a: |-\n  |"),
    ("a:   >\n|", "a: >\n  |"),
    ("- |\n|", "- |\n  |"),
    ("a: |\n  b:   c\n  |", "a: |\n  b:   c\n  |"),
    ("a: |\n   b\n|", "a: |\n   b\n|"),
    ("a: |\n  b\n   |\n  c\n", "a: |\n  b\n   |\n  c\n"),
    ("a: |\n|\n      b\n", "a: |\n|\n      b\n"),
    ("a: |+\n  b\n\n|", "a: |+\n  b\n\n|"),
    // In other scalars with several lines.
    ("a: b\n  c\n|", "a: b\n  c\n|"),
    ("a: \"b\n  c\"\n|", "a: \"b\n  c\"\n|"),
    // In brackets.
    ("a: [ b,\n|c ]\n", "a: [ b,\n|c ]\n"),
    ("a: {\n|\n}\n", "a: {\n|\n}\n"),
    ("a: [\n  b\n]\n|", "a: [\n  b\n]\n|"),
    // After and before comments.
    ("#c\n|", "#c\n|"),
    ("a:\n  #   c\n  |\n  b: 1\n", "a:\n  #   c\n  |\n  b: 1\n"),
    ("a:\n  # c\n|", "a:\n  # c\n|"),
    ("a: 1 # c\n|", "a: 1 # c\n|"),
    // After blank lines, which are kept.
    ("\n|", "\n|"),
    ("a: 1\n\n|", "a: 1\n\n|"),
    ("a:\n  \n  |", "a:\n  \n  |"),
    ("|a: 1\n", "|a: 1\n"),
    ("|", "|"),
    // Text on the new line keeps its place.
    ("a:   1\n|b: 1\n", "a: 1\n|b: 1\n"),
    ("a:\n    |b: 1\n", "a:\n    |b: 1\n"),
    // Markers and directives.
    ("---\n|", "---\n|"),
    ("--- # c\n|", "--- # c\n|"),
    ("? a\n|", "? a\n|"),
    // Line breaks, tabs, and a byte order mark.
    ("a:\r\n|\r\nb: 1\r\n", "a:\r\n  |\r\nb: 1\r\n"),
    ("a:\r\n    b:   1\r\n    |", "a:\r\n  b: 1\r\n  |"),
    ("a:\r|", "a:\r  |"),
    ("a:\tb\n\t|", "a: b\n|"),
    ("a: # c\t\n\t|", "a: # c\n  |"),
    ("\u{feff}a:   \n|", "\u{feff}a:\n  |"),
    ("\u{feff}|", "\u{feff}|"),
    ("ä:   '😀'\n  |", "ä: \"😀\"\n|"),
];

/// Returns the text after a new line; the cursor is behind the indentation, if it was there.
fn typed(text: &str, options: &Options) -> String {
    // An earlier bar may begin a block scalar.
    let at = text.rfind('|').expect("there is a mark");
    let text = format!("{}{}", &text[..at], &text[at + 1..]);
    let new = format_new_line(&text, at, options).expect("the text is valid").apply(&text);
    // Nothing after the new line changes.
    let blank = text[at..].len() - text[at..].trim_start_matches([' ', '\t']).len();
    let rest = text.len() - at - blank;
    format!("{}|{}", &new[..new.len() - rest], &new[new.len() - rest..])
}

#[test]
fn new_lines_are_indented() {
    for (text, expected) in TABLE {
        assert_eq!(typed(text, &Options::default()), *expected, "{text:?}");
        // A further run changes nothing.
        assert_eq!(typed(expected, &Options::default()), *expected, "{expected:?}");
    }
}

#[test]
fn new_lines_follow_the_style() {
    let options = Options { indent: 4, lists: Lists::Flush, ..Options::default() };
    assert_eq!(typed("a:\n|", &options), "a:\n    |");
    assert_eq!(typed("a:\n  - b\n  |", &options), "a:\n- b\n|");
    assert_eq!(typed("a:\n- b:\n|", &options), "a:\n- b:\n      |");
}

#[test]
fn invalid_texts_are_not_changed() {
    for text in ["a: [\n|", "a\n|b: 1\n", "a: \"b\n|", "a:\n\tb: 1\n|", "a: 1\n  b: 2\n|", "a: {b: 1\n|"] {
        let at = text.find('|').expect("there is a mark");
        let formatted = format_new_line(&text.replace('|', ""), at, &Options::default());
        assert!(matches!(formatted, Err(Failure::Invalid(_))), "{text:?}");
    }
}
