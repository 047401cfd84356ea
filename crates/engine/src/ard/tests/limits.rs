//! Tests that hostile input causes a problem instead of exhausting the machine.

use std::fmt::Write;
use std::ops::Range;

use super::{Options, read_any, read_valid, read_with, read_wrong, value};
use crate::ard::granit::MAX_COMMENTS;
use crate::ard::{Kind, Limits, Node};
use crate::diagnostic::Diagnostic;

fn lines(numbers: Range<usize>, line: impl FnMut(usize) -> String) -> String {
    numbers.map(line).collect::<Vec<_>>().concat()
}

fn only_rule(problems: &[Diagnostic]) -> &str {
    assert_eq!(problems.len(), 1, "{problems:#?}");
    problems[0].rule.name
}

fn depth(node: Node<'_>) -> u32 {
    let inside = node.items().chain(node.entries().flat_map(|entry| [entry.key, entry.value])).map(depth).max();
    match node.kind() {
        Kind::Map | Kind::List => 1 + inside.unwrap_or(0),
        _ => 0,
    }
}

#[test]
fn deep_nesting_of_all_kinds() {
    let n = 1_000_000;
    let blocks = lines(0..3000, |level| format!("{}a:\n", " ".repeat(level)));
    for text in
        ["[".repeat(n), "{a: ".repeat(n), "- ".repeat(n), "? ".repeat(n), "[a: ".repeat(n), "[{".repeat(n), blocks]
    {
        let (document, problems) = read_any(&text);
        assert_eq!(only_rule(&problems), "nesting-too-deep", "{}", &text[..20]);
        assert!(!document.is_complete());
        let depth = document.root().map_or(0, depth);
        assert!(depth <= 200, "{depth}");
        serde_json::to_string(&document.root()).unwrap();
    }
}

#[test]
fn the_deepest_allowed_nesting() {
    for (open, close) in [("[", "]"), ("{a: ", "}")] {
        let text = |depth: usize| format!("{}1{}", open.repeat(depth), close.repeat(depth));
        let document = read_valid(&text(200));
        assert_eq!(depth(document.root().unwrap()), 200);
        assert_eq!(only_rule(&read_any(&text(201)).1), "nesting-too-deep");

        let options = |depth| Options { limits: Limits { depth, ..Limits::default() }, ..Options::default() };
        assert_eq!(read_with(&text(3), &options(3)).1, []);
        let (document, problems) = read_with(&text(4), &options(3));
        assert_eq!(only_rule(&problems), "nesting-too-deep");
        assert_eq!(problems[0].message, "maps and lists are nested more than 3 levels deep");
        assert_eq!(depth(document.root().unwrap()), 3);
        // The limit can't be set above `MAX_DEPTH`, so that a document can be serialized within a thread's stack.
        let deepest = Limits::MAX_DEPTH as usize;
        let (document, problems) = read_with(&text(deepest), &options(u32::MAX));
        assert_eq!(problems, []);
        assert!(value(&document).to_string().len() > deepest);
        assert_eq!(only_rule(&read_with(&text(deepest + 1), &options(u32::MAX)).1), "nesting-too-deep");
    }
}

#[test]
fn aliases_count_like_their_targets() {
    // Through its alias, each item is nested one level more deeply than the previous one.
    let mut text = String::from("- &a0 []\n");
    for level in 1..1000 {
        writeln!(text, "- &a{level} [*a{}]", level - 1).unwrap();
    }
    let (document, problems) = read_any(&text);
    assert!(problems.iter().all(|problem| problem.rule.name == "nesting-too-deep"));
    assert!(document.is_complete());
    assert_eq!(document.root().unwrap().len(), 1000);
    assert_eq!(depth(document.root().unwrap()), 200);
    serde_json::to_string(&document.root()).unwrap();
}

#[test]
fn an_alias_bomb() {
    for (open, close, separator) in [("[", "]", ","), ("{a: [", "]}", ",")] {
        let mut text = String::from("- &a0 lol\n");
        for level in 1..=10 {
            let aliases = vec![format!("*a{}", level - 1); 10].join(separator);
            writeln!(text, "- &a{level} {open}{aliases}{close}").unwrap();
        }
        let (document, problems) = read_any(&text);
        assert_eq!(only_rule(&problems), "alias-expansion");
        assert!(document.is_complete());
        assert!(document.len() < 1000);
    }
}

#[test]
fn the_limit_of_expansion_is_exact() {
    let text = "- &a [1, 2]\n- *a\n- *a\n";
    let options = |expansion| Options { limits: Limits { expansion, ..Limits::default() }, ..Options::default() };
    assert_eq!(read_with(text, &options(4)).1, []);
    let (document, problems) = read_with(text, &options(3));
    assert_eq!(only_rule(&problems), "alias-expansion");
    let items: Vec<_> = document.root().unwrap().items().collect();
    assert_eq!((items[1].kind(), items[2].kind()), (Kind::List, Kind::Null));
    assert!(items[2].is_placeholder());
}

#[test]
fn rejected_aliases_count_when_they_are_multiplied() {
    let text = format!("- &a [{}]\n{}", "*x,".repeat(100_000), "- *a\n".repeat(200));
    let (document, problems) = read_any(&text);
    assert_eq!(problems.last().unwrap().rule.name, "alias-expansion");
    assert!(document.root().unwrap().items().last().unwrap().is_placeholder());
}

#[test]
fn long_texts_count_when_they_are_multiplied() {
    let text = format!("- &a {}\n{}", "x".repeat(1_000_000), "- *a\n".repeat(100_000));
    let (_, problems) = read_any(&text);
    assert_eq!(only_rule(&problems), "alias-expansion");
}

#[test]
fn merges_are_part_of_the_expansion() {
    let mut chain = String::from("- &a0 {k: 0}\n");
    for level in 1..20_000 {
        writeln!(chain, "- &a{level} {{<<: *a{}, k{level}: 0}}", level - 1).unwrap();
    }
    assert_eq!(only_rule(&read_any(&chain).1), "alias-expansion");

    let keys = lines(0..100_000, |key| format!("k{key}: 0,"));
    let nested = format!("{}{{{keys}}}{}", "{<<: ".repeat(190), "}".repeat(190));
    assert_eq!(only_rule(&read_any(&nested).1), "alias-expansion");
}

#[test]
fn many_keys() {
    let distinct = lines(0..100_000, |key| format!("key{key}: {key}\n"));
    let (document, problems) = read_any(&distinct);
    assert_eq!(problems, []);
    assert_eq!(document.root().unwrap().len(), 100_000);

    let numbers = lines(0..100_000, |key| format!("{key}: {key}\n"));
    assert_eq!(read_any(&numbers).1, []);

    let (_, problems) = read_any(&"key: 1\n".repeat(100_000));
    assert_eq!(problems.len(), Limits::default().problems);
    // The reason why the rest is missing is always reported.
    let (_, problems) = read_any(&("key: 1\n".repeat(100_000) + "@"));
    assert_eq!(problems.last().unwrap().rule.name, "yaml-syntax");
}

#[test]
fn keys_inside_of_keys() {
    // Each level has two keys of the same kind, one of them large.
    let large = "x,".repeat(100_000);
    let text = format!("{}[{large}]{}", "{? [".repeat(90), "] : 1, ? [y] : 2}".repeat(90));
    let (document, problems) = read_any(&text);
    assert_eq!(problems, []);
    assert!(document.is_complete());
}

#[test]
fn many_misspelled_aliases() {
    let anchors = lines(0..20_000, |number| format!("- &anchor{number} 1\n"));
    let aliases = lines(0..20_000, |number| format!("- *anchor_{number}\n"));
    let (_, problems) = read_any(&(anchors + &aliases));
    assert_eq!(problems.len(), Limits::default().problems);
}

#[test]
fn long_names_and_keys() {
    let long = "x".repeat(1_000_000);
    let (_, problems) = read_any(&format!("- &{long} 1\n- *{long}y\n"));
    assert_eq!(only_rule(&problems), "undefined-alias");
    assert!(problems[0].message.len() < 200);
    let (_, problems) = read_any(&format!("? {long}\n: 1\n? {long}\n: 2\n? [{long}]\n: 3\n? [{long}]\n: 4\n"));
    assert!(problems.iter().all(|problem| problem.message.len() < 200));
    assert_eq!(problems.len(), 2);
}

#[test]
fn the_size_of_a_source_is_limited() {
    let options = Options { limits: Limits { bytes: 10, ..Limits::default() }, ..Options::default() };
    assert_eq!(read_with("a: 1234567", &options).1, []);
    let (document, problems) = read_with("a: 12345678", &options);
    assert_eq!(only_rule(&problems), "source-too-large");
    assert_eq!(problems[0].message, "the source has 11 bytes, which is more than the 10 allowed");
    assert!(document.root().is_none() && !document.is_complete());
}

#[test]
fn comments_between_a_key_and_its_value_are_limited() {
    // A key as a collection, which only the complete reader reads.
    let text = |comments: usize| format!("? [a]\n: b:\n{}    c: 1\nd: 2\n", "#\n".repeat(comments));
    assert_eq!(read_valid(&text(MAX_COMMENTS)).comments().len(), MAX_COMMENTS);
    let (document, problem) = read_wrong(&text(MAX_COMMENTS + 1));
    assert_eq!(problem.rule.name, "source-too-large");
    assert_eq!(problem.message, "more than 50000 comments follow one another");
    assert!(!document.is_complete());
}
