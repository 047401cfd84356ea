//! Tests of the positions of nodes.

use super::{Kind, at, check_places, own_entries, read_valid, slice};

/// Returns the text of the spans of all nodes, in order.
fn slices(text: &str) -> Vec<String> {
    let document = read_valid(text);
    check_places(&document);
    document.nodes().map(|node| slice(&document, node.span()).to_owned()).collect()
}

#[test]
fn block_collections_end_with_their_last_value() {
    let text = "a:\n  b: 1\n  c:\n    - x\n    - y  # comment\n\n  # comment\n\nd: 2\n\n";
    assert_eq!(
        slices(text),
        [text.trim_end(), "a", "b: 1\n  c:\n    - x\n    - y", "b", "1", "c", "- x\n    - y", "x", "y", "d", "2"]
    );
}

#[test]
fn lists_begin_at_their_first_dash() {
    assert_eq!(slices("a:\n- 1\n-   2\n")[2], "- 1\n-   2");
    assert_eq!(slices("a: # - no\n# - no\n-\n  1\n")[2], "-\n  1");
    assert_eq!(slices("- - - x\n  -\n")[..3], ["- - - x\n  -", "- - x\n  -", "- x"]);
    assert_eq!(slices("- -\n  -\n- 1\n"), ["- -\n  -\n- 1", "-\n  -", "", "", "1"]);
    assert_eq!(slices("? - a\n: - b\n"), ["? - a\n: - b", "- a", "a", "- b", "b"]);
    assert_eq!(slices("a: &a-b\n- 1\n")[2], "- 1");
    assert_eq!(slices("a: !!seq # - no\n- 1\n")[2], "- 1");
    assert_eq!(slices("- &x\n  - 1\n")[1], "- 1");
    assert_eq!(slices("- a: 1\n  b: 2\n")[1], "a: 1\n  b: 2");
}

#[test]
fn flow_collections_have_their_brackets() {
    let text = "a: [1, {b: 2, c} ] # x\n";
    assert_eq!(slices(text), ["a: [1, {b: 2, c} ]", "a", "[1, {b: 2, c} ]", "1", "{b: 2, c}", "b", "2", "c", ""]);
    assert_eq!(slices("[a: b, ? c : d]"), ["[a: b, ? c : d]", "a: b", "a", "b", "? c : d", "c", "d"]);
}

#[test]
fn scalars_have_their_quotes() {
    assert_eq!(slices("'a''b': \"c\\n\"\n"), ["'a''b': \"c\\n\"", "'a''b'", "\"c\\n\""]);
    assert_eq!(slices("a: b\n  c # d\n")[2], "b\n  c");
    assert_eq!(slices("größe: 'ß' # ü\n"), ["größe: 'ß'", "größe", "'ß'"]);
}

#[test]
fn block_scalars_begin_at_their_header() {
    let text = "a: |2- # | > \n\n    x\n\n   y\n\n\n# c\nb: !!str &x|y # | no\n  >+\n  z\n\n";
    assert_eq!(slices(text)[2..], ["|2- # | > \n\n    x\n\n   y", "b", ">+\n  z"]);
    assert_eq!(slices("a: |\nb: >-  # c\nc: |"), ["a: |\nb: >-  # c\nc: |", "a", "|", "b", ">-", "c", "|"]);
    assert_eq!(slices("- |\n\n- >\n  x")[1..], ["|", ">\n  x"]);
    assert_eq!(slices("--- |\n x\n")[0], "|\n x");
    assert_eq!(slices("a: |+\n\n\nb: 1")[2], "|+");
}

#[test]
fn missing_values_are_where_they_would_begin() {
    /// Returns the positions of empty nodes.
    fn missing(text: &str) -> Vec<u32> {
        let document = read_valid(text);
        check_places(&document);
        let missing = document.nodes().filter(|node| node.kind() == Kind::Null && node.text().is_empty());
        missing.map(super::Node::span).inspect(|span| assert_eq!(span.start, span.end)).map(|span| span.start).collect()
    }
    assert_eq!(missing("a:\nb:   # c\nc:"), [2, 5, 14]);
    assert_eq!(missing("- # c\n-\n  # d\n-"), [1, 7, 15]);
    assert_eq!(missing("a:\n-\n-\n"), [4, 6]);
    assert_eq!(missing("? a\n# c\n? b\n:\n"), [3, 13]);
    assert_eq!(missing("{a, b: , c: }"), [2, 6, 11]);
    assert_eq!(missing("[a: , b:]"), [3, 8]);
    assert_eq!(missing("[? ]"), [2, 2]);
    assert_eq!(missing(": a\n").first(), Some(&0));
    assert_eq!(missing("a: b\n?   # c\n: d\n"), [6]);
    assert_eq!(missing("a: &x\n  # c\nb: !!null\n"), [5, 21]);
    assert_eq!(missing("---\n# c\n").len(), 1);
}

#[test]
fn missing_values_ignore_the_colon_of_the_outer_map() {
    let (document, _) = super::read_any(": ? b\n: c\n");
    check_places(&document);
    let inner = document.root().unwrap().entries().next().unwrap().value;
    assert_eq!(inner.entries().next().unwrap().value.span().start, 5);
}

#[test]
fn aliases_have_their_own_positions() {
    let document = read_valid("a: &x [1]\nb: *x\n*x : c\n");
    check_places(&document);
    let alias = at(&document, &["b"]);
    assert_eq!(slice(&document, alias.span()), "*x");
    assert_eq!(slice(&document, alias.items().next().unwrap().span()), "1");
}

#[test]
fn empty_collections_in_a_truncated_text() {
    let (document, _) = super::read_any("a:\n  b: [\n");
    check_places(&document);
    assert_eq!(own_entries(document.root().unwrap()).len(), 2);
}
