//! Tests of the style.

use tosca_parse_fmt::{Failure, Lists, Options, Quotes, format, format_range};

/// Asserts the formatted form of a text. Formatting it again must not change it.
#[track_caller]
fn assert_formatted(text: &str, expected: &str) {
    assert_styled(text, expected, &Options::default());
}

#[track_caller]
fn assert_styled(text: &str, expected: &str, options: &Options) {
    let formatted = format(text, options).expect("it can be formatted").apply(text);
    assert_eq!(formatted, expected);
    let again = format(&formatted, options).expect("it can be formatted again");
    assert!(again.is_unchanged(), "not stable: {:?}", again.edits);
}

#[test]
fn maps_and_lists_are_indented() {
    assert_formatted(
        "a:\n    b:\n         c: 1\n    d:\n    - 1\n    -   - 2\n        - 3\n    -    e: 4\n         f: 5\n",
        "a:\n  b:\n    c: 1\n  d:\n    - 1\n    - - 2\n      - 3\n    - e: 4\n      f: 5\n",
    );
    assert_formatted("  a: 1\n  b: 2\n", "a: 1\nb: 2\n");
    assert_formatted("-\n    a: 1\n    b: 2\n-\n    1\n", "- a: 1\n  b: 2\n- 1\n");
    assert_formatted("- # one\n    a: 1\n", "- # one\n  a: 1\n");
    assert_formatted("?   a\n:   b: 1\n    c: 2\n? - d\n  - e\n", "? a\n: b: 1\n  c: 2\n? - d\n  - e\n");
}

#[test]
fn spaces_are_normalized() {
    assert_formatted("a :   1   \nbb:\t2\n'c'  : {x: 1,y : [ ] , z}\n", "a: 1\nbb: 2\n\"c\": { x: 1, y: [], z }\n");
    assert_formatted("[a,b , c: d, ? e : f]\n", "[ a, b, c: d, ? e: f ]\n");
    assert_formatted("{\"a\":1,b:,&c d: 3}\n", "{ \"a\": 1, b: , &c d: 3 }\n");
    assert_formatted("a:   &x   !!str   b\n*x   : c\n", "a: &x !!str b\n*x : c\n");
}

#[test]
fn quotes_are_double_unless_that_needs_escapes() {
    assert_formatted(
        "- 'it''s'\n- 'say \"x\"'\n- '\\d+'\n- \"a\\tb\"\n- ''\n- plain\n",
        "- \"it's\"\n- 'say \"x\"'\n- '\\d+'\n- \"a\\tb\"\n- \"\"\n- plain\n",
    );
    let single = Options { quotes: Quotes::Single, ..Options::default() };
    assert_styled("- \"a\"\n- \"it's\"\n- \"\\n\"\n", "- 'a'\n- \"it's\"\n- \"\\n\"\n", &single);
    let keep = Options { quotes: Quotes::Keep, ..Options::default() };
    assert_styled("- \"a\"\n- 'b'\n", "- \"a\"\n- 'b'\n", &keep);
}

#[test]
fn other_styles_can_be_chosen() {
    let options = Options { indent: 4, lists: Lists::Flush, bracket_spacing: false, ..Options::default() };
    assert_styled(
        "a:\n  b:\n    - { c: [ 1 ] }\n  d: &e\n    - 2\n",
        "a:\n    b:\n    - {c: [1]}\n    d: &e\n    - 2\n",
        &options,
    );
}

#[test]
fn comments_and_blank_lines_are_kept() {
    assert_formatted(
        "\n# top\n\na:   # one\n    # inside\n    b: 1\n    # end of a\n\n\n# end\n\n",
        "# top\n\na: # one\n  # inside\n  b: 1\n  # end of a\n\n\n# end\n",
    );
    assert_formatted("a:\n    # b: 1\n    #   c: 2\nd:\n", "a:\n  # b: 1\n  #   c: 2\nd:\n");
    assert_formatted("a:\n- b\n# of d\nd: 1\n", "a:\n  - b\n# of d\nd: 1\n");
    assert_formatted("a:\n    #b:\n      #c: 1\n", "a:\n  #b:\n    #c: 1\n");
    assert_formatted("  # only\n  # comments", "# only\n# comments\n");
}

#[test]
fn aligned_comments_stay_aligned() {
    assert_formatted(
        "a:     1  # one\nbbbb:  2  # two\n\nc: 3      # three\n",
        "a: 1    # one\nbbbb: 2 # two\n\nc: 3 # three\n",
    );
}

#[test]
fn block_scalars_keep_their_text() {
    assert_formatted(
        "a:\n    b: |\n            x\n              y\n\n            z\n",
        "a:\n  b: |\n    x\n      y\n\n    z\n",
    );
    assert_formatted("a:\n    b: >2-   # note\n         x\n", "a:\n  b: >2- # note\n       x\n");
    assert_formatted("- |+\n   x\n\n\n- y\n", "- |+\n  x\n\n\n- y\n");
    assert_formatted("a: |\n  x\n     \nb: 1\n", "a: |\n  x\n     \nb: 1\n");
    // A line break at the end would be part of the text.
    assert_formatted("a: |\n    x", "a: |\n  x");
    assert_formatted("a: |-\n    x", "a: |-\n  x\n");
}

#[test]
fn scalars_of_several_lines_are_indented() {
    assert_formatted("a: one\n        two\n\n   three\nb: 1\n", "a: one\n  two\n\n  three\nb: 1\n");
    assert_formatted("- \"one  \n      two\\\n    \\ three\"\n", "- \"one\n  two\\\n  \\ three\"\n");
    assert_formatted("a:\n      one\n      two\n", "a:\n  one\n  two\n");
}

#[test]
fn brackets_over_several_lines_are_indented() {
    assert_formatted(
        "a:\n    - b: [\n      1, {c: [\n   2\n      ]},\n  ]\n",
        "a:\n  - b: [\n      1, { c: [\n        2\n      ] },\n    ]\n",
    );
    assert_formatted("a: {\n b: 1,\n # note\n c: 2 }\n", "a: {\n  b: 1,\n  # note\n  c: 2 }\n");
}

#[test]
fn documents_and_directives_are_kept() {
    assert_formatted(
        "%YAML 1.2  \n---   # first\n  a: 1\n...\n---\n- b\n--- |\n  text\n",
        "%YAML 1.2\n--- # first\na: 1\n...\n---\n- b\n--- |\n  text\n",
    );
}

#[test]
fn line_breaks_and_the_byte_order_mark_are_kept() {
    assert_formatted(
        "\u{feff}a:\r\n    b: 1  \r\n    c: |\r\n       x\r\n",
        "\u{feff}a:\r\n  b: 1\r\n  c: |\r\n    x\r\n",
    );
    assert_formatted("a:  1\r\nb:  2", "a: 1\r\nb: 2\r\n");
    assert_formatted("", "");
}

#[test]
fn comments_turn_formatting_off() {
    assert_formatted(
        "a:\n    # fmt: off\n    b:   [1,2]\n    c:\n          d:   1\n    # fmt: on\n    e:   [1]\nf:   [1]\n",
        "a:\n  # fmt: off\n  b:   [1,2]\n  c:\n        d:   1\n  # fmt: on\n  e: [ 1 ]\nf: [ 1 ]\n",
    );
    // Without `on`, formatting is off up to the end of the block.
    assert_formatted("a:\n    # fmt: off\n    b:   1\nc:   2\n", "a:\n  # fmt: off\n  b:   1\nc: 2\n");
    assert_formatted("a:\n    b:   [1] # fmt: skip\n    c:   [1]\n", "a:\n  b:   [1] # fmt: skip\n  c: [ 1 ]\n");
    assert_formatted(
        "-   a:   1  # fmt: skip\n    b:   2\n-   c:   3\n",
        "-   a:   1  # fmt: skip\n    b: 2\n- c: 3\n",
    );
}

#[track_caller]
fn assert_range(text: &str, part: &str, expected: &str) {
    let start = text.find(part).expect("the part is there");
    let formatted = format_range(text, start..start + part.len(), &Options::default()).expect("it can be formatted");
    assert_eq!(formatted.apply(text), expected);
}

#[test]
fn ranges_are_formatted_alone() {
    let text = "a:\n    b:   1\n    c:\n        d:   [1]\n    e:   2\nf:   3\n";
    assert_range(text, "b:   1", "a:\n    b: 1\n    c:\n        d:   [1]\n    e:   2\nf:   3\n");
    assert_range(text, "c:\n        d:   [1]\n", "a:\n    b:   1\n    c:\n      d: [ 1 ]\n    e:   2\nf:   3\n");
    assert_range(text, "f:   3", "a:\n    b:   1\n    c:\n        d:   [1]\n    e:   2\nf: 3\n");
    assert_range("-   a:   1\n    b:   2\n", "a:   1", "-   a: 1\n    b:   2\n");
    assert_range(text, text, &format(text, &Options::default()).expect("it can be formatted").apply(text));
}

#[test]
fn invalid_texts_are_refused() {
    for text in ["a: [1\nb: 2\n", "a: 1\na: 2\n", "a: *b\n", "a:\n\tb: 1\n"] {
        match format(text, &Options::default()) {
            Err(Failure::Invalid(problems)) => assert!(!problems.is_empty(), "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}
