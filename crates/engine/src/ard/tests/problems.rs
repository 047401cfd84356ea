//! Tests of the problems in invalid sources, their positions, and the content that is kept.

use serde_json::json;

use super::{at, check_places, is_as_written, read_any, read_valid, read_with, read_wrong, slice, value};
use crate::ard::{Dialect, Options, Tags};

/// Checks a source with one syntax error, whose span is between `»` and `«`.
fn check_syntax(marked: &str, message: &str, help: &str) {
    let start = marked.find('»').unwrap();
    let end = marked.find('«').unwrap() - '»'.len_utf8();
    let text = marked.replace(['»', '«'], "");
    let (document, problem) = read_wrong(&text);
    check_places(&document);
    assert_eq!(problem.rule.name, "yaml-syntax", "{text}");
    assert!(!is_as_written(&document), "{text}");
    assert_eq!(problem.message, message, "{text}");
    assert_eq!((problem.span.start as usize, problem.span.end as usize), (start, end), "{text}");
    let shown = problem.help.join("; ");
    assert!(shown.contains(help) && shown.is_empty() == help.is_empty(), "{text}: {shown:?}");
}

#[test]
fn brackets() {
    check_syntax("a: »[«1, 2\n", "`[` is never closed", "close the bracket on line 1 with `]`");
    check_syntax("a: »{«b\nc: d\n", "`{` is never closed", "close the bracket on line 1 with `}`");
    check_syntax("a: »[«b}", "`[` is closed by `}`", "close `[` on line 1 with `]`");
    check_syntax("a: »[«{b}:}", "`[` is closed by `}`", "close `[` on line 1 with `]`");
    check_syntax("a: »]«", "`]` closes nothing", "remove the bracket at the end of line 1");
    check_syntax("a: {b}»}«", "`}` closes nothing", "remove the bracket at the end of line 1");
    check_syntax("{a: 1 b»:« 2}", "`,` or `}` is expected here", "separate");
    check_syntax("a: { b: c »[«d], e: f }", "`,` or `}` is expected here", "in several lines, without brackets");
    check_syntax("[a,»,«b]", "a value is expected here", "");
    check_syntax("a: »[«1, 2\nb: 3", "`[` is never closed", "close the bracket on line 1");
    check_syntax("a: [0, »[«1}, 2]\n", "`[` is closed by `}`", "close `[` on line 1 with `]`, not with `}`");
    check_syntax("a: {b: c d»:« 2}", "`,` or `}` is expected here", "put `,` before `d` on line 1");
    check_syntax("a: [b, \"c\" »d«]", "text follows the closing quote", "put `,` before `d` on line 1");
    check_syntax("[»-«]", "`-` alone is not a string", "quotes");
}

#[test]
fn brackets_and_quotes_above_blocks() {
    let expected = "`,` or `}` is expected here";
    let comma = "`,` is missing at the end of the line";
    check_syntax("a: »{«\n  b: 1\n  c: 2\nd: 3\n", "`{` is never closed", "remove the bracket at the end of line 1");
    check_syntax("a: {\n  b: 1\n  c»:« 2\n  d: 3\n}\n", expected, "separate entries");
    check_syntax("a: {\n  b: 1»«\n  c: 2\n}\nd: 3\n", comma, "put `,` at the end of line 2");
    check_syntax("a: {\n  b: 1,\n  c: 2»«\n  d: 3\n}\n", comma, "put `,` at the end of line 3");
    check_syntax("a: »[«\n  - b\n  - c: 2\nd: 3\n", "`[` is never closed", "remove the bracket");
    check_syntax("a: »\"«\n  b: 1\n  c: \"d\"\n", "the quote is never closed", "remove the quote at the end of line 1");
}

#[test]
fn quotes() {
    check_syntax("a: 1\nb: »\"«c", "the quote is never closed", "close the quote on line 2: `\"c\"`");
    check_syntax("a: 1\nb: »\"«c\n", "the quote is never closed", "close the quote on line 2: `\"c\"`");
    check_syntax("a: { b: »\"«c }\nd: e\n", "the quote is never closed", "close the quote on line 1: `\"c\"`");
    check_syntax(
        "x: { a: { b: »\"«c }, d: { e: f } }\n",
        "the quote is never closed",
        "close the quote on line 1: `\"c\"`",
    );
    check_syntax("x: [ »\"«c, d ]\n", "the quote is never closed", "close the quote on line 1: `\"c, d\"`");
    let never = "the quote is never closed";
    check_syntax("{ a: »\"«b, c: d }\n", never, "close the quote on line 1: `\"b\"`");
    check_syntax("{ a: »\"«b, c: \"d\" }\n", never, "close the quote on line 1: `\"b\"`");
    check_syntax("a:\n  »\"«b: c\n  d: e\nf: g\n", never, "close the quote on line 2: `\"b\"`");
    check_syntax("a: »\"«b # c\nd: \"e\"\n", never, "close the quote on line 1: `\"b\"`");
    let below = "close the quote of line 2 at the end of line 3, or earlier";
    check_syntax("a:\n  b: »\"«c\n    d: e\nf: g\n", never, below);
    check_syntax("a: 'b'»'«\nc: d\n", "the quote is closed twice", "remove the last quote on line 1: `'b'`");
    check_syntax("a: \"b\"»\"«\nc: d\n", "the quote is closed twice", "remove the last quote on line 1: `\"b\"`");
    check_syntax("a: »'«it''s\nb: c\n", never, "close the quote on line 1: `'it''s'`");
    check_syntax("a: »'«x\nb: '1'", "the quote is never closed", "close the quote on line 1: `'x'`");
    check_syntax("a: 'it'»s«'", "text follows the closing quote", "`'it''s'`");
    check_syntax("a: \"b\"»c«", "text follows the closing quote", "`\\\"`");
    check_syntax("a: \"ä\\n »\\q«\"", "`\\q` has no meaning in double quotes", "`\\\\`");
    check_syntax("a: \"»\\x1«\"", "the escape lacks hexadecimal digits", "`\\x`");
    check_syntax("a: \"\\ud83d\\ude00»\\ud800«\"", "the escape is only half of a character", "pairs");
    check_syntax("a: \"»\\U00110000«\"", "the escape does not name a Unicode character", "");
}

#[test]
fn tabs() {
    let message = "a tab may not be used for indentation";
    check_syntax("a:\n»\t«b: 1", message, "spaces");
    check_syntax("a:\n  b: 1\n»\t«c: 1", message, "spaces");
    check_syntax("\ta: [b\n »\t«---\n]", message, "spaces");
    check_syntax("-»\t«- a", message, "spaces");
    check_syntax("a: 1\n# c\n\t»b«: 2", "a key of the map is expected here", "tabs");
}

#[test]
fn indentation() {
    check_syntax("a: 1\n  b»:« 2", "`:` is not allowed here", "don't indent line 2; indent the key like the one above");
    check_syntax("a:\n    b: 1\n  »c«: 2", "a key of the map is expected here", "indent line 3 by 4 spaces");
    check_syntax("- a\n»b«: c", "an item of the list is expected here, beginning with `- `", "like those");
    check_syntax("a: »-« b", "a list can't begin here", "begin a new line before `- b`");
    check_syntax("a: |\n  b\n »c«\n", "a key of the map is expected here", "`:`");
}

/// A document with a mistake on each line, and characters of two and three bytes inserted everywhere.
#[test]
fn broken_text_may_contain_any_characters() {
    let lines = [
        "a: { b: c d: e, f: [1, 2} }",
        "? [k, 2]",
        ": { <<: b: *x }",
        "g: \"h i: j",
        "  - k l: m - n: o",
        "p; q",
        "-r: `s",
        "t: |",
        "\tu",
    ];
    let text = lines.join("\n");
    for inserted in ['\u{a0}', 'é', '：', '漢', '\u{2028}'] {
        for (at, _) in text.char_indices() {
            let (before, after) = text.split_at(at);
            let (document, problems) = read_any(&format!("{before}{inserted}{after}"));
            assert!(!problems.is_empty() && document.root().is_some());
        }
    }
}

#[test]
fn colons() {
    check_syntax("port»:«80\nhost: a", "a space is missing after the colon", "space after the colon of `port:80`");
    check_syntax("host: a\n»p«ort:80", "a key is expected here, followed by `:`", "space after the colon of `port:80`");
    check_syntax("a: b»:« c", "`:` is not allowed here", "in quotes");
    check_syntax("a: 1\n»b«\n", "a key is expected here, followed by `:`", "put `:` after `b` on line 2");
}

#[test]
fn values_that_need_quotes() {
    check_syntax("a: {name}»/«bin", "a key of the map is expected here", "in quotes: `'{name}/bin'`");
    check_syntax("a: »@«b", "a plain scalar can't begin with `@`", "in quotes");
    check_syntax("a: »`«b", "a plain scalar can't begin with a backtick", "in quotes");
    check_syntax("a: »%«b", "a plain scalar can't begin with `%`", "in quotes");
    check_syntax("a: »*« * 1", "`*` must be followed by the name of an anchor", "in quotes");
    check_syntax("a: »!«<b", "`!<` is never closed by `>`", "in quotes");
    let help = "put a single quote before `text:` on line 1 and at the end of line 2";
    check_syntax("a: text»:« \"quoted\n  more\"\nb: 1", "`:` is not allowed here", help);
    check_syntax(
        "a: text»:« it's\n  more\nb: 1",
        "`:` is not allowed here",
        &format!("{help}, and double those between them"),
    );
    check_syntax("a: »|«x\n", "text follows `|` or `>` on the same line", "next line");
}

#[test]
fn characters() {
    check_syntax("a: b»\u{7}«", "the character U+0007 is not allowed in YAML", "");
    check_syntax("a: »\0«", "the character U+0000 is not allowed in YAML", "");
    check_syntax("a: ü»\u{FFFE}«", "the character U+FFFE is not allowed in YAML", "");
}

#[test]
fn text_around_a_syntax_error_is_kept() {
    for (text, kept) in [
        ("a: 1\nb:\n - 1\n - c: 2\n   d: \"", json!({"a": 1, "b": [1, {"c": 2, "d": ""}]})),
        ("a: 1\nb: @", json!({"a": 1, "b": "@"})),
        ("a:\n  b:\n    - c\n    - @", json!({"a": {"b": ["c", "@"]}})),
        ("? [a, b\n: @", json!(null)),
        ("? {a: b, c: @", json!(null)),
        ("- a: 1\n  b\n", json!([{"a": 1, "b": null}])),
        ("@", json!(null)),
        ("a: [1, 2\nb: 3\n", json!({"a": [1, 2], "b": 3})),
    ] {
        let (document, problem) = read_wrong(text);
        assert_eq!(problem.rule.name, "yaml-syntax", "{text}");
        assert!(!is_as_written(&document), "{text}");
        assert_eq!(value(&document), kept, "{text}");
        check_places(&document);
    }
}

#[test]
fn duplicates_before_a_syntax_error_are_found() {
    let (_, problems) = read_any("a: {b: 1, b: 2}\na: 1\nc: @");
    assert_eq!(
        problems.iter().map(|problem| problem.rule.name).collect::<Vec<_>>(),
        ["duplicate-key", "duplicate-key", "yaml-syntax"]
    );
}

#[test]
fn start_of_an_open_collection_is_shown() {
    let (document, problem) = read_wrong("a: [1,\n  2\nb: 3\n");
    assert_eq!(slice(&document, problem.span), "[");
    let (document, problem) = read_wrong("a: 1\nb: 'x\nc: '3'\n");
    assert_eq!(problem.span.start, 8);
    assert_eq!(slice(&document, problem.span), "'");
    assert_eq!(problem.related[0].message, "noticed here");
}

#[test]
fn duplicate_keys() {
    let (document, problem) = read_wrong("a: 1\nb: 2\n\"a\": 3\n");
    assert_eq!(problem.rule.name, "duplicate-key");
    assert_eq!(problem.message, "the key `a` occurs more than once in this map");
    assert_eq!(slice(&document, problem.span), "\"a\"");
    assert_eq!(problem.related[0].message, "first given here");
    assert_eq!(problem.related[0].span.start, 0);
    let entries: Vec<_> =
        document.root().unwrap().entries().map(|entry| (entry.value.text(), entry.duplicate)).collect();
    assert_eq!(entries, [("1", false), ("2", false), ("3", true)]);
    assert_eq!(at(&document, &["a"]).text(), "1");
    assert_eq!(value(&document), json!({"a": 1, "b": 2}));
}

#[test]
fn keys_are_compared_by_value() {
    for text in [
        "[service, 2]: a\n? - \"service\"\n  - 0x2\n: b",
        "1: a\n0o1: b",
        "~: a\nnull: b",
        "{a: 1, b: 2}: a\n{b: 2, a: 1}: b",
        "- &x [k]\n- {*x : a, [k]: b}",
        "- &x k\n- {*x : a, k: b}",
        "1.0: a\n1e0: b",
        ": a\n: b",
    ] {
        assert_eq!(read_wrong(text).1.rule.name, "duplicate-key", "{text}");
    }
    for text in [
        "1: a\n'1': b",
        "1: a\n1.0: b",
        "[a, b]: 1\n[b, a]: 2",
        "[a]: 1\n'[a]': 2",
        "a: {a: {a: 1}}\nA: 1",
        "['a, b']: 1\n[a, b]: 2",
    ] {
        read_valid(text);
    }
    let (_, problem) = read_wrong("[service, 2]: a\n[service, 2]: b");
    assert_eq!(problem.message, "the key `[service, 2]` occurs more than once in this map");
}

#[test]
fn a_third_key_is_reported_too() {
    let (_, problems) = read_any("a: 1\na: 2\nb: {a: 3}\na: 4\n");
    assert_eq!(problems.iter().map(|problem| problem.span.start).collect::<Vec<_>>(), [5, 20]);
    assert!(problems.iter().all(|problem| problem.related[0].span.start == 0));
}

#[test]
fn undefined_keys_are_not_duplicates() {
    let (_, problems) = read_any("{*x : 1, *y : 2}");
    assert!(problems.iter().all(|problem| problem.rule.name == "undefined-alias"));
    assert_eq!(problems.len(), 2);
}

#[test]
fn several_documents() {
    for (text, place) in
        [("a: 1\n---\nb: 2\n", "---"), ("a: 1\n...\n# c\nb: 2 \nc: 3\n", "b: 2"), ("a: 1\n---\n@", "---")]
    {
        let (document, problem) = read_wrong(text);
        assert_eq!(problem.rule.name, "several-documents", "{text}");
        assert_eq!(slice(&document, problem.span), place, "{text}");
        assert_eq!(value(&document), json!({"a": 1}));
        assert!(document.is_complete());
    }
    for text in ["a: 1\n...\n", "%YAML 1.2\n---\na: 1\n...\n# c\n"] {
        assert_eq!(value(&read_valid(text)), json!({"a": 1}), "{text}");
    }
}

#[test]
fn a_marker_inside_a_map_is_ignored() {
    let (document, problem) = read_wrong("a:\n  b: 1\n---\n  c: 2\nd: 3\n");
    assert_eq!((problem.rule.name, slice(&document, problem.span)), ("several-documents", "---"));
    assert_eq!(value(&document), json!({"a": {"b": 1, "c": 2}, "d": 3}));
}

#[test]
fn mistakes_on_adjacent_lines_are_all_reported() {
    let (document, problems) = read_any("a: 1\nb 2\nc 3\nd: [4\ne: 5\n");
    let lines: Vec<_> =
        problems.iter().map(|problem| document.text()[..problem.span.start as usize].matches('\n').count()).collect();
    assert_eq!(lines, [1, 2, 3]);
    assert_eq!(value(&document), json!({"a": 1, "b": 2, "c": 3, "d": [4], "e": 5}));
}

#[test]
fn no_break_spaces_in_the_indentation() {
    let text = "a:\n  b:\n\u{a0}\u{a0}- c:\n      d: 1\n  e: 2\n";
    let (document, problem) = read_wrong(text);
    assert!(problem.help[0].contains("U+00A0"), "{problem:#?}");
    assert_eq!(value(&document), json!({"a": {"b": [{"c": {"d": 1}}], "e": 2}}));
}

#[test]
fn joined_lines_are_divided() {
    let (document, problem) = read_wrong("a:\n  b: 1 c: 2\nc: 3\n");
    assert_eq!(problem.help[0], "begin a new line before `c: 2` on line 2");
    assert_eq!(value(&document), json!({"a": {"b": 1, "c": 2}, "c": 3}));
    check_places(&document);
}

#[test]
fn lines_of_other_programs_are_ignored() {
    let conflict = "a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> other\nc: 4\n";
    let (document, problem) = read_wrong(conflict);
    assert_eq!(slice(&document, problem.span), "<<<<<<< HEAD");
    assert_eq!(value(&document), json!({"a": 1, "b": 2, "c": 4}));
    let (document, problem) = read_wrong("```yaml\na: 1\n```\n");
    assert_eq!(slice(&document, problem.span), "```yaml");
    assert_eq!(value(&document), json!({"a": 1}));
}

#[test]
fn tags_outside_the_core_schema() {
    for (text, tag) in [
        ("a: !!binary aGk=", "!!binary"),
        ("a: !!timestamp 2001-12-14", "!!timestamp"),
        ("a: !!set {b: }", "!!set"),
        ("a: !custom\n  - b", "!custom"),
        ("!!omap [a: 1]", "!!omap"),
        ("a: !<tag:example.com,2000:b%20c> d", "!<tag:example.com,2000:b%20c>"),
    ] {
        let (document, problem) = read_wrong(text);
        assert_eq!(problem.rule.name, "refused-tag", "{text}");
        assert_eq!(slice(&document, problem.span), tag);
        assert_eq!(problem.message, format!("the tag `{tag}` is not in YAML's core schema"));
        assert!(document.is_complete());
    }
}

#[test]
fn only_the_known_tags() {
    let tags = Tags::Also(&["!yaql", "tag:yaml.org,2002:set"]);
    let options = Options { dialect: Dialect { tags, ..Dialect::CORE }, ..Options::default() };
    let (document, problems) = read_with("a: !yaql $.x\nb: !!set {x: }\nc: !!binary aGk=\nd: !!int 1\n", &options);
    assert_eq!(value(&document), json!({"a": "$.x", "b": {"x": null}, "c": "aGk=", "d": 1}));
    let messages: Vec<_> = problems.iter().map(|problem| &*problem.message).collect();
    assert_eq!(messages, ["unknown tag `!!binary`"]);
}

#[test]
fn core_tags_that_do_not_fit() {
    for (text, message) in [
        ("!!int x", "`x` is not an integer, although its tag is `!!int`"),
        ("!!bool 'yes'", "`yes` is not a boolean, although its tag is `!!bool`"),
        ("!!float 0x1", "`0x1` is not a float, although its tag is `!!float`"),
        ("!!null nil", "`nil` is not a null, although its tag is `!!null`"),
        ("!!map x", "`x` is not a map, although its tag is `!!map`"),
        ("!!str [x]", "the tag `!!str` requires a string, but a list follows"),
        ("!!seq {x: y}", "the tag `!!seq` requires a list, but a map follows"),
    ] {
        let (_, problem) = read_wrong(text);
        assert_eq!(problem.rule.name, "refused-tag", "{text}");
        assert_eq!(problem.message, message);
    }
}
